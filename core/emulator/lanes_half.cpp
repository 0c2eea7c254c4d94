// SPDX-License-Identifier: Apache-2.0
// f16, bf16 and their packed pairs by lanes. Sums and products of these formats are computed in float32,
// which is wide enough for the second rounding to be harmless; fma goes through round-to-odd.
#include "core/emulator/lane_templates.h"

namespace ptxwb::emulator::PTXWB_LANES {

namespace {

struct HalfFormat {
    static float widen(std::uint32_t bits) { return halfToFloat(static_cast<std::uint16_t>(bits)); }
    static std::uint32_t narrow(float value) { return floatToHalf(value); }
    static bool isSubnormal(std::uint32_t bits) { return (bits & 0x7C00U) == 0; }
};
struct BrainFormat {
    static float widen(std::uint32_t bits) { return brainToFloat(static_cast<std::uint16_t>(bits)); }
    static std::uint32_t narrow(float value) { return floatToBrain(value); }
    static bool isSubnormal(std::uint32_t bits) { return (bits & 0x7F80U) == 0; }
};

struct HAdd {
    static float run(float a, float b, float) { return toOddFloat(double{a} + double{b}, 0); }
};
struct HSub {
    static float run(float a, float b, float) { return toOddFloat(double{a} - double{b}, 0); }
};
struct HMul {
    static float run(float a, float b, float) { return toOddFloat(double{a} * double{b}, 0); }
};
struct HFma {
    static float run(float a, float b, float c) { return fmaToOdd(a, b, c); }
};
struct HEx2 {
    static float run(float a, float, float) { return __builtin_exp2f(a); }
};
struct HTanh {
    static float run(float a, float, float) { return __builtin_tanhf(a); }
};
struct HMin {
    static float run(float a, float b, float)
    {
        return a != a ? b : (b != b ? a : (a < b || (a == b && std::signbit(a)) ? a : b));
    }
};
struct HMax {
    static float run(float a, float b, float)
    {
        return a != a ? b : (b != b ? a : (a > b || (a == b && std::signbit(b)) ? a : b));
    }
};

template <class Format> std::uint32_t flushedBits(std::uint32_t bits, bool ftz)
{
    return ftz && Format::isSubnormal(bits) ? bits & 0x8000U : bits;
}

template <class Op, class Format>
std::uint32_t one(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t mode)
{
    const bool ftz = (mode & lane_mode::ftz) != 0;
    float x = Format::widen(flushedBits<Format>(a & 0xFFFFU, ftz));
    float y = Format::widen(flushedBits<Format>(b & 0xFFFFU, ftz));
    const float z = Format::widen(flushedBits<Format>(c & 0xFFFFU, ftz));
    const bool xorsign = (mode & lane_mode::xorsign) != 0; // min / max .xorsign.abs
    x = xorsign ? std::fabs(x) : x;
    y = xorsign ? std::fabs(y) : y;
    float r = Op::run(x, y, z);
    // What is tiny once it is rounded with a wider exponent is flushed; r is rounded to odd, so that it
    // tells.
    constexpr float leastFlushed = 0x1p-14F - 0x1p-26F;
    r = ftz && std::is_same_v<Format, HalfFormat> && std::fabs(r) < leastFlushed ? std::copysign(0.0F, r) : r;
    r = xorsign && ((a ^ b) & 0x8000U) != 0 ? -r : r;
    if ((mode & lane_mode::nan) != 0 && (x != x || y != y)) {
        r = std::numeric_limits<float>::quiet_NaN();
    }
    if ((mode & lane_mode::sat) != 0) {
        r = r > 0.0F ? (r < 1.0F ? r : 1.0F) : 0.0F;
    }
    if ((mode & lane_mode::relu) != 0) {
        r = r < 0.0F || (r == 0.0F && std::signbit(r)) ? 0.0F : r;
    }
    return flushedBits<Format>(Format::narrow(r), ftz);
}

template <class Op, class Format, bool packed> Step half(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    const std::uint32_t mode = in.mode;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t low = one<Op, Format>(a[l], b[l], c[l], mode);
        if constexpr (!packed) {
            return low;
        } else {
            return low | one<Op, Format>(a[l] >> 16U, b[l] >> 16U, c[l] >> 16U, mode) << 16U;
        }
    });
}

template <class Format, bool packed, bool negate>
Step signBits(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto turned = [](std::uint32_t x) {
        const float value = Format::widen(x);
        return value != value ? 0x7FFFU : (negate ? x ^ 0x8000U : x & 0x7FFFU);
    };
    if ((in.mode & lane_mode::ftz) != 0) {
        return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
            return turned(flushedBits<Format>(a[l] & 0xFFFFU, true))
                | (packed ? turned(flushedBits<Format>(a[l] >> 16U, true)) << 16U : 0U);
        });
    }
    return forLanes<std::uint32_t>(warp, in, mask,
        [=](std::uint32_t l) { return turned(a[l] & 0xFFFFU) | (packed ? turned(a[l] >> 16U) << 16U : 0U); });
}

template <class Format, bool packed> Handler handlerFor(LaneOp op)
{
    switch (op) {
    case LaneOp::Add:
        return half<HAdd, Format, packed>;
    case LaneOp::Sub:
        return half<HSub, Format, packed>;
    case LaneOp::Mul:
        return half<HMul, Format, packed>;
    case LaneOp::Fma:
        return half<HFma, Format, packed>;
    case LaneOp::Min:
        return half<HMin, Format, packed>;
    case LaneOp::Max:
        return half<HMax, Format, packed>;
    case LaneOp::Ex2:
        return half<HEx2, Format, packed>;
    case LaneOp::Tanh:
        return half<HTanh, Format, packed>;
    case LaneOp::Neg:
        return signBits<Format, packed, true>;
    case LaneOp::Abs:
        return signBits<Format, packed, false>;
    default:
        return nullptr;
    }
}

} // namespace

Handler halfHandler(const LaneForm& form)
{
    switch (form.type) {
    case ValueType::F16:
        return handlerFor<HalfFormat, false>(form.op);
    case ValueType::F16x2:
        return handlerFor<HalfFormat, true>(form.op);
    case ValueType::Bf16:
        return handlerFor<BrainFormat, false>(form.op);
    case ValueType::Bf16x2:
        return handlerFor<BrainFormat, true>(form.op);
    default:
        return nullptr;
    }
}

} // namespace ptxwb::emulator::PTXWB_LANES
