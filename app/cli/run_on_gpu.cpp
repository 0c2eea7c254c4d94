// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_on_gpu.h"

#include "app/cli/inspected_file.h"
#include "app/cli/text_report.h"
#include "core/emulator/run_plan.h"
#include "core/evaluation/gpu_run_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::cli {

namespace {

std::vector<std::string> outputNames(const DeclaredPlan& plan)
{
    std::vector<std::string> names;
    for (const auto& buffer : plan.plan.buffers) {
        if (buffer.role == BufferRole::Output) {
            names.push_back(buffer.name);
        }
    }
    return names;
}

/// Whose bytes the runner has to send.
std::vector<std::string> wanted(const GpuRunOptions& options)
{
    std::vector<std::string> names;
    for (const auto& dump : options.dumps) {
        names.push_back(dump.tensor);
    }
    if (options.compareWithEmulator) {
        if (const auto plan = resolveDeclaredPlan(options.source.bytes)) {
            const auto all = outputNames(*plan);
            names.insert(names.end(), all.begin(), all.end());
        }
    }
    return names;
}

EmulatorComparison compareWithEmulator(
    const GpuRunOptions& options, const GpuRun& run, const Session& session)
{
    if (!options.compareWithEmulator) {
        return {.reason = "not asked for (--compare-emulator)"};
    }
    if (run.finished.outputs.empty()) {
        return {.reason = "the run on the GPU left no outputs"};
    }
    session.progress("emulating the same plan");
    const auto source = sourceToEmulate(options.source, options.language, session);
    if (!source) {
        return {.reason = describe(source.error())};
    }
    const auto emulated =
        emulator::runPlan({.text = source->ptx,
                              .planText = options.source.bytes,
                              .execute = source->execute,
                              .displayName = options.source.displayName,
                              .directory = options.source.directory,
                              .policies = {emulator::AsyncPolicy::Early},
                              .seed = options.seed,
                              .limits = {.wall = std::chrono::seconds(options.limitSeconds)}},
            {}, session.stop);
    if (!emulated) {
        return {.reason = describe(emulated.error())};
    }
    if (emulated->end != emulator::EmulatorEnd::Completed) {
        return {.reason = fmt::format("the emulated run did not come to its end: {}", emulated->explanation)};
    }
    EmulatorComparison comparison;
    for (const auto& ours : run.finished.outputs) {
        for (const auto& theirs : emulated->outputs) {
            if (ours.name == theirs.name && !ours.bytes.empty()) {
                comparison.difference[ours.name] =
                    ours.sha256 == theirs.sha256 ? 0.0 : differenceOf(theirs, ours.bytes);
            }
        }
    }
    return comparison;
}

std::string timingText(const GpuRun& run)
{
    if (!run.finished.timing) {
        return {};
    }
    const auto& timing = *run.finished.timing;
    std::string text =
        timesText("cold L2", timing.candidate.coldUs) + timesText("warm", timing.candidate.warmUs);
    const Rates rates = ratesOf(run);
    if (rates.bytesPerSecond) {
        text += fmt::format("memory: {:.1f} GB/s by the plan's bytes\n", *rates.bytesPerSecond / 1e9);
    }
    if (rates.flopsPerSecond) {
        text += fmt::format("arithmetic: {:.1f} GFLOP/s by the plan's flops\n", *rates.flopsPerSecond / 1e9);
    }
    if (!rates.reason.empty() && !(rates.bytesPerSecond || rates.flopsPerSecond)) {
        text += fmt::format("rates: not told: {}\n", rates.reason);
    }
    if (timing.rooflineFloorUs) {
        text += fmt::format("no call can take less than {:.2f} us here\n", *timing.rooflineFloorUs);
    }
    if (const auto clock = std::minmax_element(timing.smClocksMhz.begin(), timing.smClocksMhz.end());
        clock.first != timing.smClocksMhz.end()) {
        text += fmt::format("SM clock {} to {} MHz{}{}\n", *clock.first, *clock.second,
            timing.throttleReasons.empty() ? "" : ", slowed down by ",
            fmt::join(timing.throttleReasons, ", "));
    }
    return text;
}

std::string textOf(const GpuRun& run, const EmulatorComparison& emulator)
{
    std::string text;
    for (const auto& diagnostic : run.built.diagnostics) {
        if (run.built.refused && diagnostic.severity <= Severity::Error) {
            text +=
                fmt::format("{}:{}: {}\n", diagnostic.file, diagnostic.line.value_or(0), diagnostic.message);
        }
    }
    for (const auto& output : run.finished.outputs) {
        text += outputText(output, "between two calls on the same inputs");
    }
    if (run.finished.repeatsBitwise) {
        text += *run.finished.repeatsBitwise ? "a second call on the same inputs gave the same bits\n"
                                             : "a second call on the same inputs gave other bits\n";
    }
    for (const auto& [name, difference] : emulator.difference) {
        text += difference == 0
            ? fmt::format("{}: the emulator has the same bits\n", name)
            : fmt::format(
                "{}: differs from the emulator's by {:.3g} (normwise, relative)\n", name, difference);
    }
    if (emulator.difference.empty() && !emulator.reason.starts_with("not asked")) {
        text += fmt::format("not compared with the emulator: {}\n", emulator.reason);
    }
    text += timingText(run);
    return text
        + fmt::format("on: {}, seed {}\nverdict: {} - {}\n", run.placement.reason, run.seed,
            verdictName(run.verdict), run.explanation);
}

} // namespace

std::string timesText(std::string_view name, const std::vector<double>& samplesUs)
{
    const auto summary = summarise(samplesUs);
    if (!summary) {
        return fmt::format("{}: not measured\n", name);
    }
    return fmt::format("{}: {:.2f} us (p10 {:.2f}, p90 {:.2f}; median within [{:.2f}, {:.2f}]; {} calls)\n",
        name, summary->median, summary->p10, summary->p90, summary->ci95[0], summary->ci95[1],
        summary->samples);
}

int runOnGpu(const GpuRunOptions& options, const Session& session)
{
    GpuRunRequest request{.source = {.displayName = options.source.displayName,
                              .text = options.source.bytes,
                              .directory = options.source.directory,
                              .language = options.language},
        .place = {.endpoint = options.place.endpoint, .device = options.place.device},
        .options = session.passThrough,
        .seed = options.seed,
        .measure = options.measure,
        .sendOutputs = wanted(options),
        .callTimeoutMs = options.limitSeconds * 1000};
    if (!options.target.empty()) {
        request.target = options.target;
    }
    std::string last;
    const Compiler compiler = makeCompiler();
    const auto run = ptxwb::runOnGpu(
        compiler, request,
        [&](const std::string& line) {
            if (line != last) {
                session.progress(line);
            }
            last = line;
        },
        session.stop);
    if (!run) {
        return session.fail(run.error());
    }
    if (!run->finished.outputs.empty()) {
        if (auto written = writeDumps(options.dumps, run->finished.outputs, session); !written) {
            return session.fail(written.error());
        }
    }
    const auto comparison = compareWithEmulator(options, *run, session);
    const bool clean = run->verdict == Verdict::Unverified && !run->finished.trials.empty();
    const int status = clean ? static_cast<int>(Holds) : exitStatusOf(run->verdict);
    if (session.json) {
        std::vector<std::pair<std::string, std::string>> dumps;
        for (const auto& dump : options.dumps) {
            dumps.emplace_back(dump.tensor, dump.file);
        }
        return session.print(toJson(*run, dumps, comparison), status);
    }
    return session.print(textOf(*run, comparison), status);
}

} // namespace ptxwb::cli
