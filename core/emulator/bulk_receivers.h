// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/barriers.h"
#include "core/emulator/warp_run.h"

#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

/// A place in shared memory that receives data, with its barrier.
struct Receiver {
    Cta* cta = nullptr;
    std::uint32_t offset = 0;
    std::uint32_t barrier = 0;
    Cta* barrierOwner = nullptr;
};

std::uint64_t operandAddress(const Warp& warp, const AddressOperand& operand, std::uint32_t lane);
/// CTAs of a multicast: the same offsets in each CTA of the mask. Of another copy `own` alone.
void addReceivers(
    Warp& warp, const Instr& in, std::uint32_t lane, const Receiver& own, std::vector<Receiver>& out);
/// Tells the race detector about the operation's accesses to shared memory.
void noteAccesses(Warp& warp, const Instr& in, AsyncOp& op, const std::vector<Receiver>& receivers,
    Cta* source, std::uint32_t sourceOffset, std::uint32_t bytes);

} // namespace ptxwb::emulator
