// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/evaluate.h"

#include "core/bench/comparison.h"
#include "core/bench/host_input.h"
#include "core/emulator/contribution.h"
#include "core/emulator/fast_oracle.h"
#include "core/emulator/matrix_kernels.h"
#include "core/emulator/small_float_bits.h"
#include "core/emulator/task_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <thread>

namespace ptxwb::emulator {

namespace {

using Buffers = std::vector<std::vector<std::byte>>;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Elements [first, last) of a random buffer of floats, with the bits that fillOnHost makes.
void fillPart(const BufferSpec& spec, std::uint64_t seed, std::uint32_t index, std::size_t first,
    std::size_t last, std::byte* bytes)
{
    std::vector<float> values(last - first);
    matrixKernels().fillNormals(seed, index, first, last, values.data());
    if (spec.type.dtype == Dtype::Float32) {
        std::memcpy(bytes + first * 4, values.data(), values.size() * 4);
        return;
    }
    const bool brain = spec.type.dtype == Dtype::Bfloat16;
    for (std::size_t i = first; i < last; ++i) {
        const std::uint16_t bits = brain ? floatToBrain(values[i - first]) : floatToHalf(values[i - first]);
        std::memcpy(bytes + i * 2, &bits, 2);
    }
}

bool isRandomFloat(const BufferSpec& spec)
{
    const auto dtype = spec.type.dtype;
    return spec.init == BufferInit::Random
        && (dtype == Dtype::Bfloat16 || dtype == Dtype::Float16 || dtype == Dtype::Float32);
}

TrialFacts compare(const EmulatorEvaluationRequest& request, const ResolvedPlan& plan, const Buffers& before,
    const Buffers& after, const std::vector<std::vector<double>>& references, std::uint64_t seed)
{
    TrialFacts facts;
    facts.seed = seed;
    std::size_t output = 0;
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
        const auto& spec = plan.buffers[b];
        if (spec.role == BufferRole::Input && before[b] != after[b]) {
            facts.modifiedInputs.push_back(spec.name);
        }
        if (spec.role == BufferRole::Output && output < references.size()) {
            facts.outputs.push_back(compareOnHost(
                spec.name, spec.type.dtype, after[b].data(), references[output++], request.task.tolerance));
        }
    }
    return facts;
}

void judgeAll(const EmulatorEvaluationRequest& request, EmulatorEnd worst, EmulatorVerdict& out)
{
    out.paper = judge(out.trials, request.task.tolerance, request.task.strict, Rule::Paper);
    out.strict = judge(out.trials, request.task.tolerance, request.task.strict, Rule::Strict);
    const Report* leading = leadingReport(out.reports, worst);
    if (leading != nullptr) {
        out.verdict = verdictOf(leading->rule, worst);
        out.explanation = located(*leading);
        return;
    }
    if (out.hostFault) {
        out.verdict = out.hostFault->verdict;
        out.explanation = out.hostFault->text;
        return;
    }
    const auto& chosen = request.rule == Rule::Strict ? out.strict : out.paper;
    out.verdict = chosen.verdict;
    const auto schedules =
        fmt::format("{} schedule{}", out.schedules.runs, out.schedules.runs == 1 ? "" : "s");
    out.explanation = fmt::format("{} (by emulation, {} accumulation; {})", chosen.explanation, out.profile,
        out.reports.empty() ? fmt::format("nothing found under {}", schedules)
                            : fmt::format("under {} {}", schedules, summaryOf(out.reports)));
}

/// Asks for every kind of instruction that ran whether the outputs depend on it.
Result<void> findContributions(const EmulatorEvaluationRequest& request, const EmulatorRequest& run,
    EmulatorVerdict& out, const std::stop_token& stop)
{
    for (const auto results : {ResultOf::Wgmma, ResultOf::TensorCopy, ResultOf::Mma, ResultOf::BulkCopy}) {
        const bool ran = std::any_of(out.executed.begin(), out.executed.end(),
            [&](const OpcodeCount& count) { return givesResult(count.opcode, results); });
        if (!ran || out.contributes.contains(results)) {
            continue;
        }
        const auto depends = outputDependsOn(run, results, stop, request.execute);
        if (!depends) {
            return depends.error();
        }
        if (*depends) {
            out.contributes[results] = **depends;
        }
    }
    return {};
}

} // namespace

/// Random bits by all workers: 36 million normal numbers take seconds on one core.
Result<Buffers> makeTaskBuffers(const EmulatorEvaluationRequest& request, const ResolvedPlan& plan,
    unsigned workers, std::stop_token stop)
{
    constexpr std::size_t part = 1U << 18;
    Buffers buffers(plan.buffers.size());
    std::vector<std::pair<std::size_t, std::size_t>> parts; // buffer, first element
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const auto& spec = plan.buffers[b];
        buffers[b].resize(spec.type.bytes());
        if (spec.role == BufferRole::Output) {
            fillWithPoison(spec.type.dtype, buffers[b].data(), buffers[b].size());
        } else if (isRandomFloat(spec)) {
            for (std::size_t first = 0; first < static_cast<std::size_t>(spec.type.elements());
                 first += part) {
                parts.emplace_back(b, first);
            }
        } else if (spec.init != BufferInit::Derived) {
            if (auto filled =
                    fillOnHost(spec, request.seed, static_cast<std::uint32_t>(b), buffers[b].data());
                !filled) {
                return filled.error();
            }
        }
    }
    std::atomic<std::size_t> next{0};
    {
        std::vector<std::jthread> threads;
        for (unsigned w = 0; w < workers; ++w) {
            threads.emplace_back([&] {
                for (std::size_t i = next++; i < parts.size() && !stop.stop_requested(); i = next++) {
                    const auto [b, first] = parts[i];
                    const auto last =
                        std::min(first + part, static_cast<std::size_t>(plan.buffers[b].type.elements()));
                    fillPart(plan.buffers[b], request.seed, static_cast<std::uint32_t>(b), first, last,
                        buffers[b].data());
                }
            });
        }
    }
    if (stop.stop_requested()) {
        return Error{.code = ErrorCode::Cancelled, .message = "cancelled"};
    }
    if (auto derived = deriveInputs(request.task.oracle, plan.buffers, buffers, request.seed, workers, stop);
        !derived) {
        return derived.error();
    }
    return buffers;
}

Result<EmulatorVerdict> evaluateOnEmulator(
    const EmulatorEvaluationRequest& request, const EmulatorProgress& onProgress, std::stop_token stop)
{
    auto plan = request.plan ? Result<ResolvedPlan>(*request.plan)
                             : resolveLaunchPlan(request.text, request.task, request.workload);
    if (!plan) {
        return plan.error();
    }
    const unsigned workers = request.limits.workers != 0 ? request.limits.workers
                                                         : std::max(1U, std::thread::hardware_concurrency());
    auto buffers = makeTaskBuffers(request, *plan, workers, stop);
    if (!buffers) {
        return buffers.error();
    }

    EmulatorVerdict out;
    EmulatorEnd worst = EmulatorEnd::Completed;
    std::vector<std::vector<double>> references;
    const auto schedules = schedulesOf(request.policies, request.seed, request.seeds);
    std::vector<Report> told;
    const auto tell = [&](const Report& report) {
        const auto before = told.size();
        addReports(told, {report});
        if (told.size() != before) {
            request.onFinding(report);
        }
    };
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        EmulatorRequest run;
        run.text = request.text;
        run.displayName = request.displayName;
        run.plan = *plan;
        run.buffers = *buffers;
        run.checks = request.checks;
        run.measuredSums = request.measuredSums;
        run.limits = request.limits;
        if (request.onFinding) {
            run.onFinding = tell;
        }
        auto outcome = emulateSchedule(std::move(run), schedules, i, onProgress, stop, request.execute);
        if (!outcome) {
            return outcome.error();
        }
        const auto end = outcome->end;
        out.schedules.note(schedules[i], outcome->reports, end);
        out.emulationSeconds += outcome->seconds;
        out.threadInstructions += outcome->threadInstructions;
        out.profile = outcome->profile;
        out.mostSteps = std::max(out.mostSteps, outcome->mostSteps);
        if (i == 0 || (end == EmulatorEnd::Completed && !out.executedIsWhole)) {
            out.executed = std::move(outcome->executed);
            out.executedIsWhole = end != EmulatorEnd::NotEmulated && end != EmulatorEnd::ResourceLimit
                && end != EmulatorEnd::Decided && !outcome->hostFault;
        }
        addReports(out.reports, std::move(outcome->reports));
        if (outcome->hostFault) {
            out.hostFault = std::move(outcome->hostFault);
            break;
        }
        if (end == EmulatorEnd::Decided) {
            continue; // another schedule may show something else
        }
        if (end != EmulatorEnd::Completed) {
            worst = end;
            break; // the fault is found; other schedules would meet it again
        }
        if (references.empty() && !request.task.oracle.name.empty()) {
            const auto start = std::chrono::steady_clock::now();
            std::vector<std::span<const std::byte>> inputs;
            for (std::size_t b = 0; b < plan->buffers.size(); ++b) {
                if (plan->buffers[b].role == BufferRole::Input) {
                    inputs.emplace_back((*buffers)[b]);
                }
            }
            auto made = request.reference
                ? request.reference(*buffers, stop)
                : runFastOracle(request.task.oracle, plan->buffers, inputs, workers, stop);
            if (!made) {
                return made.error();
            }
            references = std::move(*made);
            out.oracleSeconds = secondsSince(start);
        }
        if (stop.stop_requested()) {
            return Error{.code = ErrorCode::Cancelled, .message = "cancelled"};
        }
        out.trials.push_back(
            compare(request, *plan, *buffers, outcome->buffers, references, schedules[i].seed));
        out.trials.back().repeatsInputs = out.trials.size() > 1;
    }
    judgeAll(request, worst, out);
    if (request.contributions && out.executedIsWhole && !out.trials.empty()) {
        EmulatorRequest run;
        run.text = request.text;
        run.displayName = request.displayName;
        run.plan = *plan;
        run.buffers = std::move(*buffers);
        run.measuredSums = request.measuredSums;
        run.limits = request.limits;
        if (auto found = findContributions(request, run, out, stop); !found) {
            return found.error();
        }
    }
    return out;
}

} // namespace ptxwb::emulator
