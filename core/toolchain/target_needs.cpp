// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/target_needs.h"

#include "core/ptx/forms_table.h"
#include "core/toolchain/compile_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxwb::detail {

namespace {

bool holds(std::string_view message, std::string_view words)
{
    return message.find(words) != std::string_view::npos;
}

// "sm_90a|sm_100a/f|sm_103a (note)" -> sm_90a, sm_100a, sm_100f, sm_103a
std::vector<std::string> targetsNamed(std::string_view minTarget)
{
    std::vector<std::string> names;
    std::string number;
    for (auto at = minTarget.find_first_not_of("| "); at != std::string_view::npos;
         at = minTarget.find_first_not_of("|/ ", at)) {
        const auto end = minTarget.find_first_of("|/ (;", at);
        std::string word(minTarget.substr(at, end == std::string_view::npos ? end : end - at));
        if (word == "a" || word == "f") {
            word = number + word;
        } else if (!parseTargetName(word)) {
            break;
        } else {
            number = word.substr(0, word.find_last_of("0123456789") + 1);
        }
        names.push_back(word);
        if (end == std::string_view::npos || minTarget[end] == ';') {
            break;
        }
        at = end;
        if (minTarget[at] == '(' || minTarget.substr(at).starts_with(" (")) {
            at = minTarget.find(')', at);
            if (at == std::string_view::npos) {
                break;
            }
            ++at;
        }
    }
    return names;
}

// Whether an instruction of the table may be used under `.target target`.
bool permits(const std::vector<std::string>& named, const std::string& target)
{
    const auto wanted = parseTargetName(target);
    return wanted && std::any_of(named.begin(), named.end(), [&](const std::string& name) {
        const auto one = parseTargetName(name);
        if (name == target || !one) {
            return name == target;
        }
        if (one->suffix == 'f') { // every later member of the family, with a suffix
            return wanted->suffix != '\0' && targetPermits(name, target);
        }
        return one->suffix == '\0' && wanted->number >= one->number;
    });
}

// The number behind the words, "8.0" of "requires PTX ISA .version 8.0 or later".
std::string_view wordBehind(std::string_view message, std::string_view words)
{
    const auto at = message.find(words);
    if (at == std::string_view::npos) {
        return {};
    }
    const auto word = message.substr(at + words.size());
    return word.substr(0, word.find(' '));
}

// The instruction that a message quotes ("redux.f32", "cvt with .e2m1x2", ".kind::f8f6f4"), as its line has
// it; empty where there is none.
std::string_view writtenOpcode(const Diagnostic& said, std::string_view quoted, const PtxOutline& outline)
{
    const auto base = quoted.substr(0, quoted.find_first_of(". ", 1));
    for (const auto& function : outline.functions) {
        for (const auto& instruction : function.instructions) {
            const auto opcode = instruction.opcode;
            if (instruction.range.line == said.line
                && (quoted.starts_with('.') ? holds(opcode, quoted)
                                            : opcode.substr(0, opcode.find('.')) == base)) {
                return opcode;
            }
        }
    }
    return {};
}

// Which targets ptxas takes the words of an opcode for, as far as that was measured; and from which version.
struct Measured {
    std::vector<std::string> targets{};
    std::string version{};
    bool refuses = false; ///< the target that was asked for
};

Measured measuredNeeds(std::string_view opcode, const std::string& own)
{
    Measured made;
    const auto forms = FormsTable::shared();
    const auto* form = forms ? (*forms)->find(opcode) : nullptr;
    if (form == nullptr) {
        return made;
    }
    PtxNeed all = form->need;
    for (auto at = opcode.find('.', form->mnemonic.size()); at != std::string_view::npos;) {
        const auto next = opcode.find('.', at + 1);
        const auto* need = form->word(opcode.substr(at, next == std::string_view::npos ? next : next - at));
        if (need != nullptr) {
            all.version = std::max(all.version, need->version);
            all.refusedBy |= need->refusedBy;
        }
        at = next;
    }
    const auto& targets = (*forms)->targets();
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if ((all.refusedBy >> i & 1U) == 0) {
            made.targets.push_back(targets[i]);
        } else if (targets[i] == own) {
            made.refuses = true;
        }
    }
    made.version = all.version > 0 ? fmt::format("{}.{}", all.version / 10, all.version % 10) : "";
    return made;
}

bool isNewName(const TargetNeeds& needs, std::string_view name)
{
    return !name.empty() && !name.starts_with('.')
        && std::find(needs.blocked.begin(), needs.blocked.end(), name) == needs.blocked.end();
}

void addBlocked(TargetNeeds& needs, const Diagnostic& said, const FixContext& context, const std::string& own,
    std::set<const char*>& seen)
{
    const auto quoted = quotedText(said.message);
    const auto written = writtenOpcode(said, quoted, context.outline);
    if (!written.empty() && !seen.insert(written.data()).second) {
        return; // two of its words are refused
    }
    const bool isName = !quoted.starts_with('.') && !holds(quoted, " ");
    const std::string opcode(isName ? quoted
            : written.empty()       ? quoted.substr(0, quoted.find(' '))
                                    : written);
    if (!isNewName(needs, opcode)) {
        return;
    }
    needs.blocked.push_back(opcode);
    const auto* row = context.isa != nullptr ? context.isa->find(opcode) : nullptr;
    auto named = row != nullptr ? targetsNamed(row->minTarget) : std::vector<std::string>{};
    const auto measured = measuredNeeds(written.empty() ? opcode : written, own);
    if (measured.refuses) { // a word of it may need more than the instruction
        std::erase_if(named, [&](const std::string& name) { return !permits(measured.targets, name); });
        needs.targets.push_back(named.empty() || permits(named, own) ? measured.targets : named);
        needs.raise(measured.version);
    } else if (named.empty() || permits(named, own)) {
        needs.isOpen = true;
    } else {
        needs.targets.push_back(named);
    }
    if (row != nullptr) {
        needs.raise(row->minPtx);
    }
}

} // namespace

void TargetNeeds::raise(std::string_view wanted)
{
    if (!wanted.empty() && (version.empty() || isLaterVersion(wanted, version))) {
        version = std::string(wanted);
    }
}

bool TargetNeeds::permit(const std::string& target) const
{
    return std::all_of(
        targets.begin(), targets.end(), [&](const auto& named) { return permits(named, target); });
}

TargetNeeds targetNeedsOf(const FixContext& context)
{
    TargetNeeds needs;
    const auto own = context.outline.target.value_or(std::string(context.target));
    std::set<const char*> seen; // instructions, by their place
    for (const auto& said : context.all) {
        const std::string_view message = said.message;
        if (const auto version = wordBehind(message, "requires PTX ISA .version "); !version.empty()) {
            needs.raise(version);
        } else if (holds(message, "not supported on .target") && !holds(message, "without '.sync'")) {
            ++needs.messages;
            addBlocked(needs, said, context, own, seen);
        } else if (const auto target = wordBehind(message, "requires .target "); !target.empty()) {
            ++needs.messages;
            needs.targets.push_back({std::string(target)});
            const std::string name(quotedText(message));
            if (isNewName(needs, name)) {
                needs.blocked.push_back(name);
            }
        } else if (holds(message, "does not support .target") && context.isa != nullptr) {
            needs.raise(context.isa->minPtxOfTarget(wordBehind(message, "does not support .target ")));
        }
    }
    return needs;
}

std::optional<std::string> targetFor(const TargetNeeds& needs, const std::string& own)
{
    std::vector<std::string> candidates;
    if (const auto name = parseTargetName(own)) {
        candidates = {own, fmt::format("sm_{}a", name->number), fmt::format("sm_{}f", name->number)};
    }
    for (const auto& named : needs.targets) {
        candidates.insert(candidates.end(), named.begin(), named.end());
    }
    const auto found = std::find_if(candidates.begin(), candidates.end(),
        [&](const std::string& candidate) { return !needs.targets.empty() && needs.permit(candidate); });
    return found == candidates.end() ? std::nullopt : std::optional(*found);
}

} // namespace ptxwb::detail
