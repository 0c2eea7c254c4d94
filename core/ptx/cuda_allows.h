// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/asm_template.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxwb {

/// What `// ptxwb: allow RULE` silences in CUDA C++: its own line, the line below it, and all of an asm
/// statement that starts on one of these.
class CudaAllows {
public:
    CudaAllows(std::string_view source, const CudaAsm& found);
    bool covers(std::string_view rule, int line) const;

private:
    std::vector<std::pair<std::string, int>> m_rules; ///< each with its comment's line
    std::vector<std::pair<int, int>> m_statements; ///< first and last lines
};

} // namespace ptxwb
