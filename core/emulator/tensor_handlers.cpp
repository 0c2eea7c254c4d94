// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor and its reductions: boxes of a tensor, to and from shared memory.
#include "core/emulator/addressing.h"
#include "core/emulator/async_handlers.h"
#include "core/emulator/bulk_receivers.h"
#include "core/emulator/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace ptxwb::emulator {

namespace {

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
        constexpr std::uint64_t nan = 0x7FF77FF77FF77FF7ULL; // what an H200 fills with, 16 bits at a time
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

    /// Elements of the row that lie in the tensor: [first, last).
    void insideOfRow(std::uint32_t& first, std::uint32_t& last) const
    {
        const std::int64_t count = map.box[0];
        const std::int64_t low = std::max<std::int64_t>(-at[0], 0);
        const std::int64_t high = static_cast<std::int64_t>(map.dims[0]) - at[0];
        first = static_cast<std::uint32_t>(std::clamp<std::int64_t>(low, 0, count));
        last = static_cast<std::uint32_t>(std::clamp<std::int64_t>(high, first, count));
    }

    void load()
    {
        const std::uint32_t elements = map.box[0];
        const std::uint32_t rowBytes = map.rowBytes();
        const std::uint32_t pitch = map.rowPitch();
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        insideOfRow(first, last);
        std::vector<std::byte> row(rowBytes);
        forRows(map, at, [&](std::uint32_t index, std::uint64_t address, bool inside) {
            const std::byte* from = row.data();
            if (!inside || first == last) {
                fillElements(row.data(), elements, map);
            } else {
                const std::uint64_t start =
                    address + static_cast<std::uint64_t>(at[0] + std::int64_t{first}) * map.elementBytes;
                if (first == 0 && last == elements) {
                    from = memory->at(start);
                } else {
                    fillElements(row.data(), first, map);
                    fillElements(row.data() + std::size_t{last} * map.elementBytes, elements - last, map);
                    std::memcpy(row.data() + std::size_t{first} * map.elementBytes, memory->at(start),
                        std::size_t{last - first} * map.elementBytes);
                }
            }
            for (const auto& r : receivers) {
                putRow(*r.cta, r.offset + index * pitch, from, rowBytes);
            }
        });
        const auto bytes = static_cast<std::uint32_t>(map.boxBytes());
        const auto spanned = static_cast<std::uint32_t>(map.spannedBytes());
        for (const auto& r : receivers) {
            if (cta->cluster->launch->perturbed == ResultOf::TensorCopy) {
                perturbElements(r.cta->shared.at(r.offset), spanned, map.elementBytes);
            }
            if (bytes == spanned) {
                noteWritten(*r.cta, r.offset, bytes);
            } else { // piece by piece: the gaps between the rows are not written
                for (std::uint64_t boxRow = 0; boxRow < map.boxRows(); ++boxRow) {
                    for (std::uint32_t i = 0; i < rowBytes; i += 16) {
                        const auto at16 = r.offset + static_cast<std::uint32_t>(boxRow) * pitch + i;
                        noteWritten(*r.cta, swizzled(at16, map.swizzle), 16);
                    }
                }
            }
            deliverBytes(*r.barrierOwner, r.barrier, bytes, line, known);
        }
    }

    /// What a store reads: of a box that reaches beyond the tensor only the part that lies in it.
    void checkRead(Warp& issuer) const
    {
        const auto check = [&](std::uint32_t offset, std::uint32_t bytes) {
            return checkAsyncRead(
                issuer, *sourceCta, offset, bytes, issuer.proxyFenceStep, line, "the TMA store");
        };
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        insideOfRow(first, last);
        if (first == 0 && last == map.box[0]) {
            check(sourceOffset, static_cast<std::uint32_t>(map.spannedBytes()));
            return;
        }
        const std::uint32_t begin = first * map.elementBytes & ~15U;
        const std::uint32_t end = last * map.elementBytes;
        bool clean = true;
        forRows(map, at, [&](std::uint32_t index, std::uint64_t, bool inside) {
            for (std::uint32_t i = begin; clean && inside && i < end; i += 16) {
                clean = check(swizzled(sourceOffset + index * map.rowPitch() + i, map.swizzle), 16);
            }
        });
    }

    void noteWritten(Cta& to, std::uint32_t offset, std::uint32_t bytes) const
    {
        to.shared.noteWrite(offset, bytes, Granule::asyncAgent, cta->cluster->step, line,
            static_cast<std::uint32_t>(map.swizzle) + 1);
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
        const auto bytes = static_cast<std::uint32_t>(map.spannedBytes());
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
        const std::uint32_t pitch = map.rowPitch();
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        insideOfRow(first, last);
        forRows(map, at, [&](std::uint32_t index, std::uint64_t address, bool inside) {
            if (!inside || first == last) {
                return;
            }
            const std::uint64_t start =
                address + static_cast<std::uint64_t>(at[0] + std::int64_t{first}) * map.elementBytes;
            const std::byte* from =
                held.data() + std::size_t{index} * pitch + std::size_t{first} * map.elementBytes;
            if (!reduces) {
                std::memcpy(memory->at(start), from, std::size_t{last - first} * map.elementBytes);
                return;
            }
            for (std::uint32_t e = 0; e < last - first; ++e) {
                std::byte* to = memory->at(start) + std::size_t{e} * map.elementBytes;
                reduceElement(op, type, to, from + std::size_t{e} * map.elementBytes);
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
    if (map->changedLine != 0 && warp.cta->cluster->launch->checks) {
        file(warp, in.line,
            {.rule = RuleId::MissingProxyFence,
                .message =
                    fmt::format("the tensor map at 0x{:x} was changed at line {}, and nothing made that "
                                "known to the tensor copies",
                        address, map->changedLine),
                .fix =
                    "fence.proxy.tensormap::generic.acquire.gpu [map], 128; between the change and the copy, "
                    "in the thread that copies",
                .otherLine = map->changedLine});
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

/// What an H200 answers with an illegal instruction: a box that does not start at a multiple of 16 bytes, and
/// a store of a box that lies before the tensor in its first dimension.
bool checkStart(
    Warp& warp, const Instr& in, const TensorMap& map, const std::array<std::int64_t, 5>& at, bool isStore)
{
    const auto fits = static_cast<std::int64_t>(16 / map.elementBytes);
    if (at[0] % fits != 0) {
        stopWith(warp, in,
            {.rule = RuleId::Misaligned,
                .message =
                    fmt::format("the box starts at coordinate {} of dimension 0: {} bytes, no multiple "
                                "of 16",
                        at[0], at[0] * map.elementBytes),
                .fix = fmt::format("start at a multiple of {} elements", fits)});
        return false;
    }
    if (isStore && at[0] + std::int64_t{map.box[0]} <= 0) {
        stopWith(warp, in,
            {.rule = RuleId::OutOfBounds,
                .message =
                    fmt::format("the stored box starts at coordinate {} of dimension 0 and ends before "
                                "the tensor begins: an H200 stops there",
                        at[0]),
                .fix = "do not store boxes that lie before the tensor"});
        return false;
    }
    return true;
}

} // namespace

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
        if (!checkStart(warp, in, *map, op->at, (in.mode & bulk_mode::toGlobal) != 0)) {
            return Step::Stop;
        }
        const auto bytes = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(map->spannedBytes(), std::numeric_limits<std::uint32_t>::max()));
        const std::uint64_t shared = operandAddress(warp, in.extra->addresses[0], lane);
        if ((in.mode & bulk_mode::toGlobal) != 0) {
            if (resolveShared(warp, in, shared, bytes, 128, op->sourceCta, op->sourceOffset) == nullptr) {
                return Step::Stop;
            }
            if (warp.cta->cluster->launch->checks) {
                op->checkRead(warp);
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
