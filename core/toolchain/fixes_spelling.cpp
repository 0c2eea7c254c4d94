// SPDX-License-Identifier: Apache-2.0
// Words that no instruction knows: the nearest words of the ISA table.
#include "core/ptx/forms_table.h"
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/word_aliases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ptxwb::detail {

namespace {

std::string_view firstPart(std::string_view opcode)
{
    return opcode.substr(0, opcode.find('.'));
}

// Words that may stand behind `before` in a dotted opcode: parts of longer mnemonics, and modifiers of this
// one.
std::vector<std::string> wordsBehind(const IsaTable& isa, std::string_view before)
{
    std::set<std::string> words;
    const auto* row = isa.find(before);
    for (const auto& one : isa.instructions()) {
        const std::string_view mnemonic = one.mnemonic;
        if (row != nullptr && one.mnemonic == row->mnemonic) {
            words.insert(one.modifiers.begin(), one.modifiers.end());
        }
        if (mnemonic.size() > before.size() && mnemonic.starts_with(before)
            && mnemonic[before.size()] == '.') {
            const auto rest = mnemonic.substr(before.size());
            words.insert(std::string(rest.substr(0, rest.find('.', 1))));
            if (row == nullptr) {
                words.insert(one.modifiers.begin(), one.modifiers.end());
            }
        }
    }
    return {words.begin(), words.end()};
}

// Every place of the dotted word on the line, with the opcode part before it.
struct Place {
    std::size_t token = 0;
    std::string_view before{};
};

std::vector<Place> placesOf(const CodeText& code, int line, std::string_view word)
{
    std::vector<Place> places;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        if (code.text(i) != word) {
            continue;
        }
        auto first = i;
        while (first > 0 && code[first - 1].offset + code[first - 1].length == code[first].offset
            && code.text(first).starts_with('.')) {
            --first;
        }
        const auto start = code[first].offset;
        places.push_back({i, code.source().substr(start, code[i].offset - start)});
    }
    return places;
}

std::string meant(const std::vector<std::string>& near)
{
    constexpr std::size_t most = 4;
    const std::vector<std::string> shown(
        near.begin(), near.begin() + static_cast<std::ptrdiff_t>(std::min(most, near.size())));
    return near.empty() ? std::string() : fmt::format(" Did you mean {}?", fmt::join(shown, " or "));
}

// Puts `word` in place of a token whose text is `wrong`, on every line of the cause.
void replaceEverywhere(
    Fix& fix, const Cause& cause, const CodeText& code, std::string_view wrong, const std::string& word)
{
    std::set<int> lines;
    for (const auto* said : cause.members) {
        if (said->line) {
            lines.insert(*said->line);
        }
    }
    for (const int line : lines) {
        for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
            if (code.text(i) == wrong) {
                fix.edits.push_back(code.replaceTokens(i, i + 1, word));
            }
        }
    }
}

std::string lower(std::string_view text)
{
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return made;
}

// Of words that are equally near, those with the same letters: "setp" before "set" for "sept".
void preferSameLetters(std::vector<std::string>& near, std::string_view word)
{
    const auto sorted = [](std::string_view text) {
        std::string letters(text);
        std::sort(letters.begin(), letters.end());
        return letters;
    };
    std::vector<std::string> same;
    std::copy_if(near.begin(), near.end(), std::back_inserter(same),
        [&](const std::string& one) { return sorted(one) == sorted(word); });
    if (!same.empty()) {
        near = std::move(same);
    }
}

// ".m8n8x4" is ".m8n8.x4" with a dot forgotten; empty: it is not two words of this opcode.
std::string withItsDot(const IsaTable& isa, std::string_view before, std::string_view word)
{
    const auto isKnown = [&](std::string_view opcode, const std::string& part) {
        const auto words = wordsBehind(isa, opcode);
        return std::find(words.begin(), words.end(), part) != words.end() || isa.isType(part);
    };
    for (auto end = word.size() - 1; end > 1; --end) {
        const std::string first(word.substr(0, end));
        const auto second = fmt::format(".{}", word.substr(end));
        if (isKnown(before, first) && isKnown(std::string(before) + first, second)) {
            return first + second;
        }
    }
    return {};
}

std::optional<Remedy> modifier(const Cause& cause, const FixContext& context, std::string_view word)
{
    const auto places = placesOf(context.code, cause.root->line.value_or(0), word);
    if (places.empty()) {
        return std::nullopt;
    }
    const auto before = places.front().before;
    const auto words = wordsBehind(*context.isa, before);
    auto near = nearestWords(word, words);
    preferSameLetters(near, word);
    if (const auto alias = std::string(aliasOfModifier(word)); !alias.empty()
        && (std::find(words.begin(), words.end(), alias) != words.end() || context.isa->isType(alias))) {
        near = {alias};
    } else if (const auto low = lower(word);
               low != word && std::find(words.begin(), words.end(), low) != words.end()) {
        near = {low};
    } else if (auto dotted = withItsDot(*context.isa, before, word); !dotted.empty()) {
        near = {std::move(dotted)};
    }
    Remedy made;
    if (std::find(words.begin(), words.end(), word) != words.end()) {
        made.explanation = fmt::format("{} exists, but not at this place of {}.", word, firstPart(before));
        return made;
    }
    made.explanation = fmt::format("No form of {} has a part {}.{}", before, word, meant(near));
    if (near.size() == 1) {
        Fix fix{.title = fmt::format("Change {} to {}", word, near.front())};
        replaceEverywhere(fix, cause, context.code, word, near.front());
        made.fixes.push_back(std::move(fix));
    }
    return made;
}

bool isFirstPart(const IsaTable& isa, std::string_view name)
{
    const auto& all = isa.instructions();
    return std::any_of(
        all.begin(), all.end(), [&](const auto& one) { return firstPart(one.mnemonic) == name; });
}

// Of "wgmma" and "wmma" for "wgma.fence" the one that goes on with ".fence".
void preferKnownContinuation(std::vector<std::string>& near, const Cause& cause, const IsaTable& isa)
{
    const auto modifier = std::find_if(cause.members.begin(), cause.members.end(),
        [](const Diagnostic* said) { return said->message.starts_with("Unknown modifier"); });
    if (near.size() < 2 || modifier == cause.members.end()) {
        return;
    }
    const auto goesOn = [&](const std::string& name) {
        const auto longer = name + std::string(quotedText((*modifier)->message));
        const auto& all = isa.instructions();
        return std::any_of(
            all.begin(), all.end(), [&](const auto& one) { return one.mnemonic.starts_with(longer); });
    };
    std::vector<std::string> better;
    std::copy_if(near.begin(), near.end(), std::back_inserter(better), goesOn);
    if (!better.empty()) {
        near = std::move(better);
    }
}

// Of names that are equally near, those that take every word which the opcode has.
void preferKnownWords(
    std::vector<std::string>& near, const FixContext& context, const Diagnostic& said, std::string_view name)
{
    const auto forms = FormsTable::shared();
    if (near.size() < 2 || !forms) {
        return;
    }
    const auto& code = context.code;
    const int line = said.line.value_or(0);
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code.text(i) == name ? code.statementAt(i) : std::nullopt;
        if (!statement) {
            continue;
        }
        const auto rest = statement->opcode.substr(std::min(name.size(), statement->opcode.size()));
        std::vector<std::string> fitting;
        for (const auto& one : near) {
            const auto opcode = one + std::string(rest);
            const auto* form = (*forms)->find(opcode);
            auto words =
                form == nullptr ? std::string_view{} : std::string_view(opcode).substr(form->mnemonic.size());
            bool fits = form != nullptr
                && (form->maxOperands < 0
                    || (static_cast<int>(statement->operands.size()) >= form->minOperands
                        && static_cast<int>(statement->operands.size()) <= form->maxOperands));
            while (fits && !words.empty()) {
                const auto end = std::min(words.find('.', 1), words.size());
                fits = form->word(words.substr(0, end)) != nullptr;
                words.remove_prefix(end);
            }
            if (fits) {
                fitting.push_back(one);
            }
        }
        near = fitting.empty() ? near : fitting;
        return;
    }
}

// "ADD", "return" and "mul_wide": what PTX writes for a word of another habit; empty: nothing known.
std::string otherNotation(std::string_view name, const std::set<std::string>& known)
{
    if (const auto low = lower(name); low != name && known.contains(low)) {
        return low;
    }
    if (const auto alias = aliasOfInstruction(name); !alias.empty()) {
        return std::string(alias);
    }
    std::string dotted = lower(name);
    std::replace(dotted.begin(), dotted.end(), '_', '.');
    const bool joined =
        dotted.find('.') != std::string::npos && !dotted.starts_with('.') && !dotted.ends_with('.');
    return joined && known.contains(dotted.substr(0, dotted.find('.'))) ? dotted : std::string();
}

// "Not a name of any known instruction: 'wgma'"
std::optional<Remedy> instruction(const Cause& cause, const FixContext& context, const Diagnostic& said)
{
    const auto name = quotedText(said.message);
    std::set<std::string> known;
    for (const auto& one : context.isa->instructions()) {
        known.insert(std::string(firstPart(one.mnemonic)));
    }
    auto near = nearestWords(name, {known.begin(), known.end()});
    preferSameLetters(near, name);
    preferKnownContinuation(near, cause, *context.isa);
    preferKnownWords(near, context, said, name);
    if (auto better = otherNotation(name, known); !better.empty()) {
        near = {std::move(better)};
    }
    if (near.size() == 1 && near.front() == name) { // the first words of several instructions
        near.clear();
    }
    Remedy made{
        .explanation = fmt::format("PTX has no instruction {}.{} Modifiers behind an unknown instruction are "
                                   "reported too, whether they exist or not.",
            name, meant(near))};
    const auto& code = context.code;
    if (near.size() == 1) {
        Fix fix{.title = fmt::format("Change {} to {}", name, near.front())};
        replaceEverywhere(fix, cause, code, name, near.front());
        if (!fix.edits.empty()) {
            made.fixes.push_back(std::move(fix));
        }
    }
    if (&said != cause.root) {
        made.otherRoot = &said;
    }
    return made;
}

// "Unknown field '.s32'" comes where an unknown word made ptxas read the opcode as a variable.
std::optional<Remedy> field(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    for (auto i = code.firstOnLine(*cause.root->line); i < code.size() && code.line(i) == *cause.root->line;
         ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (!statement) {
            continue;
        }
        const auto* row = context.isa->find(statement->opcode);
        auto at = row != nullptr ? row->mnemonic.size() : firstPart(statement->opcode).size();
        while (at < statement->opcode.size()) {
            const auto end = std::min(statement->opcode.find('.', at + 1), statement->opcode.size());
            const auto part = statement->opcode.substr(at, end - at);
            const auto words = wordsBehind(*context.isa, statement->opcode.substr(0, at));
            if (std::find(words.begin(), words.end(), part) == words.end() && !context.isa->isType(part)) {
                return modifier(cause, context, part);
            }
            at = end;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfSpelling(const Cause& cause, const FixContext& context)
{
    if (context.isa == nullptr || !cause.root->line) {
        return std::nullopt;
    }
    for (const auto* said : cause.members) {
        const bool unknownName = said->message.starts_with("Not a name of any known instruction");
        if (unknownName && !isFirstPart(*context.isa, quotedText(said->message))) {
            return instruction(cause, context, *said);
        }
    }
    if (cause.root->message.starts_with("Unknown modifier")) {
        return modifier(cause, context, quotedText(cause.root->message));
    }
    if (cause.root->message.starts_with("Unknown field")) {
        return field(cause, context);
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
