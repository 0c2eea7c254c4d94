// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/launch.h"
#include "core/emulator/launch_setup.h"

#include <cstdint>
#include <memory>

namespace ptxwb::emulator {

/// The emulated device during one run: the module, global memory with the buffers, what launches have met so
/// far. One thread drives it; a launch uses several of its own.
class Device {
public:
    /// Errors: BadFormat (PTX, with the line), InvalidArgument (buffers that do not fit the plan).
    static Result<std::unique_ptr<Device>> make(EmulatorRequest request, std::stop_token stop);
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Decoded once. Errors: as decodeKernel.
    Result<std::shared_ptr<const Program>> kernel(const std::string& name);
    /// Runs a grid. `pack` fills LaunchContext::parameters, or reports and gives false. `onCtas` is told
    /// about finished CTAs.
    EmulatorEnd launch(std::shared_ptr<const Program> program, const Launch& planned,
        const std::function<bool(LaunchContext&)>& pack, const std::function<void(std::uint64_t)>& onCtas);
    /// A finding of no kernel's.
    void report(Report report);
    /// Everything that was met, and the buffers. Once, at the end.
    EmulatorOutcome finish(EmulatorEnd end);

    const EmulatorRequest& request() const { return m_request; }
    const Module& module() const { return m_module; }
    GlobalMemory& memory() { return m_memory; }
    const std::vector<std::uint64_t>& bufferAddresses() const { return m_addresses; }
    /// By variable of the module; 0 where it does not lie in global or constant memory.
    const std::vector<std::uint64_t>& variableAddresses() const { return m_globals.addresses; }

private:
    Device(EmulatorRequest request, std::stop_token stop);

    std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
    EmulatorRequest m_request;
    std::stop_token m_stop;
    Module m_module{};
    GlobalMemory m_memory{};
    std::vector<std::uint64_t> m_addresses{};
    ModuleMemory m_globals{};
    ReportSink m_reports;
    ExecutedCounts m_executed{};
    std::map<std::string, std::shared_ptr<const Program>> m_programs{};
    std::map<std::uint64_t, std::string> m_printed{};
    std::uint64_t m_position = 0;
    std::uint64_t m_ctas = 0;
    std::uint64_t m_launches = 0;
    std::uint64_t m_mostSteps = 0;
};

} // namespace ptxwb::emulator
