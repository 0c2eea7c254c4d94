// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/emulator.h"

#include "core/emulator/launch.h"
#include "core/emulator/launch_setup.h"

#include <fmt/format.h>

#include <bit>
#include <thread>

namespace ptxwb::emulator {

namespace {

EmulatorEnd refined(EmulatorEnd end, const std::vector<Report>& reports)
{
    if (end != EmulatorEnd::Fault) {
        return end;
    }
    for (const auto& report : reports) {
        if (report.rule == RuleId::NotEmulated) {
            return EmulatorEnd::NotEmulated;
        }
        if (report.rule == RuleId::ResourceLimit && report.severity == ReportSeverity::Error) {
            return EmulatorEnd::ResourceLimit;
        }
    }
    return end;
}

} // namespace

std::string_view endName(EmulatorEnd end)
{
    constexpr std::array<std::string_view, 8> names{"completed", "deadlock", "livelock", "fault",
        "not_emulated", "resource_limit", "cancelled", "stopped_early"};
    return names[static_cast<std::size_t>(end)];
}

Result<EmulatorOutcome> emulate(
    EmulatorRequest request, const EmulatorProgress& onProgress, std::stop_token stop)
{
    const auto started = std::chrono::steady_clock::now();
    if (auto fits = checkBuffers(request); !fits) {
        return fits.error();
    }
    auto module = parseModule(request.text);
    if (!module) {
        auto error = module.error();
        error.path = request.displayName;
        return error;
    }
    GlobalMemory memory;
    std::vector<std::uint64_t> addresses;
    for (std::size_t b = 0; b < request.buffers.size(); ++b) {
        addresses.push_back(
            memory.add(request.plan.buffers[b].name, request.buffers[b].data(), request.buffers[b].size()));
    }
    const auto globals = placeGlobals(*module, memory);

    ReportSink reports(std::move(request.onFinding));
    ExecutedCounts executed;
    EmulatorOutcome outcome;
    std::map<std::uint64_t, std::string> printed;
    std::uint64_t total = 0;
    for (const auto& launch : request.plan.launches) {
        total += std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    }
    const unsigned workers = request.limits.workers != 0 ? request.limits.workers
                                                         : std::max(1U, std::thread::hardware_concurrency());
    std::uint64_t position = 0;
    for (const auto& planned : request.plan.launches) {
        auto program = decodeKernel(*module, planned.kernel);
        if (!program) {
            return kernelError(
                program.error(), request, static_cast<std::size_t>(&planned - request.plan.launches.data()));
        }
        LaunchContext launch;
        launch.program = program->get();
        launch.memory = &memory;
        launch.grid = planned.grid;
        launch.block = planned.block;
        launch.cluster = planned.cluster;
        launch.dynamicSharedBytes = planned.dynamicSharedBytes;
        launch.globalAddresses = globals.addresses;
        launch.policy = request.policy;
        launch.seed = request.seed;
        launch.checks = request.checks;
        launch.perturbed = request.perturbed;
        launch.measuredSums = request.measuredSums;
        launch.onlyClusters = request.onlyClusters;
        launch.maxSteps = request.limits.stepsPerCluster;
        launch.maxCtas = request.limits.ctas;
        launch.reports = &reports;
        launch.printed = &printed;
        launch.firstPosition = position;
        launch.mostRepetitions = request.limits.repetitions;
        launch.fileName = request.displayName;
        launch.stop = stop;
        launch.deadline = started + request.limits.wall;
        if (!checkLaunch(launch, planned) || !packArguments(launch, planned, request, addresses)) {
            outcome.end = EmulatorEnd::ResourceLimit;
            break;
        }
        outcome.end = runLaunch(launch, workers, executed, [&](std::uint64_t ctas) {
            outcome.ctas += ctas;
            if (onProgress) {
                onProgress(outcome.ctas, total);
            }
        });
        outcome.mostSteps = std::max(outcome.mostSteps, launch.mostSteps);
        if (outcome.end != EmulatorEnd::Completed) {
            break;
        }
        position += std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    }
    for (const auto& [cluster, text] : printed) {
        outcome.printed += text.substr(0, mostPrinted - std::min(mostPrinted, outcome.printed.size()));
    }
    outcome.reports = reports.take();
    outcome.end = refined(outcome.end, outcome.reports);
    for (auto& report : outcome.reports) {
        report.atLeast = outcome.end == EmulatorEnd::Decided;
    }
    for (const auto& [opcode, count] : executed) {
        outcome.executed.push_back({opcode, count.first, count.second});
        outcome.warpInstructions += count.first;
        outcome.threadInstructions += count.second;
    }
    outcome.profile = request.measuredSums ? "h200" : "fp32";
    outcome.buffers = std::move(request.buffers);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return outcome;
}

} // namespace ptxwb::emulator
