# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: every fuzz/fuzz_<name>.c is one libFuzzer program build/fuzz/fuzz_<name>. The library is compiled once more for them, with the
# coverage counters of libFuzzer and with the address and undefined-behaviour sanitizers.
include_guard()

if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ZW_BUILD_FUZZ needs clang, this is ${CMAKE_C_COMPILER_ID}: configure with -DCMAKE_C_COMPILER=clang (or: make fuzz)")
endif()

# A conversion from a double that does not fit the integer is undefined too, but not in the group.
set(zw_fuzz_checks address,undefined,float-cast-overflow)

add_library(zwang_fuzz_objects OBJECT ${zw_library_sources})
target_include_directories(zwang_fuzz_objects PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(zwang_fuzz_objects PRIVATE zwang_flags zwang_private_dependencies)
target_compile_options(zwang_fuzz_objects PRIVATE -g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,${zw_fuzz_checks}
                       -fno-sanitize-recover=all)

# The library without instrumentation is not wanted in such a build.
set_target_properties(zwang_objects zwang zwang_static PROPERTIES EXCLUDE_FROM_ALL ON)

file(GLOB zw_fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c")
foreach(source IN LISTS zw_fuzz_sources)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(${name} "${source}" $<TARGET_OBJECTS:zwang_fuzz_objects>)
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/fuzz")
    target_link_libraries(${name} PRIVATE zwang_flags zwang_private_dependencies)
    target_compile_options(${name} PRIVATE -g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer,${zw_fuzz_checks} -fno-sanitize-recover=all)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,${zw_fuzz_checks})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
endforeach()

# Writes first inputs for the targets that read binary formats; made when asked for by name.
add_executable(fuzz_seeds EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/fuzz/seeds.c")
target_include_directories(fuzz_seeds PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/fuzz")
target_sources(fuzz_seeds PRIVATE $<TARGET_OBJECTS:zwang_fuzz_objects>)
target_link_libraries(fuzz_seeds PRIVATE zwang_flags zwang_private_dependencies)
target_link_options(fuzz_seeds PRIVATE -fsanitize=fuzzer-no-link,${zw_fuzz_checks})
