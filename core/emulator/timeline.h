// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/debugger_views.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::emulator {

/// What ran, waited and was under way in which rounds of the debugger. Rounds are an order, not time: the
/// emulator knows no clock.
struct Timeline {
    /// Rounds in which a warp ran, or stood and waited.
    struct WarpSpan {
        std::uint32_t warp = 0; ///< index into `warps`
        bool waits = false;
        std::uint64_t begin = 0; ///< round
        std::uint64_t end = 0; ///< round behind the last one
        int line = 0; ///< of the first instruction; of the one that waits
        int lastLine = 0; ///< of the last instruction
    };
    enum class OperationKind : std::uint8_t { Copy, Product, Other };
    /// An asynchronous operation, from its issue to its end.
    struct OperationSpan {
        OperationKind kind = OperationKind::Other;
        std::uint32_t warp = 0; ///< that issued it
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        int line = 0;
        std::uint32_t opcode = 0; ///< index into `opcodes`
        bool ended = false; ///< false: under way at the end of the timeline
    };
    struct BarrierPhase {
        std::uint32_t barrier = 0; ///< index into `barriers`
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint64_t phase = 0; ///< completed phases
    };
    struct Barrier {
        std::uint64_t cta = 0;
        std::string place{}; ///< "full + 8"
    };

    std::vector<WarpName> warps{};
    std::vector<Barrier> barriers{};
    std::vector<std::string> opcodes{};
    std::vector<WarpSpan> spans{}; ///< by warp in order of `begin`; those of different warps are mixed
    std::vector<OperationSpan> operations{}; ///< in order of issue
    std::vector<BarrierPhase> phases{}; ///< by barrier in order
    std::uint64_t rounds = 0; ///< that it covers, from the start
    bool isWhole = false; ///< the run was over there
    bool isCut = false; ///< there was more than mostEntries
};
constexpr std::size_t mostTimelineEntries = 400'000;

/// As a trace of Chrome's format, which Perfetto and chrome://tracing show; a microsecond there is a round.
std::string traceJson(const Timeline& timeline, const std::string& title);

} // namespace ptxwb::emulator
