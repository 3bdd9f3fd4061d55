# SPDX-License-Identifier: Apache-2.0
# The page of `zwang view`: bundled by Node.js from viewer/ and carried inside the program as a C array.
# Its packages (three, uplot, esbuild) are fetched by scripts/build-viewer into build/viewer, never by CMake on its own. AUTO, the default, carries the page where they are there when
# CMake configures; without them everything else is built, and `zwang view` says what is missing.
include_guard()

set(zw_viewer_packages "${PROJECT_SOURCE_DIR}/build/viewer" CACHE PATH "Folder with the viewer's node_modules, made by scripts/build-viewer")
set(ZW_BUILD_VIEWER AUTO CACHE STRING "Carry the viewer inside the program: AUTO (where Node.js and the packages of scripts/build-viewer are), ON, OFF")
set_property(CACHE ZW_BUILD_VIEWER PROPERTY STRINGS AUTO ON OFF)
find_program(ZW_NODE NAMES node nodejs DOC "Node.js, which bundles the viewer")
set(zw_viewer "${ZW_BUILD_VIEWER}")
if(zw_viewer STREQUAL "AUTO")
    if(ZW_NODE AND IS_DIRECTORY "${zw_viewer_packages}/node_modules/esbuild")
        set(zw_viewer ON)
    else()
        set(zw_viewer OFF)
        message(STATUS "The program will not carry its viewer (zwang view): run scripts/build-viewer, which needs Node.js 18 and npm, and configure again")
    endif()
endif()
if(zw_viewer AND NOT ZW_NODE)
    message(FATAL_ERROR "ZW_BUILD_VIEWER needs Node.js 18 or newer: install it (Debian: apt install nodejs npm), or configure with -DZW_BUILD_VIEWER=OFF")
endif()
if(zw_viewer AND NOT IS_DIRECTORY "${zw_viewer_packages}/node_modules/esbuild")
    message(FATAL_ERROR "ZW_BUILD_VIEWER needs the viewer's packages in ${zw_viewer_packages}: run scripts/build-viewer once, or configure with -DZW_BUILD_VIEWER=OFF")
endif()

# zwang_add_viewer(TARGET): the page becomes part of TARGET
function(zwang_add_viewer target)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/viewer/src/*")
    set(page "${PROJECT_BINARY_DIR}/generated/viewer_page.c")
    add_custom_command(
        OUTPUT "${page}"
        COMMAND "${ZW_NODE}" "${PROJECT_SOURCE_DIR}/viewer/build.mjs" --packages "${zw_viewer_packages}" --c "${page}"
        DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/viewer/build.mjs" "${PROJECT_SOURCE_DIR}/viewer/package-lock.json"
        COMMENT "Bundling the viewer"
        VERBATIM)
    target_sources(${target} PRIVATE "${page}")
    target_compile_definitions(${target} PRIVATE ZW_HAVE_VIEWER)
endfunction()
