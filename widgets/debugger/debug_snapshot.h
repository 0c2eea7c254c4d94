// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/debugger.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb {

/// Memory that is read at every stop.
struct MemoryQuery {
    std::string place{}; ///< "Y[3]", "shared+1024"; empty: none
    std::optional<Dtype> dtype{}; ///< empty: the tensor's own, else 32-bit words
    /// Shown as this matrix; `from` and `dtype` are those above.
    std::optional<emulator::MatrixQuery> matrix{};
};

/// What stands there.
struct DebugMemory {
    std::string name{};
    Dtype dtype = Dtype::Int32;
    bool words = false; ///< of no known type: shown as hexadecimal words
    std::vector<std::byte> bytes{};
    std::uint32_t columns = 8;
    bool isMatrix = false; ///< rows have numbers, no addresses
    std::string problem{}; ///< why nothing could be read
};

/// Everything that the debugger's pane shows of one stop.
struct DebugSnapshot {
    emulator::Stop stop{};
    std::string launch{}; ///< "gemm: grid 56 x 2 x 1, block 384 x 1 x 1, policy early, seed 1"
    emulator::WarpName current{};
    std::optional<emulator::WarpName> running{}; ///< whose instruction is next
    int line = 0; ///< of the current warp; 0: it has exited
    std::uint64_t round = 0;
    std::uint64_t instructions = 0;
    bool over = false;
    std::vector<emulator::WarpView> warps{};
    std::vector<emulator::BarrierView> barriers{};
    std::vector<emulator::NamedBarrierView> namedBarriers{};
    std::vector<emulator::PendingView> pending{};
    std::vector<emulator::RegisterView> registers{}; ///< of the current warp
    std::vector<emulator::Watchpoint> watches{};
    std::vector<std::string> watchValues{}; ///< of each watch, now
    std::vector<emulator::Report> reports{};
    DebugMemory memory{};
    std::string note{}; ///< what a command could not do
};

} // namespace ptxwb
