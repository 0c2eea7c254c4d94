// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/completion.h"

#include "core/ptx/asm_statements.h"
#include "core/ptx/lint/program.h"
#include "core/ptx/opcode_parts.h"
#include "core/ptx/vocabulary.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace ptxwb {

namespace {

constexpr std::array linkageWords = {".extern", ".visible", ".weak", ".common"};

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'
        || c == '%' || c == '.';
}

// Where the word that ends at the caret starts; "::" joins, a single ':' ends a label.
std::size_t wordStart(std::string_view source, std::size_t caret)
{
    auto from = caret;
    while (from > 0) {
        if (isWordByte(source[from - 1])) {
            --from;
        } else if (source[from - 1] == ':' && from > 1 && source[from - 2] == ':') {
            from -= 2;
        } else {
            break;
        }
    }
    return from;
}

std::string typeWord(lint::RegisterType type)
{
    if (type.kind == 'p') {
        return ".pred";
    }
    return type.kind == '?' ? std::string() : std::string(".") + type.kind + std::to_string(type.bits);
}

class Completer {
public:
    Completer(std::string_view source, std::size_t caret, const IsaTable& isa)
        : m_source(source)
        , m_caret(caret)
        , m_from(wordStart(source, caret))
        , m_isa(isa)
    {
    }

    Completions run()
    {
        LineState state = LineState::Code;
        const auto all = lexPtx(m_source.substr(0, m_caret), LineState::Code, &state);
        if (state == LineState::InBlockComment || state == LineState::InBlockCommentOfInstruction
            || (!all.empty()
                && (all.back().kind == TokenKind::LineComment || all.back().kind == TokenKind::String))) {
            return {};
        }
        takeStatement(all);
        context();
        return finished();
    }

    Completions asmOnly()
    {
        if (!m_source.substr(0, m_from).empty()) {
            const auto before = m_source.substr(0, m_from).find_last_not_of(" \t\n");
            const char last = before == std::string_view::npos ? ';' : m_source[before];
            if (last != ';' && last != '{' && last != '}' && last != ':') {
                operandOfAsm();
                return finished();
            }
        }
        opcode();
        return finished();
    }

private:
    std::string_view word() const { return m_source.substr(m_from, m_caret - m_from); }
    std::string_view text(std::size_t i) const { return m_statement[i].text(m_source); }
    bool is(std::size_t i, std::string_view what) const { return i < m_statement.size() && text(i) == what; }

    Completions finished()
    {
        Completions made{.from = static_cast<std::uint32_t>(m_from)};
        const auto begun = word();
        std::unordered_set<std::string> known;
        for (auto& one : m_items) {
            if (one.text != begun && one.text.starts_with(begun) && known.insert(one.text).second) {
                made.items.push_back(std::move(one));
            }
        }
        return made;
    }

    // The tokens of the statement that the caret stands in, without the word begun.
    void takeStatement(const std::vector<Token>& all)
    {
        std::vector<Token> back;
        for (auto one = all.rbegin(); one != all.rend(); ++one) {
            if (one->offset + one->length > m_from || one->kind == TokenKind::Whitespace
                || one->kind == TokenKind::LineEnd || one->kind == TokenKind::LineComment
                || one->kind == TokenKind::BlockComment || one->kind == TokenKind::Preprocessor) {
                continue;
            }
            const auto what = one->text(m_source);
            const auto behind = back.empty() ? std::string_view{} : back.back().text(m_source);
            if (what == ";" || (what == "}" && behind != "," && behind != "]" && behind != "|")
                || (what == "{" && opensBlock(one, all.rend()))) {
                break;
            }
            back.push_back(*one);
        }
        m_statement.assign(back.rbegin(), back.rend());
        dropFinishedLines();
        while (m_statement.size() > 1 && m_statement[0].kind == TokenKind::Identifier && is(1, ":")) {
            m_statement.erase(m_statement.begin(), m_statement.begin() + 2);
        }
    }

    // A brace behind an opcode, a comma or a bracket holds a vector.
    template <class Iterator> bool opensBlock(Iterator brace, Iterator end) const
    {
        for (auto before = std::next(brace); before != end; ++before) {
            switch (before->kind) {
            case TokenKind::Whitespace:
            case TokenKind::LineEnd:
            case TokenKind::LineComment:
            case TokenKind::BlockComment:
                continue;
            case TokenKind::Opcode:
            case TokenKind::Modifier:
            case TokenKind::Type:
                return false;
            default:
                const auto what = before->text(m_source);
                return what != "," && what != "[" && what != "=" && what != "|";
            }
        }
        return true;
    }

    // `.version 8.0` and its kin end with their line.
    void dropFinishedLines()
    {
        const auto caretLine = 1
            + static_cast<std::uint32_t>(
                std::count(m_source.begin(), m_source.begin() + static_cast<std::ptrdiff_t>(m_from), '\n'));
        while (!m_statement.empty() && isLineDirective(text(0)) && m_statement[0].line < caretLine) {
            const auto line = m_statement[0].line;
            std::erase_if(m_statement, [line](const Token& one) { return one.line == line; });
        }
    }

    void context()
    {
        m_program = lint::readProgram(m_source);
        for (const auto& one : m_program.functions) {
            const auto end = one.isComplete && one.end > 0 ? m_program.tokens[one.end - 1].offset
                                                           : static_cast<std::uint32_t>(m_source.size());
            if (one.first < m_program.tokens.size() && m_from > m_program.tokens[one.bodyOpen].offset
                && m_from <= end) {
                m_function = &one;
            }
        }
        std::size_t first = 0;
        if (!m_statement.empty() && m_statement[0].kind == TokenKind::Predicate) {
            if (m_statement.size() == 1) {
                registers('p');
                return;
            }
            first = 2; // `@%p` and what follows it
        }
        if (first >= m_statement.size()) {
            if (m_function != nullptr && !word().starts_with('.')) {
                opcode();
            } else {
                directives();
            }
        } else if (m_statement[first].kind == TokenKind::Directive) {
            declaration();
        } else if (m_function != nullptr) {
            operand(first);
        }
    }

    void opcode()
    {
        const auto begun = word();
        const auto dot = begun.rfind('.');
        if (dot == std::string_view::npos) {
            m_items = mnemonicsFor(begun, m_isa);
        } else if (dot > 0) {
            m_items = partsAfter(begun.substr(0, dot), m_isa);
            m_from += dot;
        }
    }

    void directives()
    {
        for (const auto& one : m_isa.directives()) {
            m_items.push_back({one.name, one.summary, CompletionKind::Directive});
        }
    }

    void types()
    {
        for (const auto& one : m_isa.types()) {
            m_items.push_back({one, {}, CompletionKind::Directive});
        }
    }

    void declaration()
    {
        const auto head = text(0);
        if (head == ".target") {
            for (const auto& one : m_isa.targets()) {
                m_items.push_back({one, "PTX " + std::string(m_isa.minPtxOfTarget(one)) + " or newer",
                    CompletionKind::Directive});
            }
        } else if (head == ".version") {
            std::vector<std::string> versions;
            for (const auto& one : m_isa.targets()) {
                versions.emplace_back(m_isa.minPtxOfTarget(one));
            }
            std::sort(versions.rbegin(), versions.rend());
            for (auto& one : versions) {
                m_items.push_back({std::move(one), {}, CompletionKind::Directive});
            }
        } else if (std::find(linkageWords.begin(), linkageWords.end(), head) != linkageWords.end()) {
            directives();
            types();
        } else if (word().starts_with('.')) {
            types();
            directives();
        }
    }

    void registers(char kind)
    {
        if (m_function == nullptr) {
            return;
        }
        for (const auto& one : m_function->declarations) {
            if (kind != '\0' && one.type.kind != kind && one.type.kind != '?') {
                continue;
            }
            auto type = typeWord(one.type);
            if (one.count > 0) {
                type = std::string(one.name) + "<" + std::to_string(one.count) + ">  " + type;
            }
            m_items.push_back({std::string(one.name), std::move(type), CompletionKind::Register});
        }
    }

    void specialRegisters()
    {
        const auto begun = word();
        if (const auto dot = begun.find('.'); dot != std::string_view::npos) {
            const auto name = begun.substr(0, dot);
            for (const char* vector : {"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid",
                     "%cluster_ctaid", "%cluster_nctaid"}) {
                if (name == vector) {
                    m_from += dot;
                    m_items = {{".x", {}, CompletionKind::SpecialRegister},
                        {".y", {}, CompletionKind::SpecialRegister},
                        {".z", {}, CompletionKind::SpecialRegister}};
                }
            }
            return;
        }
        for (const auto& one : m_isa.specialRegisters()) {
            m_items.push_back({one.name, one.summary, CompletionKind::SpecialRegister});
        }
    }

    void names()
    {
        for (const auto& one : m_function->shared) {
            m_items.push_back({one.name,
                one.isExtern ? "shared memory, size of the launch"
                             : "shared memory, " + std::to_string(one.bytes) + " bytes",
                CompletionKind::Symbol});
        }
        for (const auto& parameter : m_function->parameters) {
            m_items.push_back({parameter.name, "parameter", CompletionKind::Symbol});
        }
        for (const auto& one : m_program.facts.shared) {
            m_items.push_back({one.name, "shared memory of the module", CompletionKind::Symbol});
        }
        std::vector<std::string> others(m_program.facts.names.begin(), m_program.facts.names.end());
        std::sort(others.begin(), others.end());
        for (auto& one : others) {
            m_items.push_back({std::move(one), "of the module", CompletionKind::Symbol});
        }
    }

    void labels()
    {
        for (const auto& one : m_function->labels) {
            m_items.push_back({std::string(one.name), "label", CompletionKind::Label});
        }
    }

    void operand(std::size_t first)
    {
        if (word().starts_with('.')) {
            opcode();
            return;
        }
        const bool isBranch = text(first).starts_with("bra") || text(first).starts_with("brx");
        if (isBranch) {
            labels();
        }
        registers('\0');
        names();
        if (!isBranch) {
            labels();
        }
        specialRegisters();
    }

    // Asm strings write "%%tid" for a special register; "%0" is the operand list's business.
    void operandOfAsm()
    {
        if (!word().starts_with("%%")) {
            return;
        }
        for (const auto& one : m_isa.specialRegisters()) {
            m_items.push_back({"%" + one.name, one.summary, CompletionKind::SpecialRegister});
        }
    }

    std::string_view m_source;
    std::size_t m_caret;
    std::size_t m_from;
    const IsaTable& m_isa;
    lint::Program m_program;
    const lint::Function* m_function = nullptr;
    std::vector<Token> m_statement;
    std::vector<Completion> m_items;
};

} // namespace

Completions completePtx(std::string_view source, std::uint32_t caret, const IsaTable& isa)
{
    return Completer(source, std::min<std::size_t>(caret, source.size()), isa).run();
}

Completions completeCuda(std::string_view source, std::uint32_t caret, const IsaTable& isa)
{
    if (caret > source.size()) {
        return {};
    }
    // With a blank at the caret a first word alone is a statement begun, not the name of a symbol.
    std::string spaced(source.substr(0, caret));
    spaced += ' ';
    spaced += source.substr(caret);
    const auto found = findAsm(spaced);
    for (const auto& one : found.statements) {
        if (caret <= one.offset || caret >= one.end) {
            continue;
        }
        const auto at = std::find(one.origins.begin(), one.origins.end(), caret);
        if (at == one.origins.end()) {
            return {}; // among the operands, or between two pieces
        }
        const auto before = static_cast<std::size_t>(at - one.origins.begin());
        const auto text = std::string_view(one.text).substr(0, before);
        auto made = Completer(text, text.size(), isa).asmOnly();
        made.from = one.origins[made.from];
        return made;
    }
    return {};
}

} // namespace ptxwb
