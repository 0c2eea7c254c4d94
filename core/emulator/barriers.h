// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"

#include <cstdint>

namespace ptxwb::emulator {

bool mbarrierWaitIsOver(const Warp& warp, const Split& split);
/// True when the lanes have at most `allowed` unfinished groups left (only their sources read, with
/// `readOnly`).
bool groupsAreDone(const GroupState& groups, std::uint32_t lanes, std::uint32_t allowed, bool readOnly);

/// Bytes that a copy delivered, whose issuer knew `known`. Ends the phase when it was the last.
void deliverBytes(Cta& cta, std::uint32_t barrier, std::uint64_t bytes, int line, const VectorClock& known);
void arriveOn(Cta& cta, Mbarrier& barrier, std::uint32_t count, int line);

/// After the lanes `exited` have left warp.live: barriers that waited for them.
void settleBarriersAfterExit(Warp& warp, std::uint32_t exited);

/// Instr::mode of bar handlers.
namespace bar_mode {
constexpr std::uint32_t arriveOnly = 1;
constexpr std::uint32_t reduceAnd = 2;
constexpr std::uint32_t reduceOr = 4;
constexpr std::uint32_t reducePopc = 8;
constexpr std::uint32_t negated = 16;
constexpr std::uint32_t hasCount = 32;
} // namespace bar_mode
Step namedBarrier(Warp& warp, const Instr& in, std::uint32_t mask); ///< a id, b count, c predicate, d result
Step warpBarrier(Warp& warp, const Instr& in, std::uint32_t mask); ///< bar.warp.sync, a mask
void settleClusterBarrier(Cluster& cluster);
Step clusterArrive(Warp& warp, const Instr& in, std::uint32_t mask);
Step clusterWait(Warp& warp, const Instr& in, std::uint32_t mask);

/// mbarrier instructions. a address, b count or bytes or state, d result (noPredicate: sink).
namespace mbarrier_mode {
constexpr std::uint32_t expectTx = 1;
constexpr std::uint32_t drop = 2;
constexpr std::uint32_t noComplete = 4;
constexpr std::uint32_t parity = 8;
constexpr std::uint32_t tryWait = 16;
constexpr std::uint32_t hasCount = 32;
} // namespace mbarrier_mode
Step mbarrierInit(Warp& warp, const Instr& in, std::uint32_t mask);
Step mbarrierInval(Warp& warp, const Instr& in, std::uint32_t mask);
Step mbarrierArrive(Warp& warp, const Instr& in, std::uint32_t mask);
Step mbarrierExpectTx(Warp& warp, const Instr& in, std::uint32_t mask);
Step mbarrierCompleteTx(Warp& warp, const Instr& in, std::uint32_t mask);
Step mbarrierWait(Warp& warp, const Instr& in, std::uint32_t mask);
Step mbarrierPendingCount(Warp& warp, const Instr& in, std::uint32_t mask);
/// The live barrier at a shared address, or nullptr after a report.
Mbarrier* liveBarrier(Warp& warp, const Instr& in, std::uint64_t address, Cta*& owner);

} // namespace ptxwb::emulator
