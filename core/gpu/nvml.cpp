// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/nvml.h"

#include <array>

namespace ptxwb::gpu {

namespace {

// NVML's stable C interface; the toolkit's header is not needed for these few calls.
using Code = int;
using Device = void*;
constexpr Code success = 0;
constexpr int clockSm = 1;
constexpr int temperatureGpu = 0;

struct ThrottleReason {
    std::uint64_t bit;
    const char* name;
    bool slowdown;
};
// nvmlClocksEventReason*, documented in NVML's API reference.
constexpr std::array<ThrottleReason, 9> throttleReasons{{{0x1, "gpu_idle", false},
    {0x2, "applications_clocks_setting", false}, {0x4, "sw_power_cap", false}, {0x8, "hw_slowdown", true},
    {0x10, "sync_boost", false}, {0x20, "sw_thermal_slowdown", true}, {0x40, "hw_thermal_slowdown", true},
    {0x80, "hw_power_brake_slowdown", true}, {0x100, "display_clock_setting", false}}};

} // namespace

Nvml::Nvml()
    : m_library(SharedLibrary::open({"libnvidia-ml.so.1"}))
{
    if (!m_library.isOpen()) {
        m_reason = m_library.reason();
        return;
    }
    const auto init = m_library.function<Code (*)()>("nvmlInit_v2");
    const Code code = init != nullptr ? init() : -1;
    m_ready = code == success;
    if (!m_ready) {
        m_reason = "nvmlInit_v2 gave code " + std::to_string(code);
    }
}

Nvml::~Nvml()
{
    if (const auto shutdown = m_library.function<Code (*)()>("nvmlShutdown");
        m_ready && shutdown != nullptr) {
        shutdown();
    }
}

std::optional<std::string> Nvml::driverVersion() const
{
    const auto get = m_library.function<Code (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
    std::array<char, 96> text{};
    if (!m_ready || get == nullptr || get(text.data(), static_cast<unsigned>(text.size())) != success) {
        return std::nullopt;
    }
    return std::string(text.data());
}

void* Nvml::device(const std::string& pciBusId) const
{
    const auto get = m_library.function<Code (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    Device handle = nullptr;
    if (!m_ready || get == nullptr || get(pciBusId.c_str(), &handle) != success) {
        return nullptr;
    }
    return handle;
}

std::optional<int> Nvml::maxSmClockMhz(const std::string& pciBusId) const
{
    const auto get = m_library.function<Code (*)(Device, int, unsigned*)>("nvmlDeviceGetMaxClockInfo");
    void* const handle = device(pciBusId);
    unsigned clock = 0;
    if (handle == nullptr || get == nullptr || get(handle, clockSm, &clock) != success) {
        return std::nullopt;
    }
    return static_cast<int>(clock);
}

DeviceState Nvml::state(const std::string& pciBusId) const
{
    DeviceState state;
    void* const handle = device(pciBusId);
    if (handle == nullptr) {
        return state;
    }
    unsigned value = 0;
    if (const auto get = m_library.function<Code (*)(Device, int, unsigned*)>("nvmlDeviceGetClockInfo");
        get != nullptr && get(handle, clockSm, &value) == success) {
        state.smClockMhz = static_cast<int>(value);
    }
    if (const auto get = m_library.function<Code (*)(Device, unsigned*)>("nvmlDeviceGetPowerUsage");
        get != nullptr && get(handle, &value) == success) {
        state.powerWatts = value / 1000.0;
    }
    if (const auto get = m_library.function<Code (*)(Device, int, unsigned*)>("nvmlDeviceGetTemperature");
        get != nullptr && get(handle, temperatureGpu, &value) == success) {
        state.temperatureC = static_cast<int>(value);
    }
    unsigned long long bits = 0;
    if (const auto get = m_library.function<Code (*)(Device, unsigned long long*)>(
            "nvmlDeviceGetCurrentClocksThrottleReasons");
        get != nullptr && get(handle, &bits) == success) {
        state.throttleReasons = throttleReasonNames(bits);
        state.slowedDown = meansSlowdown(bits);
    }
    return state;
}

std::vector<std::string> throttleReasonNames(std::uint64_t bits)
{
    std::vector<std::string> names;
    for (const ThrottleReason& reason : throttleReasons) {
        if ((bits & reason.bit) != 0) {
            names.emplace_back(reason.name);
        }
    }
    return names;
}

bool meansSlowdown(std::uint64_t bits)
{
    for (const ThrottleReason& reason : throttleReasons) {
        if (reason.slowdown && (bits & reason.bit) != 0) {
            return true;
        }
    }
    return false;
}

} // namespace ptxwb::gpu
