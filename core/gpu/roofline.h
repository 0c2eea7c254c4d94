// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace ptxwb::gpu {

/// What bounds a device's speed. Rates are upper bounds, so that no honest time lies below the floor.
struct Peak {
    int major = 0;
    int minor = 0;
    int multiprocessors = 0;
    int maxSmClockMhz = 0;
    double memoryBytesPerSecond = 0;
    std::uint64_t l2Bytes = 0;
};

/// Dense bfloat16 tensor-core operations (multiply and add are two) of one multiprocessor in one clock;
/// nothing for a compute capability that this table does not know. From the vendor's peak rates divided by
/// SMs and boost clock.
std::optional<double> tensorOperationsPerClock(int major, int minor);

/// The least time that `flops` and `bytes` can take, microseconds; nothing when neither bound is known.
/// `narrowInputs`: 8-bit inputs, whose rate is twice that of bfloat16. Bytes that can stay in L2 (one cache
/// full) are not counted, since a cold call may leave its last writes there.
std::optional<double> rooflineFloorUs(const Peak& peak, double flops, double bytes, bool narrowInputs);

} // namespace ptxwb::gpu
