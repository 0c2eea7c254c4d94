// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/runner_request.h"

#include "core/bench/expression.h"

namespace ptxwb {

EvaluateRequest runnerRequest(const EvaluationRequest& request, const Evaluation& evaluation,
    const CompileOutcome& compiled, const ResolvedPlan& plan)
{
    const auto& task = request.task;
    const auto bytesOf = [&](const char* kind) {
        const auto* artefact = compiled.artefact(kind);
        return artefact == nullptr ? std::string() : artefact->bytes;
    };
    const bool isHost = evaluation.contract == "host";
    EvaluateRequest sent{.cubin = isHost ? std::string() : bytesOf("cubin"),
        .sharedObject = isHost ? bytesOf("so") : std::string(),
        .target = evaluation.target,
        .plan = plan,
        .oracle = task.oracle,
        .axes = evaluation.axes,
        .tolerance = task.tolerance,
        .strict = task.strict,
        .rule = request.rule,
        .seed = evaluation.seed,
        .measure = request.measure,
        .device = request.device,
        .phaseTimeoutMs = request.phaseTimeoutMs};
    for (const auto& baseline : task.baselines) {
        sent.baselines.push_back(baseline.name);
    }
    const auto amount = [&](const std::string& expression) {
        if (expression.empty()) {
            return 0.0;
        }
        const auto value = evaluateExpression(expression, evaluation.axes);
        return value ? static_cast<double>(*value) : 0.0;
    };
    sent.flops = amount(task.flops);
    sent.bytes = amount(task.bytes);
    return sent;
}

} // namespace ptxwb
