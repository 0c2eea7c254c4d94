// SPDX-License-Identifier: Apache-2.0
#include "core/bench/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace ptxwb {

namespace {

char folded(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Levenshtein distance, letter case ignored.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (folded(a[i - 1]) == folded(b[j - 1]) ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

} // namespace

std::string closestName(std::string_view name, const std::vector<std::string>& known)
{
    constexpr std::size_t longestName = 64;
    if (name.empty() || name.size() > longestName) {
        return {};
    }
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(name, candidate);
        if (distance < bestDistance && distance < std::max(name.size(), candidate.size())) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggestionFor(std::string_view name, const std::vector<std::string>& known)
{
    const std::string closest = closestName(name, known);
    if (!closest.empty()) {
        return fmt::format("did you mean `{}`?", closest);
    }
    return known.empty() ? std::string{} : fmt::format("known: {}", fmt::join(known, ", "));
}

} // namespace ptxwb
