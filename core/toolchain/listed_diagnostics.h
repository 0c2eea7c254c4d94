// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <cstddef>

namespace ptxwb {

/// More messages than anybody reads, and fewer than any pane or JSON reader chokes on.
inline constexpr std::size_t mostDiagnostics = 1000;

/// Leaves `most` in their order: of the errors the root causes before what follows from them, both before
/// what is no error, and of each the first ones. Needs markRootCauses before. Returns how many went.
int limitDiagnostics(std::vector<Diagnostic>& diagnostics, std::size_t most = mostDiagnostics);

} // namespace ptxwb
