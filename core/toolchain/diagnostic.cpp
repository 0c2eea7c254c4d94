// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/diagnostic.h"

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

} // namespace ptxwb
