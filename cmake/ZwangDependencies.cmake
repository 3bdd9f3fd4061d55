# SPDX-License-Identifier: Apache-2.0
# zwang_private_dependencies: libyaml (reads model files), the serial HDF5 C library (writes results), LAPACK and ARPACK (modes), libm.
# None of them shows in a public header. A missing one stops the configuration with the package's name.
include_guard()

add_library(zwang_private_dependencies INTERFACE)

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
    message(FATAL_ERROR "pkg-config was not found. Debian and Ubuntu: apt-get install pkgconf (or: make install-deps)")
endif()

pkg_check_modules(YAML QUIET IMPORTED_TARGET GLOBAL yaml-0.1)
if(NOT YAML_FOUND)
    message(FATAL_ERROR "libyaml was not found (pkg-config yaml-0.1). "
                        "Debian and Ubuntu: apt-get install libyaml-dev (or: make install-deps)")
endif()
target_link_libraries(zwang_private_dependencies INTERFACE PkgConfig::YAML)
list(APPEND zw_private_link_flags ${YAML_LDFLAGS})

# By the name hdf5-serial first: on Debian plain `hdf5` is an alternative that may answer with the MPI build.
pkg_check_modules(HDF5_SERIAL QUIET IMPORTED_TARGET GLOBAL hdf5-serial)
if(HDF5_SERIAL_FOUND)
    target_link_libraries(zwang_private_dependencies INTERFACE PkgConfig::HDF5_SERIAL)
    list(APPEND zw_private_link_flags ${HDF5_SERIAL_LDFLAGS})
else()
    find_package(HDF5 QUIET COMPONENTS C)
    if(NOT HDF5_FOUND)
        message(FATAL_ERROR "The serial HDF5 C library was not found (pkg-config hdf5-serial, find_package(HDF5)). "
                            "Debian and Ubuntu: apt-get install libhdf5-dev (or: make install-deps)")
    endif()
    if(HDF5_IS_PARALLEL)
        message(FATAL_ERROR "The HDF5 found is an MPI build; zwang needs the serial one. "
                            "Debian and Ubuntu: apt-get install libhdf5-dev; elsewhere set HDF5_ROOT to a serial installation")
    endif()
    target_include_directories(zwang_private_dependencies SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
    target_compile_definitions(zwang_private_dependencies INTERFACE ${HDF5_C_DEFINITIONS})
    target_link_libraries(zwang_private_dependencies INTERFACE ${HDF5_C_LIBRARIES})
    list(APPEND zw_private_link_flags ${HDF5_C_LIBRARIES})
endif()

# Eigenvalues: any LAPACK with 32-bit integers and the names of Fortran; ARPACK above it.
pkg_check_modules(ARPACK QUIET IMPORTED_TARGET GLOBAL arpack)
if(ARPACK_FOUND)
    target_link_libraries(zwang_private_dependencies INTERFACE PkgConfig::ARPACK)
    list(APPEND zw_private_link_flags ${ARPACK_LDFLAGS})
else()
    find_library(ZW_ARPACK_LIBRARY arpack)
    if(NOT ZW_ARPACK_LIBRARY)
        message(FATAL_ERROR "ARPACK was not found (pkg-config arpack, libarpack). "
                            "Debian and Ubuntu: apt-get install libarpack2-dev (or: make install-deps)")
    endif()
    target_link_libraries(zwang_private_dependencies INTERFACE "${ZW_ARPACK_LIBRARY}")
    list(APPEND zw_private_link_flags "${ZW_ARPACK_LIBRARY}")
endif()
pkg_check_modules(LAPACK_BLAS QUIET IMPORTED_TARGET GLOBAL lapack blas)
if(LAPACK_BLAS_FOUND)
    target_link_libraries(zwang_private_dependencies INTERFACE PkgConfig::LAPACK_BLAS)
    list(APPEND zw_private_link_flags ${LAPACK_BLAS_LDFLAGS})
else()
    find_package(LAPACK QUIET)
    if(NOT LAPACK_FOUND)
        message(FATAL_ERROR "LAPACK was not found (pkg-config lapack, find_package(LAPACK)). "
                            "Debian and Ubuntu: apt-get install liblapack-dev (or: make install-deps)")
    endif()
    target_link_libraries(zwang_private_dependencies INTERFACE ${LAPACK_LIBRARIES})
    list(APPEND zw_private_link_flags ${LAPACK_LIBRARIES})
endif()

# Threads over independent tiles; without OpenMP the same loops run on one thread, to the same bits.
option(ZW_OPENMP "Use OpenMP where the compiler has it" ON)
if(ZW_OPENMP)
    find_package(OpenMP QUIET COMPONENTS C)
    if(OpenMP_C_FOUND)
        target_link_libraries(zwang_private_dependencies INTERFACE OpenMP::OpenMP_C)
        list(APPEND zw_private_link_flags ${OpenMP_C_FLAGS})
    else()
        message(STATUS "OpenMP was not found: one thread (clang on Debian and Ubuntu: apt-get install libomp-dev)")
    endif()
endif()

target_link_libraries(zwang_private_dependencies INTERFACE m)
list(APPEND zw_private_link_flags -lm)
