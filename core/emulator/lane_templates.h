// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included by sources that are compiled once per instruction set, each time with another PTXWB_LANES.

#include "core/emulator/lane_form.h"
#include "core/emulator/machine.h"
#include "core/emulator/small_float_bits.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__clang__)
#define PTXWB_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define PTXWB_LANE_LOOP _Pragma("GCC ivdep")
#endif

namespace ptxwb::emulator::PTXWB_LANES {

struct Half {
    std::uint16_t bits;
};
struct Brain {
    std::uint16_t bits;
};

template <class T> using Stored = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <std::size_t bytes> struct BitsOf;
template <> struct BitsOf<1> {
    using Type = std::uint8_t;
};
template <> struct BitsOf<2> {
    using Type = std::uint16_t;
};
template <> struct BitsOf<4> {
    using Type = std::uint32_t;
};
template <> struct BitsOf<8> {
    using Type = std::uint64_t;
};

template <class T> inline T unpack(Stored<T> stored)
{
    return std::bit_cast<T>(static_cast<typename BitsOf<sizeof(T)>::Type>(stored));
}

template <class T> inline Stored<T> pack(T value)
{
    return std::bit_cast<typename BitsOf<sizeof(T)>::Type>(value);
}

template <class T> inline Stored<T>* row(const Warp& warp, std::uint32_t r)
{
    return reinterpret_cast<Stored<T>*>(warp.row(r));
}

/// d[lane] = f(lane) for the lanes of the mask. Registers never overlap partly, so lanes are independent.
template <class D, class F> inline Step forLanes(Warp& warp, const Instr& in, std::uint32_t mask, F f)
{
    Stored<D>* d = row<D>(warp, in.d);
    if (mask == allLanes) {
        PTXWB_LANE_LOOP
        for (std::uint32_t lane = 0; lane < laneCount; ++lane) {
            d[lane] = pack<D>(f(lane));
        }
    } else {
        PTXWB_LANE_LOOP
        for (std::uint32_t lane = 0; lane < laneCount; ++lane) {
            const Stored<D> value = pack<D>(f(lane));
            d[lane] = (mask >> lane & 1U) != 0 ? value : d[lane];
        }
    }
    return Step::Next;
}

template <class Op, class T, class R> Step unary(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    return forLanes<R>(warp, in, mask, [=](std::uint32_t l) { return Op::run(unpack<T>(a[l])); });
}

template <class Op, class T, class R> Step binary(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    return forLanes<R>(
        warp, in, mask, [=](std::uint32_t l) { return Op::run(unpack<T>(a[l]), unpack<T>(b[l])); });
}

/// a and b of type T, c and the result of type R.
template <class Op, class T, class R> Step ternary(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = row<T>(warp, in.a);
    const auto* b = row<T>(warp, in.b);
    const auto* c = row<R>(warp, in.c);
    return forLanes<R>(warp, in, mask,
        [=](std::uint32_t l) { return Op::run(unpack<T>(a[l]), unpack<T>(b[l]), unpack<R>(c[l])); });
}

inline Rounding roundingOf(const Instr& in)
{
    return static_cast<Rounding>(in.mode >> lane_mode::roundingShift & 15U);
}

Handler integerHandler(const LaneForm& form);
Handler bitHandler(const LaneForm& form);
Handler floatHandler(const LaneForm& form);
Handler halfHandler(const LaneForm& form);
Handler convertHandler(const LaneForm& form);
Handler narrowHandler(const LaneForm& form);
Handler compareHandler(const LaneForm& form);
Handler handler(const LaneForm& form);

} // namespace ptxwb::emulator::PTXWB_LANES
