# SPDX-License-Identifier: MIT
# Man pages, man/weft.1 and man/weft-COMMAND.1 of the build directory, from what
# the program says of itself; and the completion for bash.

find_program(WEFT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(WEFT_PYTHON python3)

if(TARGET weft AND WEFT_PYTHON AND NOT CMAKE_CROSSCOMPILING)
    set(man_stamp "${PROJECT_BINARY_DIR}/man.stamp")
    add_custom_command(OUTPUT "${man_stamp}"
        COMMAND "${CMAKE_COMMAND}" -E rm -rf "${PROJECT_BINARY_DIR}/man"
        COMMAND "${WEFT_PYTHON}" "${PROJECT_SOURCE_DIR}/scripts/make_man.py" $<TARGET_FILE:weft>
                "${PROJECT_BINARY_DIR}/man"
        COMMAND "${CMAKE_COMMAND}" -E touch "${man_stamp}"
        DEPENDS weft "${PROJECT_SOURCE_DIR}/scripts/make_man.py" VERBATIM)
    add_custom_target(man ALL DEPENDS "${man_stamp}")
    install(DIRECTORY "${PROJECT_BINARY_DIR}/man/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
            FILES_MATCHING PATTERN "*.1")
endif()

if(TARGET weft)
    install(FILES completions/weft.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME weft)
endif()
