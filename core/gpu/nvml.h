// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/shared_library.h"

#include <cstdint>
#include <optional>

namespace ptxwb::gpu {

/// What NVML says about one moment of a device; nothing where it does not say.
struct DeviceState {
    std::optional<int> smClockMhz{};
    std::optional<double> powerWatts{};
    std::optional<int> temperatureC{};
    std::vector<std::string> throttleReasons{}; ///< "sw_power_cap", "hw_thermal_slowdown" ...
    bool slowedDown = false; ///< by heat or by the board's power brake: times of this moment do not count
};

/// NVIDIA's management library, loaded at run time; every answer is optional. One thread.
class Nvml {
public:
    Nvml();
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    bool isHere() const { return m_ready; }
    const std::string& reason() const { return m_reason; }
    const std::string& path() const { return m_library.path(); }
    std::optional<std::string> driverVersion() const;
    std::optional<int> maxSmClockMhz(const std::string& pciBusId) const;
    DeviceState state(const std::string& pciBusId) const;

private:
    void* device(const std::string& pciBusId) const;
    SharedLibrary m_library;
    bool m_ready = false;
    std::string m_reason;
};

/// Names of the bits that NVML's throttle (event) reasons word holds.
std::vector<std::string> throttleReasonNames(std::uint64_t bits);
/// Do these bits mean that the clock was lowered by heat or by a hardware brake?
bool meansSlowdown(std::uint64_t bits);

} // namespace ptxwb::gpu
