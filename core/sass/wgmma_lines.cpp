// SPDX-License-Identifier: Apache-2.0
#include "core/sass/listing.h"

namespace ptxwb {

int linkWgmmaLines(SassKernel& kernel, const std::vector<int>& ptxLines)
{
    std::vector<SassInstruction*> rows;
    for (auto& instruction : kernel.instructions) {
        if (instruction.opcode.find("GMMA") != std::string_view::npos) {
            rows.push_back(&instruction);
        }
    }
    // Other counts mean that ptxas copied or dropped code, and then the order of the text says nothing.
    if (rows.empty() || rows.size() != ptxLines.size()) {
        return 0;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i]->ptxLine == 0) {
            rows[i]->ptxLine = ptxLines[i];
            rows[i]->lineInferred = true;
        }
    }
    return static_cast<int>(rows.size());
}

} // namespace ptxwb
