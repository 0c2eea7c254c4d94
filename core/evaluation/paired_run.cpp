// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/paired_run.h"

#include "core/evaluation/oracle_candidate.h"
#include "core/evaluation/target_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ptxwb {

namespace {

bool isWorkspace(const BufferSpec& buffer)
{
    return buffer.role == BufferRole::Workspace;
}

std::size_t tensorCount(const ResolvedPlan& plan)
{
    return static_cast<std::size_t>(std::count_if(
        plan.buffers.begin(), plan.buffers.end(), [](const BufferSpec& b) { return !isWorkspace(b); }));
}

std::optional<std::string> difference(const BufferSpec& a, const BufferSpec& b)
{
    if (a.name != b.name) {
        return fmt::format("A has {} where B has {}", a.name, b.name);
    }
    if (a.type.dtype != b.type.dtype || a.type.shape != b.type.shape) {
        return fmt::format("{} has another type or shape in B", a.name);
    }
    if (a.role != b.role || a.init != b.init) {
        return fmt::format("{} has another role or init in B", a.name);
    }
    return std::nullopt;
}

/// A version that cannot be run decides by itself; true: both can.
bool bothCanRun(PairedRun& run)
{
    for (VersionOutcome* version : {&run.a, &run.b}) {
        if (version->built.refused) {
            version->verdict = *version->built.refused;
            version->explanation = version->built.reason;
        } else if (auto misfit = whyCubinDoesNotLoad(version->built.compiled.target,
                       run.placement.device->target, run.placement.device->name);
                   !misfit.empty()) {
            version->verdict = Verdict::Unsupported;
            version->explanation = std::move(misfit);
        }
    }
    for (const VersionOutcome* version : {&run.a, &run.b}) {
        if (!version->explanation.empty()) {
            run.notMeasured =
                fmt::format("{} cannot be run: {}", version == &run.a ? "A" : "B", version->explanation);
            return false;
        }
    }
    if (run.a.built.compiled.target != run.b.built.compiled.target) {
        run.notMeasured = fmt::format("A is built for {}, B for {}; --target chooses one",
            run.a.built.compiled.target, run.b.built.compiled.target);
        return false;
    }
    return true;
}

EvaluateRequest requestOf(const PairedRunRequest& request, const PairedRun& run)
{
    EvaluateRequest sent{.cubin = run.b.built.cubin,
        .target = run.b.built.compiled.target,
        .plan = run.b.built.plan.plan,
        .axes = run.axes,
        .tolerance = {.trials = 1},
        .rule = request.rule,
        .seed = request.seed,
        .stopping = request.stopping,
        .device = request.place.device,
        .phaseTimeoutMs = request.callTimeoutMs,
        .rival = Rival{.cubin = run.a.built.cubin, .plan = run.a.built.plan.plan},
        .describeOutputs = true};
    if (request.task) {
        sent.oracle = request.task->oracle;
        sent.tolerance = request.task->tolerance;
        sent.strict = request.task->strict;
    }
    return sent;
}

void compareOutputs(const Finished& finished, PairedRun& run)
{
    for (const auto& output : finished.rival->outputs) {
        if (output.difference) {
            run.differences[output.name] = *output.difference;
            run.agree = run.agree && *output.difference <= toleratedDifference(output.type.dtype);
        }
    }
}

void take(const Finished& finished, PairedRun& run)
{
    run.b.verdict = finished.verdict;
    run.b.explanation = finished.explanation;
    if (!finished.device.name.empty()) {
        run.placement.device = finished.device;
    }
    if (!finished.rival) {
        run.a.explanation = "not run: B was at fault before its turn came";
        run.notMeasured = fmt::format("B is {}: {}", verdictName(finished.verdict), finished.explanation);
        return;
    }
    run.a.verdict = finished.rival->verdict;
    run.a.explanation = finished.rival->explanation;
    if (run.task.empty()) {
        compareOutputs(finished, run);
    }
    run.timing = finished.timing;
    if (finished.timing && !finished.timing->baselines.empty()) {
        run.speedup = finished.timing->baselines.front().speedup;
    }
    if (run.timing && !run.timing->baselines.empty() && run.timing->baselines.front().unavailable) {
        run.notMeasured = fmt::format("A: {}", *run.timing->baselines.front().unavailable);
    } else if (!run.speedup) {
        run.notMeasured = finished.timing ? "too few rounds counted (the device was slowed down)"
                                          : "times are taken of versions that pass their checks only";
    }
}

} // namespace

Result<std::vector<RequirementOutcome>> checkPaired(
    const std::vector<Requirement>& requirements, const PairedRun& run)
{
    // B is the candidate, A its baseline.
    Evaluation of;
    of.task = run.task;
    of.kernels = run.b.built.compiled.kernels;
    of.timing = run.timing;
    of.verdict = run.speedup && run.agree ? Verdict::Correct : Verdict::Unverified;
    std::vector<RequirementOutcome> outcomes;
    for (const Requirement& requirement : requirements) {
        if (!requirement.comparison) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message =
                    fmt::format("--require {}: two versions are held to quantities only", requirement.text),
                .hint = "e.g. 'speedup>=1.02,registers<=168'; `ptxwb eval --require` asks for goals"};
        }
        outcomes.push_back(checkRequirement(requirement, of));
    }
    return outcomes;
}

std::string_view fasterName(Faster faster)
{
    constexpr std::string_view names[]{"a", "b", "no_difference_shown", "not_measured"};
    return names[static_cast<std::size_t>(faster)];
}

Faster fasterOf(const std::optional<SpeedupEstimate>& speedup)
{
    if (!speedup) {
        return Faster::NotMeasured;
    }
    if (std::abs(speedup->ratio - 1) <= pairResolution) {
        return Faster::NoDifferenceShown;
    }
    if (speedup->ci95[0] > 1) {
        return Faster::B;
    }
    return speedup->ci95[1] < 1 ? Faster::A : Faster::NoDifferenceShown;
}

Result<void> joinPlans(ResolvedPlan& a, ResolvedPlan& b)
{
    const std::size_t tensors = tensorCount(b);
    const auto misfit = [&]() -> std::optional<std::string> {
        if (tensorCount(a) != tensors) {
            return fmt::format("A has {} tensors, B {}", tensorCount(a), tensors);
        }
        for (std::size_t i = 0; i < tensors; ++i) {
            if (auto found = difference(a.buffers[i], b.buffers[i])) {
                return found;
            }
        }
        return std::nullopt;
    }();
    if (misfit) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("A and B are not two versions of one kernel: {}", *misfit),
            .hint = "both plans must declare the same tensors, in the same order"};
    }
    const auto shift = static_cast<int>(b.buffers.size() - tensors);
    const auto moved = [&](int index) {
        return index >= 0 && static_cast<std::size_t>(index) >= tensors ? index + shift : index;
    };
    for (Launch& launch : a.launches) {
        for (LaunchArgument& argument : launch.arguments) {
            if (argument.kind == ArgumentKind::Tensor || argument.kind == ArgumentKind::Workspace) {
                argument.index = moved(argument.index);
            }
        }
    }
    for (TensorMapSpec& map : a.tensorMaps) {
        map.buffer = moved(map.buffer);
    }
    b.buffers.insert(
        b.buffers.end(), a.buffers.begin() + static_cast<std::ptrdiff_t>(tensors), a.buffers.end());
    a.buffers = b.buffers;
    return {};
}

Result<PairedRun> runPaired(const Compiler& compiler, const PairedRunRequest& request,
    const std::function<void(const std::string&)>& onProgress, std::stop_token stop)
{
    PairedRun run;
    run.seed = request.seed;
    if (request.task) {
        const auto workload = request.task->workload(request.workload.value_or("paper"));
        if (!workload) {
            return workload.error();
        }
        run.task = request.task->name;
        run.workload = **workload;
        auto axes = request.task->axisValues(*run.workload);
        if (!axes) {
            return axes.error();
        }
        run.axes = *std::move(axes);
    }
    auto placement = placeOnGpu(request.place, stop);
    if (!placement) {
        return placement.error();
    }
    run.placement = *std::move(placement);
    for (const bool first : {true, false}) {
        auto built = buildCandidate(compiler, first ? request.a : request.b,
            request.task ? &*request.task : nullptr, run.workload ? &*run.workload : nullptr,
            {.target = request.target,
                .preferredTarget = run.placement.device->target,
                .options = request.options},
            stop);
        if (!built) {
            return built.error();
        }
        (first ? run.a : run.b).built = *std::move(built);
    }
    if (!request.task) {
        run.axes = run.b.built.plan.axes;
        if (run.a.built.plan.axes != run.axes) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = "A and B are not two versions of one kernel: their plans have other axes"};
        }
    }
    if (!bothCanRun(run)) {
        return run;
    }
    auto contents = planContents(run.b.built.plan, request.b.directory);
    if (!contents) {
        return contents.error();
    }
    if (auto joined = joinPlans(run.a.built.plan.plan, run.b.built.plan.plan); !joined) {
        return joined.error();
    }
    auto sent = requestOf(request, run);
    if (request.task) {
        if (auto added = addOracleCandidate(sent, compiler, *request.task, *run.workload, stop); !added) {
            return added.error();
        }
    }
    sent.contents = *std::move(contents);
    const auto finished = runOnRunner(
        *run.placement.endpoint, sent,
        [&](const RunnerEvent& event) {
            if (const auto* progress = std::get_if<ProgressEvent>(&event); progress && onProgress) {
                onProgress(fmt::format("{}: {}", progress->phase, progress->message));
            }
        },
        stop);
    if (!finished) {
        return finished.error();
    }
    take(*finished, run);
    return run;
}

} // namespace ptxwb
