// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint.h"
#include "core/toolchain/diagnostic.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// Lint of a text; nothing where there is none.
using ReadLint = std::function<std::optional<std::vector<LintFinding>>(const std::string& text)>;

/// Folds what lint says of `text` under the error that it follows from: what it does not say any more of the
/// text with the error's first fix.
void foldLintConsequences(std::vector<Diagnostic>& diagnostics, std::string_view text,
    std::string_view displayName, const ReadLint& read);

} // namespace ptxwb::detail
