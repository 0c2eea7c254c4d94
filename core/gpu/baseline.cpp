// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/baseline.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

Result<std::unique_ptr<Baseline>> makeBaseline(
    const std::string& name, RunContext& context, Stopwatch& stopwatch)
{
    if (name == "cublaslt") {
        return makeCublasLtGemm(context, stopwatch);
    }
    if (name == "cudnn") {
        return makeCudnnAttention(context, stopwatch);
    }
    return Error{.code = ErrorCode::Unsupported, .message = fmt::format("there is no baseline '{}'", name)};
}

} // namespace ptxwb::gpu
