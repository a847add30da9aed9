# SPDX-License-Identifier: MIT
# The installed package: header, both libraries, pkg-config and CMake files (man
# pages and completion: WeftMan).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS weft_shared weft_static EXPORT weftTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/weft.h include/weft_advanced.h include/weft_files.h include/weft_theory.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET weft)
    install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${package_directory})
configure_package_config_file(cmake/weftConfig.cmake.in "${PROJECT_BINARY_DIR}/weftConfig.cmake"
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weftConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weftConfig.cmake" "${PROJECT_BINARY_DIR}/weftConfigVersion.cmake"
        DESTINATION ${package_directory})

# The .pc file finds its prefix from its own place, so that an installed tree
# may be moved.
file(RELATIVE_PATH WEFT_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" WEFT_PC_PREFIX "${WEFT_PC_PREFIX}")
configure_file(cmake/weft.pc.in "${PROJECT_BINARY_DIR}/weft.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weft.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
