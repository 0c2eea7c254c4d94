// SPDX-License-Identifier: Apache-2.0
// What an instruction is called, which words it carries, and how many operands it has.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/opcode_topics.h"
#include "core/ptx/lint/rules.h"
#include "core/ptx/spelling.h"
#include "core/ptx/vocabulary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ptxwb::lint {

namespace {

constexpr int newestVersion = 90;

struct Word {
    std::string_view text{}; ///< with its dot
    std::uint32_t offset = 0; ///< from the start of the opcode
};

// ".rn", ".f32" behind the mnemonic; "::ld" directly behind it is left out.
std::vector<Word> wordsBehind(std::string_view opcode, std::size_t mnemonicLength)
{
    std::vector<Word> words;
    for (auto at = opcode.find('.', mnemonicLength); at < opcode.size();) {
        const auto end = std::min(opcode.find('.', at + 1), opcode.size());
        words.push_back({.text = opcode.substr(at, end - at), .offset = static_cast<std::uint32_t>(at)});
        at = end;
    }
    return words;
}

std::string versionText(int version)
{
    return fmt::format("{}.{}", version / 10, version % 10);
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

// Instructions whose types the manual writes last.
bool endsWithTypes(std::string_view mnemonic)
{
    return isOneOf(mnemonic,
        {"abs", "add", "and", "atom", "cos", "cvt", "div", "ex2", "fma", "ld", "lg2", "mad", "max", "min",
            "mul", "neg", "or", "rcp", "red", "rsqrt", "selp", "setp", "shl", "shr", "sin", "sqrt", "st",
            "sub", "xor"});
}

// Instructions whose words hang together in more ways than the table's probes tried: only a word that no
// instruction takes is wrong for certain.
bool hasManyForms(std::string_view mnemonic)
{
    constexpr std::array<std::string_view, 23> families{"atom", "clusterlaunchcontrol", "createpolicy", "cvt",
        "fence", "ldmatrix", "mma", "multimem", "red", "stmatrix", "suld", "suq", "sured", "sust", "tcgen05",
        "tensormap", "tex", "tld4", "txq", "wgmma", "wmma", "membar", "prefetch"};
    const auto family = mnemonic.substr(0, mnemonic.find('.'));
    return std::find(families.begin(), families.end(), family) != families.end() || mnemonic == "cp.async"
        || mnemonic.starts_with("cp.reduce.async.bulk")
        || (mnemonic.starts_with('v') && mnemonic != "vote" && mnemonic != "vote.sync");
}

// Words that ptxas reads as part of the name.
bool belongsToName(std::string_view mnemonic, std::string_view word)
{
    if (mnemonic == "mul" || mnemonic == "mad") {
        return isOneOf(word, {".lo", ".hi", ".wide"});
    }
    if (mnemonic == "mbarrier.arrive" || mnemonic == "mbarrier.arrive_drop") {
        return isOneOf(word, {".expect_tx", ".noComplete"});
    }
    return (mnemonic == "mbarrier.test_wait" || mnemonic == "mbarrier.try_wait") && word == ".parity";
}

class Opcodes {
public:
    Opcodes(const Context& context, Sink& sink)
        : m_context(context)
        , m_sink(sink)
    {
        const auto& targets = context.forms.targets();
        const auto found = std::find(targets.begin(), targets.end(), context.facts.target);
        m_targetBit = found == targets.end() ? 0 : std::uint64_t{1} << (found - targets.begin());
    }

    void check(const Statement& one)
    {
        const auto opcode = m_context.program.opcode(one);
        const auto seen = m_seen.find(opcode);
        const PtxForms* forms = nullptr;
        if (seen != m_seen.end()) {
            forms = seen->second.forms;
            if (!seen->second.isClean) {
                judge(one, opcode, forms);
            }
        } else {
            forms = m_context.forms.find(opcode);
            m_seen.emplace(opcode, Seen{.forms = forms, .isClean = judge(one, opcode, forms)});
        }
        if (forms != nullptr && one.wellFormed) {
            countOperands(one, *forms);
        }
        const bool isFollowed = (forms != nullptr || !isOrdering(opcode))
            && !opcode.starts_with("tcgen05.wait."); // what it waits for stands behind '::'
        if (!isFollowed) {
            m_unknown |= topicsOf(opcode);
        }
    }

    Topics unknown() const { return m_unknown; }

private:
    struct Seen {
        const PtxForms* forms = nullptr;
        bool isClean = true;
    };

    // Whether there was nothing to say.
    bool judge(const Statement& one, std::string_view opcode, const PtxForms* forms)
    {
        if (forms == nullptr) {
            return !unknownName(one, opcode);
        }
        const auto words = wordsBehind(opcode, forms->mnemonic.size());
        if (unwritten(one, *forms, opcode, words)) {
            return false;
        }
        for (const auto& word : words) {
            if (forms->word(word.text) == nullptr && !word.text.starts_with(".collector::b")
                && !(hasManyForms(forms->mnemonic) && m_context.forms.isWord(word.text))) {
                return !unknownWord(one, *forms, word);
            }
        }
        if (place(one, *forms, opcode, words) || integerShape(one, *forms, words)) {
            return false;
        }
        return !needs(one, *forms, words);
    }

    // Text that is no PTX at all is not worth a search for every word of it.
    std::vector<std::string> suggest(std::string_view word, const std::vector<std::string>& known)
    {
        return --m_suggestionsLeft < 0 ? std::vector<std::string>{} : nearestWords(word, known);
    }

    bool isLater(std::string_view opcode) const
    {
        return std::any_of(m_context.forms.laterMnemonics().begin(), m_context.forms.laterMnemonics().end(),
            [&](std::string_view later) {
                return opcode.starts_with(later)
                    && (opcode.size() == later.size() || opcode[later.size()] == '.'
                        || opcode[later.size()] == ':');
            });
    }

    bool unknownName(const Statement& one, std::string_view opcode)
    {
        const auto first = opcode.substr(0, opcode.find('.'));
        if (m_context.facts.version > newestVersion || isLater(opcode)) {
            m_sink.add("not-known", one.opcode, one.opcodeEnd,
                fmt::format("'{}' is not known to us (PTX ISA up to 9.0)", opcode));
            notUnderstood(opcode);
            return true;
        }
        const auto words = wordsBehind(opcode, first.size());
        const bool isFamily = m_context.forms.isFirstPart(first);
        if (isFamily && (words.empty() || m_context.forms.isWord(words.front().text))) {
            return false; // a form that the table may lack
        }
        if (m_suggestionsLeft <= 0 && isFamily) {
            return false;
        }
        std::vector<std::string> known;
        for (const auto& form : m_context.forms.instructions()) {
            if (m_suggestionsLeft <= 0) {
                break;
            }
            const std::string_view mnemonic = form.mnemonic;
            const auto dot = mnemonic.find('.');
            if (isFamily && dot != std::string_view::npos && mnemonic.substr(0, dot) == first) {
                known.emplace_back(mnemonic.substr(dot, mnemonic.find('.', dot + 1) - dot));
            } else if (!isFamily) {
                known.emplace_back(mnemonic.substr(0, dot));
            }
        }
        if (isFamily) {
            // In one family ptxas may know a second part that no mnemonic of the table has.
            const auto near = suggest(words.front().text, known);
            if (near.empty()) {
                return false;
            }
            auto& made = m_sink.addWithin("unknown-instruction", one.opcode, 0,
                static_cast<std::uint32_t>(first.size() + words.front().text.size()),
                fmt::format("no instruction '{}{}'{}", first, words.front().text,
                    fmt::format("; did you mean '{}{}'?", first, near.front())));
            offer(made, near, words.front().offset, static_cast<std::uint32_t>(words.front().text.size()));
            notUnderstood(opcode);
            return true;
        }
        const auto near = suggest(first, known);
        auto& made =
            m_sink.addWithin("unknown-instruction", one.opcode, 0, static_cast<std::uint32_t>(first.size()),
                fmt::format("no instruction '{}'{}", first, meant(near)));
        offer(made, near, 0, static_cast<std::uint32_t>(first.size()));
        notUnderstood(opcode);
        return true;
    }

    void notUnderstood(std::string_view opcode)
    {
        const bool isFamily = m_context.forms.isFirstPart(opcode.substr(0, opcode.find('.')));
        m_unknown |= isFamily ? topicsOf(opcode) : topic::all;
    }

    static std::string meant(const std::vector<std::string>& near)
    {
        return near.empty() ? std::string() : fmt::format("; did you mean '{}'?", fmt::join(near, "' or '"));
    }

    // One near word: a fix that puts it in. The finding starts at the opcode, `offset` bytes before the word.
    static void offer(
        LintFinding& made, const std::vector<std::string>& near, std::uint32_t offset, std::uint32_t length)
    {
        if (near.size() != 1) {
            return;
        }
        auto range = made.range;
        range.endLine = range.line;
        range.column += static_cast<int>(offset);
        range.endColumn = range.column + static_cast<int>(length);
        made.fixTitle = fmt::format("write {}", near.front());
        made.edits.push_back({.range = range, .text = near.front()});
    }

    bool unknownWord(const Statement& one, const PtxForms& forms, const Word& word)
    {
        if (m_context.facts.version > newestVersion || isLater(m_context.program.opcode(one))) {
            m_sink.addWithin("not-known", one.opcode, word.offset,
                static_cast<std::uint32_t>(word.text.size()),
                fmt::format(
                    "'{}' of '{}' is not known to us (PTX ISA up to 9.0)", word.text, forms.mnemonic));
            notUnderstood(m_context.program.opcode(one));
            return true;
        }
        std::vector<std::string> known;
        known.reserve(forms.words.size());
        for (const auto& [text, need] : forms.words) {
            if (text.starts_with(word.text) && text.find("::", word.text.size()) == word.text.size()) {
                return false; // the short form of a word with a choice
            }
            known.push_back(text);
        }
        const auto near = suggest(word.text, known);
        auto& made = m_sink.addWithin("unknown-modifier", one.opcode, word.offset,
            static_cast<std::uint32_t>(word.text.size()),
            fmt::format("'{}' does not take '{}'{}", forms.mnemonic, word.text, meant(near)));
        offer(made, near, 0, static_cast<std::uint32_t>(word.text.size()));
        if (const auto* row = m_context.isa.find(forms.mnemonic); row != nullptr) {
            made.manualUrl = row->manualUrl;
        }
        notUnderstood(m_context.program.opcode(one));
        return true;
    }

    // Which shapes go with which types is more than the table of words tells.
    bool integerShape(const Statement& one, const PtxForms& forms, const std::vector<Word>& words)
    {
        const bool isInteger = isNamed(forms.mnemonic, "wgmma.mma_async")
            && std::any_of(words.begin(), words.end(), [](const Word& word) { return word.text == ".s32"; });
        const auto shape = std::find_if(
            words.begin(), words.end(), [](const Word& word) { return word.text.starts_with(".m64n"); });
        if (!isInteger || shape == words.end()) {
            return false;
        }
        constexpr std::size_t before = std::string_view(".m64n").size();
        const auto columns =
            literalValue(shape->text.substr(before, shape->text.find('k') - before)).value_or(0);
        if (columns <= 32 || columns % 16 == 0) {
            return false;
        }
        m_sink.addWithin("unknown-modifier", one.opcode, shape->offset,
            static_cast<std::uint32_t>(shape->text.size()),
            fmt::format(
                "no such shape for integers: N is 8, 16, 24, 32 or a multiple of 16, not {}", columns));
        return true;
    }

    // Of the first operand in braces; 0: there is none.
    int registersOfList(const Statement& one) const
    {
        for (std::size_t i = 0; i < m_context.program.operandCount(one); ++i) {
            const auto& operand = m_context.program.operand(one, i);
            if (!m_context.program.is(operand.first, '{')) {
                continue;
            }
            int registers = 0;
            for (auto token = operand.first + 1; token < operand.end; ++token) {
                const bool isSign = m_context.program.is(token, ',') || m_context.program.is(token, '}');
                registers += isSign ? 0 : 1;
            }
            return registers;
        }
        return 0;
    }

    // What ptxas takes and the manual does not have: `.x8` moves one matrix or none.
    bool unwritten(
        const Statement& one, const PtxForms& forms, std::string_view opcode, const std::vector<Word>& words)
    {
        const bool isMatrix = isOneOf(forms.mnemonic, {"ldmatrix", "stmatrix"});
        const auto count = std::find_if(words.begin(), words.end(), [&](const Word& word) {
            return isMatrix && isOneOf(word.text, {".x8", ".x16", ".x32", ".x64", ".x128"});
        });
        if (count != words.end()) {
            auto& made = m_sink.addWithin("unwritten-form", one.opcode, count->offset,
                static_cast<std::uint32_t>(count->text.size()),
                fmt::format("{} moves 1, 2 or 4 matrices (.x1, .x2, .x4); ptxas takes {} and moves fewer",
                    forms.mnemonic, count->text));
            const auto registers = registersOfList(one);
            if (registers == 1 || registers == 2 || registers == 4) {
                offer(made, {fmt::format(".x{}", registers)}, 0,
                    static_cast<std::uint32_t>(count->text.size()));
            }
            return true;
        }
        const bool isOfGroup =
            isOneOf(forms.mnemonic, {"wgmma.commit_group", "wgmma.fence", "wgmma.wait_group"});
        if (!isOfGroup || !opcode.ends_with(".sync")) {
            return false;
        }
        auto& made = m_sink.addOfInstruction("unwritten-form", one, one.opcode, one.opcodeEnd,
            fmt::format("the manual has {} with .sync.aligned only", forms.mnemonic));
        made.fixTitle = "insert .aligned";
        made.edits.push_back(m_sink.replace(one.opcode, one.opcodeEnd, fmt::format("{}.aligned", opcode)));
        return true;
    }

    bool place(
        const Statement& one, const PtxForms& forms, std::string_view opcode, const std::vector<Word>& words)
    {
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (belongsToName(forms.mnemonic, words[i].text)) {
                auto& made = m_sink.addOfInstruction("modifier-place", one, one.opcode, one.opcodeEnd,
                    fmt::format("'{}' must stand directly behind '{}'", words[i].text, forms.mnemonic));
                auto text = fmt::format("{}{}", forms.mnemonic, words[i].text);
                for (std::size_t k = 0; k < words.size(); ++k) {
                    text += k == i ? std::string_view{} : words[k].text;
                }
                made.fixTitle = fmt::format("write {}", text);
                made.edits.push_back(m_sink.replace(one.opcode, one.opcodeEnd, text));
                return true;
            }
        }
        if (!endsWithTypes(forms.mnemonic)) {
            return false;
        }
        const auto isType = [](const Word& word) { return isPtxTypeWord(word.text); };
        const auto firstType = std::find_if(words.begin(), words.end(), isType);
        if (std::all_of(firstType, words.end(), isType)) {
            return false;
        }
        std::string text(opcode.substr(0, words.front().offset));
        for (const bool types : {false, true}) {
            for (const auto& word : words) {
                text += isType(word) == types ? word.text : std::string_view{};
            }
        }
        auto& made = m_sink.addOfInstruction(
            "modifier-order", one, one.opcode, one.opcodeEnd, fmt::format("the manual writes '{}'", text));
        made.fixTitle = fmt::format("write {}", text);
        made.edits.push_back(m_sink.replace(one.opcode, one.opcodeEnd, text));
        return true;
    }

    bool needs(const Statement& one, const PtxForms& forms, const std::vector<Word>& words)
    {
        const PtxNeed* latest = &forms.need;
        const PtxNeed* refused = (forms.need.refusedBy & m_targetBit) != 0 ? &forms.need : nullptr;
        std::string_view latestWord;
        std::string_view refusedWord;
        for (const auto& word : words) {
            const auto* need = forms.word(word.text);
            if (need == nullptr) {
                continue;
            }
            if (need->version > latest->version) {
                latest = need;
                latestWord = word.text;
            }
            if (refused == nullptr && (need->refusedBy & m_targetBit) != 0) {
                refused = need;
                refusedWord = word.text;
            }
        }
        bool said = false;
        const auto named = [&](std::string_view word) {
            return word.empty() ? fmt::format("'{}'", forms.mnemonic)
                                : fmt::format("'{}' of '{}'", word, forms.mnemonic);
        };
        if (m_context.facts.version > 0 && latest->version > m_context.facts.version) {
            auto& made = m_sink.addOfInstruction("needs-version", one, one.opcode, one.opcodeEnd,
                fmt::format("{} needs .version {} or later; the file says {}", named(latestWord),
                    versionText(latest->version), versionText(m_context.facts.version)));
            made.fixTitle = fmt::format("say .version {}", versionText(latest->version));
            made.edits.push_back(
                {.range = m_context.facts.versionRange, .text = versionText(latest->version)});
            said = true;
        }
        if (refused != nullptr) {
            needsTarget(one, named(refusedWord), *refused);
            said = true;
        }
        return said;
    }

    void needsTarget(const Statement& one, const std::string& named, const PtxNeed& need)
    {
        std::vector<std::string> takers;
        const auto& targets = m_context.forms.targets();
        for (std::size_t i = 0; i < targets.size(); ++i) {
            if ((need.refusedBy >> i & 1U) == 0) {
                takers.push_back(targets[i]);
            }
        }
        auto& made = m_sink.addOfInstruction("needs-target", one, one.opcode, one.opcodeEnd,
            fmt::format("{} does not exist on {}; targets that have it: {}", named, m_context.facts.target,
                takers.empty() ? "none" : fmt::format("{}", fmt::join(takers, " "))));
        const auto withSuffix = m_context.facts.target + "a";
        if (std::find(takers.begin(), takers.end(), withSuffix) != takers.end()) {
            made.fixTitle = fmt::format("say .target {}", withSuffix);
            made.edits.push_back({.range = m_context.facts.targetRange, .text = withSuffix});
        }
    }

    void countOperands(const Statement& one, const PtxForms& forms)
    {
        const auto count = static_cast<int>(m_context.program.operandCount(one));
        const int least = std::max(forms.minOperands, leastOperands(m_context.program.opcode(one)));
        if (forms.maxOperands < 0 || (count >= least && count <= forms.maxOperands)
            || m_context.facts.version > newestVersion) {
            return;
        }
        notUnderstood(m_context.program.opcode(one));
        const auto wanted = least >= forms.maxOperands ? std::to_string(least)
                                                       : fmt::format("{} to {}", least, forms.maxOperands);
        m_sink.addOfInstruction("operand-count", one, one.opcode, one.end,
            fmt::format("'{}' takes {} operand{}, here are {}", forms.mnemonic, wanted,
                wanted == "1" ? "" : "s", count));
    }

    const Context& m_context;
    Sink& m_sink;
    Topics m_unknown = 0;
    int m_suggestionsLeft = 100;
    std::uint64_t m_targetBit = 0; ///< 0: a target that the table does not know
    std::unordered_map<std::string_view, Seen> m_seen;
};

} // namespace

Topics checkOpcodes(Function& function, const Context& context, Sink& sink)
{
    Opcodes opcodes(context, sink);
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        opcodes.check(context.program.statements[i]);
    }
    return opcodes.unknown();
}

} // namespace ptxwb::lint
