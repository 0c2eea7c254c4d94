// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// The text as the tools get it, and what was said about it.
struct SourceText {
    std::string text{}; ///< the bytes as they are
    std::vector<Diagnostic> diagnostics{};
    bool usable = true; ///< false: empty, UTF-16 or binary; the diagnostics say so
};

/// Looks at the bytes before a tool does, because the tools' own words for these cases mislead. Pure.
SourceText prepareSource(std::string_view bytes, std::string_view displayName, std::string_view languageWord);

} // namespace ptxwb::detail
