// SPDX-License-Identifier: Apache-2.0
#include "core/bench/tolerance.h"

#include <algorithm>

namespace ptxwb {

std::optional<double> StrictRule::boundFor(std::string_view output) const
{
    std::optional<double> standard;
    for (const auto& [name, bound] : normwiseRelError) {
        if (name == output) {
            return bound;
        }
        if (name.empty()) {
            standard = bound;
        }
    }
    return standard;
}

double OutputComparison::matchedRatio() const
{
    if (elements == 0) {
        return 1.0;
    }
    return std::clamp(1.0 - static_cast<double>(mismatched) / static_cast<double>(elements), 0.0, 1.0);
}

bool passesPaperRule(const OutputComparison& comparison, const Tolerance& tolerance)
{
    return comparison.nanCount == 0 && comparison.infCount == 0
        && comparison.matchedRatio() >= tolerance.matchedRatio;
}

std::optional<bool> passesStrictRule(const OutputComparison& comparison, const StrictRule& strict)
{
    const std::optional<double> bound = strict.boundFor(comparison.output);
    if (!bound) {
        return std::nullopt;
    }
    // A NaN error compares false and fails.
    return comparison.nanCount == 0 && comparison.infCount == 0 && comparison.normwiseRelError <= *bound;
}

} // namespace ptxwb
