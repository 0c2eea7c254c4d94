// SPDX-License-Identifier: Apache-2.0
#include "core/bench/banned_library.h"

#include <array>

namespace ptxwb {

namespace {

constexpr std::array<std::string_view, 9> libraries{"libcublas", "libcudnn", "libcusparse", "libcusolver",
    "libcufft", "libcutensor", "libtorch", "libnvinfer", "libcudss"};
// Without these neither library does anything. A name in an error text is not enough to be here.
constexpr std::array<std::string_view, 6> functions{"cublasCreate_v2", "cublasLtCreate", "cublasXtCreate",
    "cublasGemmEx", "cudnnCreate", "cudnnBackendExecute"};

} // namespace

std::optional<std::string> bannedLibraryIn(std::string_view maps)
{
    for (std::size_t at = 0; at < maps.size();) {
        const std::size_t end = std::min(maps.find('\n', at), maps.size());
        const std::string_view line = maps.substr(at, end - at);
        at = end + 1;
        const std::size_t slash = line.rfind('/');
        const std::string_view name = slash == std::string_view::npos ? line : line.substr(slash + 1);
        for (const std::string_view library : libraries) {
            if (name.starts_with(library)) {
                return std::string(name.substr(0, name.find(' ')));
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> bannedFunctionIn(std::string_view object)
{
    for (const std::string_view function : functions) {
        if (object.find(function) != std::string_view::npos) {
            return std::string(function);
        }
    }
    return std::nullopt;
}

} // namespace ptxwb
