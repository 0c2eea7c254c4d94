# SPDX-License-Identifier: Apache-2.0
# cmake -DFILE=<json> -DKEYS=a;0;b -P json_field.cmake     prints the value; fails when the file is no JSON or lacks it
cmake_minimum_required(VERSION 3.22)
file(READ ${FILE} text)
string(JSON value ERROR_VARIABLE problem GET "${text}" ${KEYS})
if(problem)
    message(FATAL_ERROR "${problem}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${value}")
