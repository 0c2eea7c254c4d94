// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <optional>
#include <string_view>

namespace ptxwb::detail {

/// The shapes in which ptxas, nvcc, cicc, gcc and ld print a message, one line each. Pure functions of the
/// line.

/// `ptxas F, line N; error   : M` and `ptxas error   : M`, also of nvcc, nvlink and fatbinary. A code
/// `(C7510)` at the start of M and `on line N` at its end are taken apart.
std::optional<Diagnostic> parseNvidiaLine(std::string_view line, std::string_view toolFile);

/// `F(N): error: M`, `F(N): warning #177-D: M` and, without a place, `At end of source: error: M` (cudafe++
/// and cicc).
std::optional<Diagnostic> parseCudafeLine(std::string_view line);

/// `F:N:C: error: M`, `F:N: ...` and `cc1plus: error: M` (gcc, ld).
std::optional<Diagnostic> parseGccLine(std::string_view line);

} // namespace ptxwb::detail
