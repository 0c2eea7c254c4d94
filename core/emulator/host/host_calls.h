// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/device.h"
#include "core/emulator/host/device_memory.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::emulator {

/// Answers the CUDA calls of host code on an emulated device.
class HostCalls {
public:
    HostCalls(Device& device, EmulatorProgress onProgress);

    /// The answer to one call (calls.h); an empty object for a call that is not known. Throws what the JSON
    /// library throws where a member is missing or of another type.
    nlohmann::json answer(const nlohmann::json& call);

    /// How the launches went; not Completed: the run is over.
    EmulatorEnd end() const { return m_end; }
    /// What an address is, for a message: "C + 128", "no memory of the device".
    std::string describe(std::uint64_t address) const;

private:
    nlohmann::json kernel(const nlohmann::json& call);
    nlohmann::json launch(const nlohmann::json& call);
    nlohmann::json variable(const nlohmann::json& call) const;
    nlohmann::json read(const nlohmann::json& call);
    int write(const nlohmann::json& call);
    int fill(const nlohmann::json& call);
    int copy(const nlohmann::json& call);
    /// The bytes; where they are not there, a report says what was meant.
    std::byte* range(std::uint64_t address, std::uint64_t bytes, const char* doing);
    void refuse(
        const std::string& kernel, std::string message, std::string fix, RuleId rule = RuleId::ResourceLimit);

    Device& m_device;
    DeviceMemory m_memory;
    EmulatorProgress m_onProgress;
    std::uint64_t m_launches = 0;
    std::uint64_t m_planned = 0; ///< CTAs of all launches so far
    EmulatorEnd m_end = EmulatorEnd::Completed;
};

} // namespace ptxwb::emulator
