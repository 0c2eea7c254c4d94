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
                if (declaration == nullptr || declaration->count > 0) {
                    continue; // of a series each register would be declared for itself
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
    std::set<std::string_view> names;
    for (const auto& [name, suspect] : suspects) {
        names.insert(code.text(name));
    }
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (!names.contains(code.text(i))) {
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

Fix declareAs(const CodeText& code, const std::vector<const Suspect*>& of)
{
    const auto& first = *of.front()->declaration;
    const auto& wanted = of.front()->wanted;
    Fix fix{.title = fmt::format("Declare {} as {}", code.text(first.name), wanted)};
    if (static_cast<int>(of.size()) == first.names) {
        fix.title = fmt::format("Change {} to {}", code.text(first.type), wanted);
        fix.edits.push_back(code.replaceTokens(first.type, first.type + 1, wanted));
        return fix;
    }
    std::vector<std::string_view> names;
    for (const auto* suspect : of) {
        const auto name = suspect->declaration->name;
        const bool beforeComma = code.text(name + 1) == ",";
        names.push_back(code.text(name));
        fix.edits.push_back(
            code.replaceTokens(beforeComma ? name : name - 1, name + (beforeComma ? 2 : 1), ""));
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
        std::vector<std::string_view> names;
        for (const auto* suspect : of) {
            names.push_back(code.text(suspect->declaration->name));
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
