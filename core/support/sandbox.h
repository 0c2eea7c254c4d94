// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/subprocess.h"

#include <cstdint>

namespace ptxwb {

/// What a program that reads a stranger's text may see and use. /usr, the loader's cache and
/// /etc/alternatives are always there, read-only; home, network, other processes and the rest of the machine
/// never are.
struct SandboxWalls {
    std::vector<std::filesystem::path> readable{}; ///< seen read-only, each at its own path
    std::filesystem::path scratch{}; ///< the only place that keeps what is written, at its own path
    std::vector<std::string> environment{}; ///< names that are passed on; everything else is cleared
    std::uint64_t fileBytes = 1ULL << 30; ///< the largest file that may be written
    std::uint64_t addressSpaceBytes = 16ULL << 30; ///< of each process
    std::uint64_t processes = 256; ///< at once; the kernel does not hold root to it
    std::chrono::seconds processorTime{600}; ///< of each process
};

/// The same request, to be started inside bubblewrap: a private /tmp, no network, no home, a cleared
/// environment (PATH and what `walls` and `request.environment` name). When it ends or is killed, whatever it
/// started ends with it. Errors: those of sandboxAvailable.
Result<ProcessRequest> sandboxed(ProcessRequest request, const SandboxWalls& walls);

/// Whether a sandbox can be had here; asked once, by starting one. Blocks; any thread.
/// Errors: MissingTool (no bwrap), Unavailable (this machine refuses it; the message is bwrap's).
Result<void> sandboxAvailable();

} // namespace ptxwb
