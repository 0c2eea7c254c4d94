// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/phase_log.h"

#include <algorithm>

namespace ptxwb {

void PhaseLog::begin(Phase phase)
{
    m_begin = Clock::now();
    progress(phase, 0, std::string(phaseName(phase)));
}

void PhaseLog::progress(Phase phase, double fraction, std::string message) const
{
    if (m_onProgress) {
        m_onProgress({.phase = phase, .ended = {}, .fraction = fraction, .message = std::move(message)});
    }
}

void PhaseLog::finding(Phase phase, double fraction, std::string message) const
{
    if (m_onProgress) {
        m_onProgress({.phase = phase,
            .ended = {},
            .fraction = fraction,
            .message = std::move(message),
            .isFinding = true});
    }
}

void PhaseLog::end(Phase phase, PhaseState state, std::string reason)
{
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - m_begin;
    end(phase, state, std::move(reason), elapsed.count());
}

void PhaseLog::end(Phase phase, PhaseState state, std::string reason, double ms)
{
    m_records.push_back({.phase = phase, .state = state, .ms = ms, .reason = std::move(reason)});
    if (m_onProgress) {
        m_onProgress({.phase = phase, .ended = m_records.back(), .fraction = 1, .message = {}});
    }
}

bool PhaseLog::has(Phase phase) const
{
    return std::any_of(m_records.begin(), m_records.end(),
        [phase](const PhaseRecord& record) { return record.phase == phase; });
}

void PhaseLog::complete(const std::string& reason)
{
    for (const auto phase : allPhases()) {
        if (!has(phase)) {
            skip(phase, reason);
        }
    }
    std::sort(m_records.begin(), m_records.end(),
        [](const PhaseRecord& a, const PhaseRecord& b) { return a.phase < b.phase; });
}

} // namespace ptxwb
