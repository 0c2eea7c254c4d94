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
    for (std::size_t d = 0; d < map.rank; ++d) {
        map.dims[d] = std::uint64_t{packed.lastIndex[d]} + 1;
        map.box[d] = packed.box[d];
        // Of dimension 0 it is ignored, as the driver's documentation has it and an H200 does.
        map.elementStrides[d] = d == 0 || packed.elementStrides[d] == 0 ? 1U : packed.elementStrides[d];
        map.strides[d] = d == 0 ? map.elementBytes : std::uint64_t{packed.strideUnits[d - 1]} * 16;
    }
    return map;
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
