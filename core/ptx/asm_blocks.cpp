// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/asm_blocks.h"

#include "core/ptx/lexer.h"

#include <algorithm>

namespace ptxwb {

namespace {

// Offsets of the braces that the text opens and does not close; of a closing one too many, nothing.
std::vector<std::uint32_t> openBraces(std::string_view text)
{
    std::vector<std::uint32_t> open;
    for (const auto& token : lexPtx(text)) {
        const auto word = token.text(text);
        if (word == "{") {
            open.push_back(token.offset);
        } else if (word == "}") {
            if (open.empty()) {
                return {};
            }
            open.pop_back();
        }
    }
    return open;
}

bool isUncertain(const AsmStatement& one)
{
    const auto count = [&](char sign) { return std::count(one.text.begin(), one.text.end(), sign); };
    return !one.notRead.empty() || count('{') != count('}');
}

} // namespace

std::optional<OpenAsmBlock> blockNeverClosed(const std::vector<AsmStatement>& statements)
{
    if (std::count_if(statements.begin(), statements.end(), isUncertain) != 1) {
        return std::nullopt;
    }
    const auto found = std::find_if(statements.begin(), statements.end(), isUncertain);
    const auto open = openBraces(found->text);
    if (!found->notRead.empty() || open.size() != 1) {
        return std::nullopt;
    }
    return OpenAsmBlock{.statement = &*found, .brace = open.front()};
}

} // namespace ptxwb
