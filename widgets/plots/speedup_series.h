// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/results/run_entry.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace ptxwb {

/// One bar: a measured speed-up against a library with its interval.
struct SpeedupBar {
    QString candidate{};
    QString workload{};
    QString baseline{}; ///< "cublaslt"
    double ratio = 0;
    double low = 0; ///< of the 95 % interval
    double high = 0;
    int rounds = 0;
    double candidateMedianUs = 0;
    double baselineMedianUs = 0;
    RunOrigin origin = RunOrigin::Live;
    QString provenance{}; ///< "recorded on NVIDIA H200, 2025-12-01"
    bool isCurrent = false; ///< of the text in the editor

    QString label() const;
    QString details() const; ///< several lines, for the tooltip
};

/// What can be plotted, and why the other runs cannot.
struct SpeedupSeries {
    std::vector<SpeedupBar> bars{};
    QStringList left{}; ///< "wrong_result (paper): Wrong numbers"
};

/// A speed-up exists only for a correct run that was timed against a library.
SpeedupSeries speedupSeries(const std::vector<RunEntry>& runs);

/// Comma-separated with a header line; numbers with '.', as programs read them.
QString speedupCsv(const SpeedupSeries& series);

} // namespace ptxwb
