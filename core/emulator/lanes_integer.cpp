// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic by lanes.
#include "core/emulator/lane_templates.h"

namespace ptxwb::emulator::PTXWB_LANES {

namespace {

using Wide128 = unsigned __int128;
using Signed128 = __int128;

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> struct DoubleOf;
template <> struct DoubleOf<std::uint16_t> {
    using Type = std::uint32_t;
};
template <> struct DoubleOf<std::int16_t> {
    using Type = std::int32_t;
};
template <> struct DoubleOf<std::uint32_t> {
    using Type = std::uint64_t;
};
template <> struct DoubleOf<std::int32_t> {
    using Type = std::int64_t;
};
template <> struct DoubleOf<std::uint64_t> {
    using Type = Wide128;
};
template <> struct DoubleOf<std::int64_t> {
    using Type = Signed128;
};

struct MovOp {
    template <class T> static T run(T a) { return a; }
};
struct AddOp {
    template <class T> static T run(T a, T b) { return static_cast<T>(Unsigned<T>(a) + Unsigned<T>(b)); }
};
struct SubOp {
    template <class T> static T run(T a, T b) { return static_cast<T>(Unsigned<T>(a) - Unsigned<T>(b)); }
};
struct MulLoOp {
    template <class T> static T run(T a, T b)
    {
        return static_cast<T>(std::uint64_t(Unsigned<T>(a)) * std::uint64_t(Unsigned<T>(b)));
    }
};
struct MulHiOp {
    template <class T> static T run(T a, T b)
    {
        using D = typename DoubleOf<T>::Type;
        return static_cast<T>((static_cast<D>(a) * static_cast<D>(b)) >> (sizeof(T) * 8));
    }
};
struct MulWideOp {
    template <class T> static auto run(T a, T b)
    {
        using D = typename DoubleOf<T>::Type;
        return static_cast<D>(static_cast<D>(a) * static_cast<D>(b));
    }
};
struct MadLoOp {
    template <class T> static T run(T a, T b, T c) { return AddOp::run(MulLoOp::run(a, b), c); }
};
struct MadHiOp {
    template <class T> static T run(T a, T b, T c) { return AddOp::run(MulHiOp::run(a, b), c); }
};
struct MadWideOp {
    template <class T, class R> static R run(T a, T b, R c)
    {
        return static_cast<R>(Unsigned<R>(MulWideOp::run(a, b)) + Unsigned<R>(c));
    }
};
// By zero gives all ones for the quotient and the dividend for the remainder, as the hardware does.
struct DivOp {
    template <class T> static T run(T a, T b)
    {
        if (b == 0) {
            return static_cast<T>(~T{0});
        }
        if constexpr (std::is_signed_v<T>) {
            if (b == -1) {
                return static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a));
            }
        }
        return static_cast<T>(a / b);
    }
};
struct RemOp {
    template <class T> static T run(T a, T b)
    {
        if (b == 0) {
            return static_cast<T>(~T{0}); // unspecified; what an H200 gives
        }
        if constexpr (std::is_signed_v<T>) {
            if (b == -1) {
                return 0;
            }
        }
        return static_cast<T>(a % b);
    }
};
struct AbsOp {
    template <class T> static T run(T a)
    {
        return a < 0 ? static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a)) : a;
    }
};
struct NegOp {
    template <class T> static T run(T a) { return static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a)); }
};
struct MinOp {
    template <class T> static T run(T a, T b) { return a < b ? a : b; }
};
struct MaxOp {
    template <class T> static T run(T a, T b) { return a > b ? a : b; }
};
struct SadOp {
    template <class T> static T run(T a, T b, T c)
    {
        return AddOp::run(a < b ? SubOp::run(b, a) : SubOp::run(a, b), c);
    }
};

std::int32_t saturated(std::int64_t value)
{
    constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(value < low ? low : (value > high ? high : value));
}
struct AddSatOp {
    static std::int32_t run(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} + b); }
};
struct SubSatOp {
    static std::int32_t run(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} - b); }
};
struct MadHiSatOp {
    static std::int32_t run(std::int32_t a, std::int32_t b, std::int32_t c)
    {
        return saturated(std::int64_t{MulHiOp::run(a, b)} + c);
    }
};

template <class T> Step dp4a(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<std::uint32_t>(warp, in.a);
    const auto* b = row<std::uint32_t>(warp, in.b);
    const auto* c = row<std::uint32_t>(warp, in.c);
    const bool signedB = (in.mode & 1U) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        std::uint32_t sum = c[l];
        for (std::uint32_t i = 0; i < 4; ++i) {
            const auto x = static_cast<std::int32_t>(static_cast<T>(a[l] >> (8 * i)));
            const auto y = signedB ? static_cast<std::int32_t>(static_cast<std::int8_t>(b[l] >> (8 * i)))
                                   : static_cast<std::int32_t>(b[l] >> (8 * i) & 0xFFU);
            sum += static_cast<std::uint32_t>(x * y);
        }
        return sum;
    });
}

/// mad.cc and madc: half of the product, and c with the carry.
template <class T, bool high> Step productWithCarry(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const auto* c = row<T>(warp, in.c);
    auto* d = row<T>(warp, in.d);
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        if ((mask >> l & 1U) == 0) {
            continue;
        }
        const std::uint32_t bit = 1U << l;
        const T x = unpack<T>(a[l]);
        const T y = unpack<T>(b[l]);
        const auto product = static_cast<Unsigned<T>>(high ? MulHiOp::run(x, y) : MulLoOp::run(x, y));
        const bool carried = (in.mode & lane_mode::carryIn) != 0 && (warp.carry & bit) != 0;
        const Wide128 sum =
            static_cast<Wide128>(product) + static_cast<Unsigned<T>>(unpack<T>(c[l])) + (carried ? 1U : 0U);
        d[l] = pack<T>(static_cast<T>(sum));
        if ((in.mode & lane_mode::carryOut) != 0) {
            warp.carry = (warp.carry & ~bit) | ((sum >> (sizeof(T) * 8)) != 0 ? bit : 0U);
        }
    }
    return Step::Next;
}

template <bool high> Handler productWithCarryFor(ValueType type)
{
    return type == ValueType::U32 ? productWithCarry<std::uint32_t, high>
        : type == ValueType::S32  ? productWithCarry<std::int32_t, high>
        : type == ValueType::U64  ? productWithCarry<std::uint64_t, high>
        : type == ValueType::S64  ? productWithCarry<std::int64_t, high>
                                  : nullptr;
}

/// add.cc, addc, sub.cc, subc.
template <class T, bool subtract> Step withCarry(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    auto* d = row<T>(warp, in.d);
    std::uint32_t carry = warp.carry;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        if ((mask >> l & 1U) == 0) {
            continue;
        }
        const T x = unpack<T>(a[l]);
        const T y = subtract ? static_cast<T>(~unpack<T>(b[l])) : unpack<T>(b[l]);
        // Subtraction: CC.CF holds the borrow.
        const bool flag = (warp.carry >> l & 1U) != 0;
        const bool in1 = (in.mode & lane_mode::carryIn) != 0 ? (subtract ? !flag : flag) : subtract;
        const Wide128 sum = static_cast<Wide128>(x) + static_cast<Wide128>(y) + (in1 ? 1U : 0U);
        d[l] = pack<T>(static_cast<T>(sum));
        const bool out = (sum >> (sizeof(T) * 8)) != 0;
        if ((in.mode & lane_mode::carryOut) != 0) {
            carry = (carry & ~(1U << l)) | ((subtract ? !out : out) ? 1U << l : 0U);
        }
    }
    warp.carry = carry;
    return Step::Next;
}

template <class T> Handler wideFor(LaneOp op)
{
    using D = typename DoubleOf<T>::Type;
    return op == LaneOp::MulWide ? binary<MulWideOp, T, D> : ternary<MadWideOp, T, D>;
}

template <class T> Handler arithmeticFor(LaneOp op)
{
    switch (op) {
    case LaneOp::Add:
        return binary<AddOp, T, T>;
    case LaneOp::Sub:
        return binary<SubOp, T, T>;
    case LaneOp::MulLo:
        return binary<MulLoOp, T, T>;
    case LaneOp::MulHi:
        return binary<MulHiOp, T, T>;
    case LaneOp::MadLo:
        return ternary<MadLoOp, T, T>;
    case LaneOp::MadHi:
        return ternary<MadHiOp, T, T>;
    case LaneOp::Div:
        return binary<DivOp, T, T>;
    case LaneOp::Rem:
        return binary<RemOp, T, T>;
    case LaneOp::Min:
        return binary<MinOp, T, T>;
    case LaneOp::Max:
        return binary<MaxOp, T, T>;
    case LaneOp::Sad:
        return ternary<SadOp, T, T>;
    case LaneOp::Neg:
        return unary<NegOp, T, T>;
    case LaneOp::Abs:
        if constexpr (std::is_signed_v<T>) {
            return unary<AbsOp, T, T>;
        }
        return nullptr;
    default:
        return nullptr;
    }
}

Handler saturatedFor(LaneOp op)
{
    switch (op) {
    case LaneOp::Add:
        return binary<AddSatOp, std::int32_t, std::int32_t>;
    case LaneOp::Sub:
        return binary<SubSatOp, std::int32_t, std::int32_t>;
    case LaneOp::MadHi:
        return ternary<MadHiSatOp, std::int32_t, std::int32_t>;
    default:
        return nullptr;
    }
}

Handler specialFor(const LaneForm& form)
{
    const bool wide = bitsOf(form.type) == 64;
    switch (form.op) {
    case LaneOp::Mov:
        return wide ? unary<MovOp, std::uint64_t, std::uint64_t> : unary<MovOp, std::uint32_t, std::uint32_t>;
    case LaneOp::AddCc:
        return wide ? withCarry<std::uint64_t, false> : withCarry<std::uint32_t, false>;
    case LaneOp::SubCc:
        return wide ? withCarry<std::uint64_t, true> : withCarry<std::uint32_t, true>;
    case LaneOp::MadLoCc:
        return productWithCarryFor<false>(form.type);
    case LaneOp::MadHiCc:
        return productWithCarryFor<true>(form.type);
    case LaneOp::Dp4a:
        return form.type == ValueType::S32 ? dp4a<std::int8_t> : dp4a<std::uint8_t>;
    default:
        return nullptr;
    }
}

} // namespace

Handler integerHandler(const LaneForm& form)
{
    if (Handler special = specialFor(form)) {
        return special;
    }
    if (form.sat) {
        return form.type == ValueType::S32 ? saturatedFor(form.op) : nullptr;
    }
    const bool wide = form.op == LaneOp::MulWide || form.op == LaneOp::MadWide;
    switch (form.type) {
    case ValueType::U16:
        return wide ? wideFor<std::uint16_t>(form.op) : arithmeticFor<std::uint16_t>(form.op);
    case ValueType::S16:
        return wide ? wideFor<std::int16_t>(form.op) : arithmeticFor<std::int16_t>(form.op);
    case ValueType::U32:
        return wide ? wideFor<std::uint32_t>(form.op) : arithmeticFor<std::uint32_t>(form.op);
    case ValueType::S32:
        return wide ? wideFor<std::int32_t>(form.op) : arithmeticFor<std::int32_t>(form.op);
    case ValueType::U64:
        return wide ? nullptr : arithmeticFor<std::uint64_t>(form.op);
    case ValueType::S64:
        return wide ? nullptr : arithmeticFor<std::int64_t>(form.op);
    default:
        return nullptr;
    }
}

} // namespace ptxwb::emulator::PTXWB_LANES
