// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/roofline.h"

#include <algorithm>

namespace ptxwb::gpu {

std::optional<double> tensorOperationsPerClock(int major, int minor)
{
    switch (major * 10 + minor) {
    case 80: // A100: 312e12 / (108 SMs * 1.41 GHz)
        return 2048;
    case 86:
    case 87:
    case 89: // RTX 4090: 330e12 with float16 sums / (128 * 2.52 GHz)
        return 1024;
    case 90: // H100 and H200 SXM: 989.4e12 / (132 * 1.83 GHz)
        return 4096;
    case 100:
    case 103: // B200: 2250e12 / (148 * 1.85 GHz)
        return 8192;
    case 120:
    case 121: // RTX 5090: 419e12 with float16 sums / (170 * 2.41 GHz)
        return 1024;
    default:
        return std::nullopt;
    }
}

std::optional<double> rooflineFloorUs(const Peak& peak, double flops, double bytes, bool narrowInputs)
{
    std::optional<double> floor;
    const auto perClock = tensorOperationsPerClock(peak.major, peak.minor);
    if (perClock && flops > 0 && peak.maxSmClockMhz > 0 && peak.multiprocessors > 0) {
        const double perMicrosecond =
            *perClock * peak.multiprocessors * peak.maxSmClockMhz * (narrowInputs ? 2 : 1);
        floor = flops / perMicrosecond;
    }
    const double fromMemory = bytes - static_cast<double>(peak.l2Bytes);
    if (fromMemory > 0 && peak.memoryBytesPerSecond > 0) {
        floor = std::max(floor.value_or(0), fromMemory / peak.memoryBytesPerSecond * 1e6);
    }
    return floor;
}

} // namespace ptxwb::gpu
