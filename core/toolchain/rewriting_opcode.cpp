// SPDX-License-Identifier: Apache-2.0
// Other ways to write an opcode.
#include "core/toolchain/statement_rewriting.h"

#include "core/ptx/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace ptxwb::detail {

namespace {

enum Rank {
    Notation = 0,
    Completed = 10,
    NamePart = 20,
    TypeAdded = 30,
    KinReplaced = 40,
    WordRemoved = 50,
    TypeReplaced = 60,
    WidthReplaced = 65
};

// What stands for an instruction in the talk about PTX, and what else its statement needs.
struct Spoken {
    std::string_view said;
    std::string_view ptx;
    std::string_view operand; ///< where the statement has none
};

constexpr std::array<Spoken, 14> spoken{{
    {"wgmma.wait_all", "wgmma.wait_group.sync.aligned", "0"},
    {"wgmma.wait", "wgmma.wait_group.sync.aligned", "0"},
    {"wgmma.arrive", "wgmma.fence.sync.aligned", ""},
    {"wgmma.commit", "wgmma.commit_group.sync.aligned", ""},
    {"wgmma.commit_batch", "wgmma.commit_group.sync.aligned", ""},
    {"cp.async.wait_group_all", "cp.async.wait_all", ""},
    {"cp.async.commit", "cp.async.commit_group", ""},
    {"cp.async.wait", "cp.async.wait_group", "0"},
    {"cp.async.bulk.commit", "cp.async.bulk.commit_group", ""},
    {"cp.async.bulk.wait", "cp.async.bulk.wait_group", "0"},
    {"cp.async.bulk.wait_all", "cp.async.bulk.wait_group", "0"},
    {"fence.async", "fence.proxy.async", ""},
    {"bar.sync.all", "bar.sync", "0"},
    {"mbarrier.wait.parity", "mbarrier.try_wait.parity", ""},
}};

std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (const auto& part : parts) {
        text += part;
    }
    return text;
}

std::string bare(std::string_view text)
{
    std::string made;
    std::copy_if(text.begin(), text.end(), std::back_inserter(made),
        [](char c) { return c != '.' && c != '_' && c != '-' && c != ':'; });
    return made;
}

// Words whose loss changes nothing of what is computed: where, how wide, for whom.
bool mayGo(std::string_view word)
{
    constexpr std::array<std::string_view, 22> some{".shared", ".global", ".local", ".const", ".param",
        ".cta", ".gpu", ".sys", ".cluster", ".sync", ".aligned", ".weak", ".relaxed", ".rn", ".ftz", ".lo",
        ".tile", ".nc", ".ca", ".cg", ".to", ".generic"};
    const auto first = word.substr(0, word.find("::"));
    return std::find(some.begin(), some.end(), first) != some.end();
}

class Maker {
public:
    Maker(const WrittenStatement& statement, const FormsTable& forms, const IsaTable* isa)
        : m_statement(statement)
        , m_forms(forms)
        , m_isa(isa)
        , m_parts(opcodeParts(statement.opcode))
        , m_form(forms.find(statement.opcode))
    {
    }

    void notation();
    void nameParts();
    void completed();
    void types(const std::vector<std::string_view>& registerTypes);
    void removed();
    void replaced(const std::vector<std::string_view>& registerTypes);
    std::vector<Rewriting> take() { return std::move(m_made); }

private:
    void add(std::string opcode, std::string title, std::string explanation, int rank,
        std::string_view operand = {});
    void addName(const std::string& opcode, std::string_view operand, int rank);
    std::vector<std::string> words() const;
    bool isTypePart(std::string_view part) const { return m_isa != nullptr && m_isa->isType(part); }
    std::size_t nameEnd() const; ///< parts that make the mnemonic

    const WrittenStatement& m_statement;
    const FormsTable& m_forms;
    const IsaTable* m_isa;
    std::vector<std::string> m_parts;
    const PtxForms* m_form;
    std::vector<Rewriting> m_made;
    std::set<std::string> m_known;
};

void Maker::add(
    std::string opcode, std::string title, std::string explanation, int rank, std::string_view operand)
{
    const bool lacksOperand = !operand.empty() && m_statement.operands.empty();
    if (opcode == m_statement.opcode || !m_known.insert(opcode + std::string(operand)).second) {
        return;
    }
    Rewriting made{
        .made = m_statement, .title = std::move(title), .explanation = std::move(explanation), .rank = rank};
    made.made.opcode = std::move(opcode);
    if (lacksOperand) {
        made.made.operands = {std::string(operand)};
    }
    m_made.push_back(std::move(made));
}

// The name alone, and with what it is never written without.
void Maker::addName(const std::string& opcode, std::string_view operand, int rank)
{
    const auto* form = m_forms.find(opcode);
    if (form == nullptr) {
        return;
    }
    const auto title = [&](const std::string& made) {
        return operand.empty() || !m_statement.operands.empty() ? fmt::format("Write {}", made)
                                                                : fmt::format("Write {} {}", made, operand);
    };
    const auto why = fmt::format("The instruction is called {}.", form->mnemonic);
    add(opcode, title(opcode), why, rank, operand);
    for (const std::string_view words : {".sync.aligned", ".aligned", ".sync"}) {
        const auto longer =
            form->mnemonic + std::string(words) + std::string(opcode.substr(form->mnemonic.size()));
        if (opcode.find(words.substr(0, words.find('.', 1))) == std::string::npos
            && form->word(words.substr(0, words.find('.', 1))) != nullptr) {
            add(longer, title(longer), why, rank, operand);
        }
    }
}

std::size_t Maker::nameEnd() const
{
    if (m_form == nullptr) {
        return 1;
    }
    std::size_t length = 0;
    std::size_t count = 0;
    while (count < m_parts.size() && length < m_form->mnemonic.size()) {
        length += m_parts[count++].size();
    }
    return std::max<std::size_t>(count, 1);
}

void Maker::notation()
{
    const std::string_view opcode = m_statement.opcode;
    for (const auto& one : spoken) {
        if (opcode == one.said
            || (opcode.starts_with(one.said) && opcode.substr(one.said.size()).starts_with('.'))) {
            std::string rest(opcode.substr(one.said.size()));
            for (const auto& part : opcodeParts(one.ptx)) {
                const auto at = part.starts_with('.') ? rest.find(part) : std::string::npos;
                if (at != std::string::npos) {
                    rest.erase(at, part.size());
                }
            }
            addName(std::string(one.ptx) + rest, one.operand, Notation);
        }
    }
    // Dots for underscores, and the other way round, wherever the same letters make a name.
    for (const auto& form : m_forms.instructions()) {
        const auto letters = bare(form.mnemonic);
        for (std::size_t count = 1; count <= m_parts.size(); ++count) {
            const std::vector<std::string> front(
                m_parts.begin(), m_parts.begin() + static_cast<std::ptrdiff_t>(count));
            if (bare(joined(front)) == letters && joined(front) != form.mnemonic) {
                const std::vector<std::string> rest(
                    m_parts.begin() + static_cast<std::ptrdiff_t>(count), m_parts.end());
                addName(form.mnemonic + joined(rest), {}, Notation);
            }
        }
    }
    // Dots for the colons within a word: ".wait.ld", ".mbarrier.complete_tx.bytes".
    for (std::size_t first = 1; first < m_parts.size(); ++first) {
        for (std::size_t count = 2; count <= 3 && first + count <= m_parts.size(); ++count) {
            auto parts = m_parts;
            for (std::size_t k = 1; k < count; ++k) {
                parts[first] += "::" + m_parts[first + k].substr(1);
            }
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                parts.begin() + static_cast<std::ptrdiff_t>(first + count));
            if (m_forms.isWord(parts[first])) {
                add(joined(parts), fmt::format("Write {}", parts[first]),
                    "Two colons stand within this word, no dot.", Notation);
            }
        }
    }
    // A blank place for a dot: "ldparam", "try_wait_parity", "b32x".
    for (std::size_t k = 0; k < m_parts.size(); ++k) {
        const std::string& part = m_parts[k];
        for (std::size_t cut = k == 0 ? 2 : 3; cut < part.size(); ++cut) {
            const bool atSign = part[cut] == '_' || part[cut] == '-';
            auto parts = m_parts;
            parts[k] = fmt::format("{}.{}", part.substr(0, cut), part.substr(cut + (atSign ? 1 : 0)));
            const auto second = parts[k].substr(cut);
            const bool isKnown = k == 0 ? m_forms.isFirstPart(part.substr(0, cut)) : true;
            if (isKnown && second.size() > 1 && (m_forms.isWord(second) || atSign)
                && (k == 0 || m_forms.isWord(part.substr(0, cut)) || atSign)) {
                addName(joined(parts), {}, Notation);
            }
        }
    }
}

// A part of the name left out, or shortened: wgmma.mma, cp.async.tensor, mbarrier.expect.
void Maker::nameParts()
{
    for (const auto& form : m_forms.instructions()) {
        const auto name = opcodeParts(form.mnemonic);
        if (name.size() < 2 || name.front() != m_parts.front()) {
            continue;
        }
        // One part more than what is written.
        for (std::size_t left = 1; left < name.size(); ++left) {
            auto shorter = name;
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(left));
            if (m_parts.size() >= shorter.size()
                && std::equal(shorter.begin(), shorter.end(), m_parts.begin())) {
                const std::vector<std::string> rest(
                    m_parts.begin() + static_cast<std::ptrdiff_t>(shorter.size()), m_parts.end());
                if (rest.empty() || rest.front() != name[left]) {
                    addName(form.mnemonic + joined(rest), {}, NamePart);
                }
            }
        }
        // One part that is the beginning of the right one, or is near to it.
        if (m_parts.size() < name.size()) {
            continue;
        }
        std::size_t differing = 0;
        std::size_t count = 0;
        for (std::size_t k = 0; k < name.size(); ++k) {
            if (name[k] != m_parts[k]) {
                differing = k;
                ++count;
            }
        }
        const auto& written = m_parts[differing];
        const bool isBeginning = name[differing].starts_with(written + "_")
            || (written.starts_with(name[differing] + "_") && !m_forms.isWord(written));
        if (count == 1 && (isBeginning || nearestWords(written, {name[differing]}).size() == 1)
            && !isTypePart(written)) {
            const std::vector<std::string> rest(
                m_parts.begin() + static_cast<std::ptrdiff_t>(name.size()), m_parts.end());
            addName(form.mnemonic + joined(rest), {}, NamePart);
        }
    }
}

std::vector<std::string> Maker::words() const
{
    std::vector<std::string> all;
    const auto addWord = [&](const std::string& word) {
        const bool isOdd = word.find_first_of("{}<>, #") != std::string::npos || word.size() < 2
            || word.find("nN") != std::string::npos;
        if (!isOdd && !isTypePart(word) && std::find(m_parts.begin(), m_parts.end(), word) == m_parts.end()
            && std::find(all.begin(), all.end(), word) == all.end()) {
            all.push_back(word);
        }
    };
    // Those that change nothing of what the instruction does come first.
    for (const char* word : {".sync", ".aligned", ".lo", ".rn", ".approx", ".parity", ".release", ".acquire",
             ".tile", ".x4", ".x2", ".x1", ".row", ".col"}) {
        if (m_form->word(word) != nullptr) {
            addWord(word);
        }
    }
    if (m_isa != nullptr) {
        if (const auto* row = m_isa->find(m_statement.opcode)) {
            for (const auto& word : row->modifiers) {
                addWord(word);
            }
        }
    }
    for (const auto& [word, need] : m_form->words) {
        addWord(word);
    }
    constexpr std::size_t most = 120;
    all.resize(std::min(all.size(), most));
    return all;
}

void Maker::completed()
{
    if (m_form == nullptr) {
        return;
    }
    const auto with = [&](std::size_t place, std::string_view text) {
        auto parts = m_parts;
        parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(place), std::string(text));
        return joined(parts);
    };
    const auto why = [&](std::string_view text) {
        return fmt::format("{} is incomplete without {}.", m_statement.opcode, text);
    };
    const auto behindName = nameEnd();
    auto firstType = m_parts.size();
    for (auto k = m_parts.size(); k-- > behindName;) {
        firstType = isTypePart(m_parts[k]) ? k : firstType;
    }
    if (m_form->word(".sync") != nullptr && m_form->word(".aligned") != nullptr) {
        add(with(behindName, ".sync.aligned"), "Insert .sync.aligned", why(".sync.aligned"), Completed);
    }
    add(with(firstType, ".row.col"), "Insert .row.col",
        why(".row.col") + " A is row-major and B column-major: no other order exists for these types.",
        Completed);
    if (m_form->word(".sync") != nullptr && m_form->word(".aligned") != nullptr) {
        const bool hasType = firstType < m_parts.size();
        add(with(firstType, ".sync.aligned"), "Insert .sync.aligned", why(".sync.aligned"), Completed);
        for (const std::string type : {".u32", ".b32", ".b16"}) {
            const auto opcode = with(m_parts.size(), ".sync.aligned" + type);
            if (!hasType) {
                add(opcode, fmt::format("Write {}", opcode), why(".sync.aligned" + type), Completed);
            }
        }
    }
    for (const auto& word : words()) {
        const bool isLast = word.starts_with(".L2") || word.starts_with(".multicast");
        for (const auto place : {isLast ? m_parts.size() : behindName, firstType, m_parts.size()}) {
            add(with(place, word), fmt::format("Insert {}", word), why(word), Completed);
        }
    }
}

void Maker::types(const std::vector<std::string_view>& registerTypes)
{
    std::vector<std::string> order;
    for (const auto type : registerTypes) { // as declared: .s32 of a register says how it is meant
        order.emplace_back(type);
    }
    const bool isNegative = std::any_of(m_statement.operands.begin(), m_statement.operands.end(),
        [](const std::string& one) { return one.starts_with('-'); });
    for (const char kind : std::string_view(isNegative ? "sbuf" : "ubsf")) {
        for (const auto type : registerTypes) {
            const auto bits = type.substr(std::min(type.find_first_of("0123456789"), type.size()));
            if (!bits.empty()) {
                order.push_back(fmt::format(".{}{}", kind, bits));
            }
        }
    }
    for (const auto& type : order) {
        add(m_statement.opcode + type, fmt::format("Write {}{}", m_statement.opcode, type),
            fmt::format("The opcode {} names no type; its registers are of {}.", m_statement.opcode,
                registerTypes.front()),
            TypeAdded);
        for (const std::string_view word : {".lo", ".rn"}) {
            if (m_form != nullptr && m_form->word(word) != nullptr) {
                const auto made = fmt::format("{}{}{}", m_statement.opcode, word, type);
                add(made, fmt::format("Write {}", made),
                    fmt::format("The opcode {} is incomplete.", m_statement.opcode), TypeAdded);
            }
        }
    }
    if (m_form != nullptr) {
        for (const std::string type : {".u32", ".b32", ".b64", ".u64", ".b16"}) {
            add(m_statement.opcode + type, fmt::format("Write {}{}", m_statement.opcode, type),
                fmt::format("The opcode {} names no type.", m_statement.opcode), TypeAdded + 1);
        }
    }
}

void Maker::removed()
{
    for (auto k = nameEnd(); k < m_parts.size(); ++k) {
        if (!mayGo(m_parts[k]) && !isTypePart(m_parts[k])) {
            continue;
        }
        auto parts = m_parts;
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
        add(joined(parts), fmt::format("Remove {}", m_parts[k]),
            fmt::format(
                "{} takes no {} here.", m_form != nullptr ? m_form->mnemonic : m_parts.front(), m_parts[k]),
            WordRemoved);
    }
    for (std::size_t k = 1; k + 1 < m_parts.size(); ++k) {
        auto parts = m_parts;
        std::swap(parts[k], parts[k + 1]);
        add(joined(parts), fmt::format("Write {}{}", parts[k], parts[k + 1]),
            fmt::format("{} stands before {}.", parts[k], parts[k + 1]), Notation);
    }
    // D, A, B in another order: the types as a ring.
    auto first = m_parts.size();
    auto end = m_parts.size();
    for (std::size_t k = 1; k < m_parts.size(); ++k) {
        first = isTypePart(m_parts[k]) && first == m_parts.size() ? k : first;
        end = isTypePart(m_parts[k]) ? k + 1 : end;
    }
    if (first + 2 < end) {
        auto parts = m_parts;
        const auto from = parts.begin() + static_cast<std::ptrdiff_t>(first);
        const auto to = parts.begin() + static_cast<std::ptrdiff_t>(end);
        for (auto turn = first + 1; turn < end; ++turn) {
            std::rotate(from, from + 1, to);
            const std::vector<std::string> types(from, to);
            add(joined(parts), fmt::format("Write {}", joined(types)),
                "The types stand in another order: that of D first.", KinReplaced);
        }
    }
}

void Maker::replaced(const std::vector<std::string_view>& registerTypes)
{
    using Kin = std::array<std::string_view, 4>;
    constexpr std::array<Kin, 5> kin{{{".x1", ".x2", ".x4", ""}, {".f16", ".bf16", "", ""},
        {".shared::cta", ".shared::cluster", ".shared", ""}, {".cta", ".cluster", ".gpu", ".sys"},
        {".mbarrier::complete_tx::bytes", ".bulk_group", "", ""}}};
    const auto attempt = [&](std::size_t k, std::string_view word, int rank) {
        auto parts = m_parts;
        parts[k] = std::string(word);
        if (word != m_parts[k] && !word.empty()) {
            add(joined(parts), fmt::format("Change {} to {}", m_parts[k], word),
                fmt::format("{} takes {} where {} stands.",
                    m_form != nullptr ? m_form->mnemonic : m_parts.front(), word, m_parts[k]),
                rank);
        }
    };
    for (std::size_t k = 1; k < m_parts.size(); ++k) {
        for (const auto& set : kin) {
            const bool isFormat = set.front() == ".f16"; // of A and B together; elsewhere another meaning
            const bool fits = !isFormat || m_parts.front() == "wgmma" || m_parts.front() == "mma";
            if (fits && std::find(set.begin(), set.end(), m_parts[k]) != set.end()) {
                for (const auto word : set) {
                    attempt(k, word, KinReplaced);
                }
            }
        }
        // `.shared::block`: another word with the same beginning.
        const auto colons = m_parts[k].find("::");
        if (m_form != nullptr && colons != std::string::npos && m_form->word(m_parts[k]) == nullptr) {
            for (const auto& [word, need] : m_form->words) {
                if (word.starts_with(m_parts[k].substr(0, colons + 2))) {
                    attempt(k, word, KinReplaced);
                }
            }
        }
        const auto digits = m_parts[k].find_first_of("0123456789");
        if (isTypePart(m_parts[k]) && digits != std::string::npos && m_parts.front() != "cvt") {
            for (const char kind : {'b', 'u', 's', 'f'}) {
                attempt(k, fmt::format(".{}{}", kind, m_parts[k].substr(digits)), TypeReplaced);
                for (const auto type : registerTypes) {
                    const auto width = type.find_first_of("0123456789");
                    if (width != std::string_view::npos) {
                        attempt(k, fmt::format(".{}{}", kind, type.substr(width)), WidthReplaced);
                    }
                }
            }
        }
    }
}

} // namespace

std::vector<Rewriting> opcodeRewritings(const WrittenStatement& statement, const FormsTable& forms,
    const IsaTable* isa, const std::vector<std::string_view>& registerTypes)
{
    Maker maker(statement, forms, isa);
    maker.notation();
    maker.nameParts();
    maker.types(registerTypes);
    maker.completed();
    maker.removed();
    maker.replaced(registerTypes);
    return maker.take();
}

} // namespace ptxwb::detail
