# SPDX-License-Identifier: Apache-2.0
# Tests: every tests/<folder>/test_<name>.c is one executable test_<folder>_<name> linked to the static library (private functions
# can be tested, and a test carries only what it uses), every tests/cli/test_<name>.py drives the built program. Label = folder.
# Files named soak_* carry the label `soak` instead; `ctest -LE soak` leaves them out and `make soak` runs them.
# A name that speaks of threads adds the label `threads`, which CI repeats under the thread sanitizer.
include_guard()

pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
    message(FATAL_ERROR "cmocka was not found (pkg-config cmocka), and ZW_BUILD_TESTS is on. "
                        "Debian and Ubuntu: apt-get install libcmocka-dev (or: make install-deps)")
endif()

# The Python tests read results with h5py, check JSON with jsonschema and equations with SymPy: take the first interpreter that has them.
set(ZW_PYTHON "" CACHE FILEPATH "Python 3 with h5py, jsonschema and sympy, for the tests of the program")
if(NOT ZW_PYTHON)
    find_program(zw_python_on_path python3)
    foreach(candidate "${zw_python_on_path}" /usr/bin/python3)
        if(candidate AND EXISTS "${candidate}")
            execute_process(COMMAND "${candidate}" -c "import h5py, jsonschema, sympy" RESULT_VARIABLE bad OUTPUT_QUIET ERROR_QUIET)
            if(bad EQUAL 0)
                set(ZW_PYTHON "${candidate}" CACHE FILEPATH "Python 3 with h5py, jsonschema and sympy, for the tests of the program" FORCE)
                break()
            endif()
        endif()
    endforeach()
endif()

set(zw_test_environment "ZW_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
if(TARGET zwang_program)
    list(APPEND zw_test_environment "ZWANG=$<TARGET_FILE:zwang_program>")
endif()

# Helpers shared by tests, where they are more than a header.
file(GLOB zw_test_support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.c")
list(FILTER zw_test_support EXCLUDE REGEX "/(test|soak)_[^/]*$")
if(zw_test_support)
    add_library(zwang_test_support OBJECT ${zw_test_support})
    target_include_directories(zwang_test_support PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(zwang_test_support PRIVATE zwang_flags PkgConfig::CMOCKA)
endif()

function(zwang_register name folder source soak)
    set(labels "${folder}")
    set(timeout 240)
    if(soak)
        set(labels soak)
        set(timeout 7200)
    endif()
    if(source MATCHES "thread")
        list(APPEND labels threads)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} ENVIRONMENT "${zw_test_environment}")
endfunction()

file(GLOB zw_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/test_*.c" "${PROJECT_SOURCE_DIR}/tests/*/soak_*.c")
foreach(source IN LISTS zw_test_sources)
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    get_filename_component(stem "${source}" NAME_WE)
    string(REGEX MATCH "^(test|soak)_(.*)$" matched "${stem}")
    set(name "${CMAKE_MATCH_1}_${folder}_${CMAKE_MATCH_2}")
    string(COMPARE EQUAL "${CMAKE_MATCH_1}" soak soak)

    add_executable(${name} "${source}")
    if(zw_test_support)
        target_sources(${name} PRIVATE $<TARGET_OBJECTS:zwang_test_support>)
    endif()
    if(folder STREQUAL "cli" AND TARGET zwang_program_objects)
        target_sources(${name} PRIVATE $<TARGET_OBJECTS:zwang_program_objects>)
    endif()
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src"
                               "${PROJECT_SOURCE_DIR}/tests")
    target_compile_definitions(${name} PRIVATE "ZW_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
    target_link_libraries(${name} PRIVATE zwang_flags zwang_static zwang_private_dependencies PkgConfig::CMOCKA)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    zwang_register(${name} "${folder}" "${source}" ${soak})
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/tests")

if(TARGET zwang_program)
    file(GLOB zw_python_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cli/test_*.py" "${PROJECT_SOURCE_DIR}/tests/cli/soak_*.py")
    if(zw_python_tests AND NOT ZW_PYTHON)
        message(FATAL_ERROR "No python3 with the modules h5py, jsonschema and sympy was found; the tests of the program need one. "
                            "Debian and Ubuntu: apt-get install python3 python3-h5py python3-jsonschema python3-sympy (or: make install-deps)")
    endif()
    foreach(source IN LISTS zw_python_tests)
        get_filename_component(stem "${source}" NAME_WE)
        string(REGEX MATCH "^(test|soak)_(.*)$" matched "${stem}")
        set(name "${CMAKE_MATCH_1}_cli_${CMAKE_MATCH_2}")
        string(COMPARE EQUAL "${CMAKE_MATCH_1}" soak soak)
        if(TARGET ${name}) # a C test of the same name
            string(APPEND name "_py")
        endif()
        add_test(NAME ${name} COMMAND "${ZW_PYTHON}" -B "${source}" WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
        zwang_register(${name} cli "${source}" ${soak})
    endforeach()
endif()
