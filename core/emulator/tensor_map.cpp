// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/tensor_map.h"

#include <cstring>

namespace ptxwb::emulator {

namespace {

/// The 128 bytes. Extents and strides are packed: dims - 1 in 32 bits, strides in units of 16 bytes.
struct Packed {
    std::array<char, 8> tag{'p', 't', 'x', 'w', 'b', 'm', 'a', '1'};
    std::uint64_t address = 0;
    std::array<std::uint32_t, 5> lastIndex{};
    std::array<std::uint32_t, 4> strideUnits{};
    std::array<std::uint16_t, 5> box{};
    std::array<std::uint8_t, 5> elementStrides{};
    std::uint8_t rank = 0;
    std::uint8_t dtype = 0;
    std::uint8_t swizzle = 0;
    std::uint8_t fill = 0;
    std::int32_t changedLine = 0;
};
static_assert(sizeof(Packed) <= tensorMapBytes);

} // namespace

std::uint64_t TensorMap::boxRows() const
{
    std::uint64_t rows = 1;
    for (std::uint32_t d = 1; d < rank; ++d) {
        rows *= (box[d] + elementStrides[d] - 1) / elementStrides[d];
    }
    return rows;
}

std::uint32_t TensorMap::rowPitch() const
{
    switch (swizzle) {
    case Swizzle::B128:
        return 128;
    case Swizzle::B64:
        return 64;
    case Swizzle::B32:
        return 32;
    default:
        return rowBytes();
    }
}

std::array<std::byte, tensorMapBytes> encodeTensorMap(const TensorMapSpec& spec, std::uint64_t bufferAddress)
{
    Packed packed;
    packed.address = bufferAddress + spec.offsetBytes;
    packed.rank = static_cast<std::uint8_t>(spec.dims.size());
    packed.dtype = static_cast<std::uint8_t>(spec.dtype);
    packed.swizzle = static_cast<std::uint8_t>(spec.swizzle);
    packed.fill = static_cast<std::uint8_t>(spec.fill);
    for (std::size_t d = 0; d < spec.dims.size() && d < 5; ++d) {
        packed.lastIndex[d] = static_cast<std::uint32_t>(spec.dims[d] - 1);
        packed.box[d] = static_cast<std::uint16_t>(spec.box[d]);
        packed.elementStrides[d] =
            static_cast<std::uint8_t>(d < spec.elementStrides.size() ? spec.elementStrides[d] : 1U);
        if (d > 0) {
            packed.strideUnits[d - 1] = static_cast<std::uint32_t>(spec.stridesBytes[d - 1] / 16);
        }
    }
    std::array<std::byte, tensorMapBytes> bytes{};
    std::memcpy(bytes.data(), &packed, sizeof(packed));
    return bytes;
}

std::optional<TensorMap> decodeTensorMap(const std::byte* bytes)
{
    Packed packed;
    const Packed fresh;
    std::memcpy(static_cast<void*>(&packed), bytes, sizeof(packed));
    if (packed.tag != fresh.tag || packed.rank < 1 || packed.rank > 5) {
        return std::nullopt;
    }
    TensorMap map;
    map.address = packed.address;
    map.rank = packed.rank;
    map.dtype = static_cast<Dtype>(packed.dtype);
    map.elementBytes = static_cast<std::uint32_t>(dtypeBytes(map.dtype));
    map.swizzle = static_cast<Swizzle>(packed.swizzle);
    map.fill = static_cast<OutOfBoundsFill>(packed.fill);
    map.changedLine = packed.changedLine;
    for (std::size_t d = 0; d < map.rank; ++d) {
        map.dims[d] = std::uint64_t{packed.lastIndex[d]} + 1;
        map.box[d] = packed.box[d];
        // Of dimension 0 it is ignored, as the driver's documentation has it and an H200 does.
        map.elementStrides[d] = d == 0 || packed.elementStrides[d] == 0 ? 1U : packed.elementStrides[d];
        map.strides[d] = d == 0 ? map.elementBytes : std::uint64_t{packed.strideUnits[d - 1]} * 16;
    }
    return map;
}

namespace {

/// Element types by the numbers that tensormap.replace takes: u8 u16 u32 s32 u64 s64 f16 f32 f32.ftz f64 bf16
/// tf32 tf32.ftz.
constexpr std::array elementTypes{Dtype::Uint8, Dtype::Int16, Dtype::Int32, Dtype::Int32, Dtype::Int64,
    Dtype::Int64, Dtype::Float16, Dtype::Float32, Dtype::Float32, Dtype::Float64, Dtype::Bfloat16,
    Dtype::Float32, Dtype::Float32};

std::string withIn(std::uint64_t value, std::uint64_t least, std::uint64_t most)
{
    return value >= least && value <= most ? std::string()
                                           : "the value is " + std::to_string(value) + ", but must be "
            + std::to_string(least) + " to " + std::to_string(most);
}

std::string put(Packed& packed, TensorMapField field, std::uint32_t ordinal, std::uint64_t value)
{
    constexpr std::uint64_t most32 = 1ULL << 32U;
    std::string wrong;
    switch (field) {
    case TensorMapField::GlobalAddress:
        packed.address = value;
        return value % 16 == 0 ? "" : "the address is no multiple of 16";
    case TensorMapField::Rank:
        packed.rank = static_cast<std::uint8_t>(value + 1);
        return withIn(value, 0, 4);
    case TensorMapField::BoxDim:
        packed.box[ordinal] = static_cast<std::uint16_t>(value);
        return withIn(value, 1, 256);
    case TensorMapField::GlobalDim:
        packed.lastIndex[ordinal] = static_cast<std::uint32_t>(value - 1);
        return withIn(value, 1, most32);
    case TensorMapField::GlobalStride:
        if (ordinal > 3) {
            return "a map has the strides 0 to 3";
        }
        packed.strideUnits[ordinal] = static_cast<std::uint32_t>(value / 16);
        return value % 16 == 0 ? withIn(value, 0, 16 * (most32 - 1)) : "the stride is no multiple of 16";
    case TensorMapField::ElementStride:
        packed.elementStrides[ordinal] = static_cast<std::uint8_t>(value);
        return withIn(value, 1, 8);
    case TensorMapField::ElementType:
        wrong = withIn(value, 0, elementTypes.size() - 1);
        packed.dtype = wrong.empty() ? static_cast<std::uint8_t>(elementTypes[value]) : packed.dtype;
        return wrong;
    case TensorMapField::InterleaveLayout:
        return value == 0 ? "" : "interleaved layouts are not emulated";
    case TensorMapField::SwizzleMode:
        packed.swizzle = static_cast<std::uint8_t>(value);
        return withIn(value, 0, 3);
    case TensorMapField::FillMode:
        packed.fill = static_cast<std::uint8_t>(value);
        return withIn(value, 0, 1);
    }
    return wrong;
}

} // namespace

std::string replaceInTensorMap(
    std::byte* bytes, TensorMapField field, std::uint32_t ordinal, std::uint64_t value, std::int32_t line)
{
    Packed packed;
    Packed fresh;
    std::memcpy(static_cast<void*>(&packed), bytes, sizeof(packed));
    if (packed.tag != fresh.tag) {
        constexpr std::array<std::byte, tensorMapBytes> zeros{};
        if (std::memcmp(bytes, zeros.data(), tensorMapBytes) != 0) {
            return "there is no tensor map, and not zeros either";
        }
        fresh.rank = 1;
        packed = fresh;
    }
    if (ordinal > 4) {
        return "the ordinal must be 0 to 4";
    }
    auto wrong = put(packed, field, ordinal, value);
    packed.changedLine = line;
    if (wrong.empty()) {
        std::memcpy(bytes, &packed, sizeof(packed));
    }
    return wrong;
}

void acquireTensorMap(std::byte* bytes)
{
    Packed packed;
    const Packed fresh;
    std::memcpy(static_cast<void*>(&packed), bytes, sizeof(packed));
    if (packed.tag == fresh.tag) {
        packed.changedLine = 0;
        std::memcpy(bytes, &packed, sizeof(packed));
    }
}

ValueType elementTypeOf(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Float32:
        return ValueType::F32;
    case Dtype::Float64:
        return ValueType::F64;
    case Dtype::Float16:
        return ValueType::F16;
    case Dtype::Bfloat16:
        return ValueType::Bf16;
    case Dtype::Int64:
        return ValueType::S64;
    case Dtype::Int32:
        return ValueType::S32;
    default:
        return ValueType::U32;
    }
}

} // namespace ptxwb::emulator
