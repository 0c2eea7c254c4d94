// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/gpu_tool.h"

#include "core/support/subprocess.h"

#include <cstdlib>
#include <initializer_list>
#include <unistd.h>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

bool isProgram(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

std::optional<fs::path> findGpuTool(const GpuTool& tool)
{
    if (const char* named = std::getenv(tool.variable); named != nullptr && *named != '\0') {
        return isProgram(named) ? std::optional<fs::path>(named) : std::nullopt;
    }
    if (const auto found = findInPath(tool.name)) {
        return found;
    }
    constexpr const char* standardHome = "/usr/local/cuda";
    for (const char* home : std::initializer_list<const char*>{
             std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH"), standardHome}) {
        if (home != nullptr && isProgram(fs::path(home) / "bin" / tool.name)) {
            return fs::path(home) / "bin" / tool.name;
        }
    }
    const auto last = fs::path(standardHome) / tool.elsewhere;
    return !tool.elsewhere.empty() && isProgram(last) ? std::optional(last) : std::nullopt;
}

} // namespace ptxwb
