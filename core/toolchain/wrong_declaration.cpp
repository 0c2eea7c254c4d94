// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/wrong_declaration.h"

#include "core/toolchain/register_declarations.h"
#include "core/toolchain/use_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace ptxwb::detail {

namespace {

struct Suspect {
    const RegisterDeclaration* declaration = nullptr;
    std::string wanted{};
    std::set<std::size_t> messages{}; ///< that it explains
    bool isCleared = false; ///< an instruction takes it as it is, or they want different things
};

using Suspects = std::map<std::size_t, Suspect>; ///< by the token of the declared name

// What the statement at a token wants of the register there; empty where that is not certain.
std::string wantedAt(const CodeText& code, const PtxStatement& statement, std::size_t token)
{
    const auto opcode = statement.opcode;
    const auto root = opcode.substr(0, opcode.find('.'));
    if (root == "cp") { // its addresses may be of either width; a mask of CTAs has 16 bits
        const auto behind = opcode.find(".L2::cache_hint") == std::string_view::npos ? 1U : 2U;
        const bool hasMask = opcode.find(".multicast::cluster") != std::string_view::npos
            && statement.operands.size() > 2 + behind;
        const auto mask = hasMask ? statement.operands[statement.operands.size() - behind]
                                  : std::pair<std::size_t, std::size_t>{};
        return token >= mask.first && token < mask.second ? ".b16" : "";
    }
    const bool lenient = root == "ld" || root == "st" || root == "cvt" || root == "atom" || root == "red";
    return lenient ? std::string() : registerTypeAt(code, statement, token);
}

bool isMismatch(const Diagnostic& said, std::string_view displayName)
{
    return said.rootCause && said.line && said.file == displayName
        && said.message.starts_with("Arguments mismatch");
}

void accuse(
    Suspects& suspects, const CodeText& code, const RegisterDeclarations& registers, int line, std::size_t at)
{
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (!statement || statement->opcodeFirst != i) {
            continue;
        }
        for (const auto& [first, end] : statement->operands) {
            for (auto token = first; token < end; ++token) {
                const auto* declaration = registers.find(token);
                if (declaration == nullptr) {
                    continue;
                }
                const auto wanted = wantedAt(code, *statement, token);
                if (wanted.empty()
                    || fitsKind(registerKindOf(code.text(declaration->type)), registerKindOf(wanted))) {
                    continue;
                }
                auto& suspect = suspects[declaration->name];
                suspect.isCleared = suspect.isCleared
                    || (!suspect.wanted.empty()
                        && !fitsKind(registerKindOf(wanted), registerKindOf(suspect.wanted)));
                suspect.declaration = declaration;
                suspect.wanted = suspect.wanted.empty() ? wanted : suspect.wanted;
                suspect.messages.insert(at);
            }
        }
    }
}

// An instruction that takes the register as it is declared speaks for it.
void clear(Suspects& suspects, const CodeText& code, const RegisterDeclarations& registers)
{
    std::set<std::string_view> names; // of a series what stands before the number
    for (const auto& [name, suspect] : suspects) {
        names.insert(code.text(name));
    }
    for (std::size_t i = 0; i < code.size() && !names.empty(); ++i) {
        const auto text = code.text(i);
        if (!names.contains(text)
            && !names.contains(text.substr(0, text.find_last_not_of("0123456789") + 1))) {
            continue;
        }
        const auto* declaration = registers.find(i);
        const auto statement = declaration == nullptr ? std::nullopt : code.statementAt(i);
        if (!statement) {
            continue;
        }
        const auto suspect = suspects.find(declaration->name);
        const auto wanted = wantedAt(code, *statement, i);
        if (suspect != suspects.end() && !wanted.empty()
            && fitsKind(registerKindOf(code.text(declaration->type)), registerKindOf(wanted))) {
            suspect->second.isCleared = true;
        }
    }
}

// "%r<9>" of a series.
std::string nameOf(const CodeText& code, const RegisterDeclaration& declaration)
{
    return declaration.count > 0 ? fmt::format("{}<{}>", code.text(declaration.name), declaration.count)
                                 : std::string(code.text(declaration.name));
}

Fix declareAs(const CodeText& code, const std::vector<const Suspect*>& of)
{
    const auto& first = *of.front()->declaration;
    const auto& wanted = of.front()->wanted;
    Fix fix{.title = fmt::format("Declare {} as {}", nameOf(code, first), wanted)};
    if (static_cast<int>(of.size()) == first.names) {
        fix.title = fmt::format("Change {} to {}", code.text(first.type), wanted);
        fix.edits.push_back(code.replaceTokens(first.type, first.type + 1, wanted));
        return fix;
    }
    std::vector<std::string> names;
    for (const auto* suspect : of) {
        const auto name = suspect->declaration->name;
        const auto end = name + (suspect->declaration->count > 0 ? 4 : 1); // "<9>" behind a series
        const bool beforeComma = code.text(end) == ",";
        names.push_back(nameOf(code, *suspect->declaration));
        fix.edits.push_back(
            code.replaceTokens(beforeComma ? name : name - 1, end + (beforeComma ? 1 : 0), ""));
    }
    fix.edits.push_back(
        code.insertBehind(first.end, fmt::format("\n    .reg {} {};", wanted, fmt::join(names, ", "))));
    return fix;
}

} // namespace

void blameDeclarations(
    std::vector<Diagnostic>& diagnostics, const CodeText& code, std::string_view displayName)
{
    std::vector<std::size_t> mismatches;
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
        if (isMismatch(diagnostics[i], displayName)) {
            mismatches.push_back(i);
        }
    }
    constexpr std::size_t most = 500; // a text with more is no text with one wrong declaration
    if (mismatches.size() < 2 || mismatches.size() > most) {
        return;
    }
    const RegisterDeclarations registers(code);
    Suspects suspects;
    for (const auto at : mismatches) {
        accuse(suspects, code, registers, *diagnostics[at].line, at);
    }
    clear(suspects, code, registers);
    std::map<std::pair<std::size_t, std::string>, std::vector<const Suspect*>> causes;
    for (const auto& [name, suspect] : suspects) {
        if (!suspect.isCleared && suspect.messages.size() > 1) {
            causes[{suspect.declaration->directive, suspect.wanted}].push_back(&suspect);
        }
    }
    std::vector<Diagnostic> ours;
    for (const auto& [key, of] : causes) {
        std::set<std::size_t> messages;
        std::vector<std::string> names;
        for (const auto* suspect : of) {
            names.push_back(nameOf(code, *suspect->declaration));
            for (const auto at : suspect->messages) {
                if (diagnostics[at].rootCause) {
                    messages.insert(at);
                }
            }
        }
        if (messages.size() < 2) {
            continue;
        }
        const auto& first = *of.front()->declaration;
        Diagnostic made{.severity = Severity::Error,
            .message = fmt::format("{} {} declared {}, but the instructions that use {} ({}) need {}",
                fmt::join(names, ", "), names.size() == 1 ? "is" : "are", code.text(first.type),
                names.size() == 1 ? "it" : "them", messages.size(), key.second),
            .file = std::string(displayName),
            .line = code.line(first.name),
            .column = code.column(first.name),
            .endColumn = code.endColumn(first.name),
            .group = diagnostics[*messages.begin()].group,
            .explanation = "Found by the workbench: no instruction takes the register as it is declared, so "
                           "the declaration is what is wrong.",
            .fixes = {declareAs(code, of)},
            .tool = "ptxwb"};
        std::set<int> groups;
        for (const auto at : messages) {
            groups.insert(diagnostics[at].group);
            diagnostics[at].rootCause = false;
        }
        for (auto& said : diagnostics) {
            said.group = groups.contains(said.group) ? made.group : said.group;
        }
        ours.push_back(std::move(made));
    }
    diagnostics.insert(diagnostics.begin(), ours.begin(), ours.end());
}

} // namespace ptxwb::detail
