# SPDX-License-Identifier: Apache-2.0
# Third-party libraries, each found once. Nothing is downloaded. A bare GPU server may put header-only libraries
# that it lacks into the git-ignored .deps/include.

include_directories(SYSTEM $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/.deps/include>)

find_package(nlohmann_json 3.9 QUIET)
if(NOT nlohmann_json_FOUND)
    find_path(PTXWB_NLOHMANN_INCLUDE nlohmann/json.hpp HINTS ${CMAKE_SOURCE_DIR}/.deps/include REQUIRED)
    add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
    target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${PTXWB_NLOHMANN_INCLUDE})
endif()

find_package(fmt QUIET)
if(NOT fmt_FOUND)
    find_path(PTXWB_FMT_INCLUDE fmt/format.h HINTS ${CMAKE_SOURCE_DIR}/.deps/include REQUIRED)
    add_library(fmt::fmt-header-only INTERFACE IMPORTED)
    target_include_directories(fmt::fmt-header-only INTERFACE ${PTXWB_FMT_INCLUDE})
    target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
    add_library(ptxwb_fmt INTERFACE)
    target_link_libraries(ptxwb_fmt INTERFACE fmt::fmt-header-only)
else()
    add_library(ptxwb_fmt INTERFACE)
    target_link_libraries(ptxwb_fmt INTERFACE fmt::fmt)
endif()

# CLI11 is header-only: config package, or the bare header.
find_package(CLI11 QUIET)
if(NOT CLI11_FOUND)
    find_path(PTXWB_CLI11_INCLUDE CLI/CLI.hpp HINTS ${CMAKE_SOURCE_DIR}/.deps/include)
    if(PTXWB_CLI11_INCLUDE)
        add_library(CLI11::CLI11 INTERFACE IMPORTED)
        target_include_directories(CLI11::CLI11 INTERFACE ${PTXWB_CLI11_INCLUDE})
    endif()
endif()

find_package(CURL QUIET)
find_package(SQLite3 QUIET)
find_package(PkgConfig QUIET)
find_path(PTXWB_CMARK_INCLUDE cmark.h)
find_library(PTXWB_CMARK_LIBRARY cmark)

# CUDA: only core/gpu uses it. Absent (a laptop with only NVIDIA's compiler wheels): the runner is left out.
find_package(CUDAToolkit 12.8 QUIET)
set(PTXWB_HAVE_CUDA OFF)
if(CUDAToolkit_FOUND AND TARGET CUDA::cudart_static AND CUDAToolkit_NVCC_EXECUTABLE)
    set(PTXWB_HAVE_CUDA ON)
endif()
