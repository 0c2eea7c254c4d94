// SPDX-License-Identifier: Apache-2.0
#include "core/records/asked_families.h"

#include "core/ptx/isa_table.h"
#include "core/ptx/outline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace ptxwb::records {

namespace {

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Walks C++ text; strings and comments are single steps.
class CppText {
public:
    explicit CppText(std::string_view text)
        : m_text(text)
    {
    }

    bool atEnd() const { return m_at >= m_text.size(); }
    char peek() const { return m_text[m_at]; }
    void step() { ++m_at; }

    bool skipComment()
    {
        const auto rest = m_text.substr(m_at);
        if (rest.starts_with("//")) {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
            return true;
        }
        if (rest.starts_with("/*")) {
            const auto end = m_text.find("*/", m_at + 2);
            m_at = end == std::string_view::npos ? m_text.size() : end + 2;
            return true;
        }
        return false;
    }

    std::string_view word()
    {
        const auto begin = m_at;
        while (!atEnd() && isWordCharacter(peek())) {
            ++m_at;
        }
        return m_text.substr(begin, m_at - begin);
    }

    // At '"': what the literal means, as far as PTX needs it.
    std::string literal(bool raw)
    {
        ++m_at;
        return raw ? rawLiteral() : escapedLiteral();
    }

private:
    std::string rawLiteral()
    {
        const auto open = std::min(m_text.find('(', m_at), m_text.size());
        const auto closing = ')' + std::string(m_text.substr(m_at, open - m_at)) + '"';
        const auto begin = std::min(open + 1, m_text.size());
        const auto end = std::min(m_text.find(closing, begin), m_text.size());
        m_at = std::min(end + closing.size(), m_text.size());
        return std::string(m_text.substr(begin, end - begin));
    }

    std::string escapedLiteral()
    {
        std::string meaning;
        while (!atEnd() && peek() != '"' && peek() != '\n') {
            if (peek() != '\\') {
                meaning += peek();
            } else if (++m_at; atEnd()) {
                break;
            } else {
                meaning += peek() == 'n' || peek() == 't' || peek() == '\n' ? '\n' : peek();
            }
            step();
        }
        if (!atEnd()) {
            step();
        }
        return meaning;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

// Behind `asm`: the template of the statement, up to its first ':' or its closing parenthesis.
std::string asmTemplate(CppText& text)
{
    std::string code;
    bool raw = false;
    int depth = 0;
    while (!text.atEnd()) {
        if (text.skipComment()) {
            continue;
        }
        const char c = text.peek();
        if (isWordCharacter(c)) {
            const auto word = text.word();
            raw = word.ends_with('R');
            if (depth == 0 && word != "volatile" && word != "__volatile__" && word != "goto"
                && word != "inline") {
                return {}; // a name that only begins like asm
            }
            continue;
        }
        if (c == '"') {
            code += text.literal(std::exchange(raw, false));
            continue;
        }
        if (c == ';' || (c == ':' && depth <= 1)) {
            return code;
        }
        depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
        text.step();
        if (c == ')' && depth == 0) {
            return code;
        }
    }
    return code;
}

// Calls `use` with the opcode of every instruction.
template <class Use> void forEachOpcode(std::string_view code, Language language, Use use)
{
    std::string module;
    if (language != Language::Ptx) {
        // The statements of all functions as if they stood in one kernel.
        module = ".visible .entry asked() {\n" + asmText(code) + "}\n";
        code = module;
    }
    for (const auto& function : outlinePtx(code).functions) {
        for (const auto& instruction : function.instructions) {
            use(instruction.opcode);
        }
    }
}

struct Need {
    std::string_view opcode; ///< how it begins
    std::string_view sassFamily; ///< empty: of no family
};

// The first that fits decides.
constexpr std::array<Need, 17> needs{{
    {"wgmma.mma_async", "wgmma"},
    {"cp.async.bulk.tensor", "tma"},
    {"cp.reduce.async.bulk.tensor", "tma"},
    {"cp.async.bulk.commit_group", ""},
    {"cp.async.bulk.wait_group", ""},
    {"cp.async.bulk.", "bulk_copy"},
    {"cp.reduce.async.bulk.", "bulk_copy"},
    {"cp.async.commit_group", ""},
    {"cp.async.wait_", ""},
    {"cp.async.mbarrier", ""},
    {"cp.async.", "cp_async"},
    {"tcgen05.mma", "tcgen05"},
    {"tcgen05.ld", "tcgen05"},
    {"tcgen05.cp", "tcgen05"},
    {"ldmatrix.", "ldmatrix"},
    {"mma.sync.", "mma"},
    {"setmaxnreg.", "setmaxnreg"},
}};

} // namespace

std::string asmText(std::string_view cuda)
{
    std::string all;
    CppText text(cuda);
    bool raw = false;
    while (!text.atEnd()) {
        if (text.skipComment()) {
            continue;
        }
        const char c = text.peek();
        if (isWordCharacter(c)) {
            const auto word = text.word();
            raw = word == "R" || word == "u8R" || word == "LR";
            if (word == "asm" || word == "__asm__" || word == "__asm") {
                all += asmTemplate(text) + ";\n"; // the last semicolon may be left out
            }
        } else if (c == '"') {
            text.literal(std::exchange(raw, false));
        } else {
            text.step();
            if (c == '\'' && !text.atEnd()) { // '"' is no string
                if (text.peek() == '\\') {
                    text.step();
                }
                if (!text.atEnd() && text.peek() == '"') {
                    text.step();
                }
            }
        }
    }
    return all;
}

FamilyTable familiesAsked(std::string_view code, Language language)
{
    FamilyTable table;
    forEachOpcode(code, language, [&](std::string_view opcode) {
        if (const auto family = ptxFamilyOf(opcode); family != PtxFamily::Ordinary) {
            ++table[std::string(ptxFamilyName(family))];
        }
    });
    return table;
}

std::vector<std::string> sassFamiliesNeeded(std::string_view code, Language language)
{
    std::vector<std::string> families;
    forEachOpcode(code, language, [&](std::string_view opcode) {
        const auto need = std::find_if(
            needs.begin(), needs.end(), [&](const Need& one) { return opcode.starts_with(one.opcode); });
        if (need != needs.end() && !need->sassFamily.empty()
            && std::find(families.begin(), families.end(), need->sassFamily) == families.end()) {
            families.emplace_back(need->sassFamily);
        }
    });
    return families;
}

} // namespace ptxwb::records
