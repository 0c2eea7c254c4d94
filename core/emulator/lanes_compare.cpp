// SPDX-License-Identifier: Apache-2.0
// setp, set, testp by lanes.
#include "core/emulator/lane_templates.h"

namespace ptxwb::emulator::PTXWB_LANES {

namespace {

template <Compare compare, class T> bool holds(T a, T b)
{
    const bool unordered = a != a || b != b;
    switch (compare) {
    case Compare::Eq:
        return a == b;
    case Compare::Ne:
        return a != b && !unordered;
    case Compare::Lt:
        return a < b;
    case Compare::Le:
        return a <= b;
    case Compare::Gt:
        return a > b;
    case Compare::Ge:
        return a >= b;
    case Compare::Equ:
        return a == b || unordered;
    case Compare::Neu:
        return a != b || unordered;
    case Compare::Ltu:
        return a < b || unordered;
    case Compare::Leu:
        return a <= b || unordered;
    case Compare::Gtu:
        return a > b || unordered;
    case Compare::Geu:
        return a >= b || unordered;
    case Compare::Num:
        return !unordered;
    case Compare::Nan:
        return unordered;
    }
    return false;
}

inline float flushed(float x)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits & 0x7F800000U) == 0 ? bits & 0x80000000U : bits);
}

template <class T> auto comparable(Stored<T> bits, bool ftz)
{
    if constexpr (std::is_same_v<T, Half>) {
        return halfToFloat(static_cast<std::uint16_t>(ftz && (bits & 0x7C00U) == 0 ? bits & 0x8000U : bits));
    } else if constexpr (std::is_same_v<T, Brain>) {
        return brainToFloat(static_cast<std::uint16_t>(bits));
    } else if constexpr (std::is_same_v<T, float>) {
        return ftz ? flushed(unpack<float>(bits)) : unpack<float>(bits);
    } else {
        return unpack<T>(bits);
    }
}

template <Compare compare, class T> std::uint32_t compared(Warp& warp, const Instr& in)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const bool ftz = (in.mode & lane_mode::ftz) != 0;
    std::uint32_t flags[laneCount];
    PTXWB_LANE_LOOP
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        flags[l] = holds<compare>(comparable<T>(a[l], ftz), comparable<T>(b[l], ftz)) ? 1U << l : 0U;
    }
    std::uint32_t bits = 0;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        bits |= flags[l];
    }
    return bits;
}

std::uint32_t combined(Warp& warp, const Instr& in, std::uint32_t bits)
{
    const std::uint32_t how = in.mode >> lane_mode::combineShift & 3U;
    if (how == 0) {
        return bits;
    }
    const std::uint32_t c =
        (in.mode & lane_mode::negateC) != 0 ? ~warp.predicates[in.c] : warp.predicates[in.c];
    return how == 1 ? bits & c : (how == 2 ? bits | c : bits ^ c);
}

/// p (d) and, when e is not 0, q (e - 1): with q's comparison the opposite one.
template <Compare compare, class T> Step setp(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t bits = compared<compare, T>(warp, in);
    const std::uint32_t p = combined(warp, in, bits);
    const std::uint32_t q = combined(warp, in, ~bits);
    if (in.d != noPredicate) {
        auto& d = warp.predicates[in.d];
        d = (d & ~mask) | (p & mask);
    }
    if (in.e != noPredicate) {
        auto& e = warp.predicates[in.e];
        e = (e & ~mask) | (q & mask);
    }
    return Step::Next;
}

template <Compare compare, class T> Step set(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t bits = combined(warp, in, compared<compare, T>(warp, in));
    const auto yes = static_cast<std::uint32_t>(in.imm);
    return forLanes<std::uint32_t>(
        warp, in, mask, [=](std::uint32_t l) { return (bits >> l & 1U) != 0 ? yes : 0U; });
}

template <Compare compare, class T> Handler either(LaneOp op)
{
    return op == LaneOp::Setp ? setp<compare, T> : set<compare, T>;
}

template <class T> Handler compareFor(const LaneForm& form)
{
    switch (form.compare) {
    case Compare::Eq:
        return either<Compare::Eq, T>(form.op);
    case Compare::Ne:
        return either<Compare::Ne, T>(form.op);
    case Compare::Lt:
        return either<Compare::Lt, T>(form.op);
    case Compare::Le:
        return either<Compare::Le, T>(form.op);
    case Compare::Gt:
        return either<Compare::Gt, T>(form.op);
    case Compare::Ge:
        return either<Compare::Ge, T>(form.op);
    default:
        break;
    }
    if constexpr (std::is_integral_v<T>) {
        return nullptr;
    } else {
        switch (form.compare) {
        case Compare::Equ:
            return either<Compare::Equ, T>(form.op);
        case Compare::Neu:
            return either<Compare::Neu, T>(form.op);
        case Compare::Ltu:
            return either<Compare::Ltu, T>(form.op);
        case Compare::Leu:
            return either<Compare::Leu, T>(form.op);
        case Compare::Gtu:
            return either<Compare::Gtu, T>(form.op);
        case Compare::Geu:
            return either<Compare::Geu, T>(form.op);
        case Compare::Num:
            return either<Compare::Num, T>(form.op);
        default:
            return either<Compare::Nan, T>(form.op);
        }
    }
}

/// testp: mode 0 finite, 1 infinite, 2 number, 3 notanumber, 4 normal, 5 subnormal.
template <class T> Step testp(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    std::uint32_t bits = 0;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        const T x = unpack<T>(a[l]);
        const T size = std::fabs(x);
        const bool nan = x != x;
        const bool infinite = size == std::numeric_limits<T>::infinity();
        const bool subnormal = size != 0 && size < std::numeric_limits<T>::min();
        const bool results[6] = {
            !nan && !infinite, infinite, !nan, nan, !nan && !infinite && !subnormal, subnormal};
        bits |= results[in.mode % 6U] ? 1U << l : 0U;
    }
    auto& d = warp.predicates[in.d];
    d = (d & ~mask) | (bits & mask);
    return Step::Next;
}

} // namespace

Handler compareHandler(const LaneForm& form)
{
    if (form.op == LaneOp::Testp) {
        return form.type == ValueType::F64 ? testp<double> : testp<float>;
    }
    switch (form.type) {
    case ValueType::B16:
    case ValueType::U16:
        return compareFor<std::uint16_t>(form);
    case ValueType::S16:
        return compareFor<std::int16_t>(form);
    case ValueType::B32:
    case ValueType::U32:
        return compareFor<std::uint32_t>(form);
    case ValueType::S32:
        return compareFor<std::int32_t>(form);
    case ValueType::B64:
    case ValueType::U64:
        return compareFor<std::uint64_t>(form);
    case ValueType::S64:
        return compareFor<std::int64_t>(form);
    case ValueType::F16:
        return compareFor<Half>(form);
    case ValueType::Bf16:
        return compareFor<Brain>(form);
    case ValueType::F32:
        return compareFor<float>(form);
    case ValueType::F64:
        return compareFor<double>(form);
    default:
        return nullptr;
    }
}

} // namespace ptxwb::emulator::PTXWB_LANES
