// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"

#include <cstddef>
#include <cstdint>

namespace ptxwb {

/// Fills `bytes` (buffer.type.bytes() of them) as BufferSpec::init asks, with the bits that the GPU makes for
/// the same seed and buffer index. Random, by dtype as in FlashInfer Trace: floats N(0,1); fp8 N(0,1) clamped
/// to [-2, 2]; int8
/// [-128, 128); uint8 [0, 256); other integers [-1024, 1024); bool 0 or 1.
/// Errors: Unsupported for BufferInit::Derived, which an oracle makes.
Result<void> fillOnHost(
    const BufferSpec& buffer, std::uint64_t seed, std::uint32_t bufferIndex, std::byte* bytes);

/// One element of a random tensor, before rounding to `dtype`.
double randomElement(Dtype dtype, std::uint64_t seed, std::uint32_t bufferIndex, std::uint64_t index);

/// The poison pattern of an output of this type: every byte of `bytes`.
void fillWithPoison(Dtype dtype, std::byte* bytes, std::size_t count);

} // namespace ptxwb
