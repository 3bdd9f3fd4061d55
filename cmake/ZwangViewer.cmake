# SPDX-License-Identifier: Apache-2.0
# The page of `zwang view`: bundled by Node.js from viewer/ and carried inside the program as a C array.
# Its packages (three, uplot, esbuild) are fetched by scripts/build-viewer into build/viewer, never by CMake on its own. So the option is on by itself only where they are
# already; without them everything else is built, and `zwang view` says what is missing.
include_guard()

set(zw_viewer_packages "${PROJECT_SOURCE_DIR}/build/viewer" CACHE PATH "Folder with the viewer's node_modules, made by scripts/build-viewer")
find_program(ZW_NODE NAMES node nodejs DOC "Node.js, which bundles the viewer")
if(ZW_NODE AND IS_DIRECTORY "${zw_viewer_packages}/node_modules/esbuild")
    option(ZW_BUILD_VIEWER "Carry the viewer inside the program (needs Node.js and scripts/build-viewer)" ON)
else()
    option(ZW_BUILD_VIEWER "Carry the viewer inside the program (needs Node.js and scripts/build-viewer)" OFF)
endif()
if(ZW_BUILD_VIEWER AND NOT ZW_NODE)
    message(FATAL_ERROR "ZW_BUILD_VIEWER needs Node.js 18 or newer: install it (Debian: apt install nodejs npm), or configure with -DZW_BUILD_VIEWER=OFF")
endif()
if(ZW_BUILD_VIEWER AND NOT IS_DIRECTORY "${zw_viewer_packages}/node_modules/esbuild")
    message(FATAL_ERROR "ZW_BUILD_VIEWER needs the viewer's packages in ${zw_viewer_packages}: run scripts/build-viewer once, or configure with -DZW_BUILD_VIEWER=OFF")
endif()

# zwang_add_viewer(TARGET): the page becomes part of TARGET
function(zwang_add_viewer target)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/viewer/src/*")
    set(page "${PROJECT_BINARY_DIR}/generated/viewer_page.c")
    add_custom_command(
        OUTPUT "${page}"
        COMMAND "${ZW_NODE}" "${PROJECT_SOURCE_DIR}/viewer/build.mjs" --packages "${zw_viewer_packages}" --c "${page}"
        DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/viewer/build.mjs"
        COMMENT "Bundling the viewer"
        VERBATIM)
    target_sources(${target} PRIVATE "${page}")
    target_compile_definitions(${target} PRIVATE ZW_HAVE_VIEWER)
endfunction()
