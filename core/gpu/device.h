// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/nvml.h"
#include "core/runner/protocol.h"

namespace ptxwb::gpu {

/// A device that this process uses: made current, with what measuring on it needs to know.
struct Device {
    DeviceInfo info{};
    int major = 0;
    int minor = 0;
    int sharedBytesPerBlock = 0; ///< without opting in
    int maxSmClockMhz = 0;
    double memoryBytesPerSecond = 0; ///< 0: unknown
    std::string pciBusId{};
};

/// Errors: Unavailable (no driver, no device, no such index).
Result<int> deviceCount();
Result<Device> openDevice(int index, const Nvml& nvml);

/// Every device; each is asked to run a trivial kernel, and `problem` says where it does not. Never an error:
/// without a driver the list is empty and the reason is said.
ProbeResult probe(const Nvml& nvml);

/// "13.0" of 13000.
std::string cudaVersionText(int version);

} // namespace ptxwb::gpu
