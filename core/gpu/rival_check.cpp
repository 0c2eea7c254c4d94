// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/rival_check.h"

#include "core/gpu/verify.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

/// Without an oracle the two versions are all that there is to compare.
void compareWithCandidate(const std::vector<TensorContent>& own, std::vector<TensorContent>& rivals)
{
    for (std::size_t i = 0; i < own.size() && i < rivals.size(); ++i) {
        rivals[i].difference = rivals[i].sha256 == own[i].sha256
            ? std::nullopt
            : std::optional(differenceOf(own[i], rivals[i].bytes));
    }
}

} // namespace

Result<std::optional<CandidateFault>> checkRival(RunContext& context)
{
    const Rival& rival = *context.request.rival;
    if (rival.plan.buffers.size() != context.request.plan.buffers.size()) {
        return Error{.code = ErrorCode::BadFormat,
            .message = "the rival's plan has other buffers than the candidate's"};
    }
    context.progress("verify", 0, "the other version");
    Finished own = std::move(context.finished);
    context.finished = {};
    context.finished.device = own.device;
    context.finished.libraries = own.libraries;
    context.rival.emplace();
    Result<std::optional<CandidateFault>> fault =
        context.rival->load(rival.cubin, rival.plan, context.buffers, context.device);
    if (!*fault) {
        context.rivalsTurn = true;
        fault = verify(context);
        context.rivalsTurn = false;
    }
    if (!fault) {
        context.finished = std::move(own);
        return fault;
    }
    Finished checked = std::move(context.finished);
    context.finished = std::move(own);
    RivalOutcome& outcome = context.finished.rival.emplace();
    if (*fault) {
        outcome.verdict = (*fault)->verdict;
        outcome.explanation = (*fault)->explanation;
        return fault;
    }
    std::swap(checked, context.finished);
    judgeTrials(context);
    std::swap(checked, context.finished);
    context.finished.rival = RivalOutcome{.verdict = checked.verdict,
        .explanation = std::move(checked.explanation),
        .trials = std::move(checked.trials),
        .outputs = std::move(checked.outputs)};
    if (!context.reference) {
        compareWithCandidate(context.finished.outputs, context.finished.rival->outputs);
    }
    return fault;
}

} // namespace ptxwb::gpu
