// SPDX-License-Identifier: Apache-2.0
// float32 and float64 arithmetic by lanes.
#include "core/emulator/lane_templates.h"

#include <cfenv>

namespace ptxwb::emulator::PTXWB_LANES {

namespace {

inline float flushed(float x)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits & 0x7F800000U) == 0 ? bits & 0x80000000U : bits);
}
inline double flushed(double x)
{
    return x;
}
inline float saturated(float x)
{
    return x > 0.0F ? (x < 1.0F ? x : 1.0F) : 0.0F; // NaN and -0 become +0
}
inline double saturated(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}
inline float canonical(float x)
{
    return std::bit_cast<float>(x != x ? 0x7FFFFFFFU : std::bit_cast<std::uint32_t>(x));
}
inline double canonical(double x)
{
    return std::bit_cast<double>(x != x ? 0xFFF8000000000000ULL : std::bit_cast<std::uint64_t>(x));
}

/// A NaN result: float32 has one.
inline float nanFrom(float r, float, float, float)
{
    return canonical(r);
}
inline double nanFrom(double r, double x, double y, double z)
{
    return withHandedOnNan(r, x, y, z);
}

struct FAdd {
    template <class T> static T run(T a, T b, T) { return a + b; }
};
struct FSub {
    template <class T> static T run(T a, T b, T) { return a - b; }
};
struct FMul {
    template <class T> static T run(T a, T b, T) { return a * b; }
};
struct FFma {
    static float run(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
    static double run(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct FDiv {
    template <class T> static T run(T a, T b, T) { return a / b; }
};
/// Divisors beyond 2^126 give 0, as documented.
struct FDivApprox {
    static float run(float a, float b, float)
    {
        const float size = std::fabs(b);
        if (size > 0x1p126F && size < std::numeric_limits<float>::infinity()) {
            const float zero = std::signbit(a) != std::signbit(b) ? -0.0F : 0.0F;
            return std::isinf(a) || a != a ? std::numeric_limits<float>::quiet_NaN() : zero;
        }
        return a / b;
    }
};
/// The high words of operand and result alone; subnormal numbers are 0.
template <class Op> struct HighWord {
    static double run(double a, double, double)
    {
        constexpr std::uint64_t high = 0xFFFFFFFF00000000ULL;
        const auto flush = [](std::uint64_t bits) {
            return (bits & 0x7FF0000000000000ULL) == 0 ? bits & 0x8000000000000000ULL : bits;
        };
        const double x = std::bit_cast<double>(flush(std::bit_cast<std::uint64_t>(a) & high));
        const double r = Op::run(x, x, x);
        return std::bit_cast<double>(
            r != r ? 0x7FFFFFFF00000000ULL : flush((std::bit_cast<std::uint64_t>(r) + 0x80000000U) & high));
    }
};
struct FRcp {
    template <class T> static T run(T a, T, T) { return T{1} / a; }
};
struct FSqrt {
    static float run(float a, float, float) { return __builtin_sqrtf(a); }
    static double run(double a, double, double) { return __builtin_sqrt(a); }
};
struct FRsqrt {
    static float run(float a, float, float)
    {
        return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)));
    }
    static double run(double a, double, double) { return 1.0 / __builtin_sqrt(a); }
};
struct FSin {
    static float run(float a, float, float) { return __builtin_sinf(a); }
};
struct FCos {
    static float run(float a, float, float) { return __builtin_cosf(a); }
};
struct FLg2 {
    static float run(float a, float, float) { return __builtin_log2f(a); }
};
struct FEx2 {
    static float run(float a, float, float) { return __builtin_exp2f(a); }
};
struct FTanh {
    static float run(float a, float, float) { return __builtin_tanhf(a); }
};

/// Whether the least normal number came of the coarser rounding among subnormal numbers: with a wider
/// exponent the result would be below it, and .ftz flushes it (measured on an H200: products, fma, quotients
/// and reciprocals in all roundings).
template <class Op> bool isTinyRounded(float r, float x, float y, float z)
{
    constexpr bool isQuotient = std::is_same_v<Op, FDiv>;
    if constexpr (isQuotient || std::is_same_v<Op, FMul> || std::is_same_v<Op, FFma>) {
        constexpr float up = 0x1p24F; // exact: what may be scaled is small where the result is
        const bool first = isQuotient || std::fabs(x) < std::fabs(y);
        return std::fabs(r) == 0x1p-126F
            && std::fabs(Op::run(first ? x * up : x, first ? y : y * up, z * up)) < 0x1p-126F * up;
    } else if constexpr (std::is_same_v<Op, FRcp>) {
        return std::fabs(r) == 0x1p-126F && std::fabs(Op::run(x * 0x1p-24F, y, z)) < 0x1p-102F;
    }
    return false;
}
template <class Op> bool isTinyRounded(double, double, double, double)
{
    return false;
}

template <class Op, class T> T result(T x, T y, T z)
{
    // Of two NaN a quotient hands on the first operand's.
    return std::is_same_v<Op, FDiv> ? nanFrom(Op::run(x, y, z), y, x, x) : nanFrom(Op::run(x, y, z), x, y, z);
}

/// One, two or three operands (those that are not there repeat a); flags at run time unless `plain`.
template <class Op, class T, bool plain> Step real(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const auto* c = row<T>(warp, in.c);
    if constexpr (plain) {
        return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
            const T x = unpack<T>(a[l]);
            const T y = unpack<T>(b[l]);
            const T z = unpack<T>(c[l]);
            return result<Op>(x, y, z);
        });
    } else {
        const bool ftz = (in.mode & lane_mode::ftz) != 0;
        const bool sat = (in.mode & lane_mode::sat) != 0;
        return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
            T x = unpack<T>(a[l]);
            T y = unpack<T>(b[l]);
            T z = unpack<T>(c[l]);
            x = ftz ? flushed(x) : x;
            y = ftz ? flushed(y) : y;
            z = ftz ? flushed(z) : z;
            T r = result<Op>(x, y, z);
            r = ftz ? (isTinyRounded<Op>(r, x, y, z) ? std::copysign(T{0}, r) : flushed(r)) : r;
            return sat ? saturated(r) : r;
        });
    }
}

int hostRounding(Rounding rounding)
{
    switch (rounding) {
    case Rounding::Rz:
        return FE_TOWARDZERO;
    case Rounding::Rm:
        return FE_DOWNWARD;
    case Rounding::Rp:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

template <class Op, class T>
[[gnu::noinline]] void directedLanes(Warp& warp, const Instr& in, std::uint32_t mask)
{
    real<Op, T, false>(warp, in, mask);
}

template <class Op, class T> Step directed(Warp& warp, const Instr& in, std::uint32_t mask)
{
    std::fesetround(hostRounding(roundingOf(in)));
    directedLanes<Op, T>(warp, in, mask);
    std::fesetround(FE_TONEAREST);
    return Step::Next;
}

/// min and max of two NaN: float64 hands on the second one, made quiet (measured on an H200).
inline float ofTwoNan(float)
{
    return canonical(std::numeric_limits<float>::quiet_NaN());
}
inline double ofTwoNan(double second)
{
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(second) | 0x0008000000000000ULL);
}

template <class T> T lesser(T a, T b, bool nan)
{
    if (a != a || b != b) {
        if (nan || (a != a && b != b)) {
            return ofTwoNan(b);
        }
        return a != a ? b : a;
    }
    return a < b || (a == b && std::signbit(a)) ? a : b;
}

template <class T> T greater(T a, T b, bool nan)
{
    if (a != a || b != b) {
        if (nan || (a != a && b != b)) {
            return ofTwoNan(b);
        }
        return a != a ? b : a;
    }
    return a > b || (a == b && std::signbit(b)) ? a : b;
}

/// min / max with .ftz, .NaN, .xorsign.abs; three operands when c differs from b.
template <class T, bool max> Step extreme(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const auto* c = row<T>(warp, in.c);
    const bool ftz = (in.mode & lane_mode::ftz) != 0;
    const bool nan = (in.mode & lane_mode::nan) != 0;
    const bool three = in.c != in.b;
    if ((in.mode & lane_mode::xorsign) != 0) {
        return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
            const T x = ftz ? flushed(unpack<T>(a[l])) : unpack<T>(a[l]);
            const T y = ftz ? flushed(unpack<T>(b[l])) : unpack<T>(b[l]);
            const T r =
                max ? greater(std::fabs(x), std::fabs(y), nan) : lesser(std::fabs(x), std::fabs(y), nan);
            return r != r ? r : (std::signbit(x) != std::signbit(y) ? -r : r);
        });
    }
    const bool absolute = (in.mode & lane_mode::absolute) != 0;
    return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
        T x = unpack<T>(a[l]);
        T y = unpack<T>(b[l]);
        T z = unpack<T>(c[l]);
        x = ftz ? flushed(x) : x;
        y = ftz ? flushed(y) : y;
        z = ftz ? flushed(z) : z;
        if (absolute) {
            x = std::fabs(x);
            y = std::fabs(y);
            z = std::fabs(z);
        }
        const T r = max ? greater(x, y, nan) : lesser(x, y, nan);
        return three ? (max ? greater(r, z, nan) : lesser(r, z, nan)) : r;
    });
}

/// The common case without flags, written so that it vectorises.
template <bool max> Step plainExtreme(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const float x = std::bit_cast<float>(a[l]);
        const float y = std::bit_cast<float>(b[l]);
        const bool first = max ? x > y : x < y;
        // Equal: +0 and -0 differ in the sign bit only.
        const std::uint32_t equal = max ? a[l] & b[l] : a[l] | b[l];
        std::uint32_t r = x == y ? equal : (first ? a[l] : b[l]);
        r = x != x ? b[l] : r;
        r = y != y ? a[l] : r;
        return x != x && y != y ? 0x7FFFFFFFU : r;
    });
}

template <class T, bool negate> Step signOf(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const bool ftz = (in.mode & lane_mode::ftz) != 0;
    return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
        T x = unpack<T>(a[l]);
        x = ftz ? flushed(x) : x;
        return x != x ? nanFrom(x, x, x, x) : (negate ? -x : std::fabs(x));
    });
}

template <class T> Step copySign(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    return forLanes<T>(
        warp, in, mask, [=](std::uint32_t l) { return std::copysign(unpack<T>(b[l]), unpack<T>(a[l])); });
}

template <class Op, class T> Handler realFor(const LaneForm& form)
{
    if (form.rounding == Rounding::Rz || form.rounding == Rounding::Rm || form.rounding == Rounding::Rp) {
        return directed<Op, T>;
    }
    return form.ftz || form.sat ? real<Op, T, false> : real<Op, T, true>;
}

/// A NaN keeps the bits that HighWord gives it.
template <class Op> Step highWord(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<double>(warp, in.a);
    return forLanes<double>(warp, in, mask, [=](std::uint32_t l) {
        const double x = unpack<double>(a[l]);
        return HighWord<Op>::run(x, x, x);
    });
}

template <class T> Handler arithmeticFor(const LaneForm& form)
{
    switch (form.op) {
    case LaneOp::Add:
        return realFor<FAdd, T>(form);
    case LaneOp::Sub:
        return realFor<FSub, T>(form);
    case LaneOp::Mul:
        return realFor<FMul, T>(form);
    case LaneOp::Fma:
        return realFor<FFma, T>(form);
    case LaneOp::Div:
        if constexpr (std::is_same_v<T, float>) {
            if (form.approx) {
                return realFor<FDivApprox, T>(form);
            }
        }
        return realFor<FDiv, T>(form);
    case LaneOp::Rcp:
        if constexpr (std::is_same_v<T, double>) {
            if (form.approx) {
                return highWord<FRcp>;
            }
        }
        return realFor<FRcp, T>(form);
    case LaneOp::Sqrt:
        return realFor<FSqrt, T>(form);
    case LaneOp::Rsqrt:
        if constexpr (std::is_same_v<T, double>) {
            if (form.ftz) {
                return highWord<FRsqrt>;
            }
        }
        return realFor<FRsqrt, T>(form);
    case LaneOp::Neg:
        return signOf<T, true>;
    case LaneOp::Abs:
        return signOf<T, false>;
    case LaneOp::Copysign:
        return copySign<T>;
    case LaneOp::Min:
        return extreme<T, false>;
    case LaneOp::Max:
        return extreme<T, true>;
    default:
        return nullptr;
    }
}

} // namespace

Handler floatHandler(const LaneForm& form)
{
    if (form.type == ValueType::F64) {
        return arithmeticFor<double>(form);
    }
    if (form.type != ValueType::F32) {
        return nullptr;
    }
    switch (form.op) {
    case LaneOp::Min:
        return form.relu ? plainExtreme<false> : extreme<float, false>;
    case LaneOp::Max:
        return form.relu ? plainExtreme<true> : extreme<float, true>;
    case LaneOp::Sin:
        return realFor<FSin, float>(form);
    case LaneOp::Cos:
        return realFor<FCos, float>(form);
    case LaneOp::Lg2:
        return realFor<FLg2, float>(form);
    case LaneOp::Ex2:
        return realFor<FEx2, float>(form);
    case LaneOp::Tanh:
        return realFor<FTanh, float>(form);
    default:
        return arithmeticFor<float>(form);
    }
}

} // namespace ptxwb::emulator::PTXWB_LANES
