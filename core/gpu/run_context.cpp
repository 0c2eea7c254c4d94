// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/run_context.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

void RunContext::progress(const char* phase, double fraction, std::string message, bool candidateRunning)
{
    events.write(ProgressEvent{.phase = phase,
        .fraction = fraction,
        .message = std::move(message),
        .candidateRunning = candidateRunning});
}

std::optional<CandidateFault> RunContext::runCandidate(const std::string& doing)
{
    if (host) {
        return host->call(doing, callLimit());
    }
    const std::string what =
        fmt::format("{} ({}{})", current().title(), rivalsTurn ? "the other version, " : "", doing);
    const Watchdog::Watch watch(watchdog, std::chrono::milliseconds(request.phaseTimeoutMs), what);
    if (const cudaError_t code = current().launch(stream); code != cudaSuccess) {
        return faultOf(code, "Launching " + what);
    }
    if (const cudaError_t code = cudaStreamSynchronize(stream); code != cudaSuccess) {
        return faultOf(code, "Running " + what);
    }
    return std::nullopt;
}

Result<void> RunContext::copyOutputs()
{
    return copies ? copies->take(buffers, stream) : Result<void>();
}

Result<std::vector<OutputComparison>> RunContext::compareOutputs() const
{
    std::vector<OutputComparison> comparisons;
    for (const GuardedBuffer& buffer : buffers.buffers()) {
        if (buffer.spec().role != BufferRole::Output) {
            continue;
        }
        auto comparison = reference->compare(comparisons.size(),
            copies ? copies->output(comparisons.size()) : buffer.data(), request.tolerance, stream);
        if (!comparison) {
            return comparison.error();
        }
        comparisons.push_back(*std::move(comparison));
    }
    return comparisons;
}

Finished stuck(const Finished& soFar, const std::string& doing, std::chrono::milliseconds limit)
{
    Finished finished = soFar;
    finished.verdict = Verdict::Timeout;
    finished.explanation = fmt::format("{} did not end within {} ms.", doing, limit.count());
    finished.paper = {finished.verdict, finished.explanation, std::string(checkNameOf(finished.verdict))};
    finished.strict = finished.paper;
    finished.timing.reset();
    return finished;
}

} // namespace ptxwb::gpu
