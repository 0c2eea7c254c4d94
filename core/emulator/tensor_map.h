// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/emulator/value_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ptxwb::emulator {

/// What a tensor map says, as the emulator keeps it. The driver's 128 bytes are opaque; ours hold the same
/// arguments under a tag, so that a map survives being copied through memory and a foreign one is recognised.
struct TensorMap {
    std::uint64_t address = 0;
    std::uint32_t rank = 1;
    std::uint32_t elementBytes = 2;
    Dtype dtype = Dtype::Bfloat16;
    Swizzle swizzle = Swizzle::None;
    OutOfBoundsFill fill = OutOfBoundsFill::Zero;
    std::array<std::uint64_t, 5> dims{1, 1, 1, 1, 1};
    std::array<std::uint64_t, 5> strides{}; ///< bytes; [0] is the element's size
    std::array<std::uint32_t, 5> box{1, 1, 1, 1, 1};
    std::array<std::uint32_t, 5> elementStrides{1, 1, 1, 1, 1};
    std::int32_t changedLine = 0; ///< where a kernel changed it, until the change is acquired; 0: it did not

    std::uint32_t rowBytes() const { return box[0] * elementBytes; }
    std::uint64_t boxRows() const;
    /// What a copy counts on its mbarrier.
    std::uint64_t boxBytes() const { return boxRows() * rowBytes(); }
    /// From row to row in shared memory: with a swizzle its span, also where the box is narrower (an H200
    /// leaves the bytes between as they are).
    std::uint32_t rowPitch() const;
    std::uint64_t spannedBytes() const { return (boxRows() - 1) * rowPitch() + rowBytes(); }
};

/// As which type a reduction takes the elements.
ValueType elementTypeOf(Dtype dtype);

constexpr std::size_t tensorMapBytes = 128;

std::array<std::byte, tensorMapBytes> encodeTensorMap(const TensorMapSpec& spec, std::uint64_t bufferAddress);
/// Nothing for bytes that encodeTensorMap did not make.
std::optional<TensorMap> decodeTensorMap(const std::byte* bytes);

/// What tensormap.replace can change.
enum class TensorMapField : std::uint8_t {
    GlobalAddress,
    Rank, ///< the value is one less
    BoxDim,
    GlobalDim,
    GlobalStride, ///< bytes; 0 is the stride of dimension 1
    ElementStride,
    ElementType, ///< numbers of PTX ISA 9.0, table of tensormap.replace
    InterleaveLayout,
    SwizzleMode,
    FillMode,
};

/// Changes our 128 bytes; zeros become a map of rank 1 first. An empty text, or why it cannot be.
std::string replaceInTensorMap(
    std::byte* bytes, TensorMapField field, std::uint32_t ordinal, std::uint64_t value, std::int32_t line);
/// The change is known to the tensor copies from now on.
void acquireTensorMap(std::byte* bytes);

/// The absolute shared address of a byte under a swizzle (16-byte pieces move within 1024, 512 or 256 bytes).
inline std::uint32_t swizzled(std::uint32_t address, Swizzle swizzle)
{
    const std::uint32_t mask = swizzle == Swizzle::B128 ? 7U
        : swizzle == Swizzle::B64                       ? 3U
        : swizzle == Swizzle::B32                       ? 1U
                                                        : 0U;
    return address ^ ((address >> 7U & mask) << 4U);
}

} // namespace ptxwb::emulator
