// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/diagnostic.h"

#include <algorithm>

namespace ptxwb {

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Fatal:
        return "fatal";
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Info:
        return "info";
    }
    return "error";
}

int highestGroup(const std::vector<Diagnostic>& diagnostics)
{
    int highest = 0;
    for (const auto& said : diagnostics) {
        highest = std::max(highest, said.group);
    }
    return highest;
}

} // namespace ptxwb
