// SPDX-License-Identifier: Apache-2.0
// setmaxnreg: which warpgroup asks for how many registers, and whether the CTA's pool has them.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

constexpr std::uint64_t registerFile = 65536;
constexpr std::uint64_t groupThreads = 128;

/// What a warpgroup asks for first.
struct Asked {
    std::uint64_t count = 0; ///< 0: for nothing
    Index statement = none;

    friend bool operator==(const Asked&, const Asked&) = default;
};

/// Runs the kernel's beginning for the first thread of a warpgroup, as far as constants and %tid.x decide it,
/// to the first setmaxnreg.
class Walk {
public:
    /// `mayAsk`: by block, whether a setmaxnreg stands in it or behind it.
    Walk(const Program& program, const Function& function, const Flow& flow, const std::vector<bool>& mayAsk,
        std::uint64_t thread)
        : m_program(program)
        , m_function(function)
        , m_flow(flow)
        , m_mayAsk(mayAsk)
        , m_thread(thread)
    {
    }

    /// Nothing if that cannot be decided.
    std::optional<Asked> run() { return from(0, {}); }

private:
    using Known = std::unordered_map<Index, std::int64_t>;

    std::optional<Asked> from(Index block, Known known)
    {
        while (block < m_flow.blocks.size() && m_mayAsk[block]) {
            if (--m_budget < 0) {
                return std::nullopt;
            }
            const auto& here = m_flow.blocks[block];
            for (auto i = here.first; i < here.end; ++i) {
                const auto& one = m_program.statements[i];
                const auto opcode = m_program.opcode(one);
                if (opcode.starts_with("setmaxnreg")) {
                    const auto value = m_program.operandCount(one) == 1
                        ? literalValue(m_program.text(m_program.operand(one, 0).first))
                        : std::nullopt;
                    return value && one.guard == none
                        ? std::optional(Asked{.count = static_cast<std::uint64_t>(*value), .statement = i})
                        : std::nullopt;
                }
                step(one, known);
            }
            const auto& last = m_program.statements[here.end - 1];
            const auto& next = here.successors;
            if (next.empty()) {
                return Asked{};
            }
            if (next.size() == 1 && last.guard == none) {
                block = next.front();
                continue;
            }
            const auto taken = guardOf(last, known);
            const bool jumps = m_program.text(last.opcode) == "bra" && next.size() == 2;
            if (taken && jumps) {
                block = *taken ? next[0] : next[1];
                continue;
            }
            return together(next, known);
        }
        return Asked{};
    }

    // Paths that the constants do not choose between must agree.
    std::optional<Asked> together(const std::vector<Index>& next, const Known& known)
    {
        if (--m_forks < 0) {
            return std::nullopt;
        }
        std::optional<Asked> answer;
        for (const auto block : next) {
            const auto one = from(block, known);
            if (!one || (answer && *answer != *one)) {
                return std::nullopt;
            }
            answer = one;
        }
        return answer;
    }

    std::optional<std::int64_t> valueOf(const Statement& one, std::size_t operand, const Known& known) const
    {
        if (operand >= m_program.operandCount(one)) {
            return std::nullopt;
        }
        const auto tokens = m_program.operand(one, operand);
        if (tokens.end != tokens.first + 1) {
            return std::nullopt;
        }
        const auto text = m_program.text(tokens.first);
        if (m_program.tokens[tokens.first].kind == TokenKind::Number) {
            return literalValue(text);
        }
        if (text == "%tid.x" && m_function.limits.oneDimensional) {
            return static_cast<std::int64_t>(m_thread);
        }
        const auto found = resolve(m_function, text, one.scope);
        const auto value = found.declaration == nullptr ? known.end() : known.find(found.number);
        return value == known.end() ? std::nullopt : std::optional(value->second);
    }

    std::optional<bool> guardOf(const Statement& one, const Known& known) const
    {
        if (one.guard == none) {
            return std::nullopt;
        }
        const auto found = resolve(m_function, m_program.text(one.guard), one.scope);
        const auto value = found.declaration == nullptr ? known.end() : known.find(found.number);
        if (value == known.end()) {
            return std::nullopt;
        }
        return (value->second != 0) != (m_program.text(one.first) == "@!");
    }

    void step(const Statement& one, Known& known) const
    {
        if (m_program.operandCount(one) == 0) {
            return;
        }
        const auto first = m_program.operand(one, 0);
        if (m_program.is(first.first, '[')) {
            return;
        }
        const auto result =
            one.guard == none && first.end == first.first + 1 ? compute(one, known) : std::nullopt;
        for (auto at = first.first; at < first.end; ++at) {
            const auto found = resolve(m_function, m_program.text(at), one.scope);
            if (found.declaration == nullptr) {
                continue;
            }
            if (result) {
                known[found.number] = *result;
            } else {
                known.erase(found.number);
            }
        }
    }

    std::optional<std::int64_t> compute(const Statement& one, const Known& known) const
    {
        const auto opcode = m_program.opcode(one);
        const auto root = m_program.text(one.opcode);
        const auto a = valueOf(one, 1, known);
        if (root == "mov" || root == "cvt" || isNamed(opcode, "shfl.sync.idx")) {
            return a; // the first lane's value is the warp's
        }
        const auto b = valueOf(one, 2, known);
        if (!a || !b) {
            return std::nullopt;
        }
        if (root == "setp" && m_program.operandCount(one) == 3) {
            return compare(opcode, *a, *b);
        }
        if (root == "add") {
            return *a + *b;
        }
        if (root == "sub") {
            return *a - *b;
        }
        if (root == "and") {
            return *a & *b;
        }
        if (root == "shr" && *a >= 0 && *b >= 0 && *b < 32) {
            return *a >> *b;
        }
        if (root == "shl" && *a >= 0 && *a < (1 << 20) && *b >= 0 && *b < 12) {
            return *a << *b;
        }
        if (root == "div" && *b > 0 && *a >= 0) {
            return *a / *b;
        }
        if (root == "rem" && *b > 0 && *a >= 0) {
            return *a % *b;
        }
        return std::nullopt;
    }

    static std::optional<std::int64_t> compare(std::string_view opcode, std::int64_t a, std::int64_t b)
    {
        const auto is = [&](std::string_view word) { return isNamed(opcode, word); };
        if (is("setp.eq")) {
            return a == b;
        }
        if (is("setp.ne")) {
            return a != b;
        }
        // Unsigned orders of what may be negative are left alone.
        if (a < 0 || b < 0) {
            return std::nullopt;
        }
        if (is("setp.lt") || is("setp.lo")) {
            return a < b;
        }
        if (is("setp.le") || is("setp.ls")) {
            return a <= b;
        }
        if (is("setp.gt") || is("setp.hi")) {
            return a > b;
        }
        if (is("setp.ge") || is("setp.hs")) {
            return a >= b;
        }
        return std::nullopt;
    }

    const Program& m_program;
    const Function& m_function;
    const Flow& m_flow;
    const std::vector<bool>& m_mayAsk;
    std::uint64_t m_thread = 0;
    int m_budget = 4096; ///< blocks
    int m_forks = 64;
};

std::vector<bool> blocksThatMayAsk(const Program& program, const Function& function, const Flow& flow)
{
    std::vector<bool> asks(flow.blocks.size());
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        if (program.text(program.statements[i].opcode) == "setmaxnreg") {
            asks[flow.blockOf[i - function.statementsFirst]] = true;
        }
    }
    auto may = reaches(flow, asks);
    for (Index block = 0; block < may.size(); ++block) {
        may[block] = may[block] || asks[block];
    }
    return may;
}

// An increase to fewer registers than the group has.
void decrease(const Program& program, Index statement, std::uint64_t count, std::uint64_t atEntry, Sink& sink)
{
    const auto& one = program.statements[statement];
    auto& made = sink.add("setmaxnreg-budget", one.opcode, one.end,
        fmt::format("the warpgroup has {} registers a thread at entry and asks for an increase to {}; it is "
                    ".dec that gives registers back",
            atEntry, count));
    for (auto word = one.opcode; word < one.opcodeEnd; ++word) {
        if (program.text(word) == ".inc") {
            made.fixTitle = "write .dec";
            made.edits.push_back(sink.replace(word, word + 1, ".dec"));
        }
    }
}

void budget(const Function& function, const Context& context, Sink& sink, const Statement& at)
{
    const auto& limits = function.limits;
    if (!limits.requiredThreads && !limits.maxThreads) {
        return;
    }
    // A launch may use fewer threads than .maxntid, but then fewer groups ask as well.
    const auto threads = limits.requiredThreads.value_or(limits.maxThreads.value_or(0));
    const auto groups = threads / groupThreads;
    if (threads % groupThreads != 0 || groups < 2 || groups > 8) {
        return;
    }
    const auto ctas = std::max<std::uint64_t>(limits.minCtas.value_or(1), 1);
    // Registers are given out by eights: a kernel of 255 holds 256 a thread.
    auto atEntry =
        limits.maxRegisters ? (*limits.maxRegisters + 7) / 8 * 8 : registerFile / (threads * ctas) / 8 * 8;
    atEntry = std::min<std::uint64_t>(atEntry, 256);
    const auto& flow = *context.flow;
    if (!flow.isKnown || flow.blocks.empty()) {
        return;
    }
    const auto& program = context.program;
    const auto mayAsk = blocksThatMayAsk(program, function, flow);
    const auto isIncrease = [&program](const Asked& asked) {
        return asked.count != 0
            && isNamed(program.opcode(program.statements[asked.statement]), "setmaxnreg.inc");
    };
    std::vector<Asked> asks;
    std::uint64_t largestIncrease = 0;
    for (std::uint64_t group = 0; group < groups; ++group) {
        const auto asked = Walk(program, function, flow, mayAsk, group * groupThreads).run();
        if (!asked) {
            return;
        }
        asks.push_back(*asked);
        largestIncrease = std::max(largestIncrease, isIncrease(*asked) ? asked->count : 0);
    }
    // ptxas gives no kernel more at entry than the most that it asks for later (measured with ptxas 13.0).
    atEntry = largestIncrease == 0 ? atEntry : std::min(atEntry, largestIncrease);
    std::vector<std::uint64_t> counts;
    std::uint64_t sum = 0;
    Index wrong = none;
    for (const auto& asked : asks) {
        if (asked.count < atEntry && wrong == none && isIncrease(asked)) {
            wrong = asked.statement;
            decrease(program, wrong, asked.count, atEntry, sink);
        }
        counts.push_back(asked.count == 0 ? atEntry : asked.count);
        sum += counts.back();
    }
    if (wrong != none) {
        return;
    }
    const auto pool = std::min(atEntry * groups, registerFile / groupThreads / ctas);
    if (sum > pool) {
        sink.add("setmaxnreg-budget", at.opcode, at.end,
            fmt::format(
                "the warpgroups end with {} registers a thread, {} in all; the pool has {} ({} groups "
                "of {} at entry)",
                fmt::join(counts, " + "), sum, pool, groups, atEntry));
    }
}

} // namespace

void checkRegisterBudget(Function& function, const Context& context, Sink& sink)
{
    const auto& program = context.program;
    const Statement* first = nullptr;
    const Statement* increase = nullptr;
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        const auto& one = program.statements[i];
        if (program.text(one.opcode) != "setmaxnreg" || !one.wellFormed) {
            continue;
        }
        first = first == nullptr ? &one : first;
        if (isNamed(program.opcode(one), "setmaxnreg.inc")) {
            increase = increase == nullptr ? &one : increase;
        }
        const auto value = program.operandCount(one) == 1
            ? literalValue(program.text(program.operand(one, 0).first))
            : std::nullopt;
        if (value && (*value < 24 || *value > 256 || *value % 8 != 0)) {
            const auto operand = program.operand(one, 0);
            auto& made = sink.addOfInstruction("setmaxnreg-value", one, operand.first, operand.end,
                fmt::format("{} is no multiple of 8 from 24 to 256", *value));
            const auto mended = std::clamp<std::int64_t>((*value + 4) / 8 * 8, 24, 256);
            made.fixTitle = fmt::format("write {}", mended);
            made.edits.push_back(sink.replace(operand.first, operand.end, std::to_string(mended)));
        }
    }
    if (first == nullptr || !function.isEntry) {
        return;
    }
    const auto& limits = function.limits;
    const bool isKnown = limits.maxRegisters.has_value()
        || ((limits.requiredThreads || limits.maxThreads) && limits.minCtas.has_value());
    if (!isKnown) {
        auto& made = sink.add("setmaxnreg-entry", first->opcode, first->end,
            fmt::format(
                "setmaxnreg is left out unless '{}' has .maxnreg, or .reqntid / .maxntid together with "
                ".minnctapersm (or ptxas gets -maxrregcount)",
                function.name));
        // With its threads known, the size of the kernel may decide how many CTAs an SM has.
        made.isCertain = !(limits.requiredThreads || limits.maxThreads);
        if (!made.isCertain && function.bodyOpen < program.tokens.size()) {
            made.fixTitle = "add .minnctapersm 1";
            made.edits.push_back(sink.insertBefore(function.bodyOpen, ".minnctapersm 1\n"));
        } else if (const auto block = plannedBlock(context.facts.launchPlan, function.name);
                   made.isCertain && !block.empty() && function.bodyOpen < program.tokens.size()) {
            made.fixTitle = fmt::format("add .maxntid {}, as the launch plan has it", block);
            made.edits.push_back(sink.insertBefore(function.bodyOpen,
                fmt::format(".maxntid {}\n{}", block, limits.minCtas ? "" : ".minnctapersm 1\n")));
        }
        return;
    }
    if (increase != nullptr) {
        budget(function, context, sink, *increase);
    }
}

} // namespace ptxwb::lint
