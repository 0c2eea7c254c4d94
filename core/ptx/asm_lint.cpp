// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/asm_lint.h"

#include "core/ptx/asm_blocks.h"
#include "core/ptx/asm_template.h"
#include "core/ptx/asm_words.h"
#include "core/ptx/cuda_allows.h"
#include "core/ptx/lint/rules.h"
#include "core/ptx/text_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxwb {

namespace {

using namespace lint;

constexpr std::uint32_t nowhere = none;
constexpr std::string_view asmManual = "https://docs.nvidia.com/cuda/inline-ptx-assembly/";

/// A statement's text as the body of a function whose parameters are its operands.
struct Body {
    std::string ptx{};
    std::vector<std::uint32_t> places{}; ///< of each byte: offset in the statement's text, or nowhere
    std::string notRead{};
};

Body bodyOf(const AsmStatement& statement, const AsmTemplate& split)
{
    Body made{.ptx = ".func asm_text ("};
    std::vector<std::string> names;
    bool isFirst = true;
    for (std::size_t i = 0; i < statement.operands.size(); ++i) {
        const auto letter = constraintLetter(statement, i);
        const auto type = typeOfConstraint(letter);
        if (!type.empty()) {
            names.push_back(fmt::format("%{}", i));
            made.ptx += fmt::format("{}.reg {} %{}", isFirst ? "" : ", ", type, i);
            isFirst = false;
        } else if (letter == 'n') {
            const auto& said = statement.operands[i].expression;
            names.push_back(literalValue(said) ? std::string(said) : fmt::format("asm_constant_{}", i));
        } else {
            made.notRead = letter == 'C'
                ? fmt::format("operand %{} is text that only the compiler knows", i)
                : fmt::format("the constraint \"{}\" is not known to us", statement.operands[i].constraint);
            return made;
        }
    }
    made.ptx += ") {\n";
    made.places.assign(made.ptx.size(), nowhere);
    for (const auto& part : split.parts) {
        if (part.operand < 0) {
            made.ptx += std::string_view(statement.text).substr(part.first, part.end - part.first);
            for (auto at = part.first; at < part.end; ++at) {
                made.places.push_back(at);
            }
        } else if (static_cast<std::size_t>(part.operand) < names.size()) {
            const auto& name = names[static_cast<std::size_t>(part.operand)];
            made.ptx += name;
            for (std::uint32_t i = 0; i < name.size(); ++i) {
                made.places.push_back(std::min(part.first + i, part.end - 1));
            }
        }
    }
    made.ptx += "\n}\n";
    made.places.resize(made.ptx.size() + 1, nowhere);
    return made;
}

bool isCode(TokenKind kind)
{
    return kind != TokenKind::Whitespace && kind != TokenKind::LineEnd && kind != TokenKind::LineComment
        && kind != TokenKind::BlockComment && kind != TokenKind::Preprocessor;
}

/// One asm statement beside the source that it stands in.
class Reader {
public:
    Reader(const AsmStatement& statement, const TextPlaces& places, std::vector<LintFinding>& findings)
        : m_statement(statement)
        , m_split(splitTemplate(statement))
        , m_places(places)
        , m_findings(findings)
    {
    }

    /// Why the PTX was not read; empty if it was.
    std::string run(const IsaTable& isa, const FormsTable& forms, const std::set<std::string>& declared,
        const std::set<std::string, std::less<>>& cppWords)
    {
        faults();
        const auto isBroken = [](const AsmFault& fault) {
            return fault.kind != AsmFault::Kind::DoubledWithoutOperands;
        };
        if (std::any_of(m_split.faults.begin(), m_split.faults.end(), isBroken)) {
            return "an operand that it names is not there";
        }
        m_body = bodyOf(m_statement, m_split);
        if (!m_body.notRead.empty()) {
            return m_body.notRead;
        }
        if (!isBalanced()) {
            return "its braces open or close in another asm statement";
        }
        swallowedPieces();
        auto program = readProgram(m_body.ptx);
        if (program.functions.size() != 1) {
            return "it holds a function of its own";
        }
        program.facts.isFragment = true;
        program.facts.wellFormed = true;
        program.facts.names.insert(declared.begin(), declared.end());
        for (std::size_t i = 0; i < m_statement.operands.size(); ++i) {
            program.facts.names.insert(fmt::format("asm_constant_{}", i));
        }
        const PlanFacts plan;
        Context context{.program = program, .facts = program.facts, .plan = plan, .isa = isa, .forms = forms};
        auto& function = program.functions.front();
        std::vector<LintFinding> found;
        Sink sink(context, found);
        checkOpcodes(function, context, sink);
        const auto named = found.size();
        checkRegisters(function, context, sink);
        if (named == 0) {
            const FunctionKnowledge knowledge(function, context);
            checkWgmma(function, context, sink);
        }
        take(std::move(found), program, cppWords);
        return {};
    }

    /// The block that opens at this byte of the text is closed nowhere.
    void openBlock(std::uint32_t brace)
    {
        auto& made = add("asm-brace", brace, brace + 1, "the '{' that opens here is never closed");
        made.fixTitle = "close it at the end of the text";
        made.edits.push_back(insertion(m_statement.origins.back(), "}"));
    }

private:
    std::uint32_t sourceOf(std::uint32_t textOffset) const
    {
        return m_statement.origins[std::min<std::size_t>(textOffset, m_statement.origins.size() - 1)];
    }

    LintFinding& add(std::string_view rule, std::uint32_t first, std::uint32_t end, std::string message)
    {
        const auto* found = findLintRule(rule);
        const auto from = sourceOf(first);
        const auto to = std::max(sourceOf(end - 1) + 1, from + 1);
        m_findings.push_back({.rule = found,
            .message = std::move(message),
            .manualUrl = std::string(asmManual),
            .range = m_places.rangeOf(from, to),
            .offset = from,
            .length = to - from});
        return m_findings.back();
    }

    LintEdit insertion(std::uint32_t source, std::string text) const
    {
        return {.range = m_places.rangeOf(source, source), .text = std::move(text)};
    }

    void faults()
    {
        for (const auto& fault : m_split.faults) {
            const auto words = m_statement.text.substr(fault.first, fault.end - fault.first);
            const auto count = m_statement.operands.size();
            switch (fault.kind) {
            case AsmFault::Kind::NoSuchOperand:
                add("asm-operand", fault.first, fault.end,
                    fmt::format("{} names no operand: this asm has {}, %0 to %{}", words, count, count - 1));
                break;
            case AsmFault::Kind::NamedOperand:
                add("asm-operand", fault.first, fault.end,
                    fmt::format("nvcc does not take operands by name ({}): number them from %0", words));
                break;
            case AsmFault::Kind::Modifier: {
                auto& made = add("asm-percent", fault.first, fault.end,
                    fmt::format("in an asm with operands a register is written %{}", words));
                made.fixTitle = fmt::format("write %{}", words);
                made.edits.push_back(insertion(sourceOf(fault.first), "%"));
                break;
            }
            case AsmFault::Kind::DoubledWithoutOperands: {
                auto& made = add("asm-percent", fault.first, fault.end,
                    "this asm has no operands, so that both percent signs reach ptxas: write one");
                made.fixTitle = "write one %";
                made.edits.push_back(
                    {.range = m_places.rangeOf(sourceOf(fault.first), sourceOf(fault.first + 1)),
                        .text = ""});
                break;
            }
            case AsmFault::Kind::LonePercent:
                add("asm-percent", fault.first, fault.end, "the text ends with a lone percent sign");
                break;
            }
        }
    }

    bool isBalanced() const
    {
        int depth = 0;
        for (const auto& token : lexPtx(m_body.ptx)) {
            const auto word = token.text(m_body.ptx);
            depth += word == "{" ? 1 : (word == "}" ? -1 : 0);
            if (depth == 0 && word == "}" && token.offset + 2 < m_body.ptx.size()) {
                return false;
            }
        }
        return depth == 0;
    }

    // A `//` goes on to the next new line, also where another string begins.
    void swallowedPieces()
    {
        for (const auto& token : lexPtx(m_body.ptx)) {
            if (token.kind != TokenKind::LineComment) {
                continue;
            }
            const auto first = m_body.places[token.offset];
            const auto end = m_body.places[token.offset + token.length - 1];
            const auto piece = std::upper_bound(m_statement.pieces.begin(), m_statement.pieces.end(), first);
            if (first == nowhere || end == nowhere || piece == m_statement.pieces.end() || *piece > end) {
                continue;
            }
            // Words that go on with the comment lose nothing.
            const auto swallowed = std::string_view(m_statement.text).substr(*piece, end + 1 - *piece);
            if (swallowed.find(';') == std::string_view::npos) {
                continue;
            }
            auto& made = add("asm-comment", first, *piece,
                "this comment goes on in the next string: what stands there is not assembled");
            made.fixTitle = "end the string with \\n";
            made.edits.push_back(insertion(sourceOf(*piece - 1) + 1, "\\n"));
        }
    }

    // The last statement before the end of the text.
    void missingSemicolon(const Program& program)
    {
        const auto& tokens = program.tokens;
        if (tokens.size() < 3) {
            return;
        }
        const auto last = static_cast<Index>(tokens.size() - 2); // before the body's brace
        const auto word = program.text(last);
        const auto place = m_body.places[tokens[last].offset];
        // A sign beyond ASCII is no statement's last word: it may be another alphabet's ';'.
        const bool isForeign = std::any_of(
            word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
        const bool ends = isForeign || word == ";" || word == ":" || word == "{"
            || (word == "}" && (program.statements.empty() || program.statements.back().end <= last));
        if (place == nowhere || ends || !isCode(tokens[last].kind)) {
            return;
        }
        auto& made = add("asm-semicolon", m_body.places[tokens[last].offset],
            m_body.places[tokens[last].offset + tokens[last].length - 1] + 1,
            fmt::format("';' is missing behind '{}'", word));
        made.fixTitle = "write ';'";
        made.edits.push_back(insertion(made.offset + made.length, ";"));
    }

    bool isLeftToPtxas(const LintFinding& finding, const Program& program,
        const std::set<std::string, std::less<>>& cppWords) const
    {
        if (finding.rule->id == "unused-register") { // another statement may use what no block ends
            const auto open = m_statement.text.find_first_not_of(" \t\n");
            return m_statement.text[open] != '{';
        }
        if (finding.rule->id != "undeclared-register") {
            return false;
        }
        const auto word = std::string_view(m_body.ptx).substr(finding.offset, finding.length);
        if (word.starts_with('%')) {
            return false;
        }
        // A bare word may be a variable of the C++ text, or be declared where we do not see it.
        for (const auto& one : program.statements) {
            const auto& first = program.tokens[one.first];
            const auto& end = program.tokens[one.end];
            if (finding.offset >= first.offset && finding.offset < end.offset) {
                if (finding.offset < program.tokens[one.opcode].offset) {
                    return cppWords.contains(word); // a guard
                }
                const auto root = program.text(one.opcode);
                const auto inside =
                    std::string_view(m_body.ptx).substr(first.offset, finding.offset - first.offset);
                if (root == "mov" || root == "cvta" || inside.rfind('[') != std::string_view::npos) {
                    return true;
                }
            }
        }
        return cppWords.contains(word);
    }

    void take(std::vector<LintFinding> found, const Program& program,
        const std::set<std::string, std::less<>>& cppWords)
    {
        const TextPlaces inBody(m_body.ptx);
        std::string declarations;
        std::string asWritten; // the same with the percent signs of the text: nvcc takes "%x" and "%%x"
        std::vector<std::size_t> declared;
        const auto before = m_findings.size();
        for (auto& finding : found) {
            const auto first = m_body.places[finding.offset];
            const auto last = m_body.places[finding.offset + std::max(finding.length, 1U) - 1];
            if (first == nowhere || last == nowhere || isLeftToPtxas(finding, program, cppWords)) {
                continue;
            }
            withOperandNames(finding.message);
            auto& made = add(finding.rule->id, first, last + 1, finding.message);
            made.manualUrl = finding.manualUrl;
            if (finding.rule->id == "undeclared-register") {
                if (!finding.edits.empty()) {
                    const auto& text = finding.edits.front().text;
                    const auto one = text.substr(0, text.find(';') + 1) + ' ';
                    const bool isDoubled =
                        !m_statement.operands.empty() && first > 0 && m_statement.text[first - 1] == '%';
                    declarations += one;
                    asWritten += isDoubled ? doubled(one) : one;
                    declared.push_back(m_findings.size() - 1);
                }
                continue;
            }
            std::vector<LintEdit> edits;
            for (const auto& edit : finding.edits) {
                const auto from = m_body.places[inBody.offsetOf(edit.range.line, edit.range.column)];
                const auto to = inBody.offsetOf(edit.range.endLine, edit.range.endColumn);
                const auto end = to == 0 ? nowhere : m_body.places[to - 1];
                if (from == nowhere || end == nowhere) {
                    edits.clear();
                    break;
                }
                const bool isInsertion =
                    edit.range.line == edit.range.endLine && edit.range.column == edit.range.endColumn;
                const auto start = sourceOf(from);
                edits.push_back({.range = m_places.rangeOf(start, isInsertion ? start : sourceOf(end) + 1),
                    .text = asLiteral(edit.text)});
            }
            if (!edits.empty()) {
                made.fixTitle = finding.fixTitle;
                made.edits = std::move(edits);
            }
        }
        declare(declared, declarations, asWritten);
        const bool hasUnknown = std::any_of(m_findings.begin() + static_cast<std::ptrdiff_t>(before),
            m_findings.end(), [](const LintFinding& one) { return one.rule->id == "unknown-instruction"; });
        if (!hasUnknown) {
            missingSemicolon(program);
        }
    }

    // A name declared without braces would stand twice where the function is inlined twice.
    void declare(
        const std::vector<std::size_t>& findings, const std::string& declarations, const std::string& text)
    {
        if (findings.empty() || m_statement.text.empty()) {
            return;
        }
        const auto open = m_statement.text.find_first_not_of(" \t\n");
        const bool hasBlock = open != std::string::npos && m_statement.text[open] == '{';
        for (const auto i : findings) {
            auto& made = m_findings[i];
            made.fixTitle = fmt::format("declare it: {}", declarations.substr(0, declarations.size() - 1));
            if (hasBlock) {
                made.edits = {insertion(sourceOf(static_cast<std::uint32_t>(open)) + 1, ' ' + text)};
            } else {
                made.edits = {
                    insertion(sourceOf(0), "{ " + text), insertion(m_statement.origins.back(), " }")};
            }
        }
    }

    static std::string doubled(std::string_view text)
    {
        std::string made;
        for (const char c : text) {
            made += c == '%' ? "%%" : std::string(1, c);
        }
        return made;
    }

    std::string asLiteral(std::string_view text) const
    {
        std::string made;
        for (const char c : m_statement.operands.empty() ? std::string(text) : doubled(text)) {
            if (c == '\n' && !m_statement.isRaw) {
                made += "\\n";
            } else {
                made += c;
            }
        }
        return made;
    }

    // "'%0' is declared .b32" says nothing to whoever wrote "r"(n).
    void withOperandNames(std::string& message) const
    {
        for (std::size_t i = 0; i < m_statement.operands.size(); ++i) {
            const auto said =
                fmt::format("'%{}' is declared {}", i, typeOfConstraint(constraintLetter(m_statement, i)));
            if (const auto at = message.find(said); at != std::string::npos) {
                const auto& operand = m_statement.operands[i];
                message.replace(at, said.size(),
                    fmt::format("%{} is \"{}\"({}), a {} register", i, operand.constraint, operand.expression,
                        typeOfConstraint(constraintLetter(m_statement, i))));
            }
        }
    }

    const AsmStatement& m_statement;
    const AsmTemplate m_split;
    const TextPlaces& m_places;
    std::vector<LintFinding>& m_findings;
    Body m_body;
};

} // namespace

Result<AsmLint> lintCudaAsm(std::string_view source)
{
    const auto isa = IsaTable::shared();
    if (!isa) {
        return isa.error();
    }
    const auto forms = FormsTable::shared();
    if (!forms) {
        return forms.error();
    }
    AsmLint made;
    const auto found = findAsm(source);
    if (found.statements.empty()) {
        return made;
    }
    const TextPlaces places(source);
    const auto open = blockNeverClosed(found.statements);
    const auto declared = declaredInAsm(found.statements);
    const auto words = cppWords(found.code);
    made.statements = static_cast<int>(found.statements.size());
    for (const auto& one : found.statements) {
        auto reason = one.notRead;
        const auto before = made.findings.size();
        if (reason.empty()) {
            reason = Reader(one, places, made.findings).run(**isa, **forms, declared, words);
        }
        if (open && open->statement == &one) {
            Reader(one, places, made.findings).openBlock(open->brace);
        }
        if (!reason.empty()) {
            made.notLinted.push_back({.line = one.line, .reason = std::move(reason)});
        }
        std::stable_sort(made.findings.begin() + static_cast<std::ptrdiff_t>(before), made.findings.end(),
            [](const LintFinding& a, const LintFinding& b) { return a.offset < b.offset; });
    }
    const CudaAllows allows(source, found);
    std::erase_if(made.findings,
        [&](const LintFinding& finding) { return allows.covers(finding.rule->id, finding.range.line); });
    return made;
}

} // namespace ptxwb
