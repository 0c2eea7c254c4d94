// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

// What the process that holds host code and the emulated device say to each other: one JSON object a line,
// bytes in base64. First the setup, then calls of the child, each answered at once, but for those without an
// answer. Addresses are those of the emulated device; in the child nothing lies there.
//
//   setup       ffi_library, shared_object, target, arguments[{dtype, shape, address} | {dtype, value}]
//   do          with                                     answer
//   loaded                                               none; host code is called now
//   problem     kind: setup|load|entry|missing, text     none; the child ends
//   raised      text: of the error that the entry gave   none: the child is ended
//   missing     text: an API that the child lacks        none; the child ends
//   touched     address: where the host code faulted     none; a signal ends the child
//   done                                                 none: the child is ended
//   allocate    bytes                                    address; 0: no memory left
//   free        address                                  code
//   write       address, data                            code
//   read        address, bytes                           code, data
//   fill        address, bytes, value, width             code
//   copy        to, from, bytes                          code
//   variable    name                                     address, bytes; 0: no such variable
//   kernel      name                                     code, sizes[], offsets[], bytes, shared, threads
//   launch      kernel, grid, block, cluster, shared,    code
//               parameters, cooperative,
//               allowed (dynamic bytes)
//   memory                                               free, total
// `code` is a cudaError_t.
namespace ptxwb::emulator::host {

inline constexpr int invalidValue = 1; // cudaErrorInvalidValue
inline constexpr int invalidDeviceFunction = 98; // cudaErrorInvalidDeviceFunction

/// Copies between host and device travel in pieces of at most so many bytes.
inline constexpr std::size_t pieceBytes = std::size_t{4} << 20;
/// Dynamic shared memory that needs no cudaFuncSetAttribute.
inline constexpr std::size_t defaultSharedBytes = 48U << 10;

} // namespace ptxwb::emulator::host
