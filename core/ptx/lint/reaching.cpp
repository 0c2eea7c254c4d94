// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/reaching.h"

#include <algorithm>
#include <array>

namespace ptxwb::lint {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 31U;
constexpr std::int64_t barrierBytes = 8;

// Of the first operand of these, nothing is written.
bool onlyReads(std::string_view root)
{
    constexpr std::array<std::string_view, 9> readers{
        "st", "red", "bar", "barrier", "bra", "brx", "nanosleep", "setmaxnreg", "prefetch"};
    return std::find(readers.begin(), readers.end(), root.substr(0, root.find('.'))) != readers.end();
}

std::optional<Span> sum(const std::optional<Span>& a, const std::optional<Span>& b)
{
    if (!a || !b || (a->origin != 0 && b->origin != 0) || (a->ring != none && b->ring != none)) {
        return std::nullopt;
    }
    return Span{.origin = a->origin + b->origin,
        .low = a->low + b->low,
        .high = a->high + b->high,
        .ring = a->ring != none ? a->ring : b->ring};
}

std::optional<Span> product(const std::optional<Span>& a, const std::optional<Span>& b)
{
    const auto isNumber = [](const std::optional<Span>& one) {
        return one && one->origin == 0 && one->low >= 0 && one->high <= largest;
    };
    if (!isNumber(a) || !isNumber(b) || (a->ring != none && b->ring != none)) {
        return std::nullopt;
    }
    const auto high = a->high * b->high;
    return high > largest
        ? std::nullopt
        : std::optional(
            Span{.low = a->low * b->low, .high = high, .ring = a->ring != none ? a->ring : b->ring});
}

std::optional<Span> hull(const std::optional<Span>& a, const std::optional<Span>& b)
{
    if (!a || !b || a->origin != b->origin) {
        return std::nullopt;
    }
    return Span{.origin = a->origin,
        .low = std::min(a->low, b->low),
        .high = std::max(a->high, b->high),
        .ring = a->ring == b->ring ? a->ring : none};
}

} // namespace

bool mayMeet(const Span& a, const Span& b)
{
    if (a.origin != b.origin) {
        return a.origin <= 0 || b.origin <= 0; // two variables are two places
    }
    return a.low < b.high + barrierBytes && b.low < a.high + barrierBytes;
}

Reaching::Reaching(
    const Program& program, const Function& function, const ModuleFacts& facts, const Flow& flow)
    : m_program(program)
    , m_function(function)
    , m_facts(facts)
    , m_flow(flow)
    , m_writtenIn(function.registerCount)
    , m_before(flow.blocks.size())
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        const auto& one = program.statements[i];
        if (program.operandCount(one) == 0 || onlyReads(program.text(one.opcode))) {
            continue;
        }
        const auto operand = program.operand(one, 0);
        for (auto at = operand.first; at < operand.end && !program.is(operand.first, '['); ++at) {
            if (const auto number = function.registerOf(at);
                number != none && (m_writtenIn[number].empty() || m_writtenIn[number].back() != i)) {
                m_writtenIn[number].push_back(i);
            }
        }
    }
    for (Index b = 0; b < flow.blocks.size(); ++b) {
        for (const auto to : flow.blocks[b].successors) {
            m_before[to].push_back(b);
        }
    }
}

std::vector<Index> Reaching::definitionsOf(Index number, Index before)
{
    std::vector<Index> found;
    const auto& writes = m_writtenIn[number];
    // Whether one of them decides the value at the block's start no more.
    const auto collect = [&](Index block, Index end) {
        for (auto at = std::lower_bound(writes.begin(), writes.end(), end);
             at != writes.begin() && *(at - 1) >= m_flow.blocks[block].first; --at) {
            found.push_back(*(at - 1));
            if (m_program.statements[*(at - 1)].guard == none) {
                return true;
            }
        }
        return false;
    };
    std::vector<bool> seen(m_flow.blocks.size());
    std::vector<Index> open;
    const auto goUp = [&](Index block) {
        if (block == 0) {
            found.push_back(none);
        }
        open.insert(open.end(), m_before[block].begin(), m_before[block].end());
    };
    if (const auto home = blockOf(before); !collect(home, before)) {
        goUp(home);
    }
    while (!open.empty()) {
        const auto block = open.back();
        open.pop_back();
        if (--m_steps < 0) {
            return {none};
        }
        if (!seen[block]) {
            seen[block] = true;
            if (!collect(block, m_flow.blocks[block].end)) {
                goUp(block);
            }
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::optional<std::int64_t> Reaching::literalAt(const Operand& operand) const
{
    return operand.end == operand.first + 1 && m_program.tokens[operand.first].kind == TokenKind::Number
        ? literalValue(m_program.text(operand.first))
        : std::nullopt;
}

bool Reaching::isRegister(const Operand& operand, Index number) const
{
    return operand.end == operand.first + 1 && m_function.registerOf(operand.first) == number;
}

bool Reaching::isInLoop(Index block)
{
    if (m_loops.empty()) {
        findLoops();
    }
    return m_loops[block];
}

// Tarjan's strongly connected components, with a stack of its own.
void Reaching::findLoops()
{
    const auto count = static_cast<Index>(m_flow.blocks.size());
    m_loops.resize(count);
    std::vector<Index> number(count, none);
    std::vector<Index> lowest(count, none);
    std::vector<bool> isOpen(count);
    std::vector<Index> component;
    std::vector<std::pair<Index, std::size_t>> path; ///< block, and which successor is next
    Index next = 0;
    const auto enter = [&](Index block) {
        number[block] = lowest[block] = next++;
        isOpen[block] = true;
        component.push_back(block);
        path.emplace_back(block, 0);
    };
    const auto leave = [&](Index block) {
        path.pop_back();
        if (!path.empty()) {
            lowest[path.back().first] = std::min(lowest[path.back().first], lowest[block]);
        }
        if (lowest[block] != number[block]) {
            return;
        }
        const bool isAlone = component.back() == block;
        for (Index one = none; one != block;) {
            one = component.back();
            component.pop_back();
            isOpen[one] = false;
            const auto& to = m_flow.blocks[one].successors;
            m_loops[one] = !isAlone || std::find(to.begin(), to.end(), one) != to.end();
        }
    };
    for (Index root = 0; root < count; ++root) {
        if (number[root] != none) {
            continue;
        }
        enter(root);
        while (!path.empty()) {
            const auto block = path.back().first;
            const auto& to = m_flow.blocks[block].successors;
            if (path.back().second == to.size()) {
                leave(block);
                continue;
            }
            const auto one = to[path.back().second++];
            if (number[one] == none) {
                enter(one);
            } else if (isOpen[one]) {
                lowest[block] = std::min(lowest[block], number[one]);
            }
        }
    }
}

std::int64_t Reaching::variable(std::string_view name)
{
    // All dynamic arrays begin at one place.
    const auto* shared = sharedNamed(m_function, m_facts, name);
    const auto key = shared != nullptr && shared->isExtern ? std::string_view() : name;
    const auto found = std::find(m_variables.begin(), m_variables.end(), key);
    const auto at = found - m_variables.begin();
    if (found == m_variables.end()) {
        m_variables.push_back(key);
    }
    return at + 1;
}

std::optional<Span> Reaching::spanOfToken(Index statement, Index token)
{
    const auto kind = m_program.tokens[token].kind;
    if (kind == TokenKind::Number) {
        const auto value = literalValue(m_program.text(token));
        return value ? std::optional(Span{.low = *value, .high = *value}) : std::nullopt;
    }
    if (const auto number = m_function.registerOf(token); number != none) {
        return spanOfRegister(number, statement);
    }
    if (kind == TokenKind::Identifier
        && variableNamed(m_function, m_facts, m_program.text(token)) != nullptr) {
        return Span{.origin = variable(m_program.text(token))};
    }
    return std::nullopt;
}

std::optional<Span> Reaching::spanOf(Index statement, Operand operand)
{
    if (m_program.is(operand.first, '[') && operand.end > operand.first + 2) {
        ++operand.first;
        --operand.end;
    }
    if (operand.end == operand.first + 1) {
        return spanOfToken(statement, operand.first);
    }
    const bool isMinus = m_program.is(operand.end - 2, '-');
    if (operand.end > operand.first + 4 || operand.end < operand.first + 3
        || (!isMinus && !m_program.is(operand.end - 2, '+'))) {
        return std::nullopt;
    }
    const auto offset = literalValue(m_program.text(operand.end - 1));
    auto base = spanOfToken(statement, operand.first);
    if (!offset || !base) {
        return std::nullopt;
    }
    const auto moved = isMinus ? -*offset : *offset;
    base->low += moved;
    base->high += moved;
    return base;
}

std::optional<Span> Reaching::spanOfRegister(Index number, Index before)
{
    if (const auto& ring = ringOf(number); ring.isRing) {
        return Span{.low = ring.low, .high = ring.high, .ring = number};
    }
    std::optional<Span> all;
    auto definitions = definitionsOf(number, before);
    if (definitions.size() > 1 && definitions.back() == none) {
        definitions.pop_back(); // nobody goes that way, or reads what nobody has written
    }
    for (const auto one : definitions) {
        const auto made = one == none ? std::nullopt : spanMadeBy(one);
        all = one == definitions.front() ? made : hull(all, made);
        if (!all) {
            return std::nullopt;
        }
    }
    return all;
}

std::optional<Span> Reaching::spanMadeBy(Index statement)
{
    if (const auto known = m_made.find(statement); known != m_made.end()) {
        return known->second;
    }
    if (--m_budget < 0) {
        return std::nullopt;
    }
    m_made.emplace(statement, std::nullopt); // while it is looked for: round a loop it depends on itself
    auto made = computed(statement);
    const auto& one = m_program.statements[statement];
    const auto result = m_program.operand(one, 0);
    if (!made && one.guard == none && result.end == result.first + 1 && !isInLoop(blockOf(statement))) {
        made = Span{.origin = -static_cast<std::int64_t>(statement) - 1};
    }
    m_made[statement] = made;
    return made;
}

std::optional<Span> Reaching::computed(Index statement)
{
    const auto& one = m_program.statements[statement];
    const auto root = m_program.text(one.opcode);
    const auto opcode = m_program.opcode(one);
    const auto count = m_program.operandCount(one);
    const auto result = count == 0 ? Operand{} : m_program.operand(one, 0);
    if (!one.wellFormed || result.end != result.first + 1 || opcode.find(".hi") != std::string_view::npos) {
        return std::nullopt;
    }
    const auto span = [&](std::size_t i) { return spanOf(statement, m_program.operand(one, i)); };
    const auto literal = [&](std::size_t i) { return literalAt(m_program.operand(one, i)); };
    if ((root == "mov" || root == "cvt" || root == "cvta") && count == 2) {
        return m_program.is(m_program.operand(one, 1).first, '[') ? std::nullopt : span(1);
    }
    if (count < 3) {
        return std::nullopt;
    }
    if (root == "add") {
        return sum(span(1), span(2));
    }
    if (root == "sub") {
        auto other = span(2);
        if (!other || other->origin != 0) {
            return std::nullopt;
        }
        std::swap(other->low, other->high);
        other->low = -other->low;
        other->high = -other->high;
        return sum(span(1), other);
    }
    if (root == "mul") {
        return product(span(1), span(2));
    }
    if (root == "mad" && count == 4) {
        return sum(product(span(1), span(2)), span(3));
    }
    const auto by = literal(2);
    if (root == "shl" && by && *by >= 0 && *by < 31) {
        return product(span(1), Span{.low = std::int64_t{1} << *by, .high = std::int64_t{1} << *by});
    }
    constexpr std::int64_t largestMask = 0xFFFFF;
    if (root == "and" && by && *by >= 0 && *by <= largestMask) {
        return Span{.low = 0, .high = *by};
    }
    if (root == "rem" && by && *by > 0 && *by <= largestMask) {
        return Span{.low = 0, .high = *by - 1};
    }
    return root == "selp" ? hull(span(1), span(2)) : std::nullopt;
}

const Reaching::Ring& Reaching::ringOf(Index number)
{
    const auto known = m_rings.find(number);
    return known != m_rings.end() ? known->second : m_rings.emplace(number, readRing(number)).first->second;
}

// Set to constants, and stepped on with a way back: `add`, `setp`, `@p mov 0`.
Reaching::Ring Reaching::readRing(Index number) const
{
    Ring made;
    bool isFirst = true;
    const auto take = [&](std::int64_t value) {
        made.low = isFirst ? value : std::min(made.low, value);
        made.high = isFirst ? value : std::max(made.high, value);
        isFirst = false;
    };
    for (const auto i : m_writtenIn[number]) {
        const auto& one = m_program.statements[i];
        const auto root = m_program.text(one.opcode);
        const auto count = m_program.operandCount(one);
        const auto literal = [&](std::size_t k) { return literalAt(m_program.operand(one, k)); };
        const auto isSelf = [&](std::size_t k) { return isRegister(m_program.operand(one, k), number); };
        if (root == "mov" && count == 2 && literal(1)) {
            take(*literal(1));
            made.resets.push_back(i);
        } else if (root == "selp" && count == 4 && literal(1) && isSelf(2)) {
            take(*literal(1));
            made.resets.push_back(i);
        } else if (root == "and" && count == 3 && isSelf(1) && literal(2) && *literal(2) >= 0) {
            take(0);
            take(*literal(2));
            made.resets.push_back(i);
        } else if (root == "xor" && count == 3 && isSelf(1) && literal(2) && *literal(2) == 1) {
            take(0);
            take(1);
            made.resets.push_back(i);
            made.isRing = true;
        } else if (root == "add" && count == 3 && isSelf(1) && literal(2) && *literal(2) > 0) {
            const auto bound = boundOf(number, i);
            if (!bound) {
                return {};
            }
            take(*bound);
            made.isRing = true;
        } else {
            return {};
        }
    }
    return made;
}

// The largest value that is left behind a step: what stands below it compares and leads back.
std::optional<std::int64_t> Reaching::boundOf(Index number, Index step) const
{
    constexpr Index near = 12;
    std::optional<std::int64_t> bound;
    const auto end = std::min(step + near, m_function.statementsEnd);
    for (auto i = step + 1; i < end; ++i) {
        const auto& one = m_program.statements[i];
        const auto root = m_program.text(one.opcode);
        const auto count = m_program.operandCount(one);
        if (root == "and" && count == 3 && isRegister(m_program.operand(one, 0), number)
            && isRegister(m_program.operand(one, 1), number)) {
            return literalAt(m_program.operand(one, 2));
        }
        if (root == "setp" && count == 3 && isRegister(m_program.operand(one, 1), number)
            && blockOf(i) == blockOf(step)) {
            const auto opcode = m_program.opcode(one);
            const auto limit = literalAt(m_program.operand(one, 2));
            const bool includes = opcode.starts_with("setp.gt") || opcode.starts_with("setp.le");
            bound = limit ? std::optional(includes ? *limit : *limit - 1) : std::nullopt;
        }
        const bool leadsBack = (root == "mov" || root == "selp") && count >= 2
            && isRegister(m_program.operand(one, 0), number) && literalAt(m_program.operand(one, 1));
        if (bound && leadsBack) {
            return bound;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::lint
