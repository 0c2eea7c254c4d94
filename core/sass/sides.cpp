// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_diff.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ptxwb {

int comparedRows(const SassKernel& kernel)
{
    auto count = kernel.instructions.size();
    while (count > 0 && kernel.instructions[count - 1].opcode == "NOP"
        && kernel.instructions[count - 1].predicate.empty()) {
        --count;
    }
    return static_cast<int>(count);
}

bool comesFirst(const SassKernel& a, const SassKernel& b)
{
    if (a.instructions.size() != b.instructions.size()) {
        return a.instructions.size() < b.instructions.size();
    }
    const auto words = [](const SassInstruction& row) {
        return std::tie(row.opcode, row.operands, row.predicate);
    };
    return !std::ranges::lexicographical_compare(b.instructions, a.instructions, {}, words, words);
}

void exchangeSides(std::vector<DiffRow>& rows)
{
    for (auto& row : rows) {
        std::swap(row.a, row.b);
        if (row.kind == DiffKind::Added) {
            row.kind = DiffKind::Removed;
        } else if (row.kind == DiffKind::Removed) {
            row.kind = DiffKind::Added;
        }
    }
}

void orderOneSided(std::vector<DiffRow>& rows)
{
    const auto isPair = [](const DiffRow& row) { return row.a >= 0 && row.b >= 0; };
    for (auto at = rows.begin(); at != rows.end();) {
        const auto first = std::find_if_not(at, rows.end(), isPair);
        const auto end = std::find_if(first, rows.end(), isPair);
        std::stable_partition(first, end, [](const DiffRow& row) { return row.a >= 0; });
        at = end;
    }
}

} // namespace ptxwb
