// SPDX-License-Identifier: Apache-2.0
#include "core/llm/line_diff.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace ptxwb::llm {

namespace {

constexpr int maxEdits = 2000;

using Lines = std::vector<int>;

// For each edit count d the furthest x on diagonal k, kept for the way back. Paths may leave the grid: none
// comes back.
struct Trace {
    std::vector<std::vector<int>> rows; ///< rows[d] holds diagonals -d..d
    int at(int d, int k) const { return rows[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d)]; }
};

int firstX(const Trace& trace, int d, int k)
{
    if (d == 0) {
        return 0;
    }
    const int down = k + 1 <= d - 1 ? trace.at(d - 1, k + 1) : -1;
    const int right = k - 1 >= -(d - 1) ? trace.at(d - 1, k - 1) + 1 : -1;
    return std::max(down, right);
}

bool cameDown(const Trace& trace, int d, int k)
{
    const int down = k + 1 <= d - 1 ? trace.at(d - 1, k + 1) : -1;
    const int right = k - 1 >= -(d - 1) ? trace.at(d - 1, k - 1) + 1 : -1;
    return down >= right;
}

std::optional<Trace> search(const Lines& a, const Lines& b)
{
    const int n = static_cast<int>(a.size());
    const int m = static_cast<int>(b.size());
    Trace trace;
    for (int d = 0; d <= std::min(n + m, maxEdits); ++d) {
        trace.rows.emplace_back(static_cast<std::size_t>(2 * d + 1), -1);
        for (int k = -d; k <= d; k += 2) {
            int x = firstX(trace, d, k);
            int y = x - k;
            while (x < n && y < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)]) {
                ++x;
                ++y;
            }
            trace.rows.back()[static_cast<std::size_t>(k + d)] = x;
            if (x == n && y == m) {
                return trace;
            }
        }
    }
    return std::nullopt;
}

void addEdit(std::vector<LineChange>& reversed, std::size_t x, std::size_t y, bool insertion)
{
    // Walking back: the new edit ends where the last one begins when they touch.
    if (!reversed.empty()) {
        auto& last = reversed.back();
        const std::size_t oldEnd = x + (insertion ? 0 : 1);
        const std::size_t newEnd = y + (insertion ? 1 : 0);
        if (last.oldFirst == oldEnd && last.newFirst == newEnd) {
            last.oldFirst = x;
            last.newFirst = y;
            ++(insertion ? last.newCount : last.oldCount);
            return;
        }
    }
    reversed.push_back({x, insertion ? 0U : 1U, y, insertion ? 1U : 0U});
}

std::vector<LineChange> walkBack(const Trace& trace, int n, int m)
{
    std::vector<LineChange> reversed;
    int x = n;
    int y = m;
    for (int d = static_cast<int>(trace.rows.size()) - 1; d > 0; --d) {
        const int k = x - y;
        const bool insertion = cameDown(trace, d, k);
        x = firstX(trace, d, k);
        y = x - k;
        if (insertion) {
            --y;
        } else {
            --x;
        }
        addEdit(reversed, static_cast<std::size_t>(x), static_cast<std::size_t>(y), insertion);
    }
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
}

} // namespace

std::vector<LineChange> diffLines(
    const std::vector<std::string_view>& oldLines, const std::vector<std::string_view>& newLines)
{
    std::size_t head = 0;
    while (head < oldLines.size() && head < newLines.size() && oldLines[head] == newLines[head]) {
        ++head;
    }
    std::size_t tail = 0;
    while (tail < oldLines.size() - head && tail < newLines.size() - head
        && oldLines[oldLines.size() - 1 - tail] == newLines[newLines.size() - 1 - tail]) {
        ++tail;
    }
    std::unordered_map<std::string_view, int> numbers;
    const auto numbered = [&](const std::vector<std::string_view>& lines) {
        Lines result;
        for (std::size_t i = head; i < lines.size() - tail; ++i) {
            result.push_back(numbers.try_emplace(lines[i], static_cast<int>(numbers.size())).first->second);
        }
        return result;
    };
    const Lines a = numbered(oldLines);
    const Lines b = numbered(newLines);
    if (a.empty() && b.empty()) {
        return {};
    }
    const auto trace = a.empty() || b.empty() ? std::nullopt : search(a, b);
    if (!trace) {
        return {{head, a.size(), head, b.size()}};
    }
    auto changes = walkBack(*trace, static_cast<int>(a.size()), static_cast<int>(b.size()));
    for (auto& change : changes) {
        change.oldFirst += head;
        change.newFirst += head;
    }
    return changes;
}

} // namespace ptxwb::llm
