// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/missing_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace ptxwb::detail {

namespace {

constexpr std::string_view hostRemedy =
    "install one (Debian, Ubuntu: apt install g++), or name another after --: -ccbin PATH";

Error hostCompiler(std::string message)
{
    return {.code = ErrorCode::MissingTool, .message = std::move(message), .hint = std::string(hostRemedy)};
}

Error missingProgram(std::string_view name)
{
    constexpr std::array<std::string_view, 6> ofToolkit{
        "cicc", "cudafe++", "ptxas", "fatbinary", "nvlink", "bin2c"};
    if (std::find(ofToolkit.begin(), ofToolkit.end(), name) != ofToolkit.end()) {
        return {.code = ErrorCode::MissingTool,
            .message =
                fmt::format("nvcc could not start {}, a part of the CUDA toolkit that is not here", name),
            .hint = "install the toolkit again, or run packaging/run, which brings a whole one"};
    }
    return hostCompiler(
        fmt::format("the host compiler that nvcc needs is not complete: {} was not found", name));
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after)
{
    const auto start = text.find(before);
    if (start == std::string_view::npos) {
        return {};
    }
    const auto rest = text.substr(start + before.size());
    const auto end = rest.find(after);
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

// The program that a line of a shell or of the compiler driver says it could not start. Only lines that
// begin with their names count: what a source makes a compiler print begins with the source's name.
std::string_view notStarted(std::string_view line)
{
    for (const std::string_view shell : {"sh: ", "/bin/sh: ", "bash: "}) {
        if (!line.starts_with(shell)) {
            continue;
        }
        // "sh: 1: gcc: not found", "sh: line 1: gcc: command not found"
        for (const std::string_view end :
            {": not found", ": command not found", ": No such file or directory"}) {
            if (line.ends_with(end)) {
                const auto words = line.substr(0, line.size() - end.size());
                return words.substr(words.rfind(": ") + 2);
            }
        }
    }
    for (const std::string_view driver :
        {"gcc", "g++", "cc", "c++", "clang", "collect2", "x86_64-linux-gnu-gcc"}) {
        if (!line.starts_with(driver) || line.find(": ") == std::string_view::npos) {
            continue;
        }
        for (const std::string_view before :
            {"cannot execute '", "error trying to exec '", "cannot find '"}) {
            if (const auto name = between(line, before, "'"); !name.empty()) {
                return name;
            }
        }
    }
    return {};
}

} // namespace

std::optional<Error> missingPart(std::string_view nvccOutput)
{
    std::optional<Error> found;
    while (!nvccOutput.empty()) {
        const auto end = std::min(nvccOutput.find('\n'), nvccOutput.size());
        auto line = nvccOutput.substr(0, end);
        nvccOutput.remove_prefix(std::min(end + 1, nvccOutput.size()));
        line = line.substr(0, line.find_last_not_of(" \t\r.") + 1);
        if (const auto name = notStarted(line); !name.empty()) {
            return missingProgram(name);
        }
        if (line.starts_with("nvcc fatal")
            && line.find("Failed to preprocess host compiler properties") != std::string_view::npos) {
            found = hostCompiler("the host compiler that nvcc needs is not here, or does not work");
        }
        // The directive stands in the toolkit's own header.
        if (line.find("crt/host_config.h:") != std::string_view::npos
            && line.find("#error -- unsupported ") != std::string_view::npos) {
            return hostCompiler(fmt::format("nvcc refuses the host compiler: {}",
                between(line, "#error -- ", "!").empty() ? line : between(line, "#error -- ", "!")));
        }
    }
    return found;
}

} // namespace ptxwb::detail
