# SPDX-License-Identifier: Apache-2.0
# zwang_flags: how every C file of zwang is compiled. An interface target, so that nothing leaks into a project that embeds us.
include_guard()

add_library(zwang_flags INTERFACE)
target_compile_features(zwang_flags INTERFACE c_std_17)

# C17 without GNU extensions; only symbols marked ZW_API leave the shared library.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)

target_compile_options(zwang_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow
    # a*b + c stays two roundings. Whether a compiler fuses it depends on compiler, version, optimisation level and
    # instruction set, so with contraction the same model would give other bits on another build, and the golden
    # hashes, bitwise resume and the scalar-equals-vector tests would be worth nothing. For the same reason there
    # is no -ffast-math anywhere.
    -ffp-contract=off
    # Wide values (src/math/wide.h) never cross a function that is not inlined, so how they would be passed is of no interest.
    -Wno-psabi
    # Neither changes a value: nobody reads errno after sqrt(), and nobody enables floating-point traps.
    -fno-math-errno -fno-trapping-math
    # __FILE__ and debug information name files relative to the source tree: reproducible and free of local paths.
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
    "-ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/")

if(ZW_WERROR)
    target_compile_options(zwang_flags INTERFACE -Werror)
endif()
