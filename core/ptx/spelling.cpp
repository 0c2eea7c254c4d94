// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/spelling.h"

#include <algorithm>

namespace ptxwb {

namespace {

// Edits from one word to the other: insert, drop, change, swap of neighbours.
std::size_t distanceOf(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t k = 0; k <= b.size(); ++k) {
            if (i == 0 || k == 0) {
                rows[i][k] = i + k;
                continue;
            }
            const std::size_t change = a[i - 1] == b[k - 1] ? 0 : 1;
            rows[i][k] = std::min({rows[i - 1][k] + 1, rows[i][k - 1] + 1, rows[i - 1][k - 1] + change});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
                rows[i][k] = std::min(rows[i][k], rows[i - 2][k - 2] + 1);
            }
        }
    }
    return rows[a.size()][b.size()];
}

} // namespace

std::vector<std::string> nearestWords(std::string_view word, const std::vector<std::string>& words)
{
    // A word of a megabyte is nobody's misspelling.
    constexpr std::size_t longest = 200;
    std::vector<std::string> near;
    std::size_t best = std::max<std::size_t>(1, word.size() / 3);
    for (const auto& candidate : words) {
        if (word.size() > longest || candidate == word || candidate.size() > word.size() + best
            || word.size() > candidate.size() + best) {
            continue;
        }
        const auto distance = distanceOf(word, candidate);
        if (distance < best) {
            near.clear();
            best = distance;
        }
        if (distance == best) {
            near.push_back(candidate);
        }
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    return near;
}

} // namespace ptxwb
