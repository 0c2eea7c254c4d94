// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/disassembler.h"

#include "core/support/sha256.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/cache_record.h"
#include "core/toolchain/file_stamp.h"
#include "core/toolchain/tool_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds timeout{120'000};
constexpr std::string_view cubinName = "in.cubin";

std::string lastWords(const ProcessOutcome& outcome)
{
    const std::string_view text =
        outcome.standardError.empty() ? outcome.standardOutput : outcome.standardError;
    const auto end = text.find_last_not_of(" \t\r\n");
    return end == std::string_view::npos ? "nothing" : std::string(text.substr(0, end + 1));
}

Error toolFailed(const Tool& tool, const ProcessOutcome& outcome)
{
    return {.code = ErrorCode::ToolFailed,
        .message =
            fmt::format("{} {} cannot read it: {}", toolName(tool.kind), tool.version, lastWords(outcome)),
        .hint =
            "a disassembler reads cubins of its own CUDA version and older; look whether the file is whole"};
}

// -gi and -gp go together: source lines with their inline frames and PTX lines stand above their
// instructions. It has -g in it. -plr would switch them off.
std::vector<std::string> argumentsOf(const Tool& tool)
{
    if (tool.kind == ToolKind::Nvdisasm) {
        return {tool.path.string(), "-c", "-hex", "-gi", "-gp", std::string(cubinName)};
    }
    return {tool.path.string(), "-sass", std::string(cubinName)};
}

// "out.1.sm_90a.cubin" -> "sm_90a"
std::string targetInName(const std::string& name)
{
    const auto at = name.rfind("sm_");
    return at == std::string::npos ? std::string() : name.substr(at, name.find('.', at) - at);
}

/// Runs `command` on the cubin in a scratch directory, or takes the text of an earlier run.
Result<Disassembly> disassembleWith(const Tool& tool, std::vector<std::string> command,
    std::string_view cubin, const fs::path& cacheDirectory, std::stop_token stop)
{
    if (cubin.empty()) {
        return Error{.code = ErrorCode::InvalidArgument, .message = "the cubin is empty"};
    }
    Disassembly made{.tool = tool, .command = std::move(command)};
    std::string question = fmt::format("disassembly 1 {} {} {} {}\n", toolName(tool.kind), tool.version,
        tool.path.string(), detail::fileStamp(tool.path));
    for (const auto& word : made.command) {
        question += word + '\n';
    }
    const auto key = sha256Hex(question + sha256Hex(cubin));
    if (auto record = detail::loadRecord(cacheDirectory, key); record && record->blobs.size() == 1) {
        made.text = std::move(record->blobs.front());
        made.fromCache = true;
        return made;
    }
    const auto scratch = TemporaryDirectory::create("ptxwb-sass");
    if (!scratch) {
        return scratch.error();
    }
    if (const auto written = detail::writeScratch(scratch->path() / cubinName, cubin); !written) {
        return written.error();
    }
    auto outcome = detail::runTool(
        tool, {.argv = made.command, .workingDirectory = scratch->path(), .timeout = timeout}, stop);
    if (!outcome) {
        return outcome.error();
    }
    if (outcome->exitCode != 0 || outcome->outputTruncated) {
        return toolFailed(tool, *outcome);
    }
    made.text = std::move(outcome.value().standardOutput);
    detail::storeRecord(cacheDirectory, key, {.meta = "{}", .blobs = {made.text}});
    return made;
}

} // namespace

Result<Disassembly> disassembleCubin(
    const Toolchain& toolchain, std::string_view cubin, const fs::path& cacheDirectory, std::stop_token stop)
{
    const auto& tool = toolchain.nvdisasm ? toolchain.nvdisasm : toolchain.cuobjdump;
    if (!tool) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "no nvdisasm and no cuobjdump was found here",
            .hint = howToGet(ToolKind::Nvdisasm)};
    }
    return disassembleWith(*tool, argumentsOf(*tool), cubin, cacheDirectory, std::move(stop));
}

Result<std::string> liveRegisterTable(
    const Toolchain& toolchain, std::string_view cubin, const fs::path& cacheDirectory, std::stop_token stop)
{
    const auto& tool = toolchain.nvdisasm;
    if (!tool) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "no nvdisasm was found here, which alone tells live registers",
            .hint = howToGet(ToolKind::Nvdisasm)};
    }
    auto made = disassembleWith(*tool, {tool->path.string(), "-c", "-plr", std::string(cubinName)}, cubin,
        cacheDirectory, std::move(stop));
    if (!made) {
        return made.error();
    }
    return std::move(made->text);
}

Result<std::vector<EmbeddedCubin>> extractCubins(
    const Toolchain& toolchain, const fs::path& file, std::stop_token stop)
{
    const auto& tool = toolchain.cuobjdump;
    if (!tool) {
        return Error{.code = ErrorCode::MissingTool,
            .message =
                "no cuobjdump was found here, which takes cubins out of shared objects and executables",
            .hint = howToGet(ToolKind::Cuobjdump)};
    }
    std::error_code failed;
    const auto absolute = fs::canonical(file, failed);
    if (failed) {
        return Error{.code = ErrorCode::NotFound,
            .message = "cannot open: " + failed.message(),
            .hint = "check the name",
            .path = file.string()};
    }
    if (!fs::is_regular_file(absolute, failed)) {
        return Error{.code = ErrorCode::Unreadable,
            .message = "is no file",
            .hint = "name a file",
            .path = file.string()};
    }
    const auto scratch = TemporaryDirectory::create("ptxwb-elf");
    if (!scratch) {
        return scratch.error();
    }
    // A name of our own: cuobjdump derives the names that it writes from it.
    fs::create_symlink(absolute, scratch->path() / "in", failed);
    const auto outcome = detail::runTool(*tool,
        {.argv = {tool->path.string(), "-xelf", "all", "in"},
            .workingDirectory = scratch->path(),
            .timeout = timeout},
        stop);
    if (!outcome) {
        return outcome.error();
    }
    std::vector<fs::path> written;
    for (fs::directory_iterator entry(scratch->path(), failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() == ".cubin") {
            written.push_back(entry->path());
        }
    }
    std::sort(written.begin(), written.end());
    std::vector<EmbeddedCubin> cubins;
    for (const auto& path : written) {
        auto bytes = detail::readProduct(*tool, path, true);
        if (!bytes) {
            return bytes.error();
        }
        cubins.push_back({.name = path.filename().string(),
            .target = targetInName(path.filename().string()),
            .bytes = std::move(bytes.value())});
    }
    if (cubins.empty()) {
        if (auto full = detail::diskFullError(scratch->path(), outcome->standardError)) {
            return *full;
        }
        auto error = outcome->exitCode != 0
            ? toolFailed(*tool, *outcome)
            : Error{.code = ErrorCode::BadFormat,
                .message = "holds no device code for the GPU (no cubin)",
                .hint = "it may hold PTX only; build it for a real target (code=sm_90a)"};
        // The tool names our copy; the path names the user's file.
        const auto copy = '\'' + (scratch->path() / "in").string() + '\'';
        if (const auto at = error.message.find(copy); at != std::string::npos) {
            error.message.replace(at, copy.size(), "the file");
        }
        error.path = file.string();
        return error;
    }
    return cubins;
}

} // namespace ptxwb
