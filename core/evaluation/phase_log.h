// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluator.h"

#include <chrono>

namespace ptxwb {

/// Writes each phase's one record and tells the listener about it. One evaluation, one thread.
class PhaseLog {
public:
    PhaseLog(
        std::vector<PhaseRecord>& records, const std::function<void(const EvaluationProgress&)>& onProgress)
        : m_records(records)
        , m_onProgress(onProgress)
    {
    }

    void begin(Phase phase);
    void progress(Phase phase, double fraction, std::string message) const;
    /// What was found while the phase goes on.
    void finding(Phase phase, double fraction, std::string message) const;
    void end(Phase phase, PhaseState state, std::string reason = {});
    /// For a phase that was timed elsewhere.
    void end(Phase phase, PhaseState state, std::string reason, double ms);
    void skip(Phase phase, std::string reason) { end(phase, PhaseState::Skipped, std::move(reason), 0); }
    bool has(Phase phase) const;
    /// Every phase without a record is skipped for `reason`; the records end up in the phases' order.
    void complete(const std::string& reason);

private:
    using Clock = std::chrono::steady_clock;
    std::vector<PhaseRecord>& m_records;
    const std::function<void(const EvaluationProgress&)>& m_onProgress;
    Clock::time_point m_begin = Clock::now();
};

} // namespace ptxwb
