// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/global_races.h"

#include "core/emulator/addressing.h"
#include "core/emulator/diagnose.h"
#include "core/emulator/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace ptxwb::emulator {

namespace {

std::uint32_t wordAt(const std::byte* host, std::uint8_t bytesOfWord)
{
    std::uint32_t value = 0;
    for (unsigned b = 0; b < 4; ++b) {
        if ((bytesOfWord >> b & 1U) != 0) {
            value |= std::to_integer<std::uint32_t>(host[b]) << 8 * b;
        }
    }
    return value;
}

/// Whether it is over for the warp whose moment is `self`.
bool isOver(const VectorClock& known, const Epoch& self, const GlobalTraceCell::Moment& what)
{
    return what.time == 0 || what.channel == self.channel || known[what.channel] >= what.time;
}

constexpr const char* orderFix =
    "let one CTA do both, give each CTA words of its own, or use atomics (red, atom); a "
    "value for another CTA needs a flag with .release and .acquire, or another launch";

} // namespace

GlobalTrace::~GlobalTrace()
{
    m_all.giveBack(m_bytes);
}

GlobalTrace::Cell* GlobalTrace::cellAt(std::uint64_t address)
{
    const auto number = address / (4 * std::tuple_size_v<Page>);
    if (number != m_lastNumber) {
        auto found = m_pages.find(number);
        if (found == m_pages.end()) {
            m_isFull = m_isFull || !m_all.take(sizeof(Page));
            if (m_isFull) {
                return nullptr;
            }
            m_bytes += sizeof(Page);
            found = m_pages.emplace(number, std::make_unique<Page>()).first;
        }
        m_lastNumber = number;
        m_lastPage = found->second.get();
    }
    return &(*m_lastPage)[address / 4 % std::tuple_size_v<Page>];
}

void GlobalTrace::read(Warp& warp, const Instr& in, std::uint64_t word, std::uint8_t bytesOfWord)
{
    auto* cell = cellAt(word);
    if (cell == nullptr) {
        return;
    }
    auto& races = *warp.cta->cluster->races;
    const auto& known = races.clockOf(warp);
    const auto self = races.now(warp, in.line);
    if (!isOver(known, self, cell->write) && (cell->write.mask & bytesOfWord) != 0) {
        const auto place = globalPlace(*warp.cta->cluster->launch->memory, word);
        file(warp, in.line,
            {.rule = RuleId::Race,
                .message = fmt::format("this warp reads {}, which another warp writes at line {}: no barrier "
                                       "stands between",
                    describe(place), cell->write.line),
                .fix = "bar.sync (__syncthreads()) between the write and this read",
                .otherLine = cell->write.line,
                .address = place});
        cell->write.time = 0;
    }
    cell->everRead |= bytesOfWord;
    cell->readLine = in.line;
    auto& reads = cell->reads;
    const auto mine = std::ranges::find(reads, self.channel, &Cell::Moment::channel);
    if (mine != reads.end() && mine->time == self.time) {
        mine->mask |= bytesOfWord;
        return;
    }
    const auto free = mine != reads.end()
        ? mine
        : std::ranges::find_if(reads, [&](const Cell::Moment& one) { return isOver(known, self, one); });
    (free != reads.end() ? *free : reads[1]) = {self.time, in.line, self.channel, bytesOfWord};
}

void GlobalTrace::announce(
    Warp& warp, const Instr& in, std::uint64_t word, std::uint8_t bytesOfWord, const std::byte* host)
{
    auto* cell = cellAt(word);
    if (cell == nullptr) {
        return;
    }
    auto& races = *warp.cta->cluster->races;
    const auto self = races.now(warp, in.line);
    const auto& known = races.clockOf(warp);
    const bool follows = isOver(known, self, cell->write) || (cell->write.mask & bytesOfWord) == 0;
    m_writes.push_back({.warp = &warp,
        .line = in.line,
        .address = word,
        .host = host,
        .cell = cell,
        .before = wordAt(host, bytesOfWord),
        .otherLine = follows ? 0 : cell->write.line,
        .bytesOfWord = bytesOfWord});
    for (auto& read : cell->reads) {
        if (isOver(known, self, read) || (read.mask & bytesOfWord) == 0) {
            continue;
        }
        const auto place = globalPlace(*warp.cta->cluster->launch->memory, word);
        file(warp, in.line,
            {.rule = RuleId::Race,
                .message =
                    fmt::format("this warp writes {} while another warp may still read it at line {}: no "
                                "barrier stands between",
                        describe(place), read.line),
                .fix = "bar.sync (__syncthreads()) between the read and this write",
                .otherLine = read.line,
                .address = place});
        read = {};
    }
    cell->everWritten |= bytesOfWord;
    const bool more = cell->write.channel == self.channel && cell->write.time == self.time;
    const auto mask = static_cast<std::uint8_t>(more ? cell->write.mask | bytesOfWord : bytesOfWord);
    cell->write = {self.time, in.line, self.channel, mask};
}

void GlobalTrace::access(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes,
    AccessKind kind, const LaneAddresses& at)
{
    settle();
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto address = at.address[lane];
        const auto word = address & ~std::uint64_t{3};
        if (bytes < 4) {
            const auto bytesOfWord = static_cast<std::uint8_t>(((1U << bytes) - 1U) << (address - word));
            if (kind == AccessKind::Write) {
                announce(warp, in, word, bytesOfWord, at.host[lane] - (address - word));
            } else {
                read(warp, in, word, bytesOfWord);
            }
            continue;
        }
        for (std::uint32_t b = 0; b < bytes; b += 4) {
            if (kind == AccessKind::Write) {
                announce(warp, in, word + b, 15, at.host[lane] + b);
            } else {
                read(warp, in, word + b, 15);
            }
        }
    }
}

void GlobalTrace::settle()
{
    for (const auto& made : m_writes) {
        made.cell->value = wordAt(made.host, made.cell->everWritten);
        // Warps that write the same value are no mistake.
        if (made.otherLine == 0 || wordAt(made.host, made.bytesOfWord) == made.before) {
            continue;
        }
        const auto place = globalPlace(*made.warp->cta->cluster->launch->memory, made.address);
        file(*made.warp, made.line,
            {.rule = RuleId::Race,
                .message =
                    fmt::format("this warp writes {}, which another warp writes at line {} with another "
                                "value: no barrier stands between",
                        describe(place), made.otherLine),
                .fix = "let one warp write it, use atomics (red, atom), or put bar.sync (__syncthreads()) "
                       "between",
                .otherLine = made.otherLine,
                .address = place});
    }
    m_writes.clear();
}

bool GlobalRaces::take(std::uint64_t bytes)
{
    if (m_traced.fetch_add(bytes) + bytes <= mostTracedBytes) {
        return true;
    }
    m_traced.fetch_sub(bytes);
    m_isFull = true;
    return false;
}

void GlobalRaces::join(Word& word, const GlobalTraceCell& cell, std::uint32_t position)
{
    const auto note = [&](Agent& first, Agent& last, std::int32_t line, std::uint8_t mask) {
        if (first.mask == 0 || position < first.position) {
            first = {position, line, mask};
        }
        if (last.mask == 0 || position > last.position) {
            last = {position, line, mask};
        }
    };
    if (cell.everWritten != 0) {
        std::uint32_t both = 0;
        for (unsigned b = 0; b < 4; ++b) {
            both |= (word.valueMask & cell.everWritten & 1U << b) != 0 ? 0xFFU << 8 * b : 0U;
        }
        word.valuesDiffer = word.valuesDiffer || ((word.value ^ cell.value) & both) != 0;
        word.value = cell.value;
        word.valueMask = cell.everWritten;
        note(word.firstWriter, word.lastWriter, cell.write.line, cell.everWritten);
    }
    if (cell.everRead != 0) {
        note(word.firstReader, word.lastReader, cell.readLine, cell.everRead);
    }
}

void GlobalRaces::join(const GlobalTrace& trace, std::uint64_t position)
{
    const std::scoped_lock lock(m_mutex);
    for (const auto& [number, cells] : trace.m_pages) {
        auto found = m_pages.find(number);
        if (found == m_pages.end()) {
            if (!take(sizeof(Page))) {
                continue;
            }
            found = m_pages.emplace(number, std::make_unique<Page>()).first;
        }
        for (std::size_t c = 0; c < cells->size(); ++c) {
            join((*found->second)[c], (*cells)[c], static_cast<std::uint32_t>(position));
        }
    }
}

void GlobalRaces::report(LaunchContext& launch) const
{
    struct Found {
        std::uint64_t address = ~std::uint64_t{0};
        Agent self{};
        Agent other{};
        bool reads = false;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, Found> all; // by the two lines
    const auto note = [&](std::uint64_t address, const Agent& self, const Agent& other, bool reads) {
        if (self.mask == 0 || other.mask == 0 || self.position == other.position
            || (self.mask & other.mask) == 0) {
            return false;
        }
        auto& found = all[{self.line, other.line}];
        if (address < found.address) {
            found = {address, self, other, reads};
        }
        return true;
    };
    for (const auto& [number, page] : m_pages) {
        for (std::size_t w = 0; w < page->size(); ++w) {
            const auto& word = (*page)[w];
            const auto address = (number * wordsOfPage + w) * 4;
            const auto wrote = [&](const Agent& reader) {
                return reader.position == word.firstWriter.position
                    || reader.position == word.lastWriter.position;
            };
            // What a CTA wrote itself and others wrote alike, it may read.
            const bool isRead = ((word.valuesDiffer || !wrote(word.lastReader))
                                    && note(address, word.lastReader, word.firstWriter, true))
                || ((word.valuesDiffer || !wrote(word.firstReader))
                    && note(address, word.firstReader, word.lastWriter, true));
            if (!isRead && word.valuesDiffer) {
                note(address, word.lastWriter, word.firstWriter, false);
            }
        }
    }
    if (m_isFull) {
        Report report;
        report.rule = RuleId::ResourceLimit;
        report.severity = ReportSeverity::Warning;
        report.message =
            fmt::format("more of global memory was used than is followed ({} MiB of traces): races in the "
                        "rest of it were not looked for",
                mostTracedBytes >> 20);
        report.fix = "a smaller problem shows the same races";
        report.kernel = launch.program->kernel;
        report.policy = policyName(launch.policy);
        report.seed = launch.seed;
        report.lines.push_back(
            {launch.fileName, launch.program->code.empty() ? 0 : launch.program->code[0].line});
        launch.reports->add(std::move(report), launch.firstPosition);
    }
    for (const auto& [lines, found] : all) {
        const auto place = globalPlace(*launch.memory, found.address);
        Report report;
        report.rule = RuleId::Race;
        report.message = fmt::format("one CTA {} {}, another writes it at line {}{}: nothing orders the two",
            found.reads ? "reads" : "writes", describe(place), found.other.line,
            found.reads ? "" : " with another value");
        report.fix = orderFix;
        report.kernel = launch.program->kernel;
        report.policy = policyName(launch.policy);
        report.seed = launch.seed;
        report.lines.push_back({launch.fileName, lines.first});
        if (lines.second != lines.first) {
            report.lines.push_back({launch.fileName, lines.second});
        }
        report.address = place;
        launch.reports->add(
            std::move(report), launch.firstPosition + std::max(found.self.position, found.other.position));
    }
}

} // namespace ptxwb::emulator
