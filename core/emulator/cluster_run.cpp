// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/cluster_run.h"

#include "core/emulator/diagnose.h"
#include "core/emulator/loop_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t sliceInstructions = 4096;

std::vector<Warp*> orderedWarps(Cluster& cluster)
{
    std::vector<Warp*> warps;
    for (auto& cta : cluster.ctas) {
        for (auto& warp : cta->warps) {
            warps.push_back(&warp);
        }
    }
    if (cluster.launch->policy == AsyncPolicy::Random) {
        std::shuffle(warps.begin(), warps.end(), cluster.random);
    } else if (cluster.launch->policy == AsyncPolicy::Late) {
        std::reverse(warps.begin(), warps.end());
    }
    return warps;
}

bool allExited(const Cluster& cluster)
{
    return std::all_of(
        cluster.ctas.begin(), cluster.ctas.end(), [](const auto& cta) { return cta->liveWarps == 0; });
}

/// Lets waiting try_waits return false once per state: a loop around them may have something else to do.
bool timeOutWaits(Cluster& cluster)
{
    if (cluster.timeoutProgress == cluster.progress) {
        return false;
    }
    cluster.timeoutProgress = cluster.progress;
    bool any = false;
    for (auto& cta : cluster.ctas) {
        for (auto& warp : cta->warps) {
            for (auto& s : warp.splits) {
                if (s.wait == Wait::Mbarrier) {
                    s.timedOut = true;
                    any = true;
                }
            }
        }
    }
    return any;
}

} // namespace

ClusterStepper::ClusterStepper(Cluster& cluster, std::uint64_t quantum)
    : m_cluster(cluster)
    , m_start(cluster.step)
    , m_quantum(quantum)
    , m_warps(orderedWarps(cluster))
{
}

ClusterEnd ClusterStepper::over(ClusterEnd end)
{
    m_phase = Phase::Over;
    m_end = end;
    return end;
}

std::optional<ClusterEnd> ClusterStepper::beginRound()
{
    const auto& launch = *m_cluster.launch;
    if (launch.stop.stop_requested() || std::chrono::steady_clock::now() > launch.deadline) {
        return over(launch.stop.stop_requested() ? ClusterEnd::Cancelled : ClusterEnd::Livelock);
    }
    if (launch.lowestFault.load(std::memory_order_relaxed) < m_cluster.position) {
        return over(ClusterEnd::Cancelled);
    }
    m_index = 0;
    m_ran = false;
    m_phase = Phase::Pick;
    return std::nullopt;
}

void ClusterStepper::pick()
{
    for (; m_index < m_warps.size(); ++m_index) {
        auto& warp = *m_warps[m_index];
        if (warp.live == 0 || !wakeReady(warp)) {
            continue;
        }
        m_ran = true;
        m_slice.left = m_cluster.launch->policy == AsyncPolicy::Random
            ? 1U + static_cast<std::uint32_t>(m_cluster.random() % sliceInstructions)
            : sliceInstructions;
        if (beginSlice(warp, warp.spun, m_slice)) {
            m_phase = Phase::Slice;
        } else {
            endSlice(warp.splits.empty() ? SliceEnd::Exited : SliceEnd::Blocked);
        }
        return;
    }
    m_phase = Phase::RoundEnd;
}

void ClusterStepper::endSlice(SliceEnd end)
{
    auto& warp = *m_warps[m_index];
    if (end == SliceEnd::Budget) {
        watchLoop(warp);
    }
    warp.spun = end == SliceEnd::Budget && !warp.spun;
    m_phase = m_cluster.launch->policy == AsyncPolicy::Random ? Phase::Completing : Phase::Pick;
    ++m_index;
}

bool ClusterStepper::completeOne()
{
    const bool random = m_cluster.launch->policy == AsyncPolicy::Random && !m_drains;
    m_cluster.queue.completeAt(random ? m_cluster.random() % m_cluster.queue.size() : 0);
    ++m_cluster.progress;
    ++*m_cluster.effects;
    ++m_rounds;
    --m_left;
    return !m_cluster.stopped;
}

/// Every warp waits or goes round in circles: only another CTA could change that.
ClusterEnd ClusterStepper::endOfLoops()
{
    if (m_cluster.launch->program->communicates) {
        m_cluster.stuckAt = *m_cluster.effects;
        return ClusterEnd::Quantum;
    }
    m_cluster.repeats = true;
    return ClusterEnd::Livelock;
}

std::optional<ClusterEnd> ClusterStepper::endRound()
{
    const auto& launch = *m_cluster.launch;
    if (!m_drains && allExited(m_cluster)) {
        m_drains = true;
    }
    if (m_drains && m_cluster.queue.empty()) {
        checkAfterExit(m_cluster);
        return over(m_cluster.stopped ? ClusterEnd::Stopped : ClusterEnd::Done);
    }
    const bool loops = m_ran && !m_drains && onlyLoops(m_cluster);
    if (m_drains || !m_ran || loops) {
        if (!m_cluster.queue.empty()) {
            if (m_left == 0) {
                return std::nullopt;
            }
            if (!completeOne() && !m_drains) {
                return over(ClusterEnd::Stopped);
            }
        } else if (!timeOutWaits(m_cluster)) {
            return over(loops ? endOfLoops() : ClusterEnd::Deadlock);
        }
        m_phase = m_drains ? Phase::RoundEnd : Phase::Round;
        return std::nullopt;
    }
    if (launch.maxSteps != 0 && m_cluster.step > launch.maxSteps) {
        return over(ClusterEnd::Livelock);
    }
    if (m_cluster.step - m_start > m_quantum) {
        return over(ClusterEnd::Quantum);
    }
    if (launch.policy == AsyncPolicy::Random) {
        std::shuffle(m_warps.begin(), m_warps.end(), m_cluster.random);
    }
    m_phase = Phase::Round;
    return std::nullopt;
}

std::optional<ClusterEnd> ClusterStepper::advance(std::uint64_t rounds)
{
    m_left = rounds;
    for (;;) {
        switch (m_phase) {
        case Phase::Round:
            if (const auto end = beginRound()) {
                return end;
            }
            break;
        case Phase::Pick:
            pick();
            break;
        case Phase::Slice: {
            if (m_left == 0) {
                return std::nullopt;
            }
            const auto limit = static_cast<std::uint32_t>(std::min<std::uint64_t>(m_left, m_slice.left));
            const auto progress = runSlice(*m_warps[m_index], m_slice, limit);
            m_left -= progress.rounds;
            m_rounds += progress.rounds;
            m_slice.left -= progress.rounds;
            if (progress.end == SliceEnd::Stopped || m_cluster.stopped) {
                return over(ClusterEnd::Stopped);
            }
            if (progress.end != SliceEnd::Budget || m_slice.left == 0) {
                endSlice(progress.end);
            }
            break;
        }
        case Phase::Completing:
            if (m_cluster.queue.empty()) {
                m_phase = Phase::Pick;
                break;
            }
            if (m_left == 0) {
                return std::nullopt;
            }
            if ((m_cluster.random() & 3U) != 0) {
                m_phase = Phase::Pick;
            } else {
                completeOne();
            }
            break;
        case Phase::RoundEnd: {
            if (m_left == 0 && (m_drains || !m_ran || onlyLoops(m_cluster)) && !m_cluster.queue.empty()) {
                return std::nullopt;
            }
            if (const auto end = endRound()) {
                return end;
            }
            break;
        }
        case Phase::Over:
            return m_end;
        }
    }
}

ClusterEnd runCluster(Cluster& cluster, std::uint64_t quantum)
{
    ClusterStepper stepper(cluster, quantum);
    for (;;) {
        if (const auto end = stepper.advance(~std::uint64_t{0})) {
            return *end;
        }
    }
}

} // namespace ptxwb::emulator
