// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/fix_search.h"

#include "core/toolchain/fix_makers.h"
#include "core/toolchain/form_operands.h"
#include "core/toolchain/statement_rewriting.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxwb::detail {

namespace {

constexpr int mostReruns = 10; // a syntax error hides what stands behind it

// The statement that the message speaks of: that with the opcode it names, else the first on its line.
std::optional<PtxStatement> statementOf(const CodeText& code, const Diagnostic& said)
{
    const int line = said.line.value_or(0);
    const auto word = quotedText(said.message);
    const auto name = word.substr(0, word.find(' '));
    std::optional<PtxStatement> first;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code.statementAt(i);
        if (!statement) {
            continue;
        }
        const bool isNamed = !name.empty() && statement->opcode.starts_with(name);
        const bool isHere = said.column && code.column(i) >= *said.column;
        if (isNamed || isHere) {
            return statement;
        }
        first = first ? first : statement;
        i = std::max(i, statement->end);
    }
    return first;
}

// Predicates that guard the next statements or are read by them, the nearest first.
std::vector<std::string> predicatesBehind(
    const CodeText& code, const PtxStatement& statement, const RegisterDeclarations& registers)
{
    constexpr std::size_t near = 60;
    std::vector<std::string> found;
    for (auto i = statement.end; i < std::min(code.size(), statement.end + near); ++i) {
        const auto* declared = registers.find(i);
        const bool isPredicate = declared != nullptr && code.text(declared->type) == ".pred";
        if (isPredicate && std::find(found.begin(), found.end(), code.text(i)) == found.end()) {
            found.emplace_back(code.text(i));
        }
    }
    return found;
}

std::vector<std::string_view> typesOfRegisters(
    const CodeText& code, const PtxStatement& statement, const RegisterDeclarations& registers)
{
    std::vector<std::string_view> types;
    for (const auto& [first, end] : statement.operands) {
        for (auto i = first; i < end; ++i) {
            const auto* declared = registers.find(i);
            const auto type = declared != nullptr ? code.text(declared->type) : std::string_view{};
            if (!type.empty() && type != ".pred"
                && std::find(types.begin(), types.end(), type) == types.end()) {
                types.push_back(type);
            }
        }
    }
    return types;
}

/// One text with many ways to write a statement.
class Batch {
public:
    Batch(const std::string& source, const CodeText& code, const PtxStatement& statement)
    {
        const auto first = code[statement.first].offset;
        const auto last = code[statement.end - 1];
        auto end = last.offset + last.length;
        if (statement.end < code.size() && code.text(statement.end) == ";") {
            end = code[statement.end].offset + 1;
        }
        m_before = source.substr(0, first) + "\n{ " + std::string(probeDeclarations()) + '\n';
        m_behind = "}\n" + source.substr(end);
        m_firstLine = static_cast<int>(std::count(m_before.begin(), m_before.end(), '\n')) + 1;
    }

    /// Per rewriting whether ptxas has nothing against it; nothing where it could not be asked.
    std::optional<std::vector<bool>> passing(const std::vector<Rewriting>& all, const AskPtxas& ask) const
    {
        std::vector<bool> good(all.size(), true);
        for (int run = 0; run < mostReruns; ++run) {
            std::string text = m_before;
            for (std::size_t k = 0; k < all.size(); ++k) {
                text += good[k] ? all[k].made.text() : std::string();
                text += '\n';
            }
            const auto errors = ask(text + m_behind);
            if (!errors) {
                return std::nullopt;
            }
            std::optional<std::size_t> ended;
            for (const auto& said : *errors) {
                const auto k = said.line.value_or(m_firstLine) - m_firstLine;
                const bool ends =
                    said.severity == Severity::Fatal || said.message.starts_with("Parsing error");
                if (ends && k < 0) {
                    return std::nullopt; // ptxas does not come as far as here
                }
                if (said.line && k >= 0 && k < static_cast<int>(all.size())) {
                    good[static_cast<std::size_t>(k)] = false;
                    ended = ends ? std::optional(static_cast<std::size_t>(k)) : ended;
                }
            }
            if (!ended) {
                return good;
            }
            if (run + 1 == mostReruns) { // of the rest nothing is known
                std::fill(good.begin() + static_cast<std::ptrdiff_t>(*ended), good.end(), false);
            }
        }
        return good;
    }

private:
    std::string m_before;
    std::string m_behind;
    int m_firstLine = 0;
};

} // namespace

SearchedFixes searchFixes(const std::string& source, const Diagnostic& said, const AskPtxas& ask)
{
    SearchedFixes made;
    const auto forms = FormsTable::shared();
    const auto isa = IsaTable::shared();
    const CodeText code(source);
    const auto statement = said.line ? statementOf(code, said) : std::nullopt;
    if (!statement || !forms || statement->end == statement->first) {
        return made;
    }
    const RegisterDeclarations registers(code);
    const auto written = writtenStatement(code, *statement);
    const Batch batch(source, code, *statement);
    auto all = opcodeRewritings(
        written, **forms, isa ? *isa : nullptr, typesOfRegisters(code, *statement, registers));
    const bool isMismatch = said.message.starts_with("Argument")
        || said.message.find("perand") != std::string::npos
        || said.message.find("Vector of size") != std::string::npos
        || said.message.find("ddress") != std::string::npos || said.message.starts_with("Sink");
    auto operands = operandRewritings(written, **forms, predicatesBehind(code, *statement, registers));
    for (auto& one : operands) {
        // The operands are to blame then before the opcode, but for those in another order.
        one.rank -= isMismatch ? (one.rank < 80 ? 95 : 78) : 0;
        all.push_back(std::move(one));
    }
    const auto good = batch.passing(all, ask);
    if (!good) {
        return made;
    }
    std::optional<int> rank;
    for (std::size_t k = 0; k < all.size(); ++k) {
        rank = (*good)[k] && (!rank || all[k].rank < *rank) ? all[k].rank : rank;
    }
    constexpr std::size_t mostFixes = 3;
    for (std::size_t k = 0; rank && k < all.size() && made.fixes.size() < mostFixes; ++k) {
        const bool isKnown = std::any_of(
            made.fixes.begin(), made.fixes.end(), [&](const Fix& fix) { return fix.title == all[k].title; });
        if ((*good)[k] && all[k].rank == *rank && !isKnown) {
            made.explanation = made.fixes.empty() ? all[k].explanation : made.explanation;
            made.fixes.push_back(
                {.title = all[k].title, .edits = editsOf(code, *statement, written, all[k])});
        }
    }
    if (!made.fixes.empty() || !isMismatch) {
        return made;
    }
    const auto probes = operandProbes(written, code, *statement, registers);
    const auto taken = batch.passing(probes, ask);
    std::optional<std::size_t> best;
    for (std::size_t k = 0; taken && k < probes.size(); ++k) {
        best = (*taken)[k] && (!best || probes[k].rank < probes[*best].rank) ? k : best;
    }
    if (best) {
        made.explanation = probes[*best].explanation;
        const auto* row = isa ? (*isa)->find(statement->opcode) : nullptr;
        if (const auto missing = probes[*best].missing; missing && row != nullptr) {
            const auto name = nameOfMissing(*row, written.operands.size(), *missing);
            made.explanation += name.empty() ? "" : fmt::format(" In the instruction's form it is {}.", name);
        }
        if (const auto blamed = probes[*best].blamed; blamed && *blamed < statement->operands.size()) {
            const auto [first, end] = statement->operands[*blamed];
            made.blamed = first < end ? std::optional(code.replaceTokens(first, end, "")) : std::nullopt;
        }
    }
    return made;
}

} // namespace ptxwb::detail
