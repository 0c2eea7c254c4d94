// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"
#include "core/toolchain/fix_proof.h"

#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// Whether a carriage return stands without a newline behind it. Editors end a line there, ptxas does not.
bool hasLoneReturns(std::string_view source);

/// The edits that make newlines of the lone carriage returns; none where there are none.
Fix loneReturnMending(std::string_view source);

/// Adds what lone carriage returns do to a PTX text that ptxas has read: the cause of every error of ptxas,
/// which sees other lines; a warning where a comment takes in code; else a note.
void addLoneReturns(std::vector<Diagnostic>& diagnostics, std::string_view source,
    std::string_view displayName, bool isRefused, const AskPtxas& ask);

} // namespace ptxwb::detail
