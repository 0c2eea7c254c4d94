// SPDX-License-Identifier: Apache-2.0
#include "core/sass/change_phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <span>

namespace ptxwb {

namespace {

std::string counted(int n, std::string_view noun)
{
    const int size = n < 0 ? -n : n;
    return fmt::format("{} {}{}", size, noun, size == 1 ? "" : "s");
}

struct Totals {
    std::map<std::string, int, std::less<>> opcodes;
    std::map<std::string, int, std::less<>> opcodesInLoops;
    int changed = 0, added = 0, removed = 0, moved = 0, schedule = 0;
    int onlyInA = 0, onlyInB = 0, paired = 0;
    std::vector<ChangePhrase> changes;
};

/// Kernels of one template often change alike.
void addChanges(std::vector<ChangePhrase>& all, const std::vector<ChangePhrase>& more)
{
    for (const auto& phrase : more) {
        const auto at = std::ranges::find(all, phrase.text, &ChangePhrase::text);
        if (at == all.end()) {
            all.push_back(phrase);
        } else {
            at->rows += phrase.rows;
            at->rowsInLoops += phrase.rowsInLoops;
        }
    }
}

/// That an MMA reads another value may follow from the least change before it, and says less than the
/// numbers.
bool isOfNotableOpcode(const ChangePhrase& change)
{
    if (change.text.ends_with(" reads another value") || change.text.ends_with(" with other operands")) {
        return false;
    }
    return isNotableOpcode(std::string_view(change.text).substr(0, change.text.find_first_of(" :")));
}

Totals totalsOf(const SassDiff& diff)
{
    Totals totals;
    for (const auto& kernel : diff.kernels) {
        totals.onlyInA += kernel.onlyInA ? 1 : 0;
        totals.onlyInB += kernel.onlyInB ? 1 : 0;
        if (kernel.onlyInA || kernel.onlyInB) {
            continue;
        }
        ++totals.paired;
        addChanges(totals.changes, kernel.changes);
        for (const auto& [opcode, n] : kernel.opcodeDeltas) {
            totals.opcodes[opcode] += n;
        }
        for (const auto& [opcode, n] : kernel.loopOpcodeDeltas) {
            totals.opcodesInLoops[opcode] += n;
        }
        totals.changed += kernel.changed;
        totals.added += kernel.added;
        totals.removed += kernel.removed;
        totals.moved += kernel.moved;
        totals.schedule += kernel.schedule;
    }
    std::ranges::stable_partition(totals.changes, isOfNotableOpcode);
    return totals;
}

std::vector<std::string> opcodePhrases(const Totals& totals)
{
    std::vector<std::string> phrases;
    std::vector<std::pair<std::string, int>> notable;
    for (const auto& [opcode, n] : totals.opcodes) {
        if (n != 0 && isNotableOpcode(opcode)) {
            notable.emplace_back(opcode, n);
        }
    }
    // By family, as the families are listed: tensor work first.
    std::ranges::stable_sort(notable, {}, [](const auto& entry) {
        const auto set = familiesOf(entry.first);
        const auto& all = allSassFamilies();
        return std::ranges::find_if(all, [set](SassFamily f) { return contains(set, f); }) - all.begin();
    });
    for (const auto& [opcode, n] : notable) {
        const auto inLoops = totals.opcodesInLoops.find(opcode);
        phrases.push_back(fmt::format("{} {}{} {}{}", n < 0 ? -n : n, opcode, opcodeMeaning(opcode),
            n < 0 ? "fewer" : "more",
            inLoops != totals.opcodesInLoops.end() && inLoops->second == n ? " in a loop" : ""));
    }
    return phrases;
}

/// Where no opcode is notable: those whose number differs most, "1 FFMA more, 2 FMUL fewer".
std::vector<std::string> ordinaryPhrases(const Totals& totals)
{
    constexpr std::size_t mostPhrases = 4;
    std::vector<std::pair<std::string, int>> opcodes;
    for (const auto& [opcode, n] : totals.opcodes) {
        if (n != 0) {
            opcodes.emplace_back(opcode, n);
        }
    }
    std::ranges::stable_sort(
        opcodes, std::ranges::greater(), [](const auto& entry) { return std::abs(entry.second); });
    opcodes.resize(std::min(opcodes.size(), mostPhrases));
    std::vector<std::string> phrases;
    for (const auto& [opcode, n] : opcodes) {
        const auto inLoops = totals.opcodesInLoops.find(opcode);
        phrases.push_back(fmt::format("{} {} {}{}", std::abs(n), opcode, n < 0 ? "fewer" : "more",
            inLoops != totals.opcodesInLoops.end() && inLoops->second == n ? " in a loop" : ""));
    }
    return phrases;
}

/// First what counts most, an MMA of another shape or a wait that is another; numbers of ordinary rows only
/// where no number of notable ones differs. Up to three kinds of change; then how many rows changed in all.
void addChangePhrases(std::vector<std::string>& phrases, const Totals& totals)
{
    constexpr std::size_t mostPhrases = 3;
    const auto shown = std::min(totals.changes.size(), mostPhrases);
    const bool ordinaryNumbers = phrases.empty();
    bool notable = true;
    const auto addOrdinary = [&] {
        if (ordinaryNumbers) {
            const auto numbers = ordinaryPhrases(totals);
            phrases.insert(phrases.end(), numbers.begin(), numbers.end());
        }
        notable = false;
    };
    for (const auto& change : std::span(totals.changes).first(shown)) {
        if (notable && !isOfNotableOpcode(change)) {
            addOrdinary();
        }
        phrases.push_back(fmt::format("{}{}{}", change.text,
            change.rows > 1 ? fmt::format(" in {} rows", change.rows) : std::string(),
            change.rowsInLoops < change.rows ? ""
                : change.rows > 1            ? " of loops"
                                             : " in a loop"));
    }
    if (notable) {
        addOrdinary();
    }
    if (totals.changes.size() > shown) {
        phrases.push_back(fmt::format("{} changed in all", counted(totals.changed, "row")));
    }
}

void addRowPhrases(std::vector<std::string>& phrases, const Totals& totals)
{
    const auto add = [&phrases](int n, std::string_view word) {
        if (n != 0) {
            phrases.push_back(fmt::format("{} {}", counted(n, "row"), word));
        }
    };
    add(totals.added, "added");
    add(totals.removed, "removed");
    const bool alone = phrases.empty() && totals.onlyInA + totals.onlyInB == 0;
    add(totals.moved, alone ? "moved, which is not known to compute the same" : "moved");
}

void addResourcePhrases(std::vector<std::string>& phrases, const ResourceDeltas& resources)
{
    const auto add = [&phrases](
                         const std::optional<int>& delta, std::string_view one, std::string_view more) {
        if (delta && *delta != 0) {
            phrases.push_back(fmt::format("{:+} {}", *delta, *delta == 1 || *delta == -1 ? one : more));
        }
    };
    add(resources.registers, "register", "registers");
    add(resources.liveRegistersMax, "live register", "live registers");
    add(resources.spillBytes, "spill byte", "spill bytes");
    add(resources.sharedBytes, "byte of static shared memory", "bytes of static shared memory");
}

void addFactPhrases(std::vector<std::string>& phrases, const SassDiff& diff)
{
    constexpr std::size_t mostPhrases = 4;
    // Kernels of one template often differ alike.
    std::vector<std::pair<const FactDifference*, int>> kinds;
    for (const auto& fact : diff.facts) {
        if (fact.what == "registers" || fact.what == "shared_bytes") { // told as deltas
            continue;
        }
        const auto at = std::ranges::find_if(kinds, [&fact](const auto& kind) {
            return !fact.kernel.empty() && !kind.first->kernel.empty()
                && factText(*kind.first, false) == factText(fact, false);
        });
        if (at == kinds.end()) {
            kinds.emplace_back(&fact, 1);
        } else {
            ++at->second;
        }
    }
    std::vector<std::string> all;
    for (const auto& [fact, kernels] : kinds) {
        all.push_back(kernels > 1 ? fmt::format("{} in {} kernels", factText(*fact, false), kernels)
                                  : factText(*fact, diff.kernels.size() > 1));
    }
    const auto shown = std::min(all.size(), mostPhrases);
    phrases.insert(phrases.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown));
    if (all.size() > shown) {
        phrases.push_back(fmt::format("{} more beside the instructions", all.size() - shown));
    }
}

void addNotePhrases(std::vector<std::string>& phrases, const SassDiff& diff)
{
    constexpr std::size_t mostPhrases = 3;
    const auto shown = std::min(diff.notes.size(), mostPhrases);
    for (const auto& note : std::span(diff.notes).first(shown)) {
        phrases.push_back(noteText(note, diff.kernels.size() > 1, true));
    }
    if (diff.notes.size() > shown) {
        phrases.push_back(fmt::format("{} more notes of the compiler", diff.notes.size() - shown));
    }
}

std::string sentence(std::string head, const std::vector<std::string>& phrases)
{
    if (!phrases.empty()) {
        head += fmt::format("{}{}", head.empty() ? "" : ": ", fmt::join(phrases, ", "));
    }
    return head + ".";
}

} // namespace

std::string diffSummary(const SassDiff& diff, const ResourceDeltas& reported)
{
    auto resources = reported;
    if (diff.factsCompared) {
        resources.registers = diff.registersDelta;
        resources.sharedBytes = diff.sharedBytesDelta;
    }
    const auto totals = totalsOf(diff);
    std::vector<std::string> phrases;
    const auto addTheRest = [&] {
        addResourcePhrases(phrases, resources);
        addFactPhrases(phrases, diff);
        addNotePhrases(phrases, diff);
    };
    if (diff.instructionsIdentical && !diff.scheduleOnly) {
        addTheRest();
        const auto* const what = diff.factsCompared ? "Identical" : "Identical instructions";
        return phrases.empty() ? fmt::format("{} apart from names of registers and labels.", what)
                               : sentence("Identical instructions", phrases);
    }
    if (diff.scheduleOnly) {
        if (totals.moved != 0) {
            phrases.push_back(fmt::format("{} in another order", counted(totals.moved, "row")));
        }
        if (totals.schedule != 0) {
            phrases.push_back(fmt::format("{} with other control codes", counted(totals.schedule, "row")));
        }
        if (diff.stallDelta && *diff.stallDelta != 0) {
            phrases.push_back(fmt::format("{:+} stall cycles", *diff.stallDelta));
        }
        addTheRest();
        return sentence("Same instructions, scheduling differs", phrases);
    }
    phrases = opcodePhrases(totals);
    addChangePhrases(phrases, totals);
    addRowPhrases(phrases, totals);
    if (totals.paired != 0) {
        addTheRest();
    }
    if (totals.onlyInA != 0) {
        phrases.push_back(fmt::format("{} only in A", counted(totals.onlyInA, "kernel")));
    }
    if (totals.onlyInB != 0) {
        phrases.push_back(fmt::format("{} only in B", counted(totals.onlyInB, "kernel")));
    }
    return sentence({}, phrases);
}

} // namespace ptxwb
