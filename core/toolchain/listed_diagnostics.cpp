// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/listed_diagnostics.h"

#include <algorithm>
#include <array>

namespace ptxwb {

namespace {

// Causes, mismatches that may follow from one that was told elsewhere, what follows, and what is no error.
constexpr std::size_t ranks = 4;
std::size_t rankOf(const Diagnostic& said)
{
    if (said.severity > Severity::Error) {
        return 3;
    }
    if (!said.rootCause) {
        return 2;
    }
    return said.message.starts_with("Arguments mismatch") ? 1 : 0;
}

} // namespace

int limitDiagnostics(std::vector<Diagnostic>& diagnostics, std::size_t most)
{
    if (diagnostics.size() <= most) {
        return 0;
    }
    const auto all = diagnostics.size();
    std::array<std::size_t, ranks> rooms{};
    for (const auto& said : diagnostics) {
        ++rooms[rankOf(said)];
    }
    for (auto& room : rooms) {
        room = std::min(room, most);
        most -= room;
    }
    std::erase_if(diagnostics, [&](const Diagnostic& said) {
        auto& room = rooms[rankOf(said)];
        const bool full = room == 0;
        room -= full ? 0 : 1;
        return full;
    });
    return static_cast<int>(all - diagnostics.size());
}

} // namespace ptxwb
