// SPDX-License-Identifier: Apache-2.0
// cvt by lanes.
#include "core/emulator/lane_templates.h"
#include "core/emulator/lanes_rounding.h"

#include <cfenv>

namespace ptxwb::emulator::PTXWB_LANES {

namespace {

double toIntegral(double x, Rounding rounding)
{
    switch (rounding) {
    case Rounding::Rni:
        return __builtin_nearbyint(x);
    case Rounding::Rmi:
        return __builtin_floor(x);
    case Rounding::Rpi:
        return __builtin_ceil(x);
    default:
        return __builtin_trunc(x);
    }
}

/// `ofDouble`: the source is float64, whose NaN an H200 turns into 2^31 and not 0.
template <class I> I clamped(double x, bool ofDouble)
{
    constexpr double low = static_cast<double>(std::numeric_limits<I>::min());
    // The first double above the range: 2^bits, or 2^(bits - 1) when signed.
    constexpr double above = 2.0 * static_cast<double>(I{1} << (std::numeric_limits<I>::digits - 1));
    if (x != x) {
        // 64-bit destinations give 2^63, narrower ones 0 (PTX ISA 9.0, cvt).
        return sizeof(I) == 8            ? static_cast<I>(0x8000000000000000ULL)
            : sizeof(I) == 4 && ofDouble ? static_cast<I>(0x80000000U)
                                         : I{0};
    }
    return x < low ? std::numeric_limits<I>::min()
                   : (x >= above ? std::numeric_limits<I>::max() : static_cast<I>(x));
}

template <class Format> std::uint32_t toSmall(float value, Rounding rounding)
{
    return std::is_same_v<Format, Half> ? toHalfBits(value, rounding) : toBrainBits(value, rounding);
}

template <class T> double widened(Stored<T> bits)
{
    if constexpr (std::is_same_v<T, Half>) {
        return static_cast<double>(halfToFloat(static_cast<std::uint16_t>(bits)));
    } else if constexpr (std::is_same_v<T, Brain>) {
        return static_cast<double>(brainToFloat(static_cast<std::uint16_t>(bits)));
    } else {
        return static_cast<double>(unpack<T>(bits));
    }
}

inline bool subnormalFloat(double x)
{
    return x != 0 && std::fabs(x) < 0x1p-126;
}

/// Results of 8 and 16 bits fill the register with their sign (or zeros): `Register` is what it holds.
template <class From, class To, class Register>
Step toInteger(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<From>(warp, in.a);
    const Rounding rounding = roundingOf(in);
    const bool ftz = (in.mode & lane_mode::ftz) != 0;
    return forLanes<Register>(warp, in, mask, [=](std::uint32_t l) {
        double x = widened<From>(a[l]);
        x = ftz && subnormalFloat(x) ? 0.0 : x;
        return static_cast<Register>(clamped<To>(toIntegral(x, rounding), std::is_same_v<From, double>));
    });
}

template <class From, class To, class Register>
Step integerToInteger(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<From>(warp, in.a);
    if ((in.mode & lane_mode::sat) == 0) {
        return forLanes<Register>(warp, in, mask,
            [=](std::uint32_t l) { return static_cast<Register>(static_cast<To>(unpack<From>(a[l]))); });
    }
    return forLanes<Register>(warp, in, mask, [=](std::uint32_t l) {
        const auto x = static_cast<__int128>(unpack<From>(a[l]));
        constexpr auto low = static_cast<__int128>(std::numeric_limits<To>::min());
        constexpr auto high = static_cast<__int128>(std::numeric_limits<To>::max());
        return static_cast<Register>(static_cast<To>(x < low ? low : (x > high ? high : x)));
    });
}

/// Exact 64-bit integers do not fit a double: sticky bits below keep the second rounding correct.
template <class T> double exactEnough(T value, double& error)
{
    const auto nearest = static_cast<double>(value);
    error = 0;
    if constexpr (sizeof(T) == 8 && std::is_integral_v<T>) {
        const auto rest = static_cast<__int128>(value) - static_cast<__int128>(nearest);
        error = static_cast<double>(static_cast<long long>(rest));
    }
    return nearest;
}

template <class From> Step integerToSingle(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<From>(warp, in.a);
    const Rounding rounding = roundingOf(in);
    if constexpr (sizeof(From) <= 4) {
        return forLanes<float>(warp, in, mask,
            [=](std::uint32_t l) { return toSingle(static_cast<double>(unpack<From>(a[l])), rounding); });
    } else {
        return forLanes<float>(warp, in, mask, [=](std::uint32_t l) {
            double error = 0;
            double x = exactEnough(unpack<From>(a[l]), error);
            // Round to odd in double first.
            const auto bits = std::bit_cast<std::uint64_t>(x);
            if (error != 0 && (bits & 1U) == 0) {
                x = std::bit_cast<double>((error > 0) == (x > 0) ? bits + 1 : bits - 1);
            }
            return toSingle(x, rounding);
        });
    }
}

template <class From> Step integerToDouble(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<From>(warp, in.a);
    const Rounding rounding = roundingOf(in);
    return forLanes<double>(warp, in, mask, [=](std::uint32_t l) {
        double error = 0;
        const double x = exactEnough(unpack<From>(a[l]), error);
        const bool down = rounding == Rounding::Rm || (rounding == Rounding::Rz && x > 0);
        const bool up = rounding == Rounding::Rp || (rounding == Rounding::Rz && x < 0);
        if (down && error < 0) {
            return std::nextafter(x, -std::numeric_limits<double>::infinity());
        }
        return up && error > 0 ? std::nextafter(x, std::numeric_limits<double>::infinity()) : x;
    });
}

template <class From, class To> Step toSmallFloat(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<From>(warp, in.a);
    const Rounding rounding = roundingOf(in);
    const std::uint32_t mode = in.mode;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const double x = widened<From>(a[l]);
        float f = toOddFloat(x, 0);
        f = (mode & lane_mode::ftz) != 0 && subnormalFloat(x) ? std::copysign(0.0F, f) : f;
        f = (mode & lane_mode::sat) != 0 ? (f > 0.0F ? (f < 1.0F ? f : 1.0F) : 0.0F) : f;
        f = (mode & lane_mode::relu) != 0 && std::signbit(f) && f == f ? 0.0F : f;
        if constexpr (std::is_same_v<From, double> && std::is_same_v<To, Half>) {
            if (x != x && (mode & lane_mode::sat) == 0) {
                const auto bits = std::bit_cast<std::uint64_t>(x);
                return static_cast<std::uint32_t>((bits >> 48U & 0x8000U) | 0x7E00U | (bits >> 42U & 0x1FFU));
            }
        }
        if constexpr (std::is_same_v<From, To>) { // .rni and the like
            if (rounding >= Rounding::Rni && x == x) {
                f = static_cast<float>(std::copysign(toIntegral(x, rounding), x));
            }
        }
        return toSmall<To>(f, rounding);
    });
}

template <class From> Step toFloat(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<From>(warp, in.a);
    const Rounding rounding = roundingOf(in);
    const std::uint32_t mode = in.mode;
    return forLanes<float>(warp, in, mask, [=](std::uint32_t l) {
        double x = widened<From>(a[l]);
        if (rounding >= Rounding::Rni) {
            x = (mode & lane_mode::ftz) != 0 && subnormalFloat(x) ? std::copysign(0.0, x) : x;
            x = std::copysign(toIntegral(x, rounding), x);
        }
        if constexpr (std::is_same_v<From, double> || std::is_same_v<From, Brain>) {
            if (x != x && (mode & lane_mode::sat) == 0) {
                return std::bit_cast<float>(
                    std::is_same_v<From, double> ? narrowNan(x) : static_cast<std::uint32_t>(a[l]) << 16U);
            }
        }
        float f = toSingle(x, rounding >= Rounding::Rna ? Rounding::Rn : rounding);
        f = (mode & lane_mode::ftz) != 0 && (subnormalFloat(x) || subnormalFloat(static_cast<double>(f)))
            ? std::copysign(0.0F, f)
            : f;
        f = (mode & lane_mode::sat) != 0 ? (f > 0.0F ? (f < 1.0F ? f : 1.0F) : 0.0F) : f;
        return std::bit_cast<float>(f != f ? 0x7FFFFFFFU : std::bit_cast<std::uint32_t>(f));
    });
}

template <class From> Step toDoubleFloat(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<From>(warp, in.a);
    const Rounding rounding = roundingOf(in);
    const std::uint32_t mode = in.mode;
    return forLanes<double>(warp, in, mask, [=](std::uint32_t l) {
        double x = widened<From>(a[l]);
        x = rounding >= Rounding::Rni ? std::copysign(toIntegral(x, rounding), x) : x;
        return (mode & lane_mode::sat) != 0 ? (x > 0 ? (x < 1 ? x : 1.0) : 0.0) : x;
    });
}

/// cvt.rn.bf16x2.f32 d, a, b: a goes to the upper half.
template <class To, bool plain> Step pairOf(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<float>(warp, in.a);
    const auto* b = row<float>(warp, in.b);
    if constexpr (plain) {
        return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
            const float x = unpack<float>(a[l]);
            const float y = unpack<float>(b[l]);
            if constexpr (std::is_same_v<To, Half>) {
                return static_cast<std::uint32_t>(floatToHalf(x)) << 16U | floatToHalf(y);
            } else {
                return static_cast<std::uint32_t>(floatToBrain(x)) << 16U | floatToBrain(y);
            }
        });
    } else {
        const Rounding rounding = roundingOf(in);
        const bool relu = (in.mode & lane_mode::relu) != 0;
        return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
            float x = unpack<float>(a[l]);
            float y = unpack<float>(b[l]);
            x = withoutNegative(x, relu);
            y = withoutNegative(y, relu);
            return toSmall<To>(x, rounding) << 16U | toSmall<To>(y, rounding);
        });
    }
}

Step toTf32(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<float>(warp, in.a);
    const Rounding rounding = roundingOf(in);
    const bool relu = (in.mode & lane_mode::relu) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        float x = unpack<float>(a[l]);
        x = withoutNegative(x, relu);
        if (x != x) { // .rna is integer arithmetic on sm_90, which leaves a NaN the top of its fraction
            return rounding == Rounding::Rna ? std::bit_cast<std::uint32_t>(x) & 0xFFFFE000U : 0x7FFFE000U;
        }
        return roundedBits(std::bit_cast<std::uint32_t>(x), 13, rounding) << 13U;
    });
}

template <class To, class Register> Handler integerTo(ValueType from)
{
    switch (from) {
    case ValueType::U8:
        return integerToInteger<std::uint8_t, To, Register>;
    case ValueType::S8:
        return integerToInteger<std::int8_t, To, Register>;
    case ValueType::U16:
        return integerToInteger<std::uint16_t, To, Register>;
    case ValueType::S16:
        return integerToInteger<std::int16_t, To, Register>;
    case ValueType::U32:
        return integerToInteger<std::uint32_t, To, Register>;
    case ValueType::S32:
        return integerToInteger<std::int32_t, To, Register>;
    case ValueType::U64:
        return integerToInteger<std::uint64_t, To, Register>;
    case ValueType::S64:
        return integerToInteger<std::int64_t, To, Register>;
    case ValueType::F16:
        return toInteger<Half, To, Register>;
    case ValueType::Bf16:
        return toInteger<Brain, To, Register>;
    case ValueType::F32:
        return toInteger<float, To, Register>;
    case ValueType::F64:
        return toInteger<double, To, Register>;
    default:
        return nullptr;
    }
}

template <class To> Handler smallFrom(ValueType from)
{
    switch (from) {
    case ValueType::U8:
        return toSmallFloat<std::uint8_t, To>;
    case ValueType::S8:
        return toSmallFloat<std::int8_t, To>;
    case ValueType::U16:
        return toSmallFloat<std::uint16_t, To>;
    case ValueType::S16:
        return toSmallFloat<std::int16_t, To>;
    case ValueType::U32:
        return toSmallFloat<std::uint32_t, To>;
    case ValueType::S32:
        return toSmallFloat<std::int32_t, To>;
    case ValueType::U64:
        return toSmallFloat<std::uint64_t, To>;
    case ValueType::S64:
        return toSmallFloat<std::int64_t, To>;
    case ValueType::F16:
        return toSmallFloat<Half, To>;
    case ValueType::Bf16:
        return toSmallFloat<Brain, To>;
    case ValueType::F32:
        return toSmallFloat<float, To>;
    case ValueType::F64:
        return toSmallFloat<double, To>;
    default:
        return nullptr;
    }
}

Handler singleFrom(ValueType from)
{
    switch (from) {
    case ValueType::U8:
        return integerToSingle<std::uint8_t>;
    case ValueType::S8:
        return integerToSingle<std::int8_t>;
    case ValueType::U16:
        return integerToSingle<std::uint16_t>;
    case ValueType::S16:
        return integerToSingle<std::int16_t>;
    case ValueType::U32:
        return integerToSingle<std::uint32_t>;
    case ValueType::S32:
        return integerToSingle<std::int32_t>;
    case ValueType::U64:
        return integerToSingle<std::uint64_t>;
    case ValueType::S64:
        return integerToSingle<std::int64_t>;
    case ValueType::F16:
        return toFloat<Half>;
    case ValueType::Bf16:
        return toFloat<Brain>;
    case ValueType::F32:
        return toFloat<float>;
    case ValueType::F64:
        return toFloat<double>;
    default:
        return nullptr;
    }
}

Handler doubleFrom(ValueType from)
{
    switch (from) {
    case ValueType::U8:
        return integerToDouble<std::uint8_t>;
    case ValueType::S8:
        return integerToDouble<std::int8_t>;
    case ValueType::U16:
        return integerToDouble<std::uint16_t>;
    case ValueType::S16:
        return integerToDouble<std::int16_t>;
    case ValueType::U32:
        return integerToDouble<std::uint32_t>;
    case ValueType::S32:
        return integerToDouble<std::int32_t>;
    case ValueType::U64:
        return integerToDouble<std::uint64_t>;
    case ValueType::S64:
        return integerToDouble<std::int64_t>;
    case ValueType::F16:
        return toDoubleFloat<Half>;
    case ValueType::Bf16:
        return toDoubleFloat<Brain>;
    case ValueType::F32:
        return toDoubleFloat<float>;
    case ValueType::F64:
        return toDoubleFloat<double>;
    default:
        return nullptr;
    }
}

template <class To> Handler pairFor(const LaneForm& form)
{
    const bool plain = form.rounding == Rounding::Rn && !form.relu;
    return plain ? pairOf<To, true> : pairOf<To, false>;
}

} // namespace

Handler convertHandler(const LaneForm& form)
{
    if (form.op == LaneOp::CvtPack) {
        return form.type == ValueType::F16x2 ? pairFor<Half>(form)
            : form.type == ValueType::Bf16x2 ? pairFor<Brain>(form)
                                             : nullptr;
    }
    switch (form.type) {
    case ValueType::U8:
        return integerTo<std::uint8_t, std::uint16_t>(form.from);
    case ValueType::S8:
        return form.wide ? integerTo<std::int8_t, std::int32_t>(form.from)
                         : integerTo<std::int8_t, std::int16_t>(form.from);
    case ValueType::U16:
        return integerTo<std::uint16_t, std::uint16_t>(form.from);
    case ValueType::S16:
        return form.wide ? integerTo<std::int16_t, std::int32_t>(form.from)
                         : integerTo<std::int16_t, std::int16_t>(form.from);
    case ValueType::U32:
        return integerTo<std::uint32_t, std::uint32_t>(form.from);
    case ValueType::S32:
        return integerTo<std::int32_t, std::int32_t>(form.from);
    case ValueType::U64:
        return integerTo<std::uint64_t, std::uint64_t>(form.from);
    case ValueType::S64:
        return integerTo<std::int64_t, std::int64_t>(form.from);
    case ValueType::F16:
        return smallFrom<Half>(form.from);
    case ValueType::Bf16:
        return smallFrom<Brain>(form.from);
    case ValueType::F32:
        return singleFrom(form.from);
    case ValueType::F64:
        return doubleFrom(form.from);
    case ValueType::Tf32:
        return form.from == ValueType::F32 ? toTf32 : nullptr;
    default:
        return nullptr;
    }
}

} // namespace ptxwb::emulator::PTXWB_LANES
