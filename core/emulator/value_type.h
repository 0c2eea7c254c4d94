// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxwb::emulator {

/// Fundamental and packed types of PTX (PTX ISA 9.0, 5.2).
enum class ValueType : std::uint8_t {
    None,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    Tf32,
    F32,
    F32x2,
    F64,
    E4m3,
    E5m2,
    E4m3x2,
    E5m2x2,
    U16x2,
    S16x2,
    B1,
    U4,
    S4,
    Pred,
};

/// ".f32" -> F32; nothing for a word that is no type.
std::optional<ValueType> valueTypeOf(std::string_view word);
int bitsOf(ValueType type); ///< Pred: 1
bool isSigned(ValueType type);
bool isFloat(ValueType type);

/// State spaces that an instruction or a declaration can name.
enum class Space : std::uint8_t { Generic, Global, Shared, SharedCluster, Local, Param, Const, Register };

} // namespace ptxwb::emulator
