// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/incremental.h"

#include <algorithm>
#include <array>

namespace ptxwb::lint {

namespace {

void shift(LintFinding& finding, std::int64_t bytes, int lines)
{
    finding.offset = static_cast<std::uint32_t>(static_cast<std::int64_t>(finding.offset) + bytes);
    finding.range.line += lines;
    finding.range.endLine += lines;
    finding.otherLine += finding.otherLine != 0 ? lines : 0;
    for (auto& edit : finding.edits) {
        edit.range.line += lines;
        edit.range.endLine += lines;
    }
}

// Last, because edits above a finding move the line that its message names.
void nameOtherLine(LintFinding& finding)
{
    if (const auto at = finding.message.find(otherLineMark);
        finding.otherLine != 0 && at != std::string::npos) {
        finding.message.replace(at, otherLineMark.size(), std::to_string(finding.otherLine));
    }
}

void shiftLines(TextRange& range, int lines)
{
    range.line += lines;
    range.endLine += lines;
}

std::uint32_t commonPrefix(std::string_view a, std::string_view b)
{
    const auto most = std::min(a.size(), b.size());
    return static_cast<std::uint32_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first - a.begin());
}

/// Rules that follow what opcodes do, and which opcodes' meaning may decide what they say.
struct Follower {
    Topics dependsOn = topic::all;
    void (*check)(Function&, const Context&, Sink&) = nullptr;
};

constexpr std::array followers{
    Follower{topic::wgmma, checkWgmma},
    Follower{topic::bulk | topic::mbarrier, checkTma},
    Follower{topic::bulk | topic::mbarrier, checkExpectations},
    Follower{topic::copy | topic::bulk | topic::mbarrier, checkArrivals},
    Follower{topic::wgmma | topic::tcgen05 | topic::values, checkDescriptors},
    Follower{topic::bulk | topic::mbarrier | topic::fence | topic::barrier, checkBarriers},
    Follower{topic::copy | topic::bulk | topic::mbarrier | topic::fence | topic::barrier, checkBulkStores},
    Follower{topic::bulk | topic::values, checkGenericAddresses},
    Follower{topic::all & ~topic::fence, checkUninitialised},
    Follower{topic::bulk | topic::mbarrier, checkBarrierObjects},
    Follower{topic::copy | topic::bulk | topic::values, checkAccesses},
    Follower{topic::copy | topic::bulk | topic::mbarrier | topic::values, checkAddressSpaces},
    Follower{topic::copy | topic::bulk | topic::fence | topic::barrier | topic::tcgen05, checkAsyncCopies},
    Follower{topic::copy | topic::bulk | topic::mbarrier | topic::values, checkPhases},
    Follower{topic::barrier | topic::values, checkCollectives},
    Follower{topic::tcgen05, checkTcgen05},
    Follower{topic::tcgen05, checkTcgen05Order},
    Follower{topic::registerCount | topic::values, checkRegisterBudget},
};

} // namespace

std::vector<LintFinding> checkFunction(Function& function, const Context& ofModule)
{
    Context context = ofModule;
    std::vector<LintFinding> findings;
    Sink sink(context, findings);
    auto unknown = checkOpcodes(function, context, sink);
    checkRegisters(function, context, sink);
    checkSizes(function.first, function.end, context, sink);
    // What is written under a name that nobody declared may be anything.
    if (std::any_of(findings.begin(), findings.end(),
            [](const LintFinding& one) { return one.rule->id == "undeclared-register"; })) {
        unknown = topic::all;
    }
    if (unknown == topic::all) {
        return findings;
    }
    const FunctionKnowledge knowledge(function, context);
    for (const auto& [dependsOn, check] : followers) {
        if ((unknown & dependsOn) == 0) {
            check(function, context, sink);
        }
    }
    return findings;
}

const std::vector<LintFinding>& Incremental::lint(std::string_view source)
{
    constexpr std::size_t largest = std::size_t{1} << 31U;
    source = source.substr(0, largest);
    m_wasIncremental = m_hasText && oneFunction(source);
    if (!m_wasIncremental) {
        whole(source);
    }
    m_hasText = true;
    collect();
    return m_findings;
}

void Incremental::whole(std::string_view source)
{
    m_source = std::string(source);
    auto program = readProgram(m_source);
    m_facts = std::move(program.facts);
    m_plan = readPlan(m_facts.launchPlan);
    m_allows = std::move(program.allows);
    m_parts.clear();
    m_outside.clear();
    const Context context{
        .program = program, .facts = m_facts, .plan = m_plan, .isa = m_isa, .forms = m_forms};
    Sink outside(context, m_outside);
    Index past = 0;
    for (auto& function : program.functions) {
        const auto& first = program.tokens[function.first];
        const auto& last = program.tokens[function.end - 1];
        m_parts.push_back({.bodyOpen = program.tokens[function.bodyOpen].offset,
            .start = first.offset,
            .end = function.isComplete ? last.offset + last.length : 0,
            .line = first.line,
            .column = first.column,
            .lastLine = last.line,
            .findings = checkFunction(function, context)});
        checkSizes(past, function.first, context, outside);
        past = function.end;
    }
    checkSizes(past, static_cast<Index>(program.tokens.size()), context, outside);
}

// The text differs from the last inside the braces of one function only, which reads as one function still.
bool Incremental::oneFunction(std::string_view source)
{
    const std::string_view old = m_source;
    const auto prefix = commonPrefix(old, source);
    if (prefix == old.size() && prefix == source.size()) {
        return true;
    }
    const auto most = std::min(old.size(), source.size()) - prefix;
    std::size_t suffix = 0;
    while (suffix < most && old[old.size() - 1 - suffix] == source[source.size() - 1 - suffix]) {
        ++suffix;
    }
    const auto oldEnd = old.size() - suffix;
    const auto part = std::find_if(m_parts.begin(), m_parts.end(),
        [&](const Part& one) { return one.bodyOpen < prefix && oldEnd < one.end; });
    if (part == m_parts.end()) {
        return false;
    }
    const auto grown = static_cast<std::int64_t>(source.size()) - static_cast<std::int64_t>(old.size());
    const auto length = static_cast<std::size_t>(static_cast<std::int64_t>(part->end - part->start) + grown);
    const auto before = old.substr(part->start, part->end - part->start);
    const auto text = source.substr(part->start, length);
    if (text.find("@launch") != std::string_view::npos || before.find("@launch") != std::string_view::npos) {
        return false; // the plan stands there
    }
    auto program = readProgram(text);
    if (program.functions.size() != 1 || !program.endsInCode || !program.functions.front().isComplete
        || program.functions.front().first != 0 || program.functions.front().end != program.tokens.size()) {
        return false;
    }
    const int base = static_cast<int>(part->line) - 1;
    auto facts = m_facts;
    shiftLines(facts.versionRange, -base);
    shiftLines(facts.targetRange, -base);
    const Context context{.program = program, .facts = facts, .plan = m_plan, .isa = m_isa, .forms = m_forms};
    auto findings = checkFunction(program.functions.front(), context);
    for (auto& finding : findings) {
        if (finding.range.line == 1) {
            finding.range.column += static_cast<int>(part->column) - 1;
            finding.range.endColumn += finding.range.endLine == 1 ? static_cast<int>(part->column) - 1 : 0;
        }
        shift(finding, part->start, base);
    }
    const auto oldLast = part->lastLine;
    part->lastLine = program.tokens.back().line + static_cast<std::uint32_t>(base);
    const int lines = static_cast<int>(part->lastLine) - static_cast<int>(oldLast);
    std::erase_if(m_allows, [&](const Allow& one) { return one.line >= part->line && one.line <= oldLast; });
    for (auto& one : m_allows) {
        one.line =
            one.line > oldLast ? static_cast<std::uint32_t>(static_cast<int>(one.line) + lines) : one.line;
    }
    for (auto& one : program.allows) {
        m_allows.push_back(
            {.line = one.line + static_cast<std::uint32_t>(base), .rule = std::move(one.rule)});
    }
    part->findings = std::move(findings);
    const auto move = [&](std::uint32_t& place) {
        place = static_cast<std::uint32_t>(static_cast<std::int64_t>(place) + grown);
    };
    move(part->end);
    for (auto later = part + 1; later != m_parts.end(); ++later) {
        move(later->bodyOpen);
        move(later->start);
        if (later->end != 0) {
            move(later->end);
        }
        later->line = static_cast<std::uint32_t>(static_cast<int>(later->line) + lines);
        later->lastLine = static_cast<std::uint32_t>(static_cast<int>(later->lastLine) + lines);
        for (auto& finding : later->findings) {
            shift(finding, grown, lines);
        }
    }
    for (auto& finding : m_outside) {
        if (finding.offset > part->start) {
            shift(finding, grown, lines);
        }
    }
    m_source.replace(prefix, oldEnd - prefix, source.substr(prefix, source.size() - suffix - prefix));
    return true;
}

void Incremental::collect()
{
    m_findings.clear();
    const auto take = [&](const std::vector<LintFinding>& findings) {
        for (const auto& finding : findings) {
            const bool isAllowed = std::any_of(m_allows.begin(), m_allows.end(), [&](const Allow& one) {
                const auto line = static_cast<int>(one.line);
                return (line == finding.range.line || line + 1 == finding.range.line)
                    && one.rule == finding.rule->id;
            });
            if (!isAllowed) {
                m_findings.push_back(finding);
                nameOtherLine(m_findings.back());
            }
        }
    };
    take(m_outside);
    for (const auto& part : m_parts) {
        take(part.findings);
    }
    std::stable_sort(m_findings.begin(), m_findings.end(),
        [](const LintFinding& a, const LintFinding& b) { return a.offset < b.offset; });
}

} // namespace ptxwb::lint
