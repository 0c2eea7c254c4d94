// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/async.h"
#include "core/emulator/matrix_descriptor.h"
#include "core/emulator/warp_run.h"
#include "core/emulator/wgmma.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

/// One wgmma of a warpgroup: 64 x N.
struct WgmmaOp final : AsyncOp {
    const Instr* in = nullptr;
    std::array<Warp*, 4> members{};
    std::uint32_t arrived = 0; ///< bit per warp
    std::uint64_t descA = 0;
    std::uint64_t descB = 0;
    bool accumulate = true;

    std::uint32_t columns() const { return in->target; }
    std::uint32_t depth() const { return static_cast<std::uint32_t>(in->imm); }
    ValueType typeD() const { return in->extra->types[0]; }
    ValueType typeA() const { return in->extra->types[1]; }
    ValueType typeB() const { return in->extra->types[2]; }
    bool fromRegisters() const { return (in->mode & wgmma_mode::registersA) != 0; }

    /// Shared addresses of all 16-byte pieces of an operand of `rows` rows.
    void pieces(const MatrixDescriptor& desc, bool mnMajor, std::uint32_t rows, std::uint32_t bits,
        std::vector<std::uint32_t>& out) const;

    void complete() override;

private:
    void multiplyReals();
    void multiplyIntegers();
    void multiplyBits();
    bool measured() const; ///< summed bit by bit as an H200 does; else by fused float32 operations
    void multiplyMeasured();
    void loadB(std::vector<float>& b, std::uint32_t k); ///< [n][k]
    void loadA(std::vector<float>& a) const;
};

} // namespace ptxwb::emulator
