// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, bit fields and selection by lanes.
#include "core/emulator/lane_templates.h"

namespace ptxwb::emulator::PTXWB_LANES {

namespace {

struct AndOp {
    template <class T> static T run(T a, T b) { return static_cast<T>(a & b); }
};
struct OrOp {
    template <class T> static T run(T a, T b) { return static_cast<T>(a | b); }
};
struct XorOp {
    template <class T> static T run(T a, T b) { return static_cast<T>(a ^ b); }
};
struct NotOp {
    template <class T> static T run(T a) { return static_cast<T>(~a); }
};
struct CnotOp {
    template <class T> static T run(T a) { return static_cast<T>(a == 0 ? 1 : 0); }
};

/// Shifts take the amount from a 32-bit register and clamp it to the width.
template <class T> Step shiftLeft(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<std::uint32_t>(warp, in.b);
    return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t amount = b[l];
        return static_cast<T>(amount >= sizeof(T) * 8 ? T{0} : static_cast<T>(unpack<T>(a[l]) << amount));
    });
}

template <class T> Step shiftRight(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<std::uint32_t>(warp, in.b);
    return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t amount = b[l];
        const T value = unpack<T>(a[l]);
        const T filled = std::is_signed_v<T> && value < 0 ? static_cast<T>(-1) : T{0};
        return amount >= sizeof(T) * 8 ? filled : static_cast<T>(value >> amount);
    });
}

template <class T> struct CountOps {
    struct Popc {
        static std::uint32_t run(T a) { return static_cast<std::uint32_t>(std::popcount(a)); }
    };
    struct Clz {
        static std::uint32_t run(T a) { return static_cast<std::uint32_t>(std::countl_zero(a)); }
    };
    struct Brev {
        static T run(T a)
        {
            T out = 0;
            for (std::size_t i = 0; i < sizeof(T) * 8; ++i) {
                out = static_cast<T>(out << 1U) | static_cast<T>(a >> i & 1U);
            }
            return out;
        }
    };
};

template <class T> Step bfind(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const bool shift = (in.mode & lane_mode::shiftAmount) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        using U = std::make_unsigned_t<T>;
        const T value = unpack<T>(a[l]);
        const U bits = value < 0 ? static_cast<U>(~value) : static_cast<U>(value);
        const auto position =
            static_cast<std::uint32_t>(static_cast<int>(sizeof(T) * 8) - 1 - std::countl_zero(bits));
        return bits == 0 ? 0xFFFFFFFFU
                         : (shift ? static_cast<std::uint32_t>(sizeof(T) * 8 - 1) - position : position);
    });
}

template <class T> Step bfe(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<std::uint32_t>(warp, in.b);
    const auto* c = row<std::uint32_t>(warp, in.c);
    return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
        using U = std::make_unsigned_t<T>;
        constexpr std::uint32_t msb = sizeof(T) * 8 - 1;
        // Of a 64-bit operand an H200 takes all bits of the position and of the length.
        const std::uint32_t position = sizeof(T) == 8 ? (b[l] > 255 ? 255U : b[l]) : b[l] & 0xFFU;
        const std::uint32_t length = sizeof(T) == 8 ? (c[l] > 255 ? 255U : c[l]) : c[l] & 0xFFU;
        const U bits = static_cast<U>(unpack<T>(a[l]));
        const std::uint32_t last = position + length - 1 > msb ? msb : position + length - 1;
        const bool sign = std::is_signed_v<T> && length != 0 && (bits >> last & 1U) != 0;
        const U taken = position > msb ? U{0} : static_cast<U>(bits >> position);
        const U kept = length > msb ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << length) - 1);
        // Bits beyond the operand's end are its sign too.
        const std::uint32_t have = position > msb ? 0 : msb + 1 - position;
        const U beyond = have > msb ? U{0} : static_cast<U>(~((U{1} << have) - 1));
        U out = static_cast<U>(taken & kept);
        if (sign) {
            out = static_cast<U>(out | static_cast<U>(~kept) | beyond);
        }
        return static_cast<T>(length == 0 ? U{0} : out);
    });
}

template <class T> Step bfi(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const auto* c = row<std::uint32_t>(warp, in.c);
    const auto* e = row<std::uint32_t>(warp, in.e);
    return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
        constexpr std::uint32_t width = sizeof(T) * 8;
        const std::uint32_t position = c[l] & 0xFFU;
        const std::uint32_t length = e[l] & 0xFFU;
        const T kept = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
        const T field = position >= width ? T{0} : static_cast<T>(kept << position);
        const T moved = position >= width ? T{0} : static_cast<T>(unpack<T>(a[l]) << position);
        return static_cast<T>((moved & field) | (unpack<T>(b[l]) & static_cast<T>(~field)));
    });
}

Step lop3(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    const auto table = static_cast<std::uint32_t>(in.imm);
    const auto term = [=](std::uint32_t bit) { return (table >> bit & 1U) != 0 ? 0xFFFFFFFFU : 0U; };
    const std::uint32_t m0 = term(0), m1 = term(1), m2 = term(2), m3 = term(3);
    const std::uint32_t m4 = term(4), m5 = term(5), m6 = term(6), m7 = term(7);
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t x = a[l], y = b[l], z = c[l];
        return (~x & ~y & ~z & m0) | (~x & ~y & z & m1) | (~x & y & ~z & m2) | (~x & y & z & m3)
            | (x & ~y & ~z & m4) | (x & ~y & z & m5) | (x & y & ~z & m6) | (x & y & z & m7);
    });
}

template <bool left> Step funnel(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    const bool clamp = (in.mode & lane_mode::clamp) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t n = clamp ? (c[l] > 32 ? 32U : c[l]) : (c[l] & 31U);
        const std::uint64_t both = static_cast<std::uint64_t>(b[l]) << 32U | a[l];
        return static_cast<std::uint32_t>(left ? both << n >> 32U : both >> n);
    });
}

/// Selectors of prmt's special modes become those of the general mode.
std::uint32_t selectors(std::uint32_t mode, std::uint32_t control)
{
    const std::uint32_t n = control & 3U;
    constexpr std::uint32_t forward[4] = {0x3210, 0x4321, 0x5432, 0x6543};
    constexpr std::uint32_t backward[4] = {0x5670, 0x6701, 0x7012, 0x0123};
    constexpr std::uint32_t left[4] = {0x3210, 0x3211, 0x3222, 0x3333};
    constexpr std::uint32_t right[4] = {0x0000, 0x1110, 0x2210, 0x3210};
    switch (mode) {
    case 1:
        return forward[n];
    case 2:
        return backward[n];
    case 3:
        return n * 0x1111U;
    case 4:
        return left[n];
    case 5:
        return right[n];
    case 6:
        return (n & 1U) != 0 ? 0x3232U : 0x1010U;
    default:
        return control;
    }
}

Step prmt(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    const std::uint32_t mode = in.mode & 7U;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint64_t both = static_cast<std::uint64_t>(b[l]) << 32U | a[l];
        const std::uint32_t control = selectors(mode, c[l]);
        std::uint32_t out = 0;
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t selector = control >> (4 * i) & 15U;
            const auto byte = static_cast<std::uint32_t>(both >> (8 * (selector & 7U)) & 0xFFU);
            const std::uint32_t value = (selector & 8U) == 0 ? byte : ((byte & 0x80U) != 0 ? 0xFFU : 0U);
            out |= value << (8 * i);
        }
        return out;
    });
}

template <class T> Step selp(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const std::uint32_t p = warp.predicates[in.c];
    return forLanes<T>(
        warp, in, mask, [=](std::uint32_t l) { return unpack<T>((p >> l & 1U) != 0 ? a[l] : b[l]); });
}

template <class T> Step slct(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const auto* c = warp.row(in.c);
    const bool real = (in.mode & lane_mode::nan) != 0; // c is .f32
    const bool ftz = (in.mode & lane_mode::ftz) != 0;
    return forLanes<T>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t word = ftz && (c[l] & 0x7F800000U) == 0 ? 0U : c[l];
        const float f = std::bit_cast<float>(word);
        return unpack<T>((real ? f >= 0.0F : static_cast<std::int32_t>(c[l]) >= 0) ? a[l] : b[l]);
    });
}

Step szext(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const bool clamp = (in.mode & lane_mode::clamp) != 0;
    const bool sign = (in.mode & lane_mode::nan) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t n = clamp ? (b[l] > 32 ? 32U : b[l]) : b[l] & 31U;
        const std::uint32_t kept = n >= 32 ? 0xFFFFFFFFU : (1U << n) - 1U;
        const bool negative = sign && n != 0 && (a[l] >> (n - 1) & 1U) != 0;
        return negative ? a[l] | ~kept : a[l] & kept;
    });
}

Step bmsk(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const bool clamp = (in.mode & lane_mode::clamp) != 0;
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        const std::uint32_t start = clamp ? (a[l] > 32 ? 32U : a[l]) : a[l] & 31U;
        const std::uint32_t length = clamp ? (b[l] > 32 ? 32U : b[l]) : b[l] & 31U;
        const std::uint32_t ones = length >= 32 ? 0xFFFFFFFFU : (1U << length) - 1U;
        return start >= 32 ? 0U : ones << start;
    });
}

Step fns(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    return forLanes<std::uint32_t>(warp, in, mask, [=](std::uint32_t l) {
        if (b[l] > 31) {
            return 0xFFFFFFFFU; // unspecified; what an H200 gives
        }
        const auto offset = static_cast<std::int32_t>(c[l]);
        const std::int32_t step = offset < 0 ? -1 : 1;
        std::int32_t left = offset < 0 ? -offset : offset;
        std::int32_t bit = static_cast<std::int32_t>(b[l] & 31U);
        if (left == 0) {
            return (a[l] >> bit & 1U) != 0 ? static_cast<std::uint32_t>(bit) : 0xFFFFFFFFU;
        }
        for (; bit >= 0 && bit < 32; bit += step) {
            if ((a[l] >> bit & 1U) != 0 && --left == 0) {
                return static_cast<std::uint32_t>(bit);
            }
        }
        return 0xFFFFFFFFU;
    });
}

template <class T> Handler logicFor(LaneOp op)
{
    switch (op) {
    case LaneOp::And:
        return binary<AndOp, T, T>;
    case LaneOp::Or:
        return binary<OrOp, T, T>;
    case LaneOp::Xor:
        return binary<XorOp, T, T>;
    case LaneOp::Not:
        return unary<NotOp, T, T>;
    case LaneOp::Cnot:
        return unary<CnotOp, T, T>;
    case LaneOp::Shl:
        return shiftLeft<T>;
    case LaneOp::Selp:
        return selp<T>;
    case LaneOp::Slct:
        return slct<T>;
    default:
        return nullptr;
    }
}

template <class T> Handler fieldFor(const LaneForm& form)
{
    using S = std::make_signed_t<T>;
    switch (form.op) {
    case LaneOp::Popc:
        return unary<typename CountOps<T>::Popc, T, std::uint32_t>;
    case LaneOp::Clz:
        return unary<typename CountOps<T>::Clz, T, std::uint32_t>;
    case LaneOp::Brev:
        return unary<typename CountOps<T>::Brev, T, T>;
    case LaneOp::Bfind:
        return isSigned(form.type) ? bfind<S> : bfind<T>;
    case LaneOp::Bfe:
        return isSigned(form.type) ? bfe<S> : bfe<T>;
    case LaneOp::Bfi:
        return bfi<T>;
    default:
        return nullptr;
    }
}

} // namespace

Handler bitHandler(const LaneForm& form)
{
    switch (form.op) {
    case LaneOp::Lop3:
        return lop3;
    case LaneOp::ShfL:
        return funnel<true>;
    case LaneOp::ShfR:
        return funnel<false>;
    case LaneOp::Prmt:
        return prmt;
    case LaneOp::Szext:
        return szext;
    case LaneOp::Bmsk:
        return bmsk;
    case LaneOp::Fns:
        return fns;
    default:
        break;
    }
    const int bits = bitsOf(form.type);
    if (form.op == LaneOp::Shr) {
        const bool sign = isSigned(form.type);
        return bits == 64 ? (sign ? shiftRight<std::int64_t> : shiftRight<std::uint64_t>)
            : bits == 32  ? (sign ? shiftRight<std::int32_t> : shiftRight<std::uint32_t>)
                          : (sign ? shiftRight<std::int16_t> : shiftRight<std::uint16_t>);
    }
    if (bits == 64) {
        const Handler logic = logicFor<std::uint64_t>(form.op);
        return logic != nullptr ? logic : fieldFor<std::uint64_t>(form);
    }
    if (bits == 32) {
        const Handler logic = logicFor<std::uint32_t>(form.op);
        return logic != nullptr ? logic : fieldFor<std::uint32_t>(form);
    }
    return bits == 16 ? logicFor<std::uint16_t>(form.op) : nullptr;
}

} // namespace ptxwb::emulator::PTXWB_LANES
