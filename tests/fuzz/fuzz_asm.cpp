// SPDX-License-Identifier: Apache-2.0
// Any bytes as CUDA C++ with asm statements: what is found lies inside of the text.
#include "core/ptx/asm_lint.h"
#include "core/ptx/asm_statements.h"

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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto found = findAsm(text);
    require(found.code.size() == size);
    for (const auto& statement : found.statements) {
        require(statement.offset < statement.end && statement.end <= size);
        require(statement.line >= 1 && statement.line <= statement.endLine);
        require(statement.notRead.empty() ? statement.origins.size() == statement.text.size() + 1 : true);
        for (const auto origin : statement.origins) {
            require(origin <= size);
        }
    }
    const auto lint = lintCudaAsm(text);
    require(static_cast<bool>(lint)); // PTXWB_SHARE_DIR must name the tree
    for (const auto& finding : lint->findings) {
        require(finding.offset + finding.length <= size && finding.range.line >= 1);
        for (const auto& edit : finding.edits) {
            require(edit.range.line >= 1 && edit.range.endLine >= edit.range.line);
        }
    }
    return 0;
}
