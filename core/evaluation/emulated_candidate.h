// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/emulator.h"
#include "core/evaluation/evaluator.h"

namespace ptxwb {

/// What the emulator is given of a candidate.
struct EmulatedCandidate {
    std::string ptx{};
    std::optional<ResolvedPlan> plan{}; ///< absent: it stands in the PTX
    emulator::EmulatorExecutor execute = emulator::emulate;
    std::string hostCodeHow{}; ///< for the ledger: how host code was kept, empty without any
};

/// The candidate as it was built: PTX as it stands; the PTX that nvcc made of a .cu, whose findings get the
/// lines of the .cu, then those of the PTX; of the host contract (CompileRequest::emulatedHost) also its own
/// code, run in a process of its own whose time is bounded by the request. Errors: MissingTool (the program
/// that holds host code, libtvm_ffi.so), Unsupported (no PTX was kept), DiskFull, InvalidArgument (it calls a
/// banned library).
Result<EmulatedCandidate> emulatedCandidate(const EvaluationRequest& request, const Evaluation& evaluation,
    const CompileOutcome& compiled, const ResolvedPlan& plan, const Toolchain& toolchain);

} // namespace ptxwb
