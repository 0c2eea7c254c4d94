// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/line_links.h"

#include "core/ptx/outline.h"

namespace ptxwb {

void linkWgmmaLines(SassListing& listing, std::string_view ptxText)
{
    const auto outline = outlinePtx(ptxText);
    for (const auto& function : outline.functions) {
        std::vector<int> lines;
        for (const auto& instruction : function.instructions) {
            if (instruction.opcode.starts_with("wgmma.mma_async")) {
                lines.push_back(instruction.range.line);
            }
        }
        for (auto& kernel : listing.kernels) {
            if (kernel.name == function.name) {
                linkWgmmaLines(kernel, lines);
            }
        }
    }
}

} // namespace ptxwb
