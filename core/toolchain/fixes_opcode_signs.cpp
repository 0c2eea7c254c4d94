// SPDX-License-Identifier: Apache-2.0
// "Parsing error near" within an opcode: `shared:cta`, `setp.>=`, `.32x64b`, a statement of inline assembly.
#include "core/ptx/forms_table.h"
#include "core/ptx/spelling.h"
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace ptxwb::detail {

namespace {

bool joins(const CodeText& code, std::size_t i)
{
    return i + 1 < code.size() && code[i].offset + code[i].length == code[i + 1].offset;
}

bool beginsStatement(const CodeText& code, std::size_t i)
{
    if (i == 0) {
        return true;
    }
    const auto before = code.text(i - 1);
    return before == ";" || before == ":"
        || ((before == "{" || before == "}") && !code.isOperandBrace(i - 1));
}

bool isWord(const FormsTable& forms, std::string_view text)
{
    return std::any_of(
        forms.instructions().begin(), forms.instructions().end(), [&](const PtxForms& instruction) {
            return instruction.mnemonic.find(text) != std::string::npos
                || std::any_of(instruction.words.begin(), instruction.words.end(),
                    [&](const auto& word) { return word.first.starts_with(text); });
        });
}

// What belongs between the words around the colon: "::" within `.shared::cta`, "." in `.release.cluster`;
// empty where the colon stands for neither.
std::string_view signFor(const CodeText& code, std::size_t colon)
{
    const auto before = code.text(colon - 1);
    const auto tail = before.substr(std::min(before.rfind('.'), before.size()));
    if (tail.empty() || colon + 1 >= code.size()
        || std::isalpha(static_cast<unsigned char>(code.text(colon + 1).front())) == 0) {
        return {};
    }
    const auto next = code.text(colon + 1).substr(0, code.text(colon + 1).find('.'));
    const auto forms = FormsTable::shared();
    if (!forms || isWord(**forms, fmt::format("{}::{}", tail, next))) {
        return "::";
    }
    const bool areTwo = (*forms)->isWord(tail) && (*forms)->isWord(fmt::format(".{}", next));
    return areTwo ? "." : "";
}

// `mbarrier.init.shared:cta.b64` and `.release:cluster`: the colon and all of its kind in the text, since
// ptxas reads no further than to the first.
std::optional<Remedy> singleColon(const CodeText& code, std::size_t i)
{
    std::vector<std::pair<std::size_t, std::string_view>> found;
    bool isHere = false;
    for (std::size_t at = 1; at < code.size(); ++at) {
        if (code.text(at) != ":") {
            continue;
        }
        // The second of `.mbarrier:complete_tx:bytes` follows a word without a dot.
        const bool isChained = !found.empty() && found.back().first + 2 == at && joins(code, at - 1)
            && joins(code, at) && code.text(at - 1).find('.') == std::string_view::npos;
        if (const auto sign = isChained ? std::string_view("::") : signFor(code, at); !sign.empty()) {
            found.emplace_back(at, sign);
            isHere = isHere || at == i;
        }
    }
    if (!isHere) {
        return std::nullopt;
    }
    Fix fix;
    std::string_view ours;
    for (const auto& [at, sign] : found) {
        ours = at == i ? sign : ours;
        fix.edits.push_back({.line = code.line(at - 1),
            .startColumn = code.endColumn(at - 1),
            .endLine = code.line(at + 1),
            .endColumn = code.column(at + 1),
            .text = std::string(sign)});
    }
    const auto before = code.text(i - 1);
    const auto whole = fmt::format("{}{}{}", before.substr(std::min(before.rfind('.'), before.size())), ours,
        code.text(i + 1).substr(0, code.text(i + 1).find('.')));
    fix.title = fmt::format("Write {}", whole);
    if (found.size() > 1) {
        fix.title +=
            fmt::format(", and mend {} more single colon{}", found.size() - 1, found.size() > 2 ? "s" : "");
    }
    return Remedy{.explanation = ours == "::"
            ? fmt::format("Two colons stand within a word of an opcode: {}.", whole)
            : fmt::format("A dot stands between two words of an opcode: {}.", whole),
        .fixes = {std::move(fix)}};
}

struct Relation {
    std::string_view sign;
    std::string_view word;
};

constexpr std::array<Relation, 8> relations{{{">=", ".ge"}, {"<=", ".le"}, {"==", ".eq"}, {"!=", ".ne"},
    {"<>", ".ne"}, {">", ".gt"}, {"<", ".lt"}, {"=", ".eq"}}};

// `setp.>=.u32`
std::optional<Remedy> relation(const CodeText& code, std::size_t i)
{
    const auto first = code.firstOnLine(code.line(i));
    for (auto at = first; at < code.size() && code.line(at) == code.line(i); ++at) {
        const auto word = code.text(at);
        if (!word.starts_with("setp") && !word.starts_with("set")) {
            continue;
        }
        auto dot = at;
        while (joins(code, dot) && !code.text(dot).ends_with('.')) {
            ++dot;
        }
        const auto end = code[dot].offset + code[dot].length;
        const auto rest = code.source().substr(end);
        const auto found = std::find_if(relations.begin(), relations.end(),
            [&](const Relation& one) { return rest.starts_with(one.sign); });
        if (!code.text(dot).ends_with('.') || found == relations.end()) {
            continue;
        }
        auto last = dot;
        while (last < code.size() && code[last].offset < end + found->sign.size()) {
            ++last;
        }
        const auto text = code.text(dot);
        const auto before = text.substr(0, text.size() - 1);
        return Remedy{.explanation = fmt::format(
                          "setp names its relation by a word: {} for {}.", found->word, found->sign),
            .fixes = {{.title = fmt::format("Write {} for {}", found->word, found->sign),
                .edits = {code.replaceTokens(dot, last, fmt::format("{}{}", before, found->word))}}}};
    }
    return std::nullopt;
}

// `asm volatile("bar.sync 0;");` in a text that is PTX
std::optional<Remedy> inlineAssembly(const CodeText& code, std::size_t i)
{
    auto at = i;
    while (at > 0 && code.text(at) != "asm" && code.text(at) != "__asm__" && code.text(at) != ";") {
        --at;
    }
    const auto first = at;
    if ((code.text(at) != "asm" && code.text(at) != "__asm__") || !beginsStatement(code, at)) {
        return std::nullopt;
    }
    ++at;
    at += code.text(at) == "volatile" || code.text(at) == "__volatile__" ? 1 : 0;
    if (code.text(at) != "(") {
        return std::nullopt;
    }
    Remedy made{.explanation = "asm(\"...\") is CUDA C++: in a PTX file the instruction stands by itself."};
    const auto text = code.text(at + 1);
    std::string inner;
    while (at + 1 < code.size() && code[at + 1].kind == TokenKind::String) {
        const auto word = code.text(++at);
        inner += word.size() > 1 ? word.substr(1, word.size() - 2) : std::string_view{};
    }
    const bool isBare = code.text(at + 1) == ")" && code.text(at + 2) == ";" && !text.empty();
    const bool isPlain =
        inner.find('%') == std::string::npos && inner.find('\\') == std::string::npos && !inner.empty();
    if (!isBare || !isPlain) {
        made.explanation += " Its %0, %1 become the registers, and its constraints go.";
        return made;
    }
    while (!inner.empty() && (inner.back() == ' ' || inner.back() == ';')) {
        inner.pop_back();
    }
    made.fixes.push_back(
        {.title = fmt::format("Write {}", inner), .edits = {code.replaceTokens(first, at + 2, inner)}});
    return made;
}

// `.32x64b` of tcgen05.ld: which lanes and bits each warp moves
std::optional<Remedy> shapeOfTensorMemory(const FixContext& context, int line, std::string_view near)
{
    const auto& code = context.code;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto word = code.text(i);
        if (code[i].kind != TokenKind::Opcode || !word.starts_with("tcgen05.")) {
            continue;
        }
        std::size_t end = code[i].offset;
        const auto source = code.source();
        while (end < source.size() && std::isspace(static_cast<unsigned char>(source[end])) == 0
            && source[end] != ';') {
            ++end;
        }
        const auto opcode = source.substr(code[i].offset, end - code[i].offset);
        const bool isCopy = opcode.starts_with("tcgen05.cp");
        if (!isCopy && !opcode.starts_with("tcgen05.ld") && !opcode.starts_with("tcgen05.st")) {
            continue;
        }
        const std::vector<std::string> known = isCopy
            ? std::vector<std::string>{".128x256b", ".4x256b", ".128x128b", ".64x128b", ".32x128b"}
            : std::vector<std::string>{".16x64b", ".16x128b", ".16x256b", ".32x32b", ".16x32bx2"};
        for (auto at = opcode.find('.', 8); at < opcode.size();) {
            const auto next = std::min(opcode.find('.', at + 1), opcode.size());
            const auto shape = opcode.substr(at, next - at);
            const bool isShape = shape.size() > 3 && std::isdigit(static_cast<unsigned char>(shape[1])) != 0
                && shape.find('x') != std::string_view::npos && shape.ends_with(near);
            if (isShape && std::find(known.begin(), known.end(), shape) == known.end()) {
                auto likely = nearestWords(shape, known);
                const auto& names = likely.empty() ? known : likely;
                Remedy made{.explanation =
                                fmt::format("Found by the workbench: {} is no shape of {}. Did you mean {}?",
                                    shape, word.substr(0, word.find('.', 8)), fmt::join(names, " or "))};
                auto blamed = i;
                while (blamed + 1 < code.size()
                    && code[blamed].offset + code[blamed].length <= code[i].offset + at) {
                    ++blamed;
                }
                auto last = blamed;
                while (last < code.size() && code[last].offset < code[i].offset + next) {
                    ++last;
                }
                made.betterRoot = ownError(context, fmt::format("'{}' is no shape", shape), blamed);
                if (likely.size() == 1) {
                    const auto& name = likely.front();
                    made.fixes.push_back({.title = fmt::format("Change {} to {}", shape, name),
                        .edits = {code.replaceTokens(blamed, last, name)}});
                }
                return made;
            }
            at = next;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfOpcodeSign(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const std::string_view message = cause.root->message;
    if (!message.starts_with("Parsing error near ") || !cause.root->line || code.size() == 0) {
        return std::nullopt;
    }
    const int line = *cause.root->line;
    const auto near = quotedText(message);
    if (auto remedy = near.empty() ? std::nullopt : shapeOfTensorMemory(context, line, near)) {
        return remedy;
    }
    constexpr std::size_t mostPlaces = 64;
    std::size_t places = 0;
    for (auto i = std::max<std::size_t>(code.firstOnLine(line), 1);
         i < code.size() && code.line(i) == line && places < mostPlaces; ++i) {
        if (code.text(i) != near && !(near == "." && code.text(i).ends_with('.'))) {
            continue;
        }
        ++places;
        for (const auto maker : {singleColon, relation, inlineAssembly}) {
            if (auto remedy = maker(code, i)) {
                if (near == ":" && cause.root->column != code.column(i)) { // that of a label
                    remedy->betterRoot = ownError(context, "no ':' belongs here", i);
                }
                return remedy;
            }
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
