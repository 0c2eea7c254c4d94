// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/memory_handlers.h"

#include "core/emulator/addressing.h"
#include "core/emulator/small_float_bits.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace ptxwb::emulator {

namespace {

template <class T>
void loadElement(Warp& warp, const LaneAddresses& from, std::uint32_t mask, std::uint32_t row, std::size_t at,
    std::uint32_t mode)
{
    const bool extend = (mode & load_mode::signExtend) != 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        T value{};
        std::memcpy(&value, from.host[lane] + at, sizeof(T));
        std::uint64_t bits = value;
        if (extend) {
            bits = static_cast<std::uint64_t>(
                static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(value)));
        }
        if ((mode & load_mode::to64) != 0) {
            warp.row64(row)[lane] = bits;
        } else {
            warp.row(row)[lane] =
                static_cast<std::uint32_t>((mode & load_mode::to16) != 0 ? bits & 0xFFFFU : bits);
        }
    }
}

Step load(Warp& warp, const Instr& in, std::uint32_t mask)
{
    LaneAddresses from;
    if (!resolveLanes(warp, in, mask, std::uint32_t{in.bytes} * in.count, AccessKind::Read, from)) {
        return Step::Stop;
    }
    for (std::uint32_t i = 0; i < in.count; ++i) {
        const std::uint32_t row = in.extra->rows[i];
        if (row == noPredicate) {
            continue; // a sink
        }
        const std::size_t at = std::size_t{i} * in.bytes;
        switch (in.bytes) {
        case 1:
            loadElement<std::uint8_t>(warp, from, mask, row, at, in.mode);
            break;
        case 2:
            loadElement<std::uint16_t>(warp, from, mask, row, at, in.mode);
            break;
        case 4:
            loadElement<std::uint32_t>(warp, from, mask, row, at, in.mode);
            break;
        default:
            loadElement<std::uint64_t>(warp, from, mask, row, at, in.mode);
        }
    }
    return Step::Next;
}

Step store(Warp& warp, const Instr& in, std::uint32_t mask)
{
    LaneAddresses to;
    if (!resolveLanes(warp, in, mask, std::uint32_t{in.bytes} * in.count, AccessKind::Write, to)) {
        return Step::Stop;
    }
    for (std::uint32_t i = 0; i < in.count; ++i) {
        const std::uint32_t row = in.extra->rows[i];
        const std::size_t at = std::size_t{i} * in.bytes;
        for (std::uint32_t m = mask; m != 0; m &= m - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
            // Registers hold the low bytes first.
            if (in.bytes == 8) {
                std::memcpy(to.host[lane] + at, &warp.row64(row)[lane], 8);
            } else if ((in.mode & load_mode::to64) != 0) {
                std::memcpy(to.host[lane] + at, &warp.row64(row)[lane], in.bytes);
            } else {
                std::memcpy(to.host[lane] + at, &warp.row(row)[lane], in.bytes);
            }
        }
    }
    if (auto* trace = warp.cta->cluster->trace.get()) {
        trace->settle();
    }
    if (auto* order = warp.cta->cluster->launch->order) {
        order->settle();
    }
    return Step::Next;
}

// ---------------------------------------------------------------- atomics

template <class T> T combine(AtomicOp op, T old, T value, T other)
{
    using U = std::make_unsigned_t<T>;
    switch (op) {
    case AtomicOp::Add:
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
    case AtomicOp::Min:
        return old < value ? old : value;
    case AtomicOp::Max:
        return old > value ? old : value;
    case AtomicOp::And:
        return static_cast<T>(old & value);
    case AtomicOp::Or:
        return static_cast<T>(old | value);
    case AtomicOp::Xor:
        return static_cast<T>(old ^ value);
    case AtomicOp::Exch:
        return value;
    case AtomicOp::Cas:
        return old == value ? other : old;
    case AtomicOp::Inc:
        return static_cast<U>(old) >= static_cast<U>(value) ? T{0} : static_cast<T>(old + 1);
    case AtomicOp::Dec:
        return old == 0 || static_cast<U>(old) > static_cast<U>(value) ? value : static_cast<T>(old - 1);
    case AtomicOp::None:
        break;
    }
    return old;
}

float combineReal(AtomicOp op, float old, float value)
{
    switch (op) {
    case AtomicOp::Min:
        return old != old ? value : (value != value ? old : (value < old ? value : old));
    case AtomicOp::Max:
        return old != old ? value : (value != value ? old : (value > old ? value : old));
    case AtomicOp::Exch:
        return value;
    default:
        return old + value;
    }
}

template <class T> T read(const std::byte* from)
{
    T value{};
    std::memcpy(&value, from, sizeof(T));
    return value;
}

template <class T> void write(std::byte* to, T value)
{
    std::memcpy(to, &value, sizeof(T));
}

std::uint32_t halves(AtomicOp op, std::uint32_t old, std::uint32_t value, bool brain, bool pair)
{
    const auto one = [&](std::uint32_t x, std::uint32_t y) -> std::uint32_t {
        const auto a = static_cast<std::uint16_t>(x);
        const auto b = static_cast<std::uint16_t>(y);
        return brain ? floatToBrain(combineReal(op, brainToFloat(a), brainToFloat(b)))
                     : floatToHalf(combineReal(op, halfToFloat(a), halfToFloat(b)));
    };
    return pair ? one(old, value) | one(old >> 16U, value >> 16U) << 16U : one(old, value);
}

/// `value` and `other` as register bits; returns the old bits.
std::uint64_t atomicStep(AtomicOp op, ValueType type, std::byte* at, std::uint64_t value, std::uint64_t other)
{
    switch (type) {
    case ValueType::F32: {
        const auto old = read<float>(at);
        write(at, combineReal(op, old, std::bit_cast<float>(static_cast<std::uint32_t>(value))));
        return std::bit_cast<std::uint32_t>(old);
    }
    case ValueType::F64: {
        const auto old = read<double>(at);
        write(at, old + std::bit_cast<double>(value));
        return std::bit_cast<std::uint64_t>(old);
    }
    case ValueType::F16:
    case ValueType::Bf16: {
        const auto old = read<std::uint16_t>(at);
        write(at,
            static_cast<std::uint16_t>(
                halves(op, old, static_cast<std::uint32_t>(value), type == ValueType::Bf16, false)));
        return old;
    }
    case ValueType::F16x2:
    case ValueType::Bf16x2: {
        const auto old = read<std::uint32_t>(at);
        write(at, halves(op, old, static_cast<std::uint32_t>(value), type == ValueType::Bf16x2, true));
        return old;
    }
    case ValueType::B16:
    case ValueType::U16: {
        const auto old = read<std::uint16_t>(at);
        write(at, combine(op, old, static_cast<std::uint16_t>(value), static_cast<std::uint16_t>(other)));
        return old;
    }
    case ValueType::S32: {
        const auto old = read<std::int32_t>(at);
        write(at,
            combine(op, old, static_cast<std::int32_t>(static_cast<std::uint32_t>(value)),
                static_cast<std::int32_t>(static_cast<std::uint32_t>(other))));
        return static_cast<std::uint32_t>(old);
    }
    case ValueType::S64: {
        const auto old = read<std::int64_t>(at);
        write(at, combine(op, old, static_cast<std::int64_t>(value), static_cast<std::int64_t>(other)));
        return static_cast<std::uint64_t>(old);
    }
    case ValueType::B64:
    case ValueType::U64: {
        const auto old = read<std::uint64_t>(at);
        write(at, combine(op, old, value, other));
        return old;
    }
    default: {
        const auto old = read<std::uint32_t>(at);
        write(at, combine(op, old, static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(other)));
        return old;
    }
    }
}

/// d (noPredicate: red) = old value; operands in extra->rowsB (one per vector element), c for cas.
template <AtomicOp op> Step atomic(Warp& warp, const Instr& in, std::uint32_t mask)
{
    LaneAddresses where;
    if (!resolveLanes(warp, in, mask, std::uint32_t{in.bytes} * in.count, AccessKind::Atomic, where)) {
        return Step::Stop;
    }
    std::uint64_t changes = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        for (std::uint32_t i = 0; i < in.count; ++i) {
            const bool wide = in.bytes == 8;
            const std::uint32_t rowB = in.extra->rowsB[i];
            const std::uint64_t value = wide ? warp.row64(rowB)[lane] : warp.row(rowB)[lane];
            std::uint64_t other = 0;
            if (op == AtomicOp::Cas) {
                other = wide ? warp.row64(in.c)[lane] : warp.row(in.c)[lane];
            }
            std::byte* at = where.host[lane] + std::size_t{i} * in.bytes;
            std::uint64_t before = 0;
            std::memcpy(&before, at, in.bytes);
            const std::uint64_t old = atomicStep(op, in.type, at, value, other);
            changes += std::memcmp(&before, at, in.bytes) != 0 ? 1U : 0U;
            if (in.extra->rows.empty()) {
                continue;
            }
            if (wide) {
                warp.row64(in.extra->rows[i])[lane] = old;
            } else {
                warp.row(in.extra->rows[i])[lane] = static_cast<std::uint32_t>(old);
            }
        }
    }
    *warp.cta->cluster->effects += changes;
    return Step::Next;
}

Step swap128(Warp& warp, const Instr& in, std::uint32_t mask)
{
    LaneAddresses where;
    if (!resolveLanes(warp, in, mask, 16, AccessKind::Atomic, where)) {
        return Step::Stop;
    }
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        std::array<std::uint64_t, 2> old{};
        std::memcpy(old.data(), where.host[lane], 16);
        const auto half = [&](const std::vector<std::uint32_t>& rows, std::size_t i) {
            return warp.row64(rows[i])[lane];
        };
        const std::array<std::uint64_t, 2> next{half(in.extra->rowsC, 0), half(in.extra->rowsC, 1)};
        if (old[0] == half(in.extra->rowsB, 0) && old[1] == half(in.extra->rowsB, 1)) {
            std::memcpy(where.host[lane], next.data(), 16);
            *warp.cta->cluster->effects += next != old ? 1U : 0U;
        }
        for (std::size_t i = 0; i < in.extra->rows.size(); ++i) {
            warp.row64(in.extra->rows[i])[lane] = old[i];
        }
    }
    return Step::Next;
}

Step nothing(Warp&, const Instr&, std::uint32_t)
{
    return Step::Next;
}

} // namespace

Handler loadHandler()
{
    return load;
}

Handler storeHandler()
{
    return store;
}

Handler compareAndSwap128()
{
    return swap128;
}

Handler prefetchHandler()
{
    return nothing;
}

bool reduceElement(AtomicOp op, ValueType type, std::byte* where, const std::byte* value)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, value, static_cast<std::size_t>(bitsOf(type)) / 8);
    atomicStep(op, type, where, bits, 0);
    return true;
}

Handler atomicHandler(AtomicOp op, ValueType type)
{
    if (isFloat(type) && op != AtomicOp::Add && op != AtomicOp::Min && op != AtomicOp::Max
        && op != AtomicOp::Exch) {
        return nullptr;
    }
    switch (op) {
    case AtomicOp::Add:
        return atomic<AtomicOp::Add>;
    case AtomicOp::Min:
        return atomic<AtomicOp::Min>;
    case AtomicOp::Max:
        return atomic<AtomicOp::Max>;
    case AtomicOp::And:
        return atomic<AtomicOp::And>;
    case AtomicOp::Or:
        return atomic<AtomicOp::Or>;
    case AtomicOp::Xor:
        return atomic<AtomicOp::Xor>;
    case AtomicOp::Exch:
        return atomic<AtomicOp::Exch>;
    case AtomicOp::Cas:
        return atomic<AtomicOp::Cas>;
    case AtomicOp::Inc:
        return atomic<AtomicOp::Inc>;
    case AtomicOp::Dec:
        return atomic<AtomicOp::Dec>;
    case AtomicOp::None:
        break;
    }
    return nullptr;
}

} // namespace ptxwb::emulator
