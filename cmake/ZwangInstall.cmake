# SPDX-License-Identifier: Apache-2.0
# Installation: headers, both libraries, the program, a pkg-config file and a CMake package.
# The shared library hides its dependencies; who wants the static one asks for  find_package(zwang COMPONENTS static)
# or  pkg-config --static , and needs libyaml, HDF5, LAPACK and ARPACK for development as well.
include_guard()
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/zwang" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(TARGETS zwang EXPORT zwangTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS zwang_static EXPORT zwangStaticTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET zwang_program)
    install(TARGETS zwang_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/examples")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/" DESTINATION "${CMAKE_INSTALL_DATADIR}/zwang/examples" FILES_MATCHING PATTERN "*.yaml"
            PATTERN "*.md")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# ---- CMake package
set(zw_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/zwang")
install(EXPORT zwangTargets NAMESPACE zwang:: DESTINATION "${zw_package_dir}")
install(EXPORT zwangStaticTargets NAMESPACE zwang:: DESTINATION "${zw_package_dir}")
string(REPLACE ";" " " zw_private_link_line "${zw_private_link_flags}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/zwangConfig.cmake.in" "${PROJECT_BINARY_DIR}/generated/zwangConfig.cmake"
                              INSTALL_DESTINATION "${zw_package_dir}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/zwangConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/zwangConfig.cmake" "${PROJECT_BINARY_DIR}/generated/zwangConfigVersion.cmake"
        DESTINATION "${zw_package_dir}")

# ---- pkg-config; the prefix is found from the file's own place, so an installed tree can be moved
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(zw_pc_prefix "${CMAKE_INSTALL_PREFIX}")
    set(zw_pc_libdir "${CMAKE_INSTALL_FULL_LIBDIR}")
    set(zw_pc_includedir "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
    file(RELATIVE_PATH zw_pc_up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
    string(REGEX REPLACE "/$" "" zw_pc_up "${zw_pc_up}")
    set(zw_pc_prefix "\${pcfiledir}/${zw_pc_up}")
    set(zw_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(zw_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/zwang.pc.in" "${PROJECT_BINARY_DIR}/generated/zwang.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/generated/zwang.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
