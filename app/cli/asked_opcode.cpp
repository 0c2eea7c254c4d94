// SPDX-License-Identifier: Apache-2.0
#include "app/cli/asked_opcode.h"

#include "core/ptx/forms_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxwb::cli {

namespace {

// ".rn", ".f32"
std::vector<std::string_view> wordsOf(std::string_view dotted)
{
    std::vector<std::string_view> words;
    for (auto at = dotted.find('.'); at < dotted.size();) {
        const auto end = std::min(dotted.find('.', at + 1), dotted.size());
        words.push_back(dotted.substr(at, end - at));
        at = end;
    }
    return words;
}

bool hasInOrder(const std::vector<std::string_view>& all, const std::vector<std::string_view>& wanted)
{
    auto at = all.begin();
    for (const auto word : wanted) {
        at = std::find(at, all.end(), word);
        if (at == all.end()) {
            return false;
        }
        ++at;
    }
    return true;
}

bool has(const std::vector<std::string_view>& all, std::string_view word)
{
    return std::find(all.begin(), all.end(), word) != all.end();
}

// The words behind the mnemonic in a line such as "@p ld.global.f32 %f1,[%rd1];".
std::vector<std::string_view> wordsOfExample(std::string_view line, std::string_view mnemonic)
{
    const auto at = line.find(mnemonic);
    if (at == std::string_view::npos) {
        return {};
    }
    const auto rest = line.substr(at + mnemonic.size());
    return wordsOf(rest.substr(0, rest.find_first_of(" ;")));
}

std::pair<int, int> versionOf(std::string_view text)
{
    std::pair<int, int> made{0, 0};
    const auto* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, made.first);
    if (major.ptr != end && *major.ptr == '.') {
        std::from_chars(major.ptr + 1, end, made.second);
    }
    return made;
}

// 90 of "sm_90a", 0 for what is no target; a suffix makes it stricter.
std::pair<int, bool> strictnessOf(std::string_view target)
{
    std::pair<int, bool> made{0, false};
    if (target.starts_with("sm_")) {
        const auto* end = target.data() + target.size();
        const auto number = std::from_chars(target.data() + 3, end, made.first);
        made.second = number.ptr != end && (*number.ptr == 'a' || *number.ptr == 'f');
    }
    return made;
}

void raise(AskedOpcode& made, const std::string& minPtx, const std::string& minTarget)
{
    if (versionOf(minPtx) > versionOf(made.minPtx)) {
        made.minPtx = minPtx;
    }
    if (strictnessOf(minTarget) > strictnessOf(made.minTarget)) {
        made.minTarget = minTarget;
    }
}

// The table's names of kinds of words: the ordering and the scope of a memory access.
std::vector<std::string_view> wordsOfKind(std::string_view part)
{
    if (part == ".sem") {
        return {".relaxed", ".acquire", ".release", ".acq_rel"};
    }
    if (part == ".scope") {
        return {".cta", ".gpu", ".sys"};
    }
    return {};
}

// ".expect_tx, .cluster" names words; "narrow -> bf16x2" is a sentence, which nothing is concluded from.
bool namesWordOf(std::string_view form, const std::vector<std::string_view>& words)
{
    bool found = false;
    while (!form.empty()) {
        const auto end = std::min(form.find_first_of(",/"), form.size());
        auto part = form.substr(0, end);
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        if (part.empty() || part.find_first_of(" <>-(") != std::string_view::npos) {
            return false;
        }
        const auto dotted = part.starts_with('.') ? std::string(part) : fmt::format(".{}", part);
        const auto kind = wordsOfKind(dotted);
        found = found || hasInOrder(words, wordsOf(dotted))
            || std::any_of(kind.begin(), kind.end(), [&](std::string_view word) { return has(words, word); });
        form.remove_prefix(std::min(end + 1, form.size()));
    }
    return found;
}

void raiseByForms(AskedOpcode& made, const std::string& asked, const std::vector<std::string_view>& words)
{
    for (const auto& form : made.row->forms) {
        if (namesWordOf(form.form, words)) {
            raise(made, form.minPtx, form.minTarget);
        }
    }
    const auto table = FormsTable::shared();
    const auto* forms = table ? (*table)->find(asked) : nullptr;
    if (forms == nullptr) {
        return;
    }
    const auto& targets = (*table)->targets();
    for (const auto& [word, need] : forms->words) {
        if (!has(words, word) || (need.version == 0 && need.refusedBy == 0)) {
            continue;
        }
        std::size_t first = 0;
        while (first < targets.size() && (need.refusedBy >> first & 1U) != 0) {
            ++first;
        }
        raise(made, fmt::format("{}.{}", need.version / 10, need.version % 10),
            first > 0 && first < targets.size() ? targets[first] : std::string());
    }
}

// An example that the oldest target takes was asked for no older `.version` than that target's own, so this
// version says nothing about the words.
bool isAtTheFloor(const IsaTable& table, const IsaExample& example)
{
    return !table.targets().empty() && example.targets.starts_with("all")
        && versionOf(example.minPtx) <= versionOf(table.minPtxOfTarget(table.targets().front()));
}

// ".bogus": no word of any instruction, nor the short form of one (".shared" of ".shared::cta").
std::vector<std::string> unknownTo(const std::string& asked, const std::vector<std::string_view>& words)
{
    std::vector<std::string> unknown;
    const auto table = FormsTable::shared();
    const auto* forms = table ? (*table)->find(asked) : nullptr;
    for (const auto word : words) {
        if (forms != nullptr && forms->word(word) == nullptr && !(*table)->isWord(word)
            && forms->mnemonic.find(word) == std::string::npos) {
            unknown.emplace_back(word);
        }
    }
    return unknown;
}

} // namespace

std::string needsText(const std::string& minPtx, const std::string& minTarget)
{
    const bool knowsPtx = !minPtx.empty() && minPtx != "-";
    const bool knowsTarget = !minTarget.empty() && minTarget != "-";
    if (knowsPtx && knowsTarget) {
        return fmt::format("needs .version {} and {}", minPtx, minTarget);
    }
    if (!knowsPtx && !knowsTarget) {
        return "what it needs is not known here";
    }
    return knowsPtx ? fmt::format("needs .version {}", minPtx) : fmt::format("needs {}", minTarget);
}

AskedOpcode readOpcode(const IsaTable& table, const std::string& asked)
{
    const auto* first = table.find(asked);
    if (first == nullptr || asked.size() <= first->mnemonic.size()) {
        return {};
    }
    const auto words = wordsOf(std::string_view(asked).substr(first->mnemonic.size()));
    AskedOpcode made{.row = first};
    for (const auto& row : table.instructions()) {
        for (const auto& example : row.examples) {
            if (row.mnemonic != first->mnemonic || example.targets == "none"
                || !hasInOrder(wordsOfExample(example.ptx, row.mnemonic), words)) {
                continue;
            }
            const auto strictness = [](const IsaExample& one) {
                return std::pair(strictnessOf(one.targets), versionOf(one.minPtx));
            };
            if (made.example == nullptr || strictness(example) < strictness(*made.example)) {
                made.row = &row;
                made.example = &example;
            }
        }
    }
    made.minPtx = made.row->minPtx;
    made.minTarget = made.row->minTarget;
    if (made.example == nullptr) {
        made.unknownWords = unknownTo(asked, words);
        raiseByForms(made, asked, words);
    } else if (isAtTheFloor(table, *made.example)) {
        raiseByForms(made, asked, words);
    } else {
        auto targets = made.example->targets;
        if (targets.ends_with('+')) {
            targets.pop_back();
        }
        std::replace(targets.begin(), targets.end(), ' ', '|');
        raise(made, made.example->minPtx, targets.starts_with("sm_") ? targets : std::string());
    }
    made.needs = needsText(made.minPtx, made.minTarget);
    return made;
}

} // namespace ptxwb::cli
