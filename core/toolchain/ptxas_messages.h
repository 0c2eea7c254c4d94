// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

struct CompilerMessages {
    std::vector<Diagnostic> diagnostics{};
    std::vector<PerformanceNote> notes{};
    std::vector<KernelResources> kernels{};
    std::vector<std::string> unparsed{}; ///< lines that fit no known shape; shown verbatim, never dropped
};

/// Parses stderr+stdout of ptxas or nvcc. `toolFile` is the name under which the tool saw the source,
/// `userFile` the name to report instead. Pure.
CompilerMessages parseCompilerMessages(
    std::string_view output, std::string_view toolFile, std::string_view userFile);

/// Per line (from 1) of a text the line where the statement begins that its first word belongs to.
using StatementLines = std::vector<int>;

/// Groups messages of one line of one file, and marks one of each group as the root cause: an unknown symbol
/// before an unknown modifier, that before an unknown instruction, and mismatching arguments last. Pure; part
/// of the parser. With `statements` of the file `ofFile` messages of one statement count as of one line: the
/// tool spreads what it says of an operand list over its lines.
void markRootCauses(std::vector<Diagnostic>& diagnostics, const StatementLines& statements = {},
    std::string_view ofFile = {});

/// Gives diagnostics of `source` a column and an end column: of PTX messages by finding the quoted word among
/// the tokens of their line, of nvcc messages by the text at the caret. Those of other files must not be
/// given. Pure.
void locateColumns(std::vector<Diagnostic>& diagnostics, std::string_view source);

/// What a C75xx note means, why it usually comes and what to look for. Own words; empty strings for an
/// unknown note. The words of the message decide before the code.
struct PerformanceNoteText {
    std::string_view meaning{};
    std::string_view usualCause{};
    std::string_view lookFor{};
};
PerformanceNoteText performanceNoteText(std::string_view code, std::string_view message = {});

} // namespace ptxwb
