// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/diagnose.h"
#include "core/emulator/memory_handlers.h"

#include <cstdint>
#include <span>

namespace ptxwb::emulator {

/// Lets the policy decide when the operation happens.
void issue(Cluster& cluster, std::shared_ptr<AsyncOp> op);

/// What an async agent reads must be written, and no generic write may lack its proxy fence. One report per
/// call, and false then. `fenceStep`: the issuing side's last fence.proxy.async.
bool checkAsyncRead(Warp& issuer, Cta& owner, std::uint32_t offset, std::uint32_t bytes,
    std::uint64_t fenceStep, int line, const char* agent);

Step copyAsync(Warp& warp, const Instr& in,
    std::uint32_t mask); ///< cp.async: addresses {dst, src}; imm size; c source size
Step commitGroup(Warp& warp, const Instr& in, std::uint32_t mask); ///< mode: group_kind
Step waitGroup(Warp& warp, const Instr& in, std::uint32_t mask); ///< mode: group_kind; imm groups
Step copyAsyncArrive(Warp& warp, const Instr& in, std::uint32_t mask); ///< cp.async.mbarrier.arrive

namespace group_kind {
constexpr std::uint32_t copies = 0;
constexpr std::uint32_t bulk = 1;
constexpr std::uint32_t wgmma = 2;
constexpr std::uint32_t kinds = 3;
constexpr std::uint32_t readOnly = 4;
constexpr std::uint32_t everything = 8; ///< uncommitted copies too
} // namespace group_kind

/// cp.async.bulk, with addresses {dst, src, barrier} and b the size. mode: bulk_mode.
Step copyBulk(Warp& warp, const Instr& in, std::uint32_t mask);
/// st.async, red.async: addresses {dst, barrier}, extra->rows the values, in.bytes each; mode as copyBulk.
Step storeAsync(Warp& warp, const Instr& in, std::uint32_t mask);
/// cp.async.bulk.tensor: addresses {shared, map, barrier}, extra->rows the coordinates.
Step copyTensor(Warp& warp, const Instr& in, std::uint32_t mask);
namespace bulk_mode {
constexpr std::uint32_t toGlobal = 1;
constexpr std::uint32_t fromShared = 2; ///< shared to shared
constexpr std::uint32_t multicast = 4; ///< c: the CTA mask
constexpr std::uint32_t reduce = 8; ///< target: AtomicOp
constexpr std::uint32_t prefetch = 16;
} // namespace bulk_mode

} // namespace ptxwb::emulator
