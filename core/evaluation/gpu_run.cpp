// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/gpu_run.h"

#include "core/bench/plan_file.h"
#include "core/evaluation/target_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb {

namespace {

Result<void> checkNames(const GpuRunRequest& request, const ResolvedPlan& plan)
{
    std::vector<std::string> outputs;
    for (const BufferSpec& buffer : plan.buffers) {
        if (buffer.role == BufferRole::Output) {
            outputs.push_back(buffer.name);
        }
    }
    for (const std::string& name : request.sendOutputs) {
        if (std::find(outputs.begin(), outputs.end(), name) == outputs.end()) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("--dump {}: the plan has no such output", name),
                .hint = outputs.empty() ? std::string("give a tensor \"role\": \"output\"")
                                        : fmt::format("outputs: {}", fmt::join(outputs, ", "))};
        }
    }
    return {};
}

} // namespace

Result<Placement> placeOnGpu(const GpuPlace& place, std::stop_token stop)
{
    EvaluationRequest request;
    request.where = Where::Gpu;
    request.endpoint = place.endpoint;
    request.device = place.device;
    auto placement = placeCandidate(request, stop);
    if (stop.stop_requested()) {
        return Error{.code = ErrorCode::Cancelled, .message = "cancelled"};
    }
    if (placement.on != "gpu" || !placement.device) {
        return Error{.code = ErrorCode::Unavailable,
            .message = placement.reason,
            .hint = "`ptxwb doctor` shows what is here; --on emulator needs no GPU"};
    }
    return placement;
}

Result<std::vector<BufferContent>> planContents(
    const DeclaredPlan& plan, const std::filesystem::path& directory)
{
    std::vector<BufferContent> contents;
    for (std::size_t b = 0; b < plan.files.size(); ++b) {
        if (plan.files[b].empty()) {
            continue;
        }
        const auto bytes = readPlanFile(plan, b, directory);
        if (!bytes) {
            return bytes.error();
        }
        contents.push_back({.buffer = static_cast<int>(b),
            .bytes = std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())});
    }
    return contents;
}

Result<GpuRun> runOnGpu(const Compiler& compiler, const GpuRunRequest& request,
    const std::function<void(const std::string&)>& onProgress, std::stop_token stop)
{
    auto placement = placeOnGpu(request.place, stop);
    if (!placement) {
        return placement.error();
    }
    auto built = buildCandidate(compiler, request.source, nullptr, nullptr,
        {.target = request.target, .preferredTarget = placement->device->target, .options = request.options},
        stop);
    if (!built) {
        return built.error();
    }
    GpuRun run{.built = *std::move(built), .placement = *std::move(placement), .seed = request.seed};
    const auto refuse = [&](Verdict verdict, std::string reason) {
        run.verdict = verdict;
        run.explanation = std::move(reason);
        return run;
    };
    if (run.built.refused) {
        return refuse(*run.built.refused, run.built.reason);
    }
    if (auto named = checkNames(request, run.built.plan.plan); !named) {
        return named.error();
    }
    const auto& device = *run.placement.device;
    if (auto misfit = whyCubinDoesNotLoad(run.built.compiled.target, device.target, device.name);
        !misfit.empty()) {
        return refuse(Verdict::Unsupported, std::move(misfit));
    }
    auto contents = planContents(run.built.plan, request.source.directory);
    if (!contents) {
        return contents.error();
    }
    const auto finished = runOnRunner(
        *run.placement.endpoint,
        EvaluateRequest{.cubin = run.built.cubin,
            .target = run.built.compiled.target,
            .plan = run.built.plan.plan,
            .axes = run.built.plan.axes,
            .tolerance = {.trials = 1},
            .seed = request.seed,
            .measure = request.measure,
            .flops = run.built.plan.flops.value_or(0),
            .bytes = run.built.plan.bytes.value_or(0),
            .device = request.place.device,
            .phaseTimeoutMs = request.callTimeoutMs,
            .contents = *std::move(contents),
            .describeOutputs = true,
            .sendOutputs = request.sendOutputs},
        [&](const RunnerEvent& event) {
            if (const auto* progress = std::get_if<ProgressEvent>(&event); progress && onProgress) {
                onProgress(fmt::format("{}: {}", progress->phase, progress->message));
            }
        },
        stop);
    if (!finished) {
        return finished.error();
    }
    run.finished = *finished;
    return refuse(run.finished.verdict, run.finished.explanation);
}

} // namespace ptxwb
