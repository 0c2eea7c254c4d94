// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/report.h"

#include <map>
#include <mutex>
#include <tuple>

namespace ptxwb::emulator {

/// Collects findings from all workers. The same rule at the same lines is one report with a count; the one
/// that is kept comes from the lowest CTA, so that the result does not depend on which worker was first.
class ReportSink {
public:
    void add(Report report);
    /// Sorted by CTA and step.
    std::vector<Report> take();
    std::size_t size() const;

private:
    mutable std::mutex m_mutex{};
    std::map<std::tuple<RuleId, int, int>, Report> m_reports{};
};

} // namespace ptxwb::emulator
