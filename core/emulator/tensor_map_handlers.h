// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

#include <cstdint>

namespace ptxwb::emulator {

/// tensormap.replace: a address, b value (mode 1: 64 bits), target TensorMapField, imm ordinal.
Step replaceTensorMap(Warp& warp, const Instr& in, std::uint32_t mask);
/// tensormap.cp_fenceproxy: addresses {to in global, from in shared memory}.
Step copyTensorMap(Warp& warp, const Instr& in, std::uint32_t mask);
/// fence.proxy.tensormap::generic.acquire: a address.
Step acquireTensorMaps(Warp& warp, const Instr& in, std::uint32_t mask);

class Decoder;
struct Statement;
/// tensormap.*: false for other opcodes.
bool decodeTensorMap(Decoder& decoder, const Statement& s, Instr& in);

} // namespace ptxwb::emulator
