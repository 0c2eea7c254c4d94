// SPDX-License-Identifier: Apache-2.0
// "Rounding modifier required for instruction 'fma'": which words there are, and the usual one.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

namespace ptxwb::detail {

namespace {

bool isInteger(std::string_view type)
{
    return type.starts_with(".s") || type.starts_with(".u");
}

// From "cvt.s32.f32" .s32 and .f32.
bool roundsToInteger(std::string_view opcode)
{
    const auto source = opcode.rfind('.');
    if (!opcode.starts_with("cvt.") || source == 3 || source == std::string_view::npos) {
        return false;
    }
    const auto result = opcode.rfind('.', source - 1);
    return isInteger(opcode.substr(result, source - result)) && !isInteger(opcode.substr(source));
}

} // namespace

std::optional<Remedy> remedyOfRounding(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!message.starts_with("Rounding modifier ") || !cause.root->line) {
        return std::nullopt;
    }
    const bool mayApproximate = message.find("'.approx'") != std::string_view::npos;
    const auto name = quotedText(message, mayApproximate ? 1 : 0);
    const auto& code = context.code;
    std::string_view opcode;
    Fix fix;
    for (auto i = code.firstOnLine(*cause.root->line); i < code.size() && code.line(i) == *cause.root->line;
         ++i) {
        const auto statement =
            code[i].kind == TokenKind::Opcode && code.text(i) == name ? code.statementAt(i) : std::nullopt;
        if (statement) {
            opcode = statement->opcode;
            const auto* word = roundsToInteger(opcode) ? ".rzi" : ".rn";
            fix.title = fmt::format("Change {} to {}{}", name, name, word);
            fix.edits.push_back(code.insertBehind(i, word));
            break;
        }
    }
    if (opcode.empty()) {
        return std::nullopt;
    }
    const auto* words = roundsToInteger(opcode)
        ? ".rzi (towards zero, as C does), .rni (to nearest even), .rmi (down) or .rpi (up)"
        : ".rn (to nearest even, as C does), .rz (towards zero), .rm (down) or .rp (up)";
    return Remedy{.explanation = fmt::format("{} must say how it rounds: {}{}.", name, words,
                      mayApproximate ? "; or .approx, which is faster and less exact" : ""),
        .fixes = {std::move(fix)}};
}

} // namespace ptxwb::detail
