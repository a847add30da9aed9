# SPDX-License-Identifier: MIT
# Every tests/FOLDER/test_NAME.c or tests/FOLDER/ROOM/test_NAME.c is one test, `test-FOLDER NAME`,
# every tests/FOLDER/run_*.sh and run_*.py one script; the folder is the label (ctest -L unit).  Exit status
# 77 means skipped.  tests/support/*.c is linked into every program, and the rooms
# figure/, program/ and lab/ into test-unit.
#
# Every tests/FOLDER/driver_*.c is a program for the scripts of its folder, at
# tests/driver_NAME of the build directory; where there is one, WEFT_DRIVER says it.

# A hang is ended; a loaded machine, on which the longest under a sanitizer took nine minutes, is not taken for one.
set(WEFT_TEST_TIMEOUT 2400 CACHE STRING "Seconds that one test may take")

find_program(WEFT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(WEFT_PYTHON python3)
find_program(WEFT_BASH bash REQUIRED)

# The longest, in seconds of a release build or so: they begin first, that no core waits for them at the end.
set(WEFT_LONG_TESTS
    "bits/bits=90" "python/python=60" "cli/cases=60" "docs/docs=60" "cli/extremes=30" "hostile/hostile=25" "cli/resume=21"
    "bits/processors=20" "cli/compare=16" "oracle/multiprecision=11" "cli/completion=10" "cli/signals=10"
    "cli/machines=10" "cli/terminal=9" "lab/experiments=9" "property/hedge_adversary=8" "oracle/meg=7"
    "property/committee=6" "oracle/explain=6" "oracle/decisions=6" "property/committee_state=5" "lab/table1=5"
    "property/compact_exact=4" "property/graph_paths=4" "unit/threads=4" "unit/side_map=4" "unit/stack_long=4"
    "unit/reader=9" "unit/compact_cost=3" "unit/estimate=3" "oom/learner=3" "oom/committee_forget=3"
    "unit/io_model_committee=3" "property/compact=3" "property/compact_state=3" "property/rank=3")

function(weft_register name label)
    file(GLOB drivers "${PROJECT_SOURCE_DIR}/tests/${label}/driver_*.c")
    list(TRANSFORM drivers REPLACE ".*/(driver_.*)\\.c$" "${PROJECT_BINARY_DIR}/tests/\\1")
    list(JOIN drivers ":" drivers)
    add_test(NAME "${name}" COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set(program "")
    if(TARGET weft)
        set(program "$<TARGET_FILE:weft>")
    endif()
    set(cost 1)
    foreach(long IN LISTS WEFT_LONG_TESTS)
        if(long MATCHES "^${name}=([0-9]+)$")
            set(cost ${CMAKE_MATCH_1})
        endif()
    endforeach()
    # The command is run as its users do. What judges by LAPACK takes one thread: the others run beside it.
    set(threads ";OPENBLAS_NUM_THREADS=1")
    if(label MATCHES "^(cli|bits|hostile|docs)$")
        set(threads "")
    endif()
    set_tests_properties("${name}" PROPERTIES
        LABELS "${label}" COST ${cost} SKIP_RETURN_CODE 77 TIMEOUT ${WEFT_TEST_TIMEOUT}
        ENVIRONMENT "WEFT_BUILD_DIR=${PROJECT_BINARY_DIR};WEFT_SOURCE_DIR=${PROJECT_SOURCE_DIR};WEFT_BIN=${program};WEFT_PYTHON=${WEFT_PYTHON};WEFT_DRIVER=${drivers}${threads}")
endfunction()

# A program that sees the internals of the library and what the tests share.
function(weft_add_test_program name)
    add_executable(${name} ${ARGN})
    target_include_directories(${name} PRIVATE src tests)
    # What a test does by itself is little, but for slow versions of the library's own work: it is compiled quickly.
    if(name MATCHES "^test-(unit|oom|regression)$")
        target_compile_options(${name} PRIVATE -O0)
    else()
        target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:RelWithDebInfo>:-O0>)
    endif()
    # What it does undefined by itself clang finds; its arrays are guarded, for the library is handed them.
    if(WEFT_SANITIZE STREQUAL "address,undefined")
        target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
    endif()
    target_link_libraries(${name} PRIVATE weft_flags weft_test_support weft_static weft_numerics
                          ${WEFT_CMOCKA_LIBRARY} m)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
endfunction()

# The program test-FOLDER, of all test_*.c in that folder: linking one takes longer than compiling most of them.
# `test-FOLDER NAME` runs that test; main() of each becomes a function of its own, which a table names.
function(weft_add_test_folder folder)
    file(GLOB sources CONFIGURE_DEPENDS tests/${folder}/test_*.c tests/${folder}/*/test_*.c)
    set(declarations "")
    set(rows "")
    foreach(source IN LISTS sources)
        get_filename_component(name "${source}" NAME_WE)
        set_source_files_properties("${source}" PROPERTIES COMPILE_DEFINITIONS "main=run_${name}")
        string(APPEND declarations "int run_${name}(void);\n")
        string(REGEX REPLACE "^test_(.*)" "    {\"\\1\", run_test_\\1},\n" row "${name}")
        string(APPEND rows "${row}")
    endforeach()
    configure_file(cmake/test_main.c.in "${PROJECT_BINARY_DIR}/tests/main_${folder}.c" @ONLY)
    weft_add_test_program(test-${folder} ${sources} "${PROJECT_BINARY_DIR}/tests/main_${folder}.c")
    foreach(source IN LISTS sources)
        get_filename_component(name "${source}" NAME_WE)
        string(REGEX REPLACE "^test_" "" name "${name}")
        weft_register(${folder}/${name} ${folder} test-${folder} ${name})
    endforeach()
endfunction()

find_path(WEFT_CMOCKA_INCLUDE cmocka.h)
find_library(WEFT_CMOCKA_LIBRARY cmocka)
if(NOT WEFT_CMOCKA_INCLUDE OR NOT WEFT_CMOCKA_LIBRARY)
    message(WARNING "cmocka was not found (libcmocka-dev): the test programs are left out")
else()
    add_library(weft_test_support INTERFACE)
    # cmocka hands a state to every test, which most have no use for.
    target_compile_options(weft_test_support INTERFACE -Wno-unused-parameter)
    file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
    if(support_sources)
        add_library(weft_test_objects STATIC ${support_sources})
        target_include_directories(weft_test_objects PRIVATE include src tests SYSTEM ${WEFT_CMOCKA_INCLUDE})
        target_link_libraries(weft_test_objects PRIVATE weft_flags weft_numerics PUBLIC weft_static m)
        target_link_libraries(weft_test_support INTERFACE weft_test_objects)
    endif()
    target_include_directories(weft_test_support SYSTEM INTERFACE ${WEFT_CMOCKA_INCLUDE})

    foreach(folder unit property theory oracle oom regression lab)
        file(GLOB test_sources CONFIGURE_DEPENDS tests/${folder}/test_*.c tests/${folder}/*/test_*.c)
        if(NOT test_sources)
            continue()
        endif()
        weft_add_test_folder(${folder})
    endforeach()
    if(TARGET test-unit)
        target_link_libraries(test-unit PRIVATE weft_lab weft_figure weft_program)
    endif()
    if(TARGET test-lab)
        target_link_libraries(test-lab PRIVATE weft_lab)
    endif()

    # To make the allocator of SuiteSparse fail.
    find_library(WEFT_SUITESPARSE_CONFIG suitesparseconfig)
    if(TARGET test-unit)
        target_link_libraries(test-unit PRIVATE ${WEFT_SUITESPARSE_CONFIG})
    endif()

    file(GLOB driver_sources CONFIGURE_DEPENDS tests/*/driver_*.c)
    foreach(source IN LISTS driver_sources)
        get_filename_component(name "${source}" NAME_WE)
        weft_add_test_program(${name} "${source}")
    endforeach()
endif()

file(GLOB test_scripts CONFIGURE_DEPENDS tests/*/run_*.sh tests/*/run_*.py)
foreach(script IN LISTS test_scripts)
    get_filename_component(name "${script}" NAME_WE)
    get_filename_component(folder "${script}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    string(REGEX REPLACE "^run_" "" name "${name}")
    if(script MATCHES "\\.py$")
        weft_register(${folder}/${name} ${folder} "${WEFT_PYTHON}" "${script}")
    else()
        weft_register(${folder}/${name} ${folder} "${WEFT_BASH}" "${script}")
    endif()
endforeach()
