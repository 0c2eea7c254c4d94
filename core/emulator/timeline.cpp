// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/timeline.h"

#include "core/emulator/debugger_state.h"
#include "core/emulator/diagnose.h"

#include <algorithm>
#include <unordered_map>

namespace ptxwb::emulator {

namespace {

constexpr std::size_t none = ~std::size_t{0};
constexpr std::uint64_t roundsBetweenChecks = 4096; ///< of the stop token

Timeline::OperationKind kindOf(std::string_view opcode)
{
    return opcode.starts_with("wgmma") || opcode.starts_with("tcgen05.mma") ? Timeline::OperationKind::Product
        : opcode.starts_with("cp.")                                         ? Timeline::OperationKind::Copy
                                                                            : Timeline::OperationKind::Other;
}

/// Looks at a cluster behind every round.
class Recorder {
public:
    explicit Recorder(const Program& program)
        : m_program(program)
    {
        for (const auto& in : program.code) {
            m_opcodeOfLine.emplace(in.line, in.opcode);
        }
        m_timeline.opcodes = program.opcodes;
        m_timeline.opcodes.emplace_back(); // of a line without an instruction
    }

    /// An instruction of this warp ran in the round.
    void ran(const WarpName& name, int line, std::uint64_t round)
    {
        const auto index = warpIndex(name);
        auto& open = m_openSpan[index];
        if (open != none) {
            auto& span = m_timeline.spans[open];
            if (!span.waits && span.end == round) {
                span.end = round + 1;
                span.lastLine = line;
                return;
            }
            if (span.waits) {
                span.end = round;
            }
        }
        open = m_timeline.spans.size();
        m_timeline.spans.push_back(
            {.warp = index, .begin = round, .end = round + 1, .line = line, .lastLine = line});
    }

    /// An operation that was issued and done within the round.
    void happened(const WarpName& name, int line, std::uint64_t round)
    {
        const auto opcode = m_opcodeOfLine.find(line);
        const auto isNew = !m_timeline.operations.empty() && m_timeline.operations.back().begin == round;
        if (opcode == m_opcodeOfLine.end() || isNew
            || kindOf(m_timeline.opcodes[opcode->second]) == Timeline::OperationKind::Other) {
            return;
        }
        m_timeline.operations.push_back({.kind = kindOf(m_timeline.opcodes[opcode->second]),
            .warp = warpIndex(name),
            .begin = round,
            .end = round + 1,
            .line = line,
            .opcode = opcode->second,
            .ended = true});
    }

    void look(Cluster& cluster, std::uint64_t round)
    {
        for (auto& cta : cluster.ctas) {
            for (auto& warp : cta->warps) {
                lookAtWarp(warp, round);
            }
            lookAtBarriers(*cta, round);
        }
        lookAtOperations(cluster, round);
    }

    /// Its last CTA has exited, and nothing of it is left.
    void gone(const Cluster* cluster, std::uint64_t round)
    {
        for (const auto& [operation, index] : m_known[cluster]) {
            m_timeline.operations[index].end = round + 1;
            m_timeline.operations[index].ended = true;
        }
        m_known.erase(cluster);
    }

    bool isFull() const
    {
        return m_timeline.spans.size() + m_timeline.operations.size() + m_timeline.phases.size()
            >= mostTimelineEntries;
    }

    Timeline take(std::uint64_t rounds)
    {
        for (std::size_t w = 0; w < m_openSpan.size(); ++w) {
            if (m_openSpan[w] != none && m_timeline.spans[m_openSpan[w]].waits) {
                m_timeline.spans[m_openSpan[w]].end = rounds;
            }
        }
        for (auto& operation : m_timeline.operations) {
            operation.end = operation.ended ? operation.end : rounds;
        }
        for (const auto& [key, phase] : m_openPhase) {
            m_timeline.phases[phase].end = rounds;
        }
        m_timeline.rounds = rounds;
        return std::move(m_timeline);
    }

private:
    std::uint32_t warpIndex(const WarpName& name)
    {
        const auto [found, isNew] =
            m_warps.emplace(name.cta << 16U | name.warp, static_cast<std::uint32_t>(m_timeline.warps.size()));
        if (isNew) {
            m_timeline.warps.push_back(name);
            m_openSpan.push_back(none);
        }
        return found->second;
    }

    void lookAtWarp(const Warp& warp, std::uint64_t round)
    {
        const auto index = warpIndex({warp.cta->linear, warp.index});
        const auto waits = [](const Split& split) {
            return split.wait != Wait::None && split.wait != Wait::Yield;
        };
        const bool stands =
            !warp.splits.empty() && std::all_of(warp.splits.begin(), warp.splits.end(), waits);
        auto& open = m_openSpan[index];
        const bool stood = open != none && m_timeline.spans[open].waits;
        if (stands == stood) {
            return;
        }
        if (!stands) {
            m_timeline.spans[open].end = round + 1;
            open = none;
            return;
        }
        const int line = m_program.code[warp.splits[std::min(warp.current, warp.splits.size() - 1)].pc].line;
        open = m_timeline.spans.size();
        m_timeline.spans.push_back({.warp = index,
            .waits = true,
            .begin = round + 1,
            .end = round + 1,
            .line = line,
            .lastLine = line});
    }

    void lookAtBarriers(Cta& cta, std::uint64_t round)
    {
        for (const auto& barrier : cta.shared.mbarriers()) {
            if (!barrier.live) {
                continue;
            }
            const auto key = cta.linear << 32U | barrier.address;
            const auto found = m_openPhase.find(key);
            if (found != m_openPhase.end() && m_timeline.phases[found->second].phase == barrier.phase) {
                continue;
            }
            std::uint32_t index = 0;
            if (found != m_openPhase.end()) {
                index = m_timeline.phases[found->second].barrier;
                m_timeline.phases[found->second].end = round + 1;
            } else {
                index = static_cast<std::uint32_t>(m_timeline.barriers.size());
                m_timeline.barriers.push_back(
                    {.cta = cta.linear, .place = describe(sharedPlace(cta, barrier.address))});
            }
            m_openPhase[key] = m_timeline.phases.size();
            m_timeline.phases.push_back(
                {.barrier = index, .begin = round + 1, .end = round + 1, .phase = barrier.phase});
        }
    }

    void lookAtOperations(Cluster& cluster, std::uint64_t round)
    {
        const auto& pending = cluster.queue.pending();
        auto& known = m_known[&cluster];
        if (known.size() == pending.size() && (pending.empty() || known.back().first == pending.back())) {
            return; // they end one at a time, and a new one is the last
        }
        for (const auto& [operation, index] : known) {
            if (std::find(pending.begin(), pending.end(), operation) == pending.end()) {
                m_timeline.operations[index].end = round + 1;
                m_timeline.operations[index].ended = true;
            }
        }
        std::vector<std::pair<std::shared_ptr<AsyncOp>, std::size_t>> now;
        for (const auto& operation : pending) {
            const auto found = std::find_if(
                known.begin(), known.end(), [&](const auto& one) { return one.first == operation; });
            if (found != known.end()) {
                now.push_back(*found);
                continue;
            }
            now.emplace_back(operation, m_timeline.operations.size());
            m_timeline.operations.push_back(operationOf(*operation, round));
        }
        known = std::move(now);
    }

    Timeline::OperationSpan operationOf(const AsyncOp& operation, std::uint64_t round)
    {
        const auto opcode = m_opcodeOfLine.find(operation.line);
        Timeline::OperationSpan span{.begin = round, .end = round + 1, .line = operation.line};
        span.opcode = opcode == m_opcodeOfLine.end()
            ? static_cast<std::uint32_t>(m_timeline.opcodes.size() - 1)
            : opcode->second;
        span.kind = kindOf(m_timeline.opcodes[span.opcode]);
        if (operation.warp != nullptr) {
            span.warp = warpIndex({operation.warp->cta->linear, operation.warp->index});
        }
        return span;
    }

    const Program& m_program;
    Timeline m_timeline{};
    std::unordered_map<int, std::uint32_t> m_opcodeOfLine{};
    std::unordered_map<std::uint64_t, std::uint32_t> m_warps{};
    std::unordered_map<std::uint64_t, std::size_t> m_openPhase{}; ///< by CTA and address: index into phases
    std::vector<std::size_t> m_openSpan{}; ///< by warp
    /// Operations under way, with their index. Holding them keeps their addresses from being used again.
    std::unordered_map<const Cluster*, std::vector<std::pair<std::shared_ptr<AsyncOp>, std::size_t>>>
        m_known{};
};

} // namespace

Timeline Debugger::timeline(bool toTheEnd, std::stop_token stop)
{
    auto& s = *m_state;
    const auto now = s.round();
    const bool wasOver = s.over.has_value();
    Timeline timeline;
    {
        Recorder recorder(*s.program);
        s.restart();
        bool isCut = false;
        for (std::uint64_t n = 0; !s.over && (toTheEnd || s.round() < now); ++n) {
            isCut = recorder.isFull();
            if (isCut || (n % roundsBetweenChecks == 0 && stop.stop_requested())) {
                break;
            }
            const auto round = s.round();
            const auto* in = s.nextInstruction();
            const auto name = s.nextName();
            auto* cluster = s.cluster.get();
            const int line = in == nullptr ? 0 : in->line;
            const auto progress = cluster == nullptr ? 0 : cluster->progress;
            s.advance(1);
            if (in != nullptr && name) {
                recorder.ran(*name, line, round);
            }
            if (s.isThere(cluster)) {
                recorder.look(*cluster, round);
                if (in != nullptr && name && cluster->progress != progress) {
                    recorder.happened(*name, line, round);
                }
            } else {
                recorder.gone(cluster, round);
            }
        }
        timeline = recorder.take(s.round());
        timeline.isWhole = s.over.has_value();
        timeline.isCut = isCut;
    }
    s.goTo(now);
    if (wasOver && !s.over) {
        s.advance(1);
    }
    return timeline;
}

Stop Debugger::goTo(std::uint64_t round)
{
    auto& s = *m_state;
    s.goTo(round);
    if (const auto next = s.nextName(); next && !s.chosen) {
        s.currentWarp = *next;
    }
    return s.over ? Stop{*s.over, s.reports.empty() ? std::string() : s.reports.back().message}
                  : Stop{round == 0 ? StopCause::Start : StopCause::Step, {}};
}

} // namespace ptxwb::emulator
