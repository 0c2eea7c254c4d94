// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Shared with CUDA code: C++20, no other project header.

namespace ptxwb {

/// Outputs and uninitialised workspaces are filled with this 16-bit word before a launch, buffers of one-byte
/// elements with poisonByte. As bfloat16, float16, float32 and float64 it is a NaN with a payload that no
/// arithmetic makes; as e4m3 and e5m2 the byte is the negative NaN, which conversions do not make either. As
/// an integer it is a value like any other: poison says nothing about integer outputs.
inline constexpr std::uint16_t poisonWord = 0xFFF5;
inline constexpr std::uint8_t poisonByte = 0xFF;

} // namespace ptxwb
