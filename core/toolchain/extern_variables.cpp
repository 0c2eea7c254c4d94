// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/extern_variables.h"

#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

namespace ptxwb::detail {

void placeExtern(Diagnostic& said, const CodeText& code)
{
    const auto name = quotedText(said.message);
    bool isShared = false;
    bool isExtern = false;
    for (std::size_t i = 0; i < code.size() && !name.empty(); ++i) {
        const auto word = code.text(i);
        if (word == ";" || word == "{" || word == "}") {
            isShared = isExtern = false;
        }
        isExtern = isExtern || word == ".extern";
        isShared = isShared || word == ".shared";
        if (!isExtern || word != name) {
            continue;
        }
        said.line = code.line(i);
        said.column = code.column(i);
        said.endColumn = code.endColumn(i);
        if (!isShared) {
            said.explanation =
                "Nothing defines it in this module, and nothing is linked to it: ptxas makes a "
                "variable of its own here.";
            return;
        }
        said.explanation =
            "Shared memory whose size the launch gives is declared with empty brackets. As it "
            "stands ptxas drops .extern: the kernel gets this variable alone, of fixed size, and "
            "none of the bytes that the launch asks for belong to it.";
        if (code.text(i + 1) == ";") {
            said.fixes.push_back(
                {.title = fmt::format("Write {}[]", name), .edits = {code.insertBehind(i, "[]")}});
        }
        return;
    }
}

} // namespace ptxwb::detail
