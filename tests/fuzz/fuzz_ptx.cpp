// SPDX-License-Identifier: Apache-2.0
// Any bytes as PTX: the tokens are the text, and nothing named lies outside of it.
#include "core/ptx/lexer.h"
#include "core/ptx/lint.h"
#include "core/ptx/outline.h"

#include <cstdint>
#include <cstdlib>

using namespace ptxwb;

namespace {

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

PtxLinter& linter()
{
    static auto made = PtxLinter::create();
    require(static_cast<bool>(made)); // PTXWB_SHARE_DIR must name the tree
    return *made;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::size_t at = 0;
    std::uint32_t lastLine = 1;
    for (const auto& token : lexPtx(text)) {
        require(token.offset == at && token.length > 0 && token.line >= lastLine);
        at += token.length;
        lastLine = token.line;
    }
    require(at == size);
    // A block comment or a line end as the last token ends further down.
    const auto lines = static_cast<int>(size) + 1;
    for (const auto& function : outlinePtx(text).functions) {
        require(function.range.line >= 1 && function.range.endLine <= lines);
    }
    // Whole, and as an edit of the last text.
    for (const auto& finding : linter().lint(text)) {
        require(finding.rule != nullptr && finding.offset + finding.length <= size);
        require(finding.range.line >= 1 && finding.range.endLine <= static_cast<int>(lastLine));
    }
    return 0;
}
