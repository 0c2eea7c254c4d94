// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/run_plan.h"

#include "core/bench/host_input.h"
#include "core/bench/plan_file.h"
#include "core/bench/tensor_content.h"
#include "core/emulator/example_plan.h"
#include "core/support/files.h"
#include "core/support/input.h"
#include "core/support/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ptxwb::emulator {

namespace {

using Buffers = std::vector<std::vector<std::byte>>;

Result<void> checkSize(const ResolvedPlan& plan)
{
    std::uint64_t bytes = 0;
    for (const auto& buffer : plan.buffers) {
        bytes += buffer.type.bytes(); // each at most 2^40
        if (bytes > largestRunBytes) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("the tensors up to {} need {} bytes, the emulator takes {} in all",
                    buffer.name, bytes, largestRunBytes),
                .hint = "make the shapes smaller"};
        }
    }
    return {};
}

void takeOutputs(const Buffers& before, Buffers after, PlanRunOutcome& out)
{
    for (std::size_t b = 0; b < out.plan.buffers.size(); ++b) {
        const auto& spec = out.plan.buffers[b];
        if (spec.role == BufferRole::Input && before[b] != after[b]) {
            out.modifiedInputs.push_back(spec.name);
        }
        if (spec.role == BufferRole::Output) {
            out.outputs.push_back(describeContent(spec, std::move(after[b])));
        }
    }
}

void compareOutputs(const Buffers& after, PlanRunOutcome& out)
{
    std::size_t output = 0;
    for (std::size_t b = 0; b < out.plan.buffers.size(); ++b) {
        if (out.plan.buffers[b].role != BufferRole::Output) {
            continue;
        }
        auto& first = out.outputs[output++];
        if (first.bytes != after[b]) {
            first.difference = std::max(first.difference.value_or(0), differenceOf(first, after[b]));
        }
    }
}

void judge(PlanRunOutcome& out)
{
    if (const auto* leading = leadingReport(out.reports, out.end)) {
        out.verdict = verdictOf(leading->rule, out.end);
        out.explanation = located(*leading);
        return;
    }
    for (const auto& output : out.outputs) {
        if (output.difference && *output.difference > toleratedDifference(output.type.dtype)) {
            out.verdict = Verdict::Nondeterministic;
            out.explanation = fmt::format("{} differs between schedules by {:.3g} (normwise, relative): "
                                          "something is not ordered, maybe in global memory",
                output.name, *output.difference);
            return;
        }
    }
    if (!out.modifiedInputs.empty()) {
        out.verdict = Verdict::InputModified;
        out.explanation = fmt::format("the kernel wrote into {}; give what it may write \"role\": \"output\"",
            fmt::join(out.modifiedInputs, ", "));
        return;
    }
    for (const auto& output : out.outputs) {
        if (output.unwrittenCount
            && *output.unwrittenCount == static_cast<std::uint64_t>(output.type.elements())) {
            out.verdict = Verdict::NotWritten;
            out.explanation = fmt::format("{} was not written at all", output.name);
            return;
        }
    }
    out.explanation = fmt::format("{} under {} schedule{} ({} accumulation); whether the values are right is "
                                  "not known: there is no task to compare with",
        out.reports.empty() ? "nothing was reported" : summaryOf(out.reports), out.schedules.runs,
        out.schedules.runs == 1 ? "" : "s", out.profile);
}

Result<DeclaredPlan> planOf(const PlanRunRequest& request)
{
    const auto none = [&](Error error) {
        error.path = request.displayName;
        error.hint = fmt::format(
            "put a plan into the file and correct it, for example:\n{}", examplePlan(request.text));
        return error;
    };
    const auto& where = request.planText ? *request.planText : request.text;
    if (const auto text = extractLaunchPlan(where);
        !text && text.error().code == ErrorCode::NotFound && !text.error().line) {
        auto error = none(text.error());
        error.code = ErrorCode::BadFormat; // the file is there: what it lacks is content
        return error;
    }
    auto declared = resolveDeclaredPlan(where);
    if (!declared) {
        auto error = declared.error();
        error.path = request.displayName;
        return error;
    }
    return declared;
}

} // namespace

Result<Buffers> makePlanBuffers(
    const DeclaredPlan& declared, std::uint64_t seed, const std::filesystem::path& directory)
{
    if (auto fits = checkSize(declared.plan); !fits) {
        return fits.error();
    }
    Buffers buffers(declared.plan.buffers.size());
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const auto& spec = declared.plan.buffers[b];
        if (!declared.files[b].empty()) {
            auto content = readPlanFile(declared, b, directory);
            if (!content) {
                return content.error();
            }
            buffers[b] = std::move(*content);
            continue;
        }
        buffers[b].resize(spec.type.bytes());
        if (auto filled = fillOnHost(spec, seed, static_cast<std::uint32_t>(b), buffers[b].data()); !filled) {
            return filled.error();
        }
    }
    return buffers;
}

Result<PlanRunOutcome> runPlan(
    const PlanRunRequest& request, const EmulatorProgress& onProgress, std::stop_token stop)
{
    auto declared = planOf(request);
    if (!declared) {
        return declared.error();
    }
    const auto buffers = makePlanBuffers(*declared, request.seed, request.directory);
    if (!buffers) {
        return buffers.error();
    }
    PlanRunOutcome out;
    out.plan = declared->plan;
    out.axes = declared->axes;
    const auto schedules = schedulesOf(request.policies, request.seed, request.seeds);
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        EmulatorRequest run;
        run.text = request.text;
        run.displayName = request.displayName;
        run.plan = out.plan;
        run.buffers = *buffers;
        run.measuredSums = request.measuredSums;
        run.limits = request.limits;
        auto outcome = emulateSchedule(std::move(run), schedules, i, onProgress, stop, request.execute);
        if (!outcome) {
            return outcome.error();
        }
        out.schedules.note(schedules[i], outcome->reports, outcome->end);
        out.threadInstructions += outcome->threadInstructions;
        out.seconds += outcome->seconds;
        out.profile = outcome->profile;
        out.end = outcome->end;
        addReports(out.reports, std::move(outcome->reports));
        if (i == 0) {
            out.executed = std::move(outcome->executed);
            out.printed = std::move(outcome->printed);
            takeOutputs(*buffers, std::move(outcome->buffers), out);
        } else if (out.end == EmulatorEnd::Completed) {
            compareOutputs(outcome->buffers, out);
        }
        if (out.end != EmulatorEnd::Completed) {
            break; // the fault is found; other schedules would meet it again
        }
    }
    judge(out);
    return out;
}

} // namespace ptxwb::emulator
