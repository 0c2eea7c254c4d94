// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/emulated_candidate.h"

#include "core/bench/banned_library.h"
#include "core/emulator/host/host_run.h"
#include "core/evaluation/emulated_source.h"
#include "core/support/files.h"
#include "core/support/temporary_directory.h"

#include <fmt/format.h>

namespace ptxwb {

namespace {

using emulator::EmulatorExecutor;
using emulator::EmulatorProgress;
using emulator::EmulatorRequest;

std::string bytesOf(const CompileOutcome& compiled, std::string_view kind)
{
    const auto* artefact = compiled.artefact(kind);
    return artefact == nullptr ? std::string() : artefact->bytes;
}

EmulatedCandidate madeOf(const EvaluationRequest& request, const CompileOutcome& compiled,
    const ResolvedPlan& plan, EmulatorExecutor execute)
{
    EmulatedCandidate made{.ptx = bytesOf(compiled, "ptx"), .plan = plan};
    made.execute = withSourceLines(std::move(execute), made.ptx, request.displayName, request.directory);
    return made;
}

Result<EmulatedCandidate> withHostCode(const EvaluationRequest& request, const CompileOutcome& compiled,
    const ResolvedPlan& plan, const Toolchain& toolchain)
{
    const auto object = bytesOf(compiled, "so");
    if (const auto function = bannedFunctionIn(object)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message =
                fmt::format("It uses {}: a candidate is to do the work itself, not to call a library for it.",
                    *function)};
    }
    if (toolchain.tvmFfiLibrary.empty()) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "libtvm_ffi.so, which host-contract candidates call, is not here",
            .hint = "packaging/run installs it (wheel apache-tvm-ffi), packaging/deps puts it into .deps"};
    }
    auto program = emulator::hostProgram();
    if (!program) {
        return program.error();
    }
    auto directory = TemporaryDirectory::create("ptxwb-host");
    if (!directory) {
        return directory.error();
    }
    const auto kept = std::make_shared<const TemporaryDirectory>(*std::move(directory));
    emulator::HostCode code{.program = *std::move(program),
        .sharedObject = kept->path() / "candidate.so",
        .ffiLibrary = toolchain.tvmFfiLibrary,
        .target = compiled.target,
        .sandboxed = request.sandboxed,
        .hostLimit = std::chrono::milliseconds(request.phaseTimeoutMs)};
    if (const auto written = writeFileAtomically(code.sharedObject, object); !written) {
        return written.error();
    }
    auto candidate = madeOf(request, compiled, plan,
        [code = std::move(code), kept](EmulatorRequest run, const EmulatorProgress& onProgress,
            std::stop_token stop) { return runHostCode(code, std::move(run), onProgress, std::move(stop)); });
    candidate.hostCodeHow = fmt::format("in a process of its own, {}; it holds neither the memory of the "
                                        "device nor the reference nor the checks",
        request.sandboxed ? "in a sandbox" : "with this user's rights");
    return candidate;
}

} // namespace

Result<EmulatedCandidate> emulatedCandidate(const EvaluationRequest& request, const Evaluation& evaluation,
    const CompileOutcome& compiled, const ResolvedPlan& plan, const Toolchain& toolchain)
{
    if (evaluation.language != Language::Cuda) {
        return EmulatedCandidate{.ptx = request.text};
    }
    if (compiled.artefact("ptx") == nullptr) {
        return Error{.code = ErrorCode::Unsupported, .message = "nvcc kept no PTX that could be emulated"};
    }
    return evaluation.contract == "host"
        ? withHostCode(request, compiled, plan, toolchain)
        : Result<EmulatedCandidate>(madeOf(request, compiled, plan, emulator::emulate));
}

} // namespace ptxwb
