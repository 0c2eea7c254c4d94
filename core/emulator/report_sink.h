// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/report.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <tuple>

namespace ptxwb::emulator {

/// Collects findings from all workers. The same rule at the same lines is one report with a count; the one
/// that is kept comes from the cluster that starts first, so that the result does not depend on which worker
/// was first.
class ReportSink {
public:
    ReportSink() = default;
    /// `onNew` is told each rule at its lines once, one call at a time, from the thread that met it.
    explicit ReportSink(std::function<void(const Report&)> onNew)
        : m_onNew(std::move(onNew))
    {
    }
    /// `position` is the cluster's in the order in which clusters start. Returns how often that cluster has
    /// met this by now.
    std::uint64_t add(Report report, std::uint64_t position);
    /// Forgets what clusters beyond `position` met: how far they came depends on the workers.
    void keepUpTo(std::uint64_t position);
    /// Sorted by CTA and step.
    std::vector<Report> take();
    std::size_t size() const;

private:
    struct Found {
        Report first{};
        std::map<std::uint64_t, std::uint64_t> counts{}; ///< by position
    };
    mutable std::mutex m_mutex{};
    std::function<void(const Report&)> m_onNew{};
    std::map<std::tuple<RuleId, int, int>, Found> m_found{};
};

} // namespace ptxwb::emulator
