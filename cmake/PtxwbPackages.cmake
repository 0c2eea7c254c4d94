# SPDX-License-Identifier: Apache-2.0
# What is installed, and CPack: a DEB and a TGZ for each component (unpack both TGZ into one directory).
#   runner  ptxwb, ptxwb-host-emulator, ptxwb-runner, tasks/ and resources/: no Qt, for a GPU server
#   app     the window

# What packaging/run builds: the programs without the tests.
add_custom_target(programs)
foreach(program ptxwb ptxwb-host-emulator ptxwb-runner ptx-workbench)
    if(TARGET ${program})
        add_dependencies(programs ${program})
    endif()
endforeach()

install(DIRECTORY tasks resources DESTINATION ${CMAKE_INSTALL_DATADIR}/ptx-workbench COMPONENT runner
    PATTERN "*.qrc" EXCLUDE)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runner)
if(PTXWB_BUILD_GUI)
    install(FILES packaging/linux/ptx-workbench.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT app)
    install(FILES packaging/linux/ptx-workbench.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT app)
    install(FILES packaging/linux/ptx-workbench-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
        RENAME ptx-workbench.xml COMPONENT app)
    install(FILES resources/icons/ptx-workbench.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT app)
endif()

set(CPACK_PACKAGE_NAME ptx-workbench)
set(CPACK_PACKAGE_VENDOR "PTX Workbench developers")
set(CPACK_PACKAGE_CONTACT "PTX Workbench developers <ptx-workbench@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runner)
if(PTXWB_BUILD_GUI)
    list(APPEND CPACK_COMPONENTS_ALL app)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNNER_PACKAGE_NAME ptx-workbench-runner)
set(CPACK_DEBIAN_RUNNER_PACKAGE_RECOMMENDS "bubblewrap, python3-venv")
set(CPACK_DEBIAN_APP_PACKAGE_NAME ptx-workbench)
set(CPACK_DEBIAN_APP_PACKAGE_DEPENDS "ptx-workbench-runner (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_RUNNER_DESCRIPTION
    "Command line, GPU runner, tasks and instruction tables. Sources are Apache-2.0; holds no GPL code.")
set(CPACK_COMPONENT_APP_DESCRIPTION
    "The window. With QScintilla and Qt Charts the program is GPL-3.0 as a combined work; its sources are Apache-2.0.")
include(CPack)
