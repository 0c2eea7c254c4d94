// SPDX-License-Identifier: Apache-2.0
#include "core/runner/runner_client.h"
#include "core/support/files.h"

#include <cstdlib>
#include <unistd.h>

namespace ptxwb {

Result<RunnerEndpoint> localRunner()
{
    constexpr const char* name = "ptxwb-runner";
    const auto isProgram = [](const std::filesystem::path& path) {
        std::error_code ignored;
        return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
    };
    const auto endpoint = [](const std::filesystem::path& path) {
        return RunnerEndpoint{.command = {path.string()}, .title = "local"};
    };
    if (const char* named = std::getenv("PTXWB_RUNNER"); named != nullptr && *named != '\0') {
        if (isProgram(named)) {
            return endpoint(named);
        }
        return Error{.code = ErrorCode::MissingTool,
            .message = "PTXWB_RUNNER names a file that cannot be run",
            .hint = "set it to the path of ptxwb-runner, or unset it",
            .path = named};
    }
    const auto beside = programDirectory() / name;
    if (isProgram(beside)) {
        return endpoint(beside);
    }
    if (const auto found = findInPath(name)) {
        return endpoint(*found);
    }
    return Error{.code = ErrorCode::MissingTool,
        .message = "ptxwb-runner, which runs kernels on a GPU, is not here",
        .hint = "it is built where CMake finds CUDA 12.8 or later (nvcc and the runtime's headers); "
                "PTXWB_RUNNER names one "
                "elsewhere",
        .path = beside.string()};
}

} // namespace ptxwb
