// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/contribution.h"

namespace ptxwb::emulator {

namespace {

constexpr std::uint64_t fewClusters = 4;

Result<EmulatorOutcome> outcomeOf(const EmulatorRequest& request, ResultOf results, std::uint64_t clusters,
    const std::stop_token& stop, const EmulatorExecutor& execute)
{
    EmulatorRequest run = request;
    run.policy = AsyncPolicy::Early;
    run.checks = false;
    run.perturbed = results;
    run.onlyClusters = clusters;
    run.onFinding = {};
    auto outcome = execute(std::move(run), {}, stop);
    if (outcome && outcome->end == EmulatorEnd::Cancelled) {
        return Error{.code = ErrorCode::Cancelled, .message = "cancelled"};
    }
    return outcome;
}

/// Nothing: one of the runs did not come to its end.
Result<std::optional<bool>> differ(const EmulatorRequest& request, ResultOf results, std::uint64_t clusters,
    const std::stop_token& stop, const EmulatorExecutor& execute)
{
    const auto plain = outcomeOf(request, ResultOf::Nothing, clusters, stop, execute);
    if (!plain) {
        return plain.error();
    }
    const auto changed = outcomeOf(request, results, clusters, stop, execute);
    if (!changed) {
        return changed.error();
    }
    const auto ended = [](const EmulatorOutcome& outcome) {
        return outcome.end == EmulatorEnd::Completed && !outcome.hostFault;
    };
    if (!ended(*plain) || !ended(*changed)) {
        return std::optional<bool>();
    }
    for (std::size_t b = 0; b < plain->buffers.size(); ++b) {
        if (request.plan.buffers[b].role == BufferRole::Output && plain->buffers[b] != changed->buffers[b]) {
            return std::optional(true);
        }
    }
    return std::optional(false);
}

} // namespace

bool givesResult(std::string_view opcode, ResultOf results)
{
    const bool bulk = opcode.starts_with("cp.async.bulk.") || opcode.starts_with("cp.reduce.async.bulk.");
    const auto has = [&](std::string_view part) { return opcode.find(part) != std::string_view::npos; };
    switch (results) {
    case ResultOf::Wgmma:
        return opcode.starts_with("wgmma.mma_async");
    case ResultOf::TensorCopy:
        return bulk && has(".tensor");
    case ResultOf::BulkCopy:
        return bulk && !has(".tensor") && !has(".prefetch") && (has(".global") || has(".shared"));
    case ResultOf::Mma:
        return opcode.starts_with("mma.sync");
    case ResultOf::Nothing:
        break;
    }
    return false;
}

Result<std::optional<bool>> outputDependsOn(
    const EmulatorRequest& request, ResultOf results, std::stop_token stop, const EmulatorExecutor& execute)
{
    // A part of a chain of launches, or of CTAs that talk to each other, would say nothing.
    if (request.plan.launches.size() == 1) {
        auto part = differ(request, results, fewClusters, stop, execute);
        if (!part || part->value_or(false)) {
            return part;
        }
    }
    return differ(request, results, 0, stop, execute);
}

} // namespace ptxwb::emulator
