// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/value_type.h"

#include <algorithm>
#include <array>

namespace ptxwb::emulator {

namespace {

struct Row {
    std::string_view word;
    ValueType type;
    int bits;
};

constexpr std::array rows{
    Row{".b8", ValueType::B8, 8},
    Row{".b16", ValueType::B16, 16},
    Row{".b32", ValueType::B32, 32},
    Row{".b64", ValueType::B64, 64},
    Row{".b128", ValueType::B128, 128},
    Row{".u8", ValueType::U8, 8},
    Row{".u16", ValueType::U16, 16},
    Row{".u32", ValueType::U32, 32},
    Row{".u64", ValueType::U64, 64},
    Row{".s8", ValueType::S8, 8},
    Row{".s16", ValueType::S16, 16},
    Row{".s32", ValueType::S32, 32},
    Row{".s64", ValueType::S64, 64},
    Row{".f16", ValueType::F16, 16},
    Row{".f16x2", ValueType::F16x2, 32},
    Row{".bf16", ValueType::Bf16, 16},
    Row{".bf16x2", ValueType::Bf16x2, 32},
    Row{".tf32", ValueType::Tf32, 32},
    Row{".f32", ValueType::F32, 32},
    Row{".f32x2", ValueType::F32x2, 64},
    Row{".f64", ValueType::F64, 64},
    Row{".e4m3", ValueType::E4m3, 8},
    Row{".e5m2", ValueType::E5m2, 8},
    Row{".e4m3x2", ValueType::E4m3x2, 16},
    Row{".e5m2x2", ValueType::E5m2x2, 16},
    Row{".u16x2", ValueType::U16x2, 32},
    Row{".s16x2", ValueType::S16x2, 32},
    Row{".b1", ValueType::B1, 1},
    Row{".u4", ValueType::U4, 4},
    Row{".s4", ValueType::S4, 4},
    Row{".pred", ValueType::Pred, 1},
};

} // namespace

std::optional<ValueType> valueTypeOf(std::string_view word)
{
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.word == word; });
    return row == rows.end() ? std::nullopt : std::optional(row->type);
}

int bitsOf(ValueType type)
{
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.type == type; });
    return row == rows.end() ? 0 : row->bits;
}

bool isSigned(ValueType type)
{
    return type == ValueType::S8 || type == ValueType::S16 || type == ValueType::S32 || type == ValueType::S64
        || type == ValueType::S16x2 || type == ValueType::S4;
}

bool isFloat(ValueType type)
{
    switch (type) {
    case ValueType::F16:
    case ValueType::F16x2:
    case ValueType::Bf16:
    case ValueType::Bf16x2:
    case ValueType::Tf32:
    case ValueType::F32:
    case ValueType::F32x2:
    case ValueType::F64:
        return true;
    default:
        return false;
    }
}

} // namespace ptxwb::emulator
