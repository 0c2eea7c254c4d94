// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::emulator {

/// The closed set of rules; each maps to a verdict (ARCHITECTURE.md).
enum class RuleId : std::uint8_t {
    Deadlock,
    Livelock,
    Race,
    MissingProxyFence,
    MissingWgmmaFence,
    MissingWgmmaWait,
    OutOfBounds,
    TxCountMismatch,
    UninitialisedRead,
    Misaligned,
    BarrierMisuse,
    DivergentAligned,
    DescriptorMismatch,
    Trap,
    ResourceLimit,
    NotEmulated,
};
std::string_view ruleName(RuleId rule); ///< "missing_proxy_fence"
std::optional<RuleId> ruleByName(std::string_view name);

enum class ReportSeverity : std::uint8_t { Error, Warning };

struct SourceLine {
    std::string file{};
    int line = 0;
    bool operator==(const SourceLine&) const = default;
};

/// Where in memory a report is about.
struct ReportAddress {
    std::string space{}; ///< "shared", "global"
    std::string symbol{}; ///< variable or buffer, may be empty
    std::uint64_t offset = 0; ///< bytes from the symbol
};

/// One finding of the emulator, or of a tool that reports in its terms.
struct Report {
    RuleId rule = RuleId::NotEmulated;
    ReportSeverity severity = ReportSeverity::Error;
    std::string message{};
    std::vector<SourceLine> lines{}; ///< the line that met it first, then the other party
    std::string kernel{};
    std::string warp{}; ///< "cta (0,0,0) warp 4"
    std::string agent{}; ///< "tma", "wgmma", empty: a thread
    std::optional<ReportAddress> address{};
    std::string policy{};
    std::uint64_t seed = 0;
    std::uint64_t step = 0; ///< instructions executed in the CTA's cluster before it
    std::string fix{};
    std::uint64_t occurrences = 1;
    bool atLeast = false; ///< the run was stopped early: `occurrences` is what was seen until then
    std::uint64_t cta = 0; ///< linear index
    bool bySanitizer = false; ///< of compute-sanitizer on a GPU, not of the emulator
};

} // namespace ptxwb::emulator
