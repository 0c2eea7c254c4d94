# SPDX-License-Identifier: Apache-2.0
# What every target of this project shares: include root, warnings, sanitizers. One function per kind of target.

find_package(Threads REQUIRED)

add_library(ptxwb_build_interface INTERFACE)
target_include_directories(ptxwb_build_interface INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(ptxwb_build_interface INTERFACE Threads::Threads)
target_compile_options(ptxwb_build_interface INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wno-psabi>)
if(PTXWB_WARNINGS_AS_ERRORS)
    target_compile_options(ptxwb_build_interface INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
    # What g++'s optimizer believes to see in inlined code of its own library differs from release to release: shown, but
    # no error.
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        foreach(belief restrict maybe-uninitialized alloc-size-larger-than= stringop-overflow array-bounds)
            target_compile_options(ptxwb_build_interface INTERFACE
                $<$<COMPILE_LANGUAGE:CXX>:-Wno-error=${belief}>)
        endforeach()
        if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
            target_compile_options(ptxwb_build_interface INTERFACE
                $<$<COMPILE_LANGUAGE:CXX>:-Wno-error=dangling-reference>)
        endif()
    endif()
endif()
if(PTXWB_SANITIZE)
    target_compile_options(ptxwb_build_interface INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined>)
    target_link_options(ptxwb_build_interface INTERFACE -fsanitize=address,undefined)
endif()
if(PTXWB_FUZZ)
    target_compile_options(ptxwb_build_interface INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined>)
    target_link_options(ptxwb_build_interface INTERFACE -fsanitize=address,undefined)
endif()

# A static library of one room of core, alias ptxwb::<name>. Qt is switched off for it.
#   ptxwb_core_library(sass SOURCES listing.cpp LINKS ptxwb::support)
function(ptxwb_core_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
    add_library(ptxwb_${name} STATIC ${ARG_SOURCES})
    add_library(ptxwb::${name} ALIAS ptxwb_${name})
    set_target_properties(ptxwb_${name} PROPERTIES AUTOMOC OFF AUTOUIC OFF AUTORCC OFF)
    target_link_libraries(ptxwb_${name} PUBLIC ptxwb_build_interface ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
endfunction()

# A static library of widgets/ or app/, alias ptxwb::<name>, with Qt's strict settings.
function(ptxwb_qt_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
    add_library(ptxwb_${name} STATIC ${ARG_SOURCES})
    add_library(ptxwb::${name} ALIAS ptxwb_${name})
    set_target_properties(ptxwb_${name} PROPERTIES AUTOMOC ON AUTORCC ON)
    target_compile_definitions(ptxwb_${name} PUBLIC
        QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH QT_NO_CONTEXTLESS_CONNECT)
    target_link_libraries(ptxwb_${name} PUBLIC ptxwb_build_interface Qt6::Widgets ${ARG_LINKS}
        PRIVATE ${ARG_PRIVATE_LINKS})
endfunction()
