// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string_view>

namespace ptxwb {

struct CompilerMessages {
    std::vector<Diagnostic> diagnostics {};
    std::vector<PerformanceNote> notes {};
    std::vector<KernelResources> kernels {};
    std::vector<std::string> unparsed {}; ///< lines that fit no known shape; shown verbatim, never dropped
};

/// Parses stderr+stdout of ptxas or nvcc. `toolFile` is the name under which the tool saw the source, `userFile` the
/// name to report instead. Pure.
CompilerMessages parseCompilerMessages(std::string_view output, std::string_view toolFile, std::string_view userFile);

/// Gives PTX diagnostics a column and an end column by finding the quoted word of the message on its line. Pure.
void locateColumns(std::vector<Diagnostic>& diagnostics, std::string_view source);

} // namespace ptxwb
