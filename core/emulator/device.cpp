// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/device.h"

#include "core/emulator/schedules.h"

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

Device::Device(EmulatorRequest request, std::stop_token stop)
    : m_request(std::move(request))
    , m_stop(std::move(stop))
    , m_reports(std::move(m_request.onFinding))
{
}

Result<std::unique_ptr<Device>> Device::make(EmulatorRequest request, std::stop_token stop)
{
    if (auto fits = checkBuffers(request); !fits) {
        return fits.error();
    }
    std::unique_ptr<Device> device(new Device(std::move(request), std::move(stop)));
    auto module = parseModule(device->m_request.text);
    if (!module) {
        auto error = module.error();
        error.path = device->m_request.displayName;
        return error;
    }
    device->m_module = *std::move(module);
    auto& buffers = device->m_request.buffers;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        const auto& spec = device->m_request.plan.buffers[b];
        device->m_addresses.push_back(device->m_memory.add(
            spec.name, buffers[b].data(), buffers[b].size(), spec.role != BufferRole::Input));
    }
    device->m_globals = placeGlobals(device->m_module, device->m_memory);
    return device;
}

Result<std::shared_ptr<const Program>> Device::kernel(const std::string& name)
{
    if (const auto known = m_programs.find(name); known != m_programs.end()) {
        return known->second;
    }
    auto program = decodeKernel(m_module, name);
    if (program) {
        m_programs[name] = *program;
    }
    return program;
}

EmulatorEnd Device::launch(std::shared_ptr<const Program> program, const Launch& planned,
    const std::function<bool(LaunchContext&)>& pack, const std::function<void(std::uint64_t)>& onCtas)
{
    LaunchContext launch;
    launch.program = program.get();
    launch.memory = &m_memory;
    launch.grid = planned.grid;
    launch.block = planned.block;
    launch.cluster = planned.cluster;
    launch.dynamicSharedBytes = planned.dynamicSharedBytes;
    launch.globalAddresses = m_globals.addresses;
    launch.gridBarrier = planned.cooperative ? m_globals.gridBarrier : 0;
    launch.policy = m_request.policy;
    launch.seed = m_request.seed;
    launch.checks = m_request.checks;
    launch.perturbed = m_request.perturbed;
    launch.measuredSums = m_request.measuredSums;
    launch.onlyClusters = m_request.onlyClusters;
    launch.maxSteps = m_request.limits.stepsPerCluster;
    launch.maxCtas = m_request.limits.ctas;
    launch.reports = &m_reports;
    launch.printed = &m_printed;
    launch.firstPosition = m_position;
    launch.mostRepetitions = m_request.limits.repetitions;
    launch.fileName = m_request.displayName;
    launch.stop = m_stop;
    launch.deadline = m_started + m_request.limits.wall;
    ++m_launches;
    if (!checkLaunch(launch, planned) || !pack(launch)) {
        return EmulatorEnd::ResourceLimit;
    }
    const unsigned workers = m_request.limits.workers != 0
        ? m_request.limits.workers
        : std::max(1U, std::thread::hardware_concurrency());
    const auto end = runLaunch(launch, workers, m_executed, [&](std::uint64_t ctas) {
        m_ctas += ctas;
        if (onCtas) {
            onCtas(m_ctas);
        }
    });
    m_mostSteps = std::max(m_mostSteps, launch.mostSteps);
    if (end == EmulatorEnd::Completed) {
        m_position += std::uint64_t{planned.grid[0]} * planned.grid[1] * planned.grid[2];
    }
    return end;
}

void Device::report(Report report)
{
    report.policy = policyName(m_request.policy);
    report.seed = m_request.seed;
    m_reports.add(std::move(report), m_position);
}

EmulatorOutcome Device::finish(EmulatorEnd end)
{
    EmulatorOutcome outcome;
    for (const auto& [cluster, text] : m_printed) {
        outcome.printed += text.substr(0, mostPrinted - std::min(mostPrinted, outcome.printed.size()));
    }
    outcome.reports = m_reports.take();
    outcome.end = refined(end, outcome.reports);
    for (auto& report : outcome.reports) {
        report.atLeast = outcome.end == EmulatorEnd::Decided;
    }
    for (const auto& [opcode, count] : m_executed) {
        outcome.executed.push_back({opcode, count.first, count.second});
        outcome.warpInstructions += count.first;
        outcome.threadInstructions += count.second;
    }
    outcome.profile = m_request.measuredSums ? "h200" : "fp32";
    outcome.buffers = std::move(m_request.buffers);
    outcome.ctas = m_ctas;
    outcome.launches = m_launches;
    outcome.mostSteps = m_mostSteps;
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_started).count();
    return outcome;
}

} // namespace ptxwb::emulator
