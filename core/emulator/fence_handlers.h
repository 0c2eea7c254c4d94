// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

#include <cstdint>

namespace ptxwb::emulator {

/// fence.proxy.async and fence.mbarrier_init: writes before it may be read by async agents after it.
Step proxyFence(Warp& warp, const Instr& in, std::uint32_t mask);
/// fence and membar of gpu or system scope: stores before it are published by flags after it.
Step fenceGlobal(Warp& warp, const Instr& in, std::uint32_t mask);

} // namespace ptxwb::emulator
