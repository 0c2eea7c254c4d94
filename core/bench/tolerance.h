// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb {

/// The paper's rule: an element fails iff abs > atol AND rel > rtol, rel = abs / (|ref| + 1e-8); a trial
/// fails iff the matched ratio is below matchedRatio.
struct Tolerance {
    double rtol = 1e-2;
    double atol = 1e-2;
    double matchedRatio = 1.0;
    int trials = 3;
};

/// Our rule: ||x - ref||_2 / ||ref||_2 per output at most this; one bound per output name, "" for every
/// other.
struct StrictRule {
    std::vector<std::pair<std::string, double>> normwiseRelError{};
    std::optional<double> boundFor(std::string_view output) const;
};

/// What comparing one output of one trial gave. Plain numbers, filled by the runner's GPU code or by
/// compareOnHost.
struct OutputComparison {
    std::string output{};
    std::uint64_t elements = 0;
    std::uint64_t mismatched = 0; ///< by the paper's element rule
    double maxAbsError = 0;
    double maxRelError = 0;
    double normwiseRelError = 0;
    std::uint64_t nanCount = 0; ///< in the candidate's output, where the reference has none
    std::uint64_t infCount = 0;
    std::uint64_t poisonCount = 0; ///< elements that still hold the poison pattern
    bool allZero = false;
    std::optional<std::uint64_t> firstMismatch{}; ///< flat index
    double firstMismatchGot = 0;
    double firstMismatchExpected = 0;

    double matchedRatio() const;
};

bool passesPaperRule(const OutputComparison& comparison, const Tolerance& tolerance);
/// nullopt where the strict rule has no bound for the output.
std::optional<bool> passesStrictRule(const OutputComparison& comparison, const StrictRule& strict);

} // namespace ptxwb
