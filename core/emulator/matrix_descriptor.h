// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/tensor_map.h"

#include <cstdint>

namespace ptxwb::emulator {

/// The 64-bit descriptor of a matrix in shared memory, as wgmma takes it (PTX ISA 9.0, 9.7.15.5.1).
struct MatrixDescriptor {
    std::uint32_t start = 0; ///< bytes
    std::uint32_t leading = 0; ///< leading-dimension byte offset
    std::uint32_t stride = 0; ///< stride-dimension byte offset
    std::uint32_t baseOffset = 0;
    Swizzle swizzle = Swizzle::None;

    explicit MatrixDescriptor(std::uint64_t bits)
        : start(static_cast<std::uint32_t>(bits & 0x3FFFU) << 4U)
        , leading(static_cast<std::uint32_t>(bits >> 16U & 0x3FFFU) << 4U)
        , stride(static_cast<std::uint32_t>(bits >> 32U & 0x3FFFU) << 4U)
        , baseOffset(static_cast<std::uint32_t>(bits >> 49U & 7U))
    {
        constexpr Swizzle modes[4] = {Swizzle::None, Swizzle::B128, Swizzle::B64, Swizzle::B32};
        swizzle = modes[bits >> 62U & 3U];
    }

    std::uint32_t span() const
    {
        return swizzle == Swizzle::B128 ? 128U
            : swizzle == Swizzle::B64   ? 64U
            : swizzle == Swizzle::B32   ? 32U
                                        : 0U;
    }

    /// Shared address of the 16-byte piece that starts at byte kb of row r, K-major.
    std::uint32_t pieceK(std::uint32_t r, std::uint32_t kb) const
    {
        const std::uint32_t s = span();
        const std::uint32_t inside = s == 0 ? (r & 7U) * 16 + (kb >> 4U) * leading : (r & 7U) * s + kb;
        return swizzled(start + (r >> 3U) * stride + inside, swizzle);
    }

    /// Of the piece that starts at byte mb along M or N, at column k, MN-major.
    std::uint32_t pieceMn(std::uint32_t mb, std::uint32_t k) const
    {
        const std::uint32_t s = span();
        if (s == 0) {
            return start + (mb >> 4U) * stride + (k & 7U) * 16 + (k >> 3U) * leading;
        }
        return swizzled(start + mb % s + mb / s * leading + (k & 7U) * s + (k >> 3U) * stride, swizzle);
    }
};

} // namespace ptxwb::emulator
