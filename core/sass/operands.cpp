// SPDX-License-Identifier: Apache-2.0
#include "core/sass/operands.h"

#include "core/sass/families.h"
#include "core/sass/operand_words.h"
#include "core/sass/read_width.h"
#include "core/sass/result_width.h"
#include "core/support/kernel_name.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxwb {

namespace {

constexpr std::uint64_t seed = 0x243f6a8885a308d3ULL;
constexpr std::uint64_t registerMark = 0x10001;
constexpr std::uint64_t labelMark = 0x20002;
constexpr std::uint64_t immediateMark = 0x30003;
constexpr std::uint64_t scoreboardMark = 0x40004;
constexpr std::uint64_t selfMark = 0x50005;
constexpr std::uint64_t parameterMark = 0x60006;
constexpr std::uint64_t stackMark = 0x70007;

/// One operand, as far as the search for results needs it.
struct Operand {
    std::uint32_t firstUse = 0;
    bool plainRegister = false; ///< a register and nothing else (RZ and PT count)
    bool predicate = false;
    bool signedOrNot = false; ///< begins with - or !
    bool hasSlot = false;
};

class RowReader {
public:
    RowReader(KernelForms& forms, const SassKernel& kernel)
        : m_forms(forms)
        , m_kernelName(kernel.name)
        , m_parameterBase(parameterBase(kernel.target))
        , m_stackBase(m_parameterBase >= 0x380 ? 0x37c : 0x28)
    {
    }

    /// `codeAddress`: an immediate of this value is a place in the code (a return address).
    RowForm read(const SassInstruction& row, std::optional<std::uint64_t> codeAddress = {})
    {
        m_codeAddress = codeAddress;
        m_form = {};
        m_form.firstUse = static_cast<std::uint32_t>(m_forms.uses.size());
        const auto base = row.opcode.substr(0, row.opcode.find('.'));
        m_families = familiesOf(row.opcode);
        m_form.base = textHash(base);
        m_form.modifiers = textHash(row.opcode);
        m_key = mixed(seed, m_form.modifiers);
        m_layout = seed;
        m_form.immediates = seed;

        readText(row.predicate, true);
        m_form.predicate = m_layout;
        m_layout = seed;
        readText(row.operands, false);
        markResults(base, row.opcode);
        markReads(row.opcode);
        m_form.access = memoryAccess(row);
        if (base.find("S2") != base.npos
            && (row.operands.find("SR_CLOCK") != row.operands.npos
                || row.operands.find("SR_GLOBALTIMER") != row.operands.npos)) {
            m_form.effects |= 1U << (memorySpaces - 1); // when it is read matters
        }

        m_form.useCount = static_cast<std::uint16_t>(m_forms.uses.size() - m_form.firstUse);
        m_form.key = mixed(m_key, m_form.predicate);
        m_form.layout = m_layout;
        m_form.shape = mixed(m_form.base, m_layout);
        return m_form;
    }

private:
    void add(std::uint64_t token)
    {
        m_key = mixed(m_key, token);
        m_layout = mixed(m_layout, token);
    }

    void readText(std::string_view text, bool guard)
    {
        m_operands.clear();
        m_operands.push_back({static_cast<std::uint32_t>(m_forms.uses.size())});
        int depth = 0;
        std::size_t i = 0;
        while (i < text.size()) {
            const char c = text[i];
            auto& operand = m_operands.back();
            if (c == ' ' || c == '\t') {
                ++i;
            } else if (c == ',' && depth == 0) {
                add(',');
                m_operands.push_back({static_cast<std::uint32_t>(m_forms.uses.size())});
                m_tokens = 0;
                ++i;
            } else if (c == '`') {
                i = readLabel(text, i);
            } else if (text.substr(i).starts_with("(*\"")) {
                add(labelMark); // a jump table: its labels are compared as targets
                break;
            } else if (text.substr(i).starts_with(".L_")) {
                add(labelMark);
                for (++i; i < text.size() && isWord(text[i]);) {
                    ++i;
                }
            } else if (isWordStart(c)) {
                i = readWord(text, i, guard, depth > 0, operand);
            } else if (isDigit(c)) {
                i = readNumber(text, i);
                operand.plainRegister = false;
            } else if ((c == '&' || c == '?') && depth == 0) {
                break; // scheduling annotations of later tools
            } else {
                depth += c == '[' || c == '{' || c == '(' ? 1 : 0;
                depth -= c == ']' || c == '}' || c == ')' ? 1 : 0;
                if (m_tokens == 0 && (c == '-' || c == '!' || c == '~' || c == '|')) {
                    operand.signedOrNot = true;
                }
                operand.plainRegister = false;
                m_tokens += c == '-' || c == '!' ? 0 : 1;
                add(static_cast<std::uint64_t>(c));
                ++i;
            }
        }
        m_tokens = 0;
    }

    /// Of a function: neither the kernel that it stands in nor the build is part of its name.
    std::uint64_t nameHash(std::string_view name) const
    {
        if (name.starts_with('$') && name.substr(1).starts_with(m_kernelName)
            && name.substr(1 + m_kernelName.size()).starts_with('$')) {
            name.remove_prefix(1 + m_kernelName.size());
        }
        constexpr std::size_t shortest = 20; // with the hash of a build
        return name == m_kernelName ? selfMark
                                    : textHash(name.size() < shortest ? name : withoutFileOfUnit(name));
    }

    std::size_t readLabel(std::string_view text, std::size_t at)
    {
        const auto open = at + 1 < text.size() && text[at + 1] == '(' ? at + 2 : at + 1;
        auto close = text.find(')', open);
        close = close == std::string_view::npos ? text.size() : close;
        const auto name = text.substr(open, close - open);
        if (name.starts_with(".L")) {
            add(labelMark);
        } else {
            add(nameHash(name));
        }
        return std::min(close + 1, text.size());
    }

    std::size_t readWord(std::string_view text, std::size_t at, bool guard, bool inBrackets, Operand& operand)
    {
        auto end = at;
        while (end < text.size() && isWord(text[end])) {
            ++end;
        }
        const auto word = text.substr(at, end - at);
        const bool first = m_tokens++ == 0;
        if (const auto slot = slotOf(word)) {
            const auto index = m_forms.uses.size() - m_form.firstUse;
            m_form.addressUses |= static_cast<std::uint16_t>(inBrackets && index < 16 ? 1U << index : 0U);
            m_forms.uses.push_back({*slot, false, guard, 1, 0});
            if (at > 0 && text[at - 1] == '[') {
                const auto close = text.find(']', end);
                m_bracketed.push_back({m_forms.uses.size() - 1,
                    {text.substr(0, at - 1), close == std::string_view::npos ? "" : text.substr(close + 1),
                        static_cast<int>(m_bracketed.size()), *slot >= uniformSlots}});
            }
            add(registerMark
                + (isPredicate(*slot)           ? 2U
                        : *slot >= barrierSlots ? 3U
                        : *slot >= uniformSlots ? 1U
                                                : 0U));
            if (first) {
                operand.plainRegister = true;
                operand.predicate = isPredicate(*slot);
                operand.hasSlot = true;
            } else {
                operand.plainRegister = false;
            }
        } else if (word.size() == 3 && word.starts_with("SB") && isDigit(word[2])) {
            add(scoreboardMark);
        } else {
            add(nameHash(word));
            operand.plainRegister =
                first && (word == "RZ" || word == "URZ" || word == "PT" || word == "UPT" || word == "PR");
            operand.predicate = word == "PT" || word == "UPT";
        }
        while (end < text.size() && text[end] == '.') {
            auto stop = end + 1;
            while (stop < text.size() && isWord(text[stop])) {
                ++stop;
            }
            const auto suffix = text.substr(end, stop - end);
            if (suffix == ".64" && !m_forms.uses.empty() && slotOf(word)) {
                m_forms.uses.back().width = 2;
            }
            if (suffix != ".reuse") { // a hint to the operand cache: scheduling
                add(textHash(suffix));
            }
            end = stop;
        }
        return end;
    }

    /// Where in the parameters "c[0x0][0x384]" lies: they and the top of the stack begin elsewhere on each
    /// generation, and so code of two targets differs in nothing else.
    std::optional<std::uint64_t> parameterOffset(std::string_view before, std::string_view number) const
    {
        std::uint64_t value = 0;
        if (m_parameterBase == 0 || !before.ends_with("c[0x0][") || !number.starts_with("0x")
            || std::from_chars(number.data() + 2, number.data() + number.size(), value, 16).ec != std::errc()
            || (value < m_parameterBase && value != m_stackBase)) {
            return {};
        }
        return value == m_stackBase ? stackMark : value - m_parameterBase;
    }

    std::size_t readNumber(std::string_view text, std::size_t at)
    {
        auto end = at;
        while (end < text.size()
            && (isWord(text[end]) || text[end] == '.'
                || ((text[end] == '+' || text[end] == '-') && end > at && text[end - 1] == 'e'
                    && !text.substr(at).starts_with("0x")))) {
            ++end;
        }
        const auto number = text.substr(at, end - at);
        ++m_tokens;
        if (isCodeAddress(number)) {
            add(labelMark);
            return end;
        }
        const auto offset = parameterOffset(text.substr(0, at), number);
        const auto hash = offset ? mixed(parameterMark, *offset) : textHash(number);
        m_key = mixed(m_key, hash);
        m_form.immediates = mixed(m_form.immediates, hash);
        m_layout = mixed(m_layout, immediateMark);
        return end;
    }

    bool isCodeAddress(std::string_view number) const
    {
        if (!number.starts_with("0x")) {
            return false;
        }
        if (contains(m_families, SassFamily::Branch)) {
            return true;
        }
        std::uint64_t value = 0;
        std::from_chars(number.data() + 2, number.data() + number.size(), value, 16);
        return m_codeAddress && value == *m_codeAddress;
    }

    /// Which registers are written. Operands lead with them: predicates, then a register, then predicates
    /// (carry outs); compare instructions write leading predicates only.
    void markResults(std::string_view base, std::string_view opcode)
    {
        const auto width = resultWidth(opcode);
        const bool onlyPredicates = base.ends_with("SETP") || base.ends_with("SETP2") || base == "PLOP3"
            || base == "UPLOP3" || base == "FCHK";
        const bool none = (contains(m_families, SassFamily::Branch) && base != "BSSY")
            || contains(m_families, SassFamily::Barrier) || base == "WARPSYNC" || base == "NANOSLEEP";
        // The last operand of a vote is what is voted on.
        const auto candidates = none                      ? 0
            : base.starts_with("VOTE") || base == "ELECT" ? m_operands.size() - 1
            : onlyPredicates                              ? std::min<std::size_t>(m_operands.size(), 2)
                                                          : m_operands.size();
        bool hadRegister = false;
        bool wrote = false;
        for (std::size_t i = 0; i < candidates; ++i) {
            const auto& operand = m_operands[i];
            if (!operand.plainRegister || operand.signedOrNot) {
                break;
            }
            if (!operand.predicate) {
                if (hadRegister || onlyPredicates) {
                    break;
                }
                hadRegister = true;
            }
            wrote = true;
            if (operand.hasSlot) {
                auto& use = m_forms.uses[operand.firstUse];
                use.defined = true;
                if (!operand.predicate && use.slot < predicateSlots) {
                    use.width = static_cast<std::uint8_t>(width.exact);
                    use.doubtful = static_cast<std::uint8_t>(width.doubtful);
                }
            }
        }
        markMemory(base, opcode, wrote);
    }

    /// How many registers each operand stands for.
    void markReads(std::string_view opcode)
    {
        int registers = 0;
        std::size_t last = m_operands.size();
        for (std::size_t i = 0; i < m_operands.size(); ++i) {
            last = isValue(i) ? i : last;
        }
        bool twoFactors = false;
        for (std::size_t i = 0; i < m_operands.size(); ++i) {
            if (!isValue(i)) {
                continue;
            }
            const int place = registers++;
            if (m_operands[i].hasSlot) {
                auto& use = m_forms.uses[m_operands[i].firstUse];
                twoFactors = twoFactors || (place == 1 && i != last);
                if (!use.defined) {
                    const auto width = operandWidth(opcode,
                        {place, i == last, i == last && onlyPredicatesBehind(i), use.slot >= uniformSlots});
                    use.width = static_cast<std::uint8_t>(std::max<int>(use.width, width));
                }
            }
        }
        const bool fromShared = opcode.find("GMMA") != std::string_view::npos && !twoFactors;
        for (auto& [use, place] : m_bracketed) {
            place.matrixPair = fromShared;
            auto& width = m_forms.uses[use].width;
            width = std::max(width, static_cast<std::uint8_t>(bracketWidth(opcode, place)));
        }
        m_bracketed.clear();
        const auto base = opcode.substr(0, opcode.find('.'));
        if (base == "RET" || base == "BRX" || base == "JMX") { // "RET.REL.NODEC R4 `(kernel)": an address
            for (auto i = std::size_t{m_form.firstUse}; i < m_forms.uses.size(); ++i) {
                m_forms.uses[i].width = m_forms.uses[i].slot < predicateSlots ? 2 : 1;
            }
        }
        if (!contains(m_families, SassFamily::Gmma)) {
            return;
        }
        for (auto i = std::size_t{m_form.firstUse}; i < m_forms.uses.size(); ++i) {
            const auto& use = m_forms.uses[i];
            for (int k = 0; k < use.width + use.doubtful && use.slot + k < uniformSlots; ++k) {
                m_forms.asyncSlots.set(static_cast<std::size_t>(use.slot + k));
            }
        }
    }

    bool onlyPredicatesBehind(std::size_t operand) const
    {
        return std::all_of(m_operands.begin() + static_cast<std::ptrdiff_t>(operand) + 1, m_operands.end(),
            [](const Operand& one) { return one.plainRegister && one.predicate; });
    }

    /// A general or uniform register and nothing else, RZ included.
    bool isValue(std::size_t operand) const
    {
        return m_operands[operand].plainRegister && !m_operands[operand].predicate;
    }

    void markMemory(std::string_view base, std::string_view opcode, bool wrote)
    {
        constexpr std::uint8_t all = (1U << memorySpaces) - 1;
        const auto spaces = static_cast<std::uint8_t>((contains(m_families, SassFamily::Global) ? 1 : 0)
            + (contains(m_families, SassFamily::Shared) ? 2 : 0)
            + (contains(m_families, SassFamily::Local) ? 4 : 0));
        const bool ordered = contains(m_families, SassFamily::Gmma)
            || contains(m_families, SassFamily::Mbarrier) || contains(m_families, SassFamily::Tcgen05)
            || contains(m_families, SassFamily::CpAsync) || contains(m_families, SassFamily::Branch)
            || base.starts_with("ATOM") || base.starts_with("RED") || opcode.find(".STRONG") != opcode.npos
            || opcode.find(".MMIO") != opcode.npos; // volatile and acquiring loads keep their place
        if (ordered) {
            m_form.effects = all;
        } else if (base.starts_with("ST")) {
            m_form.effects = spaces != 0 ? spaces : all;
        } else if (base.starts_with("LD") && base != "LDC" && base != "LDCU") {
            m_form.reads = spaces != 0 ? spaces : all;
        } else if (!wrote && base != "NOP") {
            m_form.effects = all;
        }
    }

    KernelForms& m_forms;
    std::string_view m_kernelName;
    std::uint64_t m_parameterBase = 0; ///< 0 where it is not known
    std::uint64_t m_stackBase = 0; ///< where R1 is loaded from at the beginning
    std::optional<std::uint64_t> m_codeAddress;
    RowForm m_form;
    FamilySet m_families = 0;
    std::uint64_t m_key = 0;
    std::uint64_t m_layout = 0;
    int m_tokens = 0; ///< of the operand being read
    std::vector<Operand> m_operands;
    std::vector<std::pair<std::size_t, BracketPlace>> m_bracketed; ///< uses in brackets
};

/// `MOV R2, 0x280` before `CALL`: the return address, which moves with the code.
std::vector<std::optional<std::uint64_t>> returnAddresses(const SassKernel& kernel)
{
    constexpr std::size_t window = 32;
    const auto& rows = kernel.instructions;
    std::vector<std::optional<std::uint64_t>> addresses(rows.size());
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        if (!rows[i].opcode.starts_with("CALL")) {
            continue;
        }
        for (std::size_t back = 1; back <= std::min(window, i); ++back) {
            if (!addresses[i - back] && rows[i - back].opcode.find("MOV") != std::string_view::npos) {
                addresses[i - back] = rows[i + 1].address;
            }
        }
    }
    return addresses;
}

} // namespace

KernelForms formsOf(const SassKernel& kernel)
{
    KernelForms forms;
    forms.flow = controlFlow(kernel);
    forms.rows.reserve(kernel.instructions.size());
    forms.uses.reserve(kernel.instructions.size() * 4);
    const auto returns = returnAddresses(kernel);
    RowReader reader(forms, kernel);
    for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
        auto& row = forms.rows.emplace_back(reader.read(kernel.instructions[i], returns[i]));
        // The trap behind a kernel's end is no other branch's like.
        row.branchesToItself = forms.flow.target[i] == static_cast<int>(i);
        row.key = row.branchesToItself ? mixed(row.key, 1) : row.key;
    }
    return forms;
}

} // namespace ptxwb
