// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/opcode_parts.h"

#include "core/ptx/forms_table.h"

#include <algorithm>

namespace ptxwb {

namespace {

std::vector<std::string_view> partsOf(std::string_view dotted)
{
    std::vector<std::string_view> parts;
    while (!dotted.empty()) {
        const auto end = std::min(dotted.find('.', 1), dotted.size());
        parts.push_back(dotted.substr(0, end));
        dotted.remove_prefix(end);
    }
    return parts;
}

std::string_view opcodeOf(std::string_view line)
{
    if (line.starts_with('@')) {
        line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    }
    return line.substr(0, line.find_first_of(" ;\t"));
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// ".m64n256k16" -> ".m#n#k#": what may follow does not hang on the numbers of a shape.
std::string shapeOf(std::string_view part)
{
    std::string shape;
    for (const char c : part) {
        if (!isDigit(c)) {
            shape += c;
        } else if (shape.empty() || shape.back() != '#') {
            shape += '#';
        }
    }
    return shape.starts_with(".m#n#") ? shape : std::string(part);
}

// Syntax lines hold placeholders (".type") among the words; without the table of words all are offered.
bool isRealWord(std::string_view word)
{
    static const auto forms = FormsTable::shared();
    return !forms || (*forms)->isWord(word);
}

class Parts {
public:
    Parts(std::string_view before, const IsaTable& isa)
        : m_before(before)
        , m_isa(isa)
    {
    }

    std::vector<Completion> all()
    {
        const auto* row = m_isa.find(m_before);
        if (row == nullptr) {
            longerMnemonics();
            return std::move(m_found);
        }
        const auto& rows = m_isa.instructions();
        std::vector<const IsaInstruction*> same;
        for (const auto& one : rows) {
            if (one.mnemonic == row->mnemonic) {
                same.push_back(&one);
            }
        }
        for (const auto* one : same) {
            for (const auto& example : one->examples) {
                followingExactly(example);
            }
        }
        longerMnemonics();
        for (const auto* one : same) {
            for (const auto& example : one->examples) {
                followingTheLastPart(example);
            }
        }
        const auto written = partsOf(m_before);
        for (const auto* one : same) {
            for (const auto* words : {&one->modifiers, &one->types}) {
                for (const auto& word : *words) {
                    if (std::find(written.begin(), written.end(), word) == written.end()
                        && isRealWord(word)) {
                        add(word, {}, CompletionKind::Modifier);
                    }
                }
            }
        }
        return std::move(m_found);
    }

private:
    void add(std::string_view part, std::string_view detail, CompletionKind kind)
    {
        if (part.size() < 2 || part.front() != '.') {
            return;
        }
        const auto known = std::find_if(
            m_found.begin(), m_found.end(), [part](const Completion& one) { return one.text == part; });
        if (known == m_found.end()) {
            m_found.push_back({std::string(part), std::string(detail), kind});
        }
    }

    void longerMnemonics()
    {
        for (const auto& one : m_isa.instructions()) {
            const std::string_view mnemonic = one.mnemonic;
            if (mnemonic.size() > m_before.size() && mnemonic.starts_with(m_before)
                && mnemonic[m_before.size()] == '.') {
                const auto rest = mnemonic.substr(m_before.size());
                const auto part = partsOf(rest).front();
                add(part, part == rest ? std::string_view(one.summary) : std::string_view{},
                    CompletionKind::Instruction);
            }
        }
    }

    void followingExactly(const IsaExample& example)
    {
        const auto opcode = opcodeOf(example.ptx);
        if (opcode.size() > m_before.size() && opcode.starts_with(m_before)
            && opcode[m_before.size()] == '.') {
            add(partsOf(opcode.substr(m_before.size())).front(), example.targets, CompletionKind::Modifier);
        }
    }

    void followingTheLastPart(const IsaExample& example)
    {
        const auto last = shapeOf(partsOf(m_before).back());
        const auto parts = partsOf(opcodeOf(example.ptx));
        for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
            if (shapeOf(parts[i]) == last) {
                add(parts[i + 1], example.targets, CompletionKind::Modifier);
            }
        }
    }

    std::string_view m_before;
    const IsaTable& m_isa;
    std::vector<Completion> m_found;
};

} // namespace

std::vector<Completion> mnemonicsFor(std::string_view begun, const IsaTable& isa)
{
    std::vector<Completion> found;
    for (const auto& one : isa.instructions()) {
        if (one.mnemonic.starts_with(begun) && (found.empty() || found.back().text != one.mnemonic)) {
            found.push_back({one.mnemonic, one.summary, CompletionKind::Instruction});
        }
    }
    return found;
}

std::vector<Completion> partsAfter(std::string_view before, const IsaTable& isa)
{
    return Parts(before, isa).all();
}

} // namespace ptxwb
