// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

#include <cstdint>

namespace ptxwb::emulator {

/// Operations that work lane by lane on registers.
enum class LaneOp : std::uint8_t {
    Mov,
    Add,
    Sub,
    MulLo,
    MulHi,
    MulWide,
    MadLo,
    MadHi,
    MadWide,
    Div,
    Rem,
    Abs,
    Neg,
    Min,
    Max,
    Popc,
    Clz,
    Bfind,
    Brev,
    Bfe,
    Bfi,
    And,
    Or,
    Xor,
    Not,
    Cnot,
    Shl,
    Shr,
    Lop3,
    ShfL,
    ShfR,
    Prmt,
    Sad,
    Dp4a,
    Dp2a, ///< type: of the words; from: of the bytes
    Mul24Lo,
    Mul24Hi,
    Mad24Lo,
    Mad24Hi,
    Mad24HiSat,
    MadLoCc, ///< mad.cc, madc
    MadHiCc,
    AddCc,
    SubCc,
    Selp,
    Slct,
    Mul,
    Fma,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    Copysign,
    Testp,
    Setp,
    Set,
    Cvt,
    CvtPack,
    SetPair, ///< set of pairs of 16-bit floats
    SetpPair, ///< setp of pairs of 16-bit floats: one predicate each
    CvtPackIntegers, ///< cvt.pack
    CvtEights, ///< from or to pairs of 8-bit floats
    Szext,
    Bmsk,
    Fns,
};

enum class Rounding : std::uint8_t { None, Rn, Rz, Rm, Rp, Rna, Rni, Rzi, Rmi, Rpi };

enum class Compare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };

/// Which implementation of a lane operation is needed.
struct LaneForm {
    LaneOp op = LaneOp::Mov;
    ValueType type = ValueType::B32; ///< of the result, or of the operands of a comparison
    ValueType from = ValueType::None; ///< source of cvt, result of set
    Rounding rounding = Rounding::None;
    Compare compare = Compare::Eq;
    bool ftz = false;
    bool sat = false;
    bool approx = false;
    bool nan = false; ///< min / max: a NaN operand makes a NaN
    bool relu = false;
    bool wide = false; ///< cvt: the destination register has 32 bits
};

/// Bits of Instr::mode that lane handlers read.
namespace lane_mode {
constexpr std::uint32_t ftz = 1;
constexpr std::uint32_t sat = 2;
constexpr std::uint32_t relu = 4;
constexpr std::uint32_t nan = 8;
constexpr std::uint32_t negateC = 16; ///< setp: !c
constexpr std::uint32_t carryIn = 32;
constexpr std::uint32_t carryOut = 64;
constexpr std::uint32_t clamp = 128; ///< shf.clamp
constexpr std::uint32_t shiftAmount = 256; ///< bfind.shiftamt
constexpr std::uint32_t roundingShift = 12; ///< 4 bits: Rounding
constexpr std::uint32_t combineShift = 16; ///< 2 bits: none, and, or, xor
constexpr std::uint32_t xorsign = 1U << 20;
constexpr std::uint32_t absolute = 1U << 21;
} // namespace lane_mode

/// ".lt" and the like of a setp or set.
Compare comparisonOf(const Statement& s);

/// The fastest handler that this CPU can run, or nullptr where the form is not emulated.
Handler laneHandler(const LaneForm& form);

/// Chooses the portable handlers even where faster ones run. For tests; not thread-safe.
void usePortableLanes(bool portable);

} // namespace ptxwb::emulator
