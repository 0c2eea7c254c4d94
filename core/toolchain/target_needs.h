// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/fix_makers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// What the messages about targets and versions ask for, together.
struct TargetNeeds {
    std::vector<std::string> blocked{}; ///< instructions, each once
    std::vector<std::vector<std::string>> targets{}; ///< for each need the targets that meet it
    bool isOpen = false; ///< of some need it is not known which targets meet it
    std::string version{}; ///< the latest that a message or an instruction asks for
    int messages = 0; ///< about targets

    void raise(std::string_view wanted);
    /// Whether the target meets every need that is known.
    bool permit(const std::string& target) const;
};

TargetNeeds targetNeedsOf(const FixContext& context);

/// The own chip, plain or with a suffix, before another one; nothing if none is known to meet all needs.
std::optional<std::string> targetFor(const TargetNeeds& needs, const std::string& own);

} // namespace ptxwb::detail
