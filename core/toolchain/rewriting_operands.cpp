// SPDX-License-Identifier: Apache-2.0
// Other operands: in braces or brackets, one more, one less, and registers of another kind to learn which is
// wrong.
#include "core/toolchain/statement_rewriting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace ptxwb::detail {

namespace {

enum Rank { Grouped = 70, Added = 75, Swapped = 80, Moved = 85, Removed = 90 };

using Operands = std::vector<std::string>;

bool isBracketed(std::string_view text)
{
    return text.starts_with('[') && text.ends_with(']');
}

bool isList(std::string_view text)
{
    return text.starts_with('{') && text.ends_with('}');
}

bool isPlain(std::string_view text)
{
    return !text.empty() && text.find_first_of("[]{}|,()") == std::string_view::npos;
}

std::string inner(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t", 1);
    const auto last = text.find_last_not_of(" \t", text.size() - 2);
    return first == std::string_view::npos || last < first
        ? std::string()
        : std::string(text.substr(first, last - first + 1));
}

class Maker {
public:
    Maker(const WrittenStatement& statement, const FormsTable& forms)
        : m_statement(statement)
        , m_operands(statement.operands)
        , m_form(forms.find(statement.opcode))
    {
    }

    void grouped();
    void added(const std::vector<std::string>& predicates);
    void swapped();
    void moved();
    void removed();
    std::vector<Rewriting> take() { return std::move(m_made); }

private:
    void add(Operands operands, std::string title, std::string explanation, int rank);

    const WrittenStatement& m_statement;
    const Operands& m_operands;
    const PtxForms* m_form;
    std::vector<Rewriting> m_made;
    std::set<Operands> m_known;
};

void Maker::add(Operands operands, std::string title, std::string explanation, int rank)
{
    if (operands == m_operands || !m_known.insert(operands).second) {
        return;
    }
    Rewriting made{
        .made = m_statement, .title = std::move(title), .explanation = std::move(explanation), .rank = rank};
    made.made.operands = std::move(operands);
    m_made.push_back(std::move(made));
}

void Maker::grouped()
{
    const auto count = m_operands.size();
    for (std::size_t k = 0; k < count; ++k) {
        const auto& operand = m_operands[k];
        auto changed = m_operands;
        if (operand.starts_with('&')) {
            changed[k] = operand.substr(1);
            add(changed, fmt::format("Write {}", changed[k]), "In PTX the name of a variable is its address.",
                Grouped);
        }
        constexpr std::array<std::string_view, 8> threefold{"%tid", "%ntid", "%ctaid", "%nctaid",
            "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};
        if (std::find(threefold.begin(), threefold.end(), operand) != threefold.end()) {
            for (const char axis : {'x', 'y', 'z'}) {
                changed[k] = fmt::format("{}.{}", operand, axis);
                add(changed, fmt::format("Write {}", changed[k]),
                    fmt::format("{} has the parts .x, .y and .z; an instruction reads one of them.", operand),
                    Grouped);
            }
        }
        const auto sign = operand.find_first_of("+-", 1);
        const bool isSum = sign != std::string::npos && isPlain(operand)
            && (m_statement.opcode.starts_with("add") || m_statement.opcode.starts_with("sub"));
        if (isSum) {
            auto apart = m_operands;
            apart[k] = operand.substr(0, operand.find_last_not_of(' ', sign - 1) + 1);
            const auto second = operand.find_first_not_of(' ', sign + 1);
            apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                second == std::string::npos ? std::string() : operand.substr(second));
            add(apart, fmt::format("Write {}, {}", apart[k], apart[k + 1]),
                "A comma stands between the two that are added, no sign.", Grouped);
        }
        if (isPlain(operand)) {
            changed[k] = fmt::format("[{}]", operand);
            add(changed, fmt::format("Write {}", changed[k]),
                "An address stands in brackets; without them the name is a value.", Grouped);
        } else if (isBracketed(operand) || isList(operand)) {
            changed[k] = inner(operand);
            add(changed, fmt::format("Write {}", changed[k]),
                fmt::format("Operand {} stands in {} that do not belong there.", k + 1,
                    isList(operand) ? "braces" : "brackets"),
                Grouped);
        }
        if (k + 1 < count && isBracketed(operand) && isList(m_operands[k + 1])) {
            auto merged = m_operands;
            merged[k] = fmt::format("[{}, {}]", inner(operand), m_operands[k + 1]);
            merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(k) + 1);
            add(merged, fmt::format("Write {}", merged[k]),
                "The coordinates stand within the brackets of the tensor map.", Grouped);
        }
    }
    for (const std::size_t width : {2U, 4U, 8U}) { // registers that make one operand
        for (std::size_t first = 0; first + width <= count; ++first) {
            auto list = m_operands;
            std::string text;
            bool plain = true;
            for (std::size_t k = first; k < first + width; ++k) {
                plain = plain && isPlain(m_operands[k]);
                text += fmt::format("{}{}", k == first ? "" : ", ", m_operands[k]);
            }
            if (!plain) {
                continue;
            }
            list[first] = fmt::format("{{{}}}", text);
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                list.begin() + static_cast<std::ptrdiff_t>(first + width));
            add(list, fmt::format("Write {}", list[first]),
                "Registers that make one operand stand in braces.", Grouped);
        }
    }
}

void Maker::added(const std::vector<std::string>& predicates)
{
    const auto insert = [&](std::size_t place, const Operands& more, std::string_view why) {
        auto changed = m_operands;
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(place), more.begin(), more.end());
        std::string text;
        for (const auto& one : more) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", one);
        }
        const auto place_ = place == 0 ? fmt::format("Insert {} before the first operand", text)
                                       : fmt::format("Add {}", text);
        add(std::move(changed), place_, std::string(why), Added);
    };
    const std::string_view opcode = m_statement.opcode;
    const auto count = m_operands.size();
    if (!opcode.starts_with("wgmma.mma_async") && !opcode.starts_with("mma")) {
        insert(0, {"_"},
            "The first operand is the result; _ stands where nobody wants it. Without it the others count "
            "one place too low.");
        for (const auto& predicate : predicates) {
            insert(0, {predicate},
                fmt::format(
                    "The first operand is the predicate that the instruction sets; {} is read behind it.",
                    predicate));
        }
    }
    if (opcode.starts_with("mbarrier.") && count > 0 && isPlain(m_operands.front())) {
        for (const auto& result : predicates.empty() ? Operands{"_"} : Operands{predicates.front(), "_"}) {
            auto changed = m_operands;
            changed.front() = result;
            add(std::move(changed), fmt::format("Write {} for {}", result, m_operands.front()),
                result == "_"
                    ? std::string("Nothing comes back here: _ stands for the result.")
                    : fmt::format("The result is a predicate; {} is read behind the instruction.", result),
                Swapped);
        }
    }
    if (count > 0 && isPlain(m_operands.front())) {
        auto pair = m_operands;
        pair.front() = fmt::format("_|{}", m_operands.front());
        add(pair, fmt::format("Write {}", pair.front()),
            "The instruction has two results, separated by |; _ stands for the one that nobody wants.",
            Added);
        if (opcode.starts_with("elect")) {
            pair.emplace_back("0xffffffff");
            add(pair, fmt::format("Write {}, 0xffffffff", pair.front()),
                "elect has two results, separated by |, and the mask of the lanes that take part.", Added);
        }
    }
    if (opcode.starts_with("wgmma.mma_async")) {
        const std::string_view why =
            "Behind the descriptors stand scale-d, the signs of A and B (1 or -1), and for "
            ".f16 and .bf16 a 0 or 1 each for A and B in shared memory: 0 is K-major, 1 is "
            "transposed.";
        const Operands usual{"1", "1", "1", "0", "0"};
        constexpr std::size_t before = 3; // D, A and B
        if (count >= before && count < before + usual.size()) {
            insert(count, {usual.begin() + static_cast<std::ptrdiff_t>(count - before), usual.end()}, why);
            if (count < 6) {
                insert(count, {usual.begin() + static_cast<std::ptrdiff_t>(count - before), usual.end() - 2},
                    why);
            }
        }
        if (count == before + 3 && m_operands[count - 1] == "0" && m_operands[count - 2] == "0") {
            auto signs = m_operands;
            signs.insert(signs.end() - 2, {"1", "1"});
            add(signs, "Insert 1, 1 before the last two", std::string(why), Added);
        }
        return;
    }
    const auto first = opcode.substr(0, opcode.find('.'));
    const bool isVote = opcode.find(".sync") != std::string_view::npos
        && (first == "shfl" || first == "vote" || first == "match" || first == "redux" || first == "elect");
    if (isVote) {
        const std::string_view why = "The last operand is the mask of the lanes that take part.";
        insert(count, {"0xffffffff"}, why);
        insert(count, {"31", "0xffffffff"}, why);
    }
    if (first == "mma" && count == 3) {
        insert(count, {m_operands.front()},
            "The last operand holds what the product is added to: the registers of D again.");
    }
    if (opcode.starts_with("cp.async.c") && count == 2) {
        insert(count, {"16"}, "The last operand is the number of bytes: 4, 8 or 16, and 16 only with .cg.");
    }
    if (count == 0) {
        insert(0, {"0"}, "The instruction takes a number.");
    }
}

void Maker::swapped()
{
    for (std::size_t k = 0; k + 1 < m_operands.size(); ++k) {
        auto changed = m_operands;
        std::swap(changed[k], changed[k + 1]);
        add(changed, fmt::format("Swap the operands: {}, {}", changed[k], changed[k + 1]),
            fmt::format("Operands {} and {} stand in the other order.", k + 1, k + 2), Swapped);
    }
}

void Maker::moved()
{
    constexpr std::size_t most = 8;
    const auto count = std::min(m_operands.size(), most);
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t to = 0; to < count; ++to) {
            auto changed = m_operands;
            const auto one = changed[k];
            changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
            changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(to), one);
            add(std::move(changed),
                to + 1 == m_operands.size() ? fmt::format("Move {} to the end", one)
                                            : fmt::format("Move {} to place {}", one, to + 1),
                fmt::format("{} is operand {} of {}, and stands as operand {}.", one, to + 1,
                    m_statement.opcode, k + 1),
                Moved);
        }
    }
}

void Maker::removed()
{
    const auto count = m_operands.size();
    const bool isTooMuch =
        m_form != nullptr && m_form->maxOperands >= 0 && static_cast<int>(count) > m_form->maxOperands;
    const bool hasSigns = m_statement.opcode.starts_with("wgmma.mma_async");
    if (hasSigns && count >= 7 && m_operands[count - 1] == "0" && m_operands[count - 2] == "0") {
        add({m_operands.begin(), m_operands.end() - 2}, "Remove the last two operands",
            "Only .f16 and .bf16 have the two operands that transpose; other types are K-major.", Removed);
    }
    if (!isTooMuch || count == 0) {
        return;
    }
    const auto why = fmt::format(
        "{} takes {} operands at most; here are {}.", m_form->mnemonic, m_form->maxOperands, count);
    add({m_operands.begin(), m_operands.end() - 1}, fmt::format("Remove {}", m_operands.back()), why,
        Removed);
    add({m_operands.begin() + 1, m_operands.end()}, fmt::format("Remove {}", m_operands.front()), why,
        Removed);
}

struct Probe {
    std::string_view text;
    std::string_view words;
};

constexpr std::array<Probe, 9> allProbes{{
    {"%ptxwb_b32", "a register of 32 bits (.b32)"},
    {"%ptxwb_b64", "a register of 64 bits (.b64)"},
    {"%ptxwb_f32", "a register of .f32"},
    {"%ptxwb_p", "a predicate (.pred)"},
    {"%ptxwb_b16", "a register of 16 bits (.b16)"},
    {"%ptxwb_f64", "a register of .f64"},
    {"0", "a constant"},
    {"[%ptxwb_b64]", "an address in a register of 64 bits, in brackets,"},
    {"[%ptxwb_b32]", "an address in a register of 32 bits, in brackets,"},
}};

// Those first that say most where several are taken.
std::vector<Probe> probesFor(std::string_view opcode)
{
    std::vector<Probe> made(allProbes.begin(), allProbes.end());
    const bool isFloat = opcode.ends_with(".f32");
    std::stable_sort(made.begin(), made.end(), [&](const Probe& a, const Probe& b) {
        const auto weight = [&](const Probe& one) {
            return one.text == "[%ptxwb_b32]"         ? 1
                : one.text == "[%ptxwb_b64]"          ? 0
                : isFloat && one.text == "%ptxwb_f32" ? 2
                                                      : 3;
        };
        return weight(a) < weight(b);
    });
    return made;
}

std::string listOf(std::string_view text, std::size_t count)
{
    std::string made = "{";
    for (std::size_t k = 0; k < count; ++k) {
        made += fmt::format("{}{}", k == 0 ? "" : ", ", text);
    }
    return made + '}';
}

std::string shown(std::string_view operand)
{
    constexpr std::size_t most = 40;
    return operand.size() <= most ? std::string(operand) : fmt::format("{}...", operand.substr(0, most));
}

// What the name in brackets is, "the parameter a itself" of "[a+4]"; empty where a register or a number holds
// the address.
std::string addressedName(const CodeText& code, const RegisterDeclarations& registers,
    const std::pair<std::size_t, std::size_t>& operand)
{
    const auto at = operand.first + 1;
    if (code.text(operand.first) != "[" || at >= operand.second || code[at].kind != TokenKind::Identifier
        || registers.find(at) != nullptr) {
        return {};
    }
    const auto name = code.text(at);
    for (std::size_t i = 0; i < operand.first; ++i) { // `.param .align 64 .b8 a[128]`
        if (code.text(i) != ".param") {
            continue;
        }
        while (++i < operand.first && code.text(i) != "," && code.text(i) != ")" && code.text(i) != ";") {
            if (code.text(i) == name) {
                return fmt::format(", the parameter {} itself and not what it points to (ld.param.u64 loads "
                                   "that address into a register first)",
                    name);
            }
        }
    }
    return fmt::format(", the variable {} itself", name);
}

} // namespace

std::string_view probeDeclarations()
{
    return ".reg .b32 %ptxwb_b32; .reg .b64 %ptxwb_b64; .reg .f32 %ptxwb_f32; .reg .pred %ptxwb_p; "
           ".reg .b16 %ptxwb_b16; .reg .f64 %ptxwb_f64;";
}

std::vector<Rewriting> operandRewritings(
    const WrittenStatement& statement, const FormsTable& forms, const std::vector<std::string>& predicates)
{
    constexpr std::size_t most = 24; // of a list without braces nobody knows what belongs together
    if (statement.operands.size() > most) {
        return {};
    }
    Maker maker(statement, forms);
    maker.grouped();
    maker.added(predicates);
    maker.swapped();
    maker.moved();
    maker.removed();
    return maker.take();
}

std::vector<Rewriting> operandProbes(const WrittenStatement& statement, const CodeText& code,
    const PtxStatement& tokens, const RegisterDeclarations& registers)
{
    std::vector<Rewriting> made;
    const auto& operands = statement.operands;
    constexpr std::size_t most = 12;
    if (operands.size() > most) {
        return made;
    }
    const auto probes = probesFor(statement.opcode);
    std::size_t blamed = 0;
    const auto add = [&](Operands changed, std::string explanation, int rank) {
        made.push_back({.made = statement, .explanation = std::move(explanation), .rank = rank});
        made.back().made.operands = std::move(changed);
        made.back().missing = rank == 1 ? std::optional(blamed) : std::nullopt;
        made.back().blamed = rank == 0 ? std::optional(blamed) : std::nullopt;
    };
    for (std::size_t k = 0; k < operands.size(); ++k) {
        blamed = k;
        const auto* declared = registers.find(tokens.operands[k].first);
        const auto what = declared != nullptr && tokens.operands[k].second == tokens.operands[k].first + 1
            ? fmt::format("{} is declared {}", operands[k], code.text(declared->type))
            : fmt::format(
                "here stands {}{}", shown(operands[k]), addressedName(code, registers, tokens.operands[k]));
        for (const auto& probe : probes) {
            auto changed = operands;
            changed[k] = probe.text;
            add(changed,
                fmt::format("Operand {} is to blame: {}, and ptxas takes the instruction with {} there.",
                    k + 1, what, probe.words),
                0);
        }
        for (const auto count : {1U, 2U, 3U, 4U, 5U, 8U}) {
            for (const auto& probe : {allProbes[0], allProbes[1], allProbes[2]}) {
                const auto list = listOf(probe.text, count);
                auto changed = operands;
                const auto open = operands[k].find('{');
                if (isBracketed(operands[k])
                    && open != std::string::npos) { // the coordinates in a tensor's address
                    changed[k] = fmt::format("{}{}{}", operands[k].substr(0, open), list,
                        operands[k].substr(std::min(operands[k].find('}') + 1, operands[k].size())));
                } else if (isList(operands[k])) {
                    changed[k] = list;
                } else {
                    continue;
                }
                add(changed,
                    fmt::format(
                        "Operand {} is to blame: here stands {}, and ptxas takes the instruction with a list "
                        "of {}: {}.",
                        k + 1, shown(operands[k]), count, probe.words),
                    0);
            }
        }
    }
    for (auto k = operands.size() + 1; k-- > 0;) { // most often it is the last
        blamed = k;
        for (const auto& probe : probes) {
            auto changed = operands;
            changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k), std::string(probe.text));
            add(changed,
                k == operands.size()
                    ? fmt::format(
                        "An operand is missing at the end: ptxas takes the instruction with {} there.",
                        probe.words)
                    : fmt::format(
                        "An operand is missing before {}: ptxas takes the instruction with {} there.",
                        shown(operands[k]), probe.words),
                1);
        }
        if (k < operands.size() && operands.size() > 1) {
            auto changed = operands;
            changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
            add(changed,
                fmt::format(
                    "An operand is too many: ptxas takes the instruction without {}.", shown(operands[k])),
                2);
        }
    }
    return made;
}

} // namespace ptxwb::detail
