// SPDX-License-Identifier: Apache-2.0
// Operations on parts of registers by lanes: pairs of 16-bit integers, 24-bit products, dp2a, and conversions
// from and to pairs of 8-bit floats.
#include "core/emulator/lane_templates.h"

#include <algorithm>

namespace ptxwb::emulator::PTXWB_LANES {

namespace {

template <class T, LaneOp op> std::uint32_t pairResult(std::uint32_t a, std::uint32_t b, bool relu)
{
    std::uint32_t result = 0;
    for (std::uint32_t shift = 0; shift < 32; shift += 16) {
        const auto x = static_cast<T>(a >> shift & 0xFFFFU);
        const auto y = static_cast<T>(b >> shift & 0xFFFFU);
        T r = static_cast<T>(op == LaneOp::Add ? x + y : op == LaneOp::Min ? std::min(x, y) : std::max(x, y));
        r = relu ? std::max(r, T{0}) : r;
        result |= static_cast<std::uint32_t>(static_cast<std::uint16_t>(r)) << shift;
    }
    return result;
}

template <class T, LaneOp op> Step pairs(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const bool relu = (in.mode & lane_mode::relu) != 0;
    return forLanes<std::uint32_t>(
        warp, in, mask, [=](std::uint32_t l) { return pairResult<T, op>(a[l], b[l], relu); });
}

/// Halves of pairs compared; bit 0 for the low halves, bit 1 for the high ones.
template <bool brain> std::uint32_t comparedPair(std::uint32_t a, std::uint32_t b, Compare compare, bool ftz)
{
    const auto widened = [=](std::uint32_t bits) {
        const auto half = static_cast<std::uint16_t>(
            !brain && ftz && (bits & 0x7C00U) == 0 ? bits & 0x8000U : bits & 0xFFFFU);
        return brain ? brainToFloat(half) : halfToFloat(half);
    };
    const auto one = [=](std::uint32_t x, std::uint32_t y) {
        const float p = widened(x);
        const float q = widened(y);
        const bool unordered = p != p || q != q;
        switch (compare) {
        case Compare::Eq:
            return p == q;
        case Compare::Equ:
            return p == q || unordered;
        case Compare::Ne:
            return p != q && !unordered;
        case Compare::Neu:
            return p != q || unordered;
        case Compare::Lt:
            return p < q;
        case Compare::Ltu:
            return p < q || unordered;
        case Compare::Le:
            return p <= q;
        case Compare::Leu:
            return p <= q || unordered;
        case Compare::Gt:
            return p > q;
        case Compare::Gtu:
            return p > q || unordered;
        case Compare::Ge:
            return p >= q;
        case Compare::Geu:
            return p >= q || unordered;
        case Compare::Num:
            return !unordered;
        case Compare::Nan:
            break;
        }
        return unordered;
    };
    return (one(a & 0xFFFFU, b & 0xFFFFU) ? 1U : 0U) | (one(a >> 16U, b >> 16U) ? 2U : 0U);
}

/// in.imm in the halves where the comparison holds, 0 where not.
template <bool brain> Step setPair(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const bool ftz = (in.mode & lane_mode::ftz) != 0;
    const auto compare = static_cast<Compare>(in.target);
    const auto yes = static_cast<std::uint32_t>(in.imm);
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t holds = comparedPair<brain>(a[l], b[l], compare, ftz);
        return ((holds & 1U) != 0 ? yes : 0U) | ((holds & 2U) != 0 ? yes << 16U : 0U);
    });
}

/// d: of the low halves, e: of the high ones, each combined with c.
template <bool brain> Step setpPair(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const bool ftz = (in.mode & lane_mode::ftz) != 0;
    const auto compare = static_cast<Compare>(in.target);
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        const std::uint32_t holds = comparedPair<brain>(a[l], b[l], compare, ftz);
        low |= (holds & 1U) << l;
        high |= (holds >> 1U) << l;
    }
    const std::uint32_t how = in.mode >> lane_mode::combineShift & 3U;
    const std::uint32_t plain = how == 0 ? 0U : warp.predicates[in.c];
    const std::uint32_t c = (in.mode & lane_mode::negateC) != 0 ? ~plain : plain;
    const auto put = [&](std::uint32_t predicate, std::uint32_t bits) {
        bits = how == 0 ? bits : how == 1 ? bits & c : how == 2 ? bits | c : bits ^ c;
        auto& p = warp.predicates[predicate];
        p = (p & ~mask) | (bits & mask);
    };
    put(in.d, low);
    put(in.e, high);
    return Step::Next;
}

/// cvt.pack: a and b within imm bits, above them what of c still fits; mode nan: signed.
Step packIntegers(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    const auto bits = static_cast<std::uint32_t>(in.imm);
    const bool isSignedForm = (in.mode & lane_mode::nan) != 0;
    const std::int64_t least = isSignedForm ? -(std::int64_t{1} << (bits - 1)) : 0;
    const std::int64_t greatest = least + (std::int64_t{1} << bits) - 1;
    const std::uint32_t field = (1U << bits) - 1U;
    const auto one = [=](std::uint32_t x) {
        const std::int64_t value = static_cast<std::int32_t>(x);
        return static_cast<std::uint32_t>(std::clamp(value, least, greatest)) & field;
    };
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t rest = bits < 16 ? c[l] << (2 * bits) : 0U;
        return rest | one(a[l]) << bits | one(b[l]);
    });
}

template <bool max> Step extremeRelu(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<std::int32_t>(warp, in.a);
    const auto* b = row<std::int32_t>(warp, in.b);
    return forLanes<std::int32_t>(warp, in, mask, [=](std::uint32_t l) {
        const auto x = unpack<std::int32_t>(a[l]);
        const auto y = unpack<std::int32_t>(b[l]);
        return std::max(max ? std::max(x, y) : std::min(x, y), 0);
    });
}

/// Bits 0..31 or, with .hi, 16..47 of the product of two 24-bit numbers; a third operand is added.
template <bool isSignedForm, bool high, bool add, bool saturate = false>
Step product24(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    const auto number = [](std::uint32_t bits) -> std::int64_t {
        const std::uint32_t top = bits << 8U;
        return isSignedForm ? std::int64_t{static_cast<std::int32_t>(top) >> 8} : std::int64_t{top >> 8U};
    };
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::int64_t product = number(a[l]) * number(b[l]);
        const auto part = static_cast<std::uint32_t>(high ? product >> 16 : product);
        if constexpr (saturate) {
            const std::int64_t sum =
                std::int64_t{static_cast<std::int32_t>(part)} + static_cast<std::int32_t>(c[l]);
            return static_cast<std::uint32_t>(std::clamp<std::int64_t>(
                sum, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
        }
        return part + (add ? c[l] : 0U);
    });
}

template <class A, class B> Step dp2a(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    const std::uint32_t shift = in.mode; // 16 with .hi
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t bytes = b[l] >> shift;
        const std::int64_t low = std::int64_t{static_cast<A>(a[l] & 0xFFFFU)} * static_cast<B>(bytes & 0xFFU);
        const std::int64_t high =
            std::int64_t{static_cast<A>(a[l] >> 16U)} * static_cast<B>(bytes >> 8U & 0xFFU);
        return static_cast<std::uint32_t>(low + high) + c[l];
    });
}

struct E4m3 {
    static constexpr int fraction = 3;
    static constexpr int leastExponent = -6; // of a normal number
    static constexpr std::uint32_t greatest = 0x7E;
    static constexpr float greatestValue = 448;
    static bool isNan(std::uint32_t magnitude) { return magnitude == 0x7F; }
    static bool isInfinite(std::uint32_t) { return false; }
};
struct E5m2 {
    static constexpr int fraction = 2;
    static constexpr int leastExponent = -14;
    static constexpr std::uint32_t greatest = 0x7B;
    static constexpr float greatestValue = 57344;
    static bool isNan(std::uint32_t magnitude) { return magnitude > 0x7C; }
    static bool isInfinite(std::uint32_t magnitude) { return magnitude == 0x7C; }
};

/// To nearest even, no greater than the greatest finite number; a NaN has no sign.
template <class Format> std::uint32_t toEight(float value, bool relu)
{
    if (value != value) {
        return 0x7F;
    }
    if (relu && std::signbit(value)) {
        return 0;
    }
    const std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
    const float magnitude = std::min(std::fabs(value), Format::greatestValue);
    const int exponent =
        magnitude < 0x1p-14F ? Format::leastExponent : std::max(std::ilogb(magnitude), Format::leastExponent);
    // Exact: a scaling by a power of two, and at most a few digits before the point.
    const auto steps =
        static_cast<std::uint32_t>(__builtin_nearbyintf(std::ldexp(magnitude, Format::fraction - exponent)));
    const std::uint32_t code =
        steps + (static_cast<std::uint32_t>(exponent - Format::leastExponent) << Format::fraction);
    return sign | std::min(code, Format::greatest);
}

template <class Format> float fromEight(std::uint32_t code)
{
    const std::uint32_t magnitude = code & 0x7FU;
    float value = 0;
    if (Format::isNan(magnitude)) {
        return std::numeric_limits<float>::quiet_NaN();
    }
    if (Format::isInfinite(magnitude)) {
        value = std::numeric_limits<float>::infinity();
    } else {
        const std::uint32_t exponent = magnitude >> Format::fraction;
        const std::uint32_t part = magnitude & ((1U << Format::fraction) - 1U);
        const std::uint32_t steps = exponent == 0 ? part : part + (1U << Format::fraction);
        value = std::ldexp(static_cast<float>(steps),
            static_cast<int>(std::max(exponent, 1U)) - 1 + Format::leastExponent - Format::fraction);
    }
    return (code & 0x80U) != 0 ? -value : value;
}

template <class Format> Step singlesToEights(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<float>(warp, in.a);
    const auto* b = row<float>(warp, in.b);
    const bool relu = (in.mode & lane_mode::relu) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        return toEight<Format>(unpack<float>(a[l]), relu) << 8U | toEight<Format>(unpack<float>(b[l]), relu);
    });
}

template <class Format> Step halvesToEights(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const bool relu = (in.mode & lane_mode::relu) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        return toEight<Format>(halfToFloat(static_cast<std::uint16_t>(a[l] >> 16U)), relu) << 8U
            | toEight<Format>(halfToFloat(static_cast<std::uint16_t>(a[l] & 0xFFFFU)), relu);
    });
}

template <class Format> Step eightsToHalves(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const bool relu = (in.mode & lane_mode::relu) != 0;
    const auto half = [=](std::uint32_t code) -> std::uint32_t {
        const float value = fromEight<Format>(code);
        return floatToHalf(relu && std::signbit(value) && value == value ? 0.0F : value);
    };
    return forLanes<std::uint32_t>(warp, in, mask,
        [=](std::uint32_t l) { return half(a[l] >> 8U & 0xFFU) << 16U | half(a[l] & 0xFFU); });
}

template <class T> Handler pairsFor(LaneOp op)
{
    return op == LaneOp::Add ? pairs<T, LaneOp::Add>
        : op == LaneOp::Min  ? pairs<T, LaneOp::Min>
        : op == LaneOp::Max  ? pairs<T, LaneOp::Max>
                             : nullptr;
}

template <bool isSignedForm> Handler product24For(const LaneForm& form)
{
    switch (form.op) {
    case LaneOp::Mul24Lo:
        return product24<isSignedForm, false, false>;
    case LaneOp::Mul24Hi:
        return product24<isSignedForm, true, false>;
    case LaneOp::Mad24Lo:
        return product24<isSignedForm, false, true>;
    case LaneOp::Mad24Hi:
        return product24<isSignedForm, true, true>;
    case LaneOp::Mad24HiSat:
        return isSignedForm ? product24<true, true, true, true> : nullptr;
    default:
        return nullptr;
    }
}

template <class Format> Handler eightsFor(ValueType from)
{
    return from == ValueType::F32  ? singlesToEights<Format>
        : from == ValueType::F16x2 ? halvesToEights<Format>
                                   : nullptr;
}

} // namespace

Handler narrowHandler(const LaneForm& form)
{
    switch (form.op) {
    case LaneOp::CvtEights:
        return form.type == ValueType::E4m3x2 ? eightsFor<E4m3>(form.from)
            : form.type == ValueType::E5m2x2  ? eightsFor<E5m2>(form.from)
            : form.type != ValueType::F16x2   ? nullptr
            : form.from == ValueType::E4m3x2  ? eightsToHalves<E4m3>
            : form.from == ValueType::E5m2x2  ? eightsToHalves<E5m2>
                                              : nullptr;
    case LaneOp::SetPair:
        return form.type == ValueType::Bf16x2 ? setPair<true> : setPair<false>;
    case LaneOp::SetpPair:
        return form.type == ValueType::Bf16x2 ? setpPair<true> : setpPair<false>;
    case LaneOp::CvtPackIntegers:
        return packIntegers;
    case LaneOp::Dp2a: {
        const bool words = form.type == ValueType::S32;
        const bool bytes = form.from == ValueType::S32;
        return words ? (bytes ? dp2a<std::int16_t, std::int8_t> : dp2a<std::int16_t, std::uint8_t>)
                     : (bytes ? dp2a<std::uint16_t, std::int8_t> : dp2a<std::uint16_t, std::uint8_t>);
    }
    case LaneOp::Min:
    case LaneOp::Max:
    case LaneOp::Add:
        return form.type == ValueType::U16x2 ? pairsFor<std::uint16_t>(form.op)
            : form.type == ValueType::S16x2  ? pairsFor<std::int16_t>(form.op)
            : form.type == ValueType::S32 && form.relu && form.op != LaneOp::Add
            ? (form.op == LaneOp::Max ? extremeRelu<true> : extremeRelu<false>)
            : nullptr;
    default:
        return form.type == ValueType::S32 ? product24For<true>(form) : product24For<false>(form);
    }
}

} // namespace ptxwb::emulator::PTXWB_LANES
