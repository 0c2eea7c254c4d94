// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk and cp.async.bulk.tensor: the TMA unit.
#include "core/emulator/addressing.h"
#include "core/emulator/async_handlers.h"
#include "core/emulator/barriers.h"
#include "core/emulator/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace ptxwb::emulator {

namespace {

std::uint64_t operandAddress(const Warp& warp, const AddressOperand& operand, std::uint32_t lane)
{
    const std::uint64_t base = operand.wide ? warp.row64(operand.row)[lane] : warp.row(operand.row)[lane];
    return base + static_cast<std::uint64_t>(operand.offset);
}

/// A place in shared memory that receives data, with its barrier.
struct Receiver {
    Cta* cta = nullptr;
    std::uint32_t offset = 0;
    std::uint32_t barrier = 0;
    Cta* barrierOwner = nullptr;
};

/// CTAs of a multicast: the same offsets in each CTA of the mask.
void addReceivers(
    Warp& warp, const Instr& in, std::uint32_t lane, const Receiver& own, std::vector<Receiver>& out)
{
    if ((in.mode & bulk_mode::multicast) == 0) {
        out.push_back(own);
        return;
    }
    const std::uint32_t mask = warp.row(in.c)[lane] & 0xFFFFU;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto rank = static_cast<std::uint32_t>(std::countr_zero(m));
        if (rank < warp.cta->cluster->ctas.size()) {
            auto* cta = warp.cta->cluster->ctas[rank].get();
            out.push_back({cta, own.offset, own.barrier, cta});
        }
    }
}

/// Tells the race detector about the operation's accesses to shared memory.
void noteAccesses(Warp& warp, const Instr& in, AsyncOp& op, const std::vector<Receiver>& receivers,
    Cta* source, std::uint32_t sourceOffset, std::uint32_t bytes)
{
    auto& races = warp.cta->cluster->races;
    if (!races) {
        return;
    }
    const auto known = races->clockOf(warp);
    if (source != nullptr) {
        op.sequence = ++warp.bulk.sequence;
        races->access(warp, *source, sourceOffset, bytes, RaceDetector::Kind::Read, known,
            {races->bulkChannel(warp), op.sequence, in.line});
    }
    for (const auto& r : receivers) {
        const auto* barrier = r.barrierOwner->shared.mbarrierAt(r.barrier);
        if (barrier != nullptr && barrier->channel != 0) {
            races->access(warp, *r.cta, r.offset, bytes, RaceDetector::Kind::Write, known,
                {barrier->channel, static_cast<std::uint32_t>(barrier->phase + 1), in.line});
        }
    }
    races->release(warp, op.known);
}

// ---------------------------------------------------------------- plain bulk copies

struct BulkOp final : AsyncOp {
    std::vector<Receiver> receivers{}; ///< of copies to shared memory
    std::byte* global = nullptr; ///< of copies to global memory
    Cta* sourceCta = nullptr;
    std::uint32_t sourceOffset = 0;
    const std::byte* source = nullptr; ///< in global memory
    std::uint32_t bytes = 0;
    std::vector<std::byte> held{};
    bool reduces = false;
    AtomicOp op = AtomicOp::None;
    ValueType type = ValueType::B32;

    void read() override
    {
        const std::byte* from = sourceCta != nullptr ? sourceCta->shared.at(sourceOffset) : source;
        held.assign(from, from + bytes);
    }

    void put(std::byte* to)
    {
        if (!reduces) {
            std::memcpy(to, held.data(), bytes);
            return;
        }
        const auto step = static_cast<std::uint32_t>(bitsOf(type)) / 8;
        for (std::uint32_t i = 0; i + step <= bytes; i += step) {
            reduceElement(op, type, to + i, held.data() + i);
        }
    }

    void complete() override
    {
        if (global != nullptr) {
            put(global);
        }
        for (const auto& r : receivers) {
            put(r.cta->shared.at(r.offset));
            r.cta->shared.noteWrite(r.offset, bytes, Granule::asyncAgent, cta->cluster->step, line);
            deliverBytes(*r.barrierOwner, r.barrier, bytes, line, known);
        }
        held = {};
    }
};

// ---------------------------------------------------------------- tensor tiles

/// Walks over the rows of a box: f(row's index in the box, coordinates of its first element, all outer ones
/// inside).
template <class F> void forRows(const TensorMap& map, const std::array<std::int64_t, 5>& at, F f)
{
    std::array<std::uint32_t, 5> count{1, 1, 1, 1, 1};
    for (std::uint32_t d = 1; d < map.rank; ++d) {
        count[d] = (map.box[d] + map.elementStrides[d] - 1) / map.elementStrides[d];
    }
    std::uint32_t row = 0;
    std::array<std::uint32_t, 5> i{};
    for (i[4] = 0; i[4] < count[4]; ++i[4]) {
        for (i[3] = 0; i[3] < count[3]; ++i[3]) {
            for (i[2] = 0; i[2] < count[2]; ++i[2]) {
                for (i[1] = 0; i[1] < count[1]; ++i[1]) {
                    std::uint64_t address = map.address;
                    bool inside = true;
                    for (std::uint32_t d = 1; d < map.rank; ++d) {
                        const std::int64_t c = at[d] + std::int64_t{i[d]} * map.elementStrides[d];
                        inside = inside && c >= 0 && static_cast<std::uint64_t>(c) < map.dims[d];
                        address += static_cast<std::uint64_t>(c) * map.strides[d];
                    }
                    f(row, address, inside);
                    ++row;
                }
            }
        }
    }
}

void fillElements(std::byte* to, std::uint32_t count, const TensorMap& map)
{
    const std::uint32_t bytes = map.elementBytes;
    if (map.fill == OutOfBoundsFill::Zero) {
        std::memset(to, 0, std::size_t{count} * bytes);
        return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        // A quiet NaN of the type; for 8-bit floats and halves all ones will do.
        const std::uint64_t nan = bytes == 4 ? 0x7FFFFFFFU : bytes == 8 ? 0x7FFFFFFFFFFFFFFFULL : 0x7FFFU;
        std::memcpy(to + std::size_t{i} * bytes, &nan, bytes);
    }
}

struct TensorOp final : AsyncOp {
    TensorMap map{};
    std::array<std::int64_t, 5> at{};
    const Allocation* memory = nullptr;
    std::vector<Receiver> receivers{};
    Cta* sourceCta = nullptr;
    std::uint32_t sourceOffset = 0;
    bool reduces = false;
    AtomicOp op = AtomicOp::None;
    ValueType type = ValueType::B32;
    std::vector<std::byte> held{};

    std::uint32_t rowElements() const
    {
        return (map.box[0] + map.elementStrides[0] - 1) / map.elementStrides[0];
    }

    /// Elements of the row that lie in the tensor: [first, last).
    void insideOfRow(std::uint32_t& first, std::uint32_t& last) const
    {
        const std::int64_t stride = map.elementStrides[0];
        const std::int64_t count = rowElements();
        const std::int64_t low = at[0] >= 0 ? 0 : (-at[0] + stride - 1) / stride;
        const std::int64_t beyond = static_cast<std::int64_t>(map.dims[0]) - at[0];
        const std::int64_t high = beyond <= 0 ? 0 : (beyond + stride - 1) / stride;
        first = static_cast<std::uint32_t>(std::clamp<std::int64_t>(low, 0, count));
        last = static_cast<std::uint32_t>(std::clamp<std::int64_t>(high, first, count));
    }

    void load()
    {
        const std::uint32_t elements = rowElements();
        const std::uint32_t rowBytes = elements * map.elementBytes;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        insideOfRow(first, last);
        std::vector<std::byte> row(rowBytes);
        forRows(map, at, [&](std::uint32_t index, std::uint64_t address, bool inside) {
            const std::byte* from = row.data();
            if (!inside || first == last) {
                fillElements(row.data(), elements, map);
            } else {
                const std::uint64_t start = address
                    + static_cast<std::uint64_t>(at[0] + std::int64_t{first} * map.elementStrides[0])
                        * map.elementBytes;
                if (first == 0 && last == elements && map.elementStrides[0] == 1) {
                    from = memory->at(start);
                } else {
                    fillElements(row.data(), first, map);
                    fillElements(row.data() + std::size_t{last} * map.elementBytes, elements - last, map);
                    for (std::uint32_t e = first; e < last; ++e) {
                        std::memcpy(row.data() + std::size_t{e} * map.elementBytes,
                            memory->at(start)
                                + std::size_t{e - first} * map.elementStrides[0] * map.elementBytes,
                            map.elementBytes);
                    }
                }
            }
            for (const auto& r : receivers) {
                putRow(*r.cta, r.offset + index * rowBytes, from, rowBytes);
            }
        });
        const auto bytes = static_cast<std::uint32_t>(map.boxBytes());
        for (const auto& r : receivers) {
            if (cta->cluster->launch->perturbed == ResultOf::TensorCopy) {
                perturbElements(r.cta->shared.at(r.offset), bytes, map.elementBytes);
            }
            r.cta->shared.noteWrite(r.offset, bytes, Granule::asyncAgent, cta->cluster->step, line,
                static_cast<std::uint32_t>(map.swizzle) + 1);
            deliverBytes(*r.barrierOwner, r.barrier, bytes, line, known);
        }
    }

    void putRow(Cta& to, std::uint32_t offset, const std::byte* from, std::uint32_t bytes) const
    {
        if (map.swizzle == Swizzle::None) {
            std::memcpy(to.shared.at(offset), from, bytes);
            return;
        }
        for (std::uint32_t i = 0; i < bytes; i += 16) {
            std::memcpy(to.shared.at(swizzled(offset + i, map.swizzle)), from + i, 16);
        }
    }

    void read() override
    {
        if (sourceCta == nullptr) {
            return;
        }
        const auto bytes = static_cast<std::uint32_t>(map.boxBytes());
        held.resize(bytes);
        if (map.swizzle == Swizzle::None) {
            std::memcpy(held.data(), sourceCta->shared.at(sourceOffset), bytes);
            return;
        }
        for (std::uint32_t i = 0; i < bytes; i += 16) {
            std::memcpy(held.data() + i, sourceCta->shared.at(swizzled(sourceOffset + i, map.swizzle)), 16);
        }
    }

    void store()
    {
        if (cta->cluster->launch->perturbed == ResultOf::TensorCopy) {
            perturbElements(held.data(), held.size(), map.elementBytes);
        }
        const std::uint32_t rowBytes = rowElements() * map.elementBytes;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        insideOfRow(first, last);
        forRows(map, at, [&](std::uint32_t index, std::uint64_t address, bool inside) {
            if (!inside || first == last) {
                return;
            }
            const std::uint64_t start = address
                + static_cast<std::uint64_t>(at[0] + std::int64_t{first} * map.elementStrides[0])
                    * map.elementBytes;
            const std::byte* from =
                held.data() + std::size_t{index} * rowBytes + std::size_t{first} * map.elementBytes;
            if (!reduces && map.elementStrides[0] == 1) {
                std::memcpy(memory->at(start), from, std::size_t{last - first} * map.elementBytes);
                return;
            }
            for (std::uint32_t e = 0; e < last - first; ++e) {
                std::byte* to = memory->at(start) + std::size_t{e} * map.elementStrides[0] * map.elementBytes;
                if (reduces) {
                    reduceElement(op, type, to, from + std::size_t{e} * map.elementBytes);
                } else {
                    std::memcpy(to, from + std::size_t{e} * map.elementBytes, map.elementBytes);
                }
            }
        });
        held = {};
    }

    void complete() override
    {
        if (sourceCta == nullptr) {
            load();
        } else {
            store();
        }
    }
};

const std::byte* mapBytes(Warp& warp, const Instr& in, std::uint64_t address)
{
    if (address - paramWindow < windowBytes) {
        const auto& parameters = warp.cta->cluster->launch->parameters;
        const std::uint64_t offset = address - paramWindow;
        return offset + tensorMapBytes <= parameters.size() ? parameters.data() + offset : nullptr;
    }
    return resolveGlobal(warp, in, address, tensorMapBytes, 64, false);
}

/// Box, alignment and memory of a map. Nothing: reported.
std::optional<TensorMap> mapOf(Warp& warp, const Instr& in, std::uint32_t lane, const Allocation*& memory)
{
    const std::uint64_t address = operandAddress(warp, in.extra->addresses[1], lane);
    const std::byte* bytes = mapBytes(warp, in, address);
    if (bytes == nullptr && warp.cta->cluster->stopped) {
        return std::nullopt;
    }
    const auto map = bytes == nullptr ? std::nullopt : decodeTensorMap(bytes);
    if (!map || map->rank != in.extra->rows.size()) {
        stopWith(warp, in,
            {.rule = RuleId::DescriptorMismatch,
                .message = !map
                    ? fmt::format("there is no tensor map at 0x{:x}", address)
                    : fmt::format("the tensor map has rank {}, the instruction gives {} coordinates",
                        map->rank, in.extra->rows.size()),
                .fix = !map
                    ? "pass a tensor_map of the launch plan, and make its address generic (cvta.param)"
                    : "use the .Nd form of the map's rank"});
        return std::nullopt;
    }
    memory = warp.cta->cluster->launch->memory->find(map->address);
    std::uint64_t last = map->elementBytes;
    for (std::uint32_t d = 0; d < map->rank; ++d) {
        last += (map->dims[d] - 1) * map->strides[d];
    }
    if (memory == nullptr || !memory->contains(map->address, last)) {
        stopWith(warp, in,
            {.rule = RuleId::OutOfBounds,
                .message = fmt::format("the tensor map covers {} bytes from 0x{:x}, more than its buffer has",
                    last, map->address),
                .fix = "check dims and strides of the tensor map"});
        return std::nullopt;
    }
    return map;
}

} // namespace

Step copyBulk(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const std::uint32_t bytes = warp.row(in.b)[lane];
        if (bytes % 16 != 0) {
            return stopWith(warp, in,
                {.rule = RuleId::Misaligned,
                    .message =
                        fmt::format("a bulk copy of {} bytes: the size must be a multiple of 16", bytes),
                    .fix = "round the size up to a multiple of 16"});
        }
        if (bytes == 0) {
            continue;
        }
        auto op = std::make_shared<BulkOp>();
        op->cta = warp.cta;
        op->warp = &warp;
        op->line = in.line;
        op->lanes = 1U << lane;
        op->bytes = bytes;
        op->reduces = (in.mode & bulk_mode::reduce) != 0;
        op->op = static_cast<AtomicOp>(in.target);
        op->type = in.type;
        op->group = warp.bulk.committed;
        const std::uint64_t to = operandAddress(warp, in.extra->addresses[0], lane);
        const std::uint64_t from = operandAddress(warp, in.extra->addresses[1], lane);
        const bool toGlobal = (in.mode & bulk_mode::toGlobal) != 0;
        if (toGlobal || (in.mode & bulk_mode::fromShared) != 0) {
            if (resolveShared(warp, in, from, bytes, 16, op->sourceCta, op->sourceOffset) == nullptr) {
                return Step::Stop;
            }
            if (warp.cta->cluster->launch->checks) {
                checkAsyncRead(warp, *op->sourceCta, op->sourceOffset, bytes, warp.proxyFenceStep, in.line,
                    "the bulk copy");
            }
        } else {
            op->source = resolveGlobal(warp, in, from, bytes, 16, false);
            if (op->source == nullptr) {
                return Step::Stop;
            }
        }
        if (toGlobal) {
            op->global = resolveGlobal(warp, in, to, bytes, 16, true);
            if (op->global == nullptr) {
                return Step::Stop;
            }
            warp.bulk.operations.push_back(op);
        } else {
            Receiver own;
            if (resolveShared(warp, in, to, bytes, 16, own.cta, own.offset) == nullptr) {
                return Step::Stop;
            }
            Mbarrier* barrier =
                liveBarrier(warp, in, operandAddress(warp, in.extra->addresses[2], lane), own.barrierOwner);
            if (barrier == nullptr) {
                return Step::Stop;
            }
            own.barrier = barrier->address;
            addReceivers(warp, in, lane, own, op->receivers);
        }
        noteAccesses(warp, in, *op, op->receivers, op->sourceCta, op->sourceOffset, bytes);
        issue(*warp.cta->cluster, std::move(op));
    }
    return Step::Next;
}

Step copyTensor(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const Allocation* memory = nullptr;
        const auto map = mapOf(warp, in, lane, memory);
        if (!map) {
            return Step::Stop;
        }
        if ((in.mode & bulk_mode::prefetch) != 0) {
            continue;
        }
        auto op = std::make_shared<TensorOp>();
        op->cta = warp.cta;
        op->warp = &warp;
        op->line = in.line;
        op->lanes = 1U << lane;
        op->map = *map;
        op->memory = memory;
        op->group = warp.bulk.committed;
        op->reduces = (in.mode & bulk_mode::reduce) != 0;
        op->op = static_cast<AtomicOp>(in.target);
        op->type = elementTypeOf(map->dtype);
        for (std::size_t d = 0; d < in.extra->rows.size(); ++d) {
            op->at[d] = static_cast<std::int32_t>(warp.row(in.extra->rows[d])[lane]);
        }
        const auto bytes = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(map->boxBytes(), std::numeric_limits<std::uint32_t>::max()));
        const std::uint64_t shared = operandAddress(warp, in.extra->addresses[0], lane);
        if ((in.mode & bulk_mode::toGlobal) != 0) {
            if (resolveShared(warp, in, shared, bytes, 128, op->sourceCta, op->sourceOffset) == nullptr) {
                return Step::Stop;
            }
            if (warp.cta->cluster->launch->checks) {
                checkAsyncRead(warp, *op->sourceCta, op->sourceOffset, bytes, warp.proxyFenceStep, in.line,
                    "the TMA store");
            }
            warp.bulk.operations.push_back(op);
        } else {
            Receiver own;
            if (resolveShared(warp, in, shared, bytes, 128, own.cta, own.offset) == nullptr) {
                return Step::Stop;
            }
            Mbarrier* barrier =
                liveBarrier(warp, in, operandAddress(warp, in.extra->addresses[2], lane), own.barrierOwner);
            if (barrier == nullptr) {
                return Step::Stop;
            }
            own.barrier = barrier->address;
            addReceivers(warp, in, lane, own, op->receivers);
        }
        noteAccesses(warp, in, *op, op->receivers, op->sourceCta, op->sourceOffset, bytes);
        issue(*warp.cta->cluster, std::move(op));
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
