// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/poison.h"

#include <cstdint>

// Shared with CUDA code: C++20, plain values only.
namespace ptxwb::gpu {

/// Element types as the device code knows them; elementKind() in buffers.h makes them from a Dtype.
enum class ElementKind : int { F64, F32, F16, Bf16, E4m3, E5m2, I64, I32, I16, I8, U8, Bool };

constexpr bool isOneByte(ElementKind kind)
{
    return kind == ElementKind::E4m3 || kind == ElementKind::E5m2 || kind == ElementKind::I8
        || kind == ElementKind::U8 || kind == ElementKind::Bool;
}

/// What fills guard bands; different from the poison, so that a stray copy of an output shows too.
inline constexpr std::uint8_t guardPattern = 0x5B;

} // namespace ptxwb::gpu
