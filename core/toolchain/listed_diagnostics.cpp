// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/listed_diagnostics.h"

#include <algorithm>

namespace ptxwb {

int limitDiagnostics(std::vector<Diagnostic>& diagnostics, std::size_t most)
{
    if (diagnostics.size() <= most) {
        return 0;
    }
    const auto isError = [](const Diagnostic& said) { return said.severity <= Severity::Error; };
    const auto all = diagnostics.size();
    auto errors = std::min(
        most, static_cast<std::size_t>(std::count_if(diagnostics.begin(), diagnostics.end(), isError)));
    auto others = most - errors;
    std::erase_if(diagnostics, [&](const Diagnostic& said) {
        auto& room = isError(said) ? errors : others;
        const bool full = room == 0;
        room -= full ? 0 : 1;
        return full;
    });
    return static_cast<int>(all - diagnostics.size());
}

} // namespace ptxwb
