// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/emulator.h"

#include <filesystem>

namespace ptxwb::emulator {

/// A candidate of the host contract, built against the emulated runtime (CompileRequest::emulatedHost).
struct HostCode {
    std::filesystem::path program{}; ///< hostProgram()
    std::filesystem::path sharedObject{};
    std::filesystem::path ffiLibrary{}; ///< libtvm_ffi.so
    std::string target{}; ///< "sm_90a"
    bool sandboxed = false; ///< a stranger's: its process sees its own files only
    std::chrono::milliseconds hostLimit{30'000}; ///< of its own time, launches not counted
};

/// The program that holds host code: PTXWB_HOST_PROGRAM, else beside this one. Errors: MissingTool.
Result<std::filesystem::path> hostProgram();

/// Loads the candidate in a process of its own and calls it once: `request.text` is the PTX of its kernels,
/// `request.plan.buffers` are the arguments. Streams are in order and immediate: a launch has ended when the
/// call returns. What the process does besides is EmulatorOutcome::hostFault. Blocks; any thread. Errors: as
/// emulate(); MissingTool, Unavailable (no sandbox; the process cannot be started).
Result<EmulatorOutcome> runHostCode(const HostCode& code, EmulatorRequest request,
    const EmulatorProgress& onProgress = {}, std::stop_token stop = {});

} // namespace ptxwb::emulator
