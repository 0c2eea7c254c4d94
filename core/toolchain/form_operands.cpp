// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/form_operands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

// Behind the opcode, whose own braces hold no blank.
std::string_view behindOpcode(std::string_view syntax)
{
    const auto blank = syntax.find(' ');
    return blank == std::string_view::npos ? std::string_view{} : syntax.substr(blank + 1);
}

std::string withoutOptional(std::string_view text)
{
    std::string made;
    int depth = 0; // within "{,"
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (depth > 0 || text.substr(i).starts_with("{,")) {
            depth += text[i] == '{' ? 1 : (text[i] == '}' ? -1 : 0);
        } else {
            made += text[i];
        }
    }
    return made;
}

} // namespace

std::vector<std::string> operandsOfForm(std::string_view syntax)
{
    std::vector<std::string> found;
    const auto text = withoutOptional(behindOpcode(syntax));
    int depth = 0;
    std::string one;
    for (const char c : text) {
        depth += c == '{' || c == '[' || c == '(' ? 1 : (c == '}' || c == ']' || c == ')' ? -1 : 0);
        if (c == ',' && depth == 0) {
            found.push_back(std::move(one));
            one.clear();
        } else if (c != ' ' && c != ';') {
            one += c;
        }
    }
    if (!one.empty()) {
        found.push_back(std::move(one));
    }
    return found;
}

std::string nameOfMissing(const IsaInstruction& instruction, std::size_t given, std::size_t missing)
{
    for (const auto& syntax : instruction.syntax) {
        const auto names = operandsOfForm(syntax);
        if (names.size() == given + 1 && missing < names.size()) {
            return names[missing];
        }
    }
    return {};
}

std::string tooFewWords(const IsaInstruction& instruction, std::size_t given)
{
    std::vector<std::string> fewest;
    for (const auto& syntax : instruction.syntax) {
        auto names = operandsOfForm(syntax);
        if (fewest.empty() || names.size() < fewest.size()) {
            fewest = std::move(names);
        }
    }
    if (fewest.size() <= given) {
        return {};
    }
    return fmt::format("It takes {}, and {} here.", fmt::join(fewest, ", "),
        given == 0       ? std::string("no operand stands")
            : given == 1 ? std::string("one operand stands")
                         : fmt::format("{} operands stand", given));
}

} // namespace ptxwb::detail
