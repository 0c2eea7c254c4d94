// SPDX-License-Identifier: Apache-2.0
// st.async and red.async: stores from registers to the shared memory of a cluster's CTA, whose mbarrier
// counts the bytes.
#include "core/emulator/addressing.h"
#include "core/emulator/async_handlers.h"
#include "core/emulator/bulk_receivers.h"

#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

struct StoreOp final : AsyncOp {
    Receiver to{};
    std::vector<std::byte> held{};
    bool reduces = false;
    AtomicOp op = AtomicOp::None;
    ValueType type = ValueType::B32;

    void complete() override
    {
        const auto bytes = static_cast<std::uint32_t>(held.size());
        auto* where = to.cta->shared.at(to.offset);
        if (reduces) {
            reduceElement(op, type, where, held.data());
        } else {
            std::memcpy(where, held.data(), bytes);
        }
        to.cta->shared.noteWrite(to.offset, bytes, Granule::asyncAgent, cta->cluster->step, line);
        deliverBytes(*to.barrierOwner, to.barrier, bytes, line, known);
    }
};

} // namespace

Step storeAsync(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t bytes = std::uint32_t{in.bytes} * in.count;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        auto op = std::make_shared<StoreOp>();
        op->cta = warp.cta;
        op->warp = &warp;
        op->line = in.line;
        op->lanes = 1U << lane;
        op->readDone = true;
        op->reduces = (in.mode & bulk_mode::reduce) != 0;
        op->op = static_cast<AtomicOp>(in.target);
        op->type = in.type;
        for (const auto row : in.extra->rows) {
            const auto* value = in.bytes == 8 ? reinterpret_cast<const std::byte*>(&warp.row64(row)[lane])
                                              : reinterpret_cast<const std::byte*>(&warp.row(row)[lane]);
            op->held.insert(op->held.end(), value, value + in.bytes);
        }
        const auto to = operandAddress(warp, in.extra->addresses[0], lane);
        if (resolveShared(warp, in, to, bytes, bytes, op->to.cta, op->to.offset) == nullptr) {
            return Step::Stop;
        }
        const auto* barrier =
            liveBarrier(warp, in, operandAddress(warp, in.extra->addresses[1], lane), op->to.barrierOwner);
        if (barrier == nullptr) {
            return Step::Stop;
        }
        op->to.barrier = barrier->address;
        noteAccesses(warp, in, *op, {op->to}, nullptr, 0, bytes);
        issue(*warp.cta->cluster, std::move(op));
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
