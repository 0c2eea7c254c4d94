// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/tool_run.h"

#include "core/support/files.h"
#include "core/support/sandbox.h"
#include "core/toolchain/crash_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace ptxwb::detail {

namespace {

// nvcc reports the end of a tool that it started: "nvcc error : 'ptxas' died due to signal 11 (Invalid memory
// reference)".
std::optional<std::string> crashBehindNvcc(std::string_view output)
{
    constexpr std::string_view marker = " died due to signal ";
    const auto at = output.find(marker);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto quote = output.rfind('\'', at == 0 ? 0 : at - 1);
    const auto open = quote == std::string_view::npos || quote == 0 ? quote : output.rfind('\'', quote - 1);
    const auto start = open == std::string_view::npos ? at : open;
    return std::string(output.substr(start, output.find('\n', start) - start));
}

Error wroteTooMuch(const Tool& tool, const ProcessOutcome& outcome, std::size_t limit)
{
    constexpr std::size_t shownBytes = 120;
    const auto& most =
        outcome.standardOutput.size() >= limit ? outcome.standardOutput : outcome.standardError;
    auto start = most.substr(0, std::min(most.find('\n'), shownBytes));
    std::replace_if(
        start.begin(), start.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E; },
        '?');
    return {.code = ErrorCode::ToolFailed,
        .message = fmt::format("{} {} printed more than {} MiB and was stopped; it starts with \"{}\"",
            toolName(tool.kind), tool.version, limit >> 20, start),
        .hint = "make the source smaller, or see what the tool prints when it is started by hand",
        .path = tool.path.string()};
}

std::uint64_t littleEndian(std::string_view bytes, std::size_t at, std::size_t count)
{
    std::uint64_t value = 0;
    for (std::size_t i = count; i > 0; --i) {
        value = (value << 8) | static_cast<unsigned char>(bytes[at + i - 1]);
    }
    return value;
}

// Where a tool's own files are: the toolkit around its bin directory, or just its directory.
std::vector<std::filesystem::path> homesOf(const Tool& tool)
{
    std::error_code failed;
    const auto real = std::filesystem::canonical(tool.path, failed);
    const auto binaries = real.parent_path();
    const auto toolkit = binaries.parent_path();
    const bool isToolkit = binaries.filename() == "bin" && toolkit.has_relative_path()
        && (std::filesystem::exists(toolkit / "nvvm", failed)
            || std::filesystem::exists(toolkit / "include", failed));
    return {tool.path.parent_path(), isToolkit ? toolkit : binaries};
}

Result<ProcessOutcome> runToEnd(const Tool& tool, ProcessRequest request, std::stop_token stop)
{
    const auto timeout = request.timeout;
    request.endsAtOutputLimit = true;
    // What the tool leaves when it is killed goes with our directory, and its messages are English for the
    // parsers.
    request.environment["TMPDIR"] = request.workingDirectory.string();
    request.environment.insert_or_assign("LC_ALL", std::string("C"));
    auto outcome = runProcess(request, stop);
    if (!outcome) {
        auto error = outcome.error();
        if (error.code == ErrorCode::MissingTool) {
            error.hint = howToGet(tool.kind);
        }
        return error;
    }
    if (outcome->cancelled) {
        return Error{
            .code = ErrorCode::Cancelled, .message = fmt::format("{} was stopped", toolName(tool.kind))};
    }
    if (outcome->timedOut) {
        return Error{.code = ErrorCode::TimedOut,
            .message = fmt::format("{} did not end within {:g} s and was stopped", toolName(tool.kind),
                std::chrono::duration<double>(timeout).count()),
            .hint = "give it more time, or look whether the tool hangs on this machine",
            .path = tool.path.string()};
    }
    if (outcome->outputTruncated) {
        return wroteTooMuch(tool, *outcome, request.maxOutputBytes);
    }
    return outcome;
}

/// bwrap ends as a shell does: with 128 + the signal that ended what it ran.
std::optional<int> signalBehindWalls(const ProcessOutcome& outcome)
{
    constexpr std::array crashes{SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGSYS};
    const auto number = outcome.exitCode - 128;
    return std::find(crashes.begin(), crashes.end(), number) != crashes.end() ? std::optional(number)
                                                                              : std::nullopt;
}

Result<ProcessOutcome> withoutCrash(
    const Tool& tool, const ProcessRequest& request, ProcessOutcome outcome, bool walled)
{
    if (!outcome.succeeded()) {
        // nvcc's own status for a crash behind it is 128 + the signal too.
        for (const auto* stream : {&outcome.standardError, &outcome.standardOutput}) {
            if (const auto how = crashBehindNvcc(*stream)) {
                return toolCrashed(tool, "says " + *how, request, request.workingDirectory, outcome);
            }
        }
    }
    const auto signal = outcome.signal || !walled ? outcome.signal : signalBehindWalls(outcome);
    if (signal) {
        return toolCrashed(tool, fmt::format("ended with signal {} ({})", *signal, ::strsignal(*signal)),
            request, request.workingDirectory, outcome);
    }
    return outcome;
}

} // namespace

Result<ProcessOutcome> runCompiler(
    const Tool& tool, const BuildPlan& plan, ProcessRequest request, std::stop_token stop)
{
    if (!plan.sandboxed) {
        if (plan.mayCrash) {
            return runToEnd(tool, std::move(request), std::move(stop));
        }
        return runTool(tool, std::move(request), std::move(stop));
    }
    SandboxWalls walls{.readable = plan.readable, .scratch = request.workingDirectory};
    const auto homes = homesOf(tool);
    walls.readable.insert(walls.readable.end(), homes.begin(), homes.end());
    request.environment["TMPDIR"] = request.workingDirectory.string();
    request.environment.insert_or_assign("LC_ALL", std::string("C"));
    auto walled = sandboxed(request, walls);
    if (!walled) {
        return walled.error();
    }
    walled->workingDirectory = request.workingDirectory;
    auto outcome = runToEnd(tool, std::move(*walled), std::move(stop));
    return outcome && !plan.mayCrash ? withoutCrash(tool, request, std::move(*outcome), true) : outcome;
}

Result<ProcessOutcome> runTool(const Tool& tool, ProcessRequest request, std::stop_token stop)
{
    auto outcome = runToEnd(tool, request, std::move(stop));
    return outcome ? withoutCrash(tool, request, std::move(*outcome), false) : outcome;
}

std::string messageText(std::string first, std::string_view second)
{
    constexpr std::size_t mostLineBytes = 16U << 10;
    first += second;
    std::string text;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < first.size();) {
        const auto end = std::min(first.find('\n', at), first.size());
        if (end - at > mostLineBytes) {
            auto cut = at + mostLineBytes;
            while (cut > at && (static_cast<unsigned char>(first[cut]) & 0xC0U) == 0x80U) {
                --cut; // between two characters of UTF-8
            }
            text.append(first, copied, cut - copied);
            text += fmt::format(" [... {} bytes of this line left out]", end - cut);
            copied = end;
        }
        at = end + 1;
    }
    if (copied == 0) {
        return first;
    }
    return text.append(first, copied);
}

Result<void> writeScratch(const std::filesystem::path& path, std::string_view bytes)
{
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int failure = fd < 0 ? errno : 0;
    while (failure == 0 && !bytes.empty()) {
        const auto put = ::write(fd, bytes.data(), bytes.size());
        if (put > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno != EINTR) {
            failure = errno;
        }
    }
    if (fd >= 0 && ::close(fd) != 0 && failure == 0) {
        failure = errno;
    }
    if (failure == 0) {
        return {};
    }
    const bool full = failure == ENOSPC || failure == EDQUOT;
    return Error{.code = full ? ErrorCode::DiskFull : ErrorCode::Unreadable,
        .message = fmt::format("cannot write a temporary file: {}", ::strerror(failure)),
        .hint = "free some space, or point TMPDIR at a directory with room",
        .path = path.string()};
}

std::optional<Error> diskFullError(const std::filesystem::path& directory, std::string_view toolOutput)
{
    struct statvfs room { };
    const bool none = ::statvfs(directory.c_str(), &room) == 0 && room.f_blocks > 0 && room.f_bavail == 0;
    // gcc hides the cause: "when writing output to F: Invalid argument".
    const bool said = toolOutput.find("No space left on device") != std::string_view::npos
        || toolOutput.find(" when writing output to ") != std::string_view::npos;
    if (!none && !said) {
        return std::nullopt;
    }
    return Error{.code = ErrorCode::DiskFull,
        .message = "the disk of the temporary directory is full",
        .hint = "free some space, or point TMPDIR at a directory with room",
        .path = directory.string()};
}

bool isCompleteElf(std::string_view bytes)
{
    constexpr std::size_t headerBytes = 64;
    if (bytes.size() < headerBytes
        || !bytes.starts_with("\x7F"
                              "ELF")) {
        return false;
    }
    const auto end = [&](std::size_t offsetAt, std::size_t sizeAt) {
        return littleEndian(bytes, offsetAt, 8)
            + littleEndian(bytes, sizeAt, 2) * littleEndian(bytes, sizeAt + 2, 2);
    };
    return end(32, 54) <= bytes.size() && end(40, 58) <= bytes.size();
}

Result<std::string> readProduct(const Tool& tool, const std::filesystem::path& path, bool isElf)
{
    auto bytes = readFile(path);
    if (bytes && !bytes->empty() && (!isElf || isCompleteElf(*bytes))) {
        return bytes;
    }
    if (auto full = diskFullError(path.parent_path(), {})) {
        return *full;
    }
    return Error{.code = ErrorCode::ToolFailed,
        .message = fmt::format(
            "{} ended well but wrote {}", toolName(tool.kind), bytes ? "an incomplete file" : "no file"),
        .hint = "look for a full disk or a limit on file sizes (ulimit -f)",
        .path = tool.path.string()};
}

Error blameOptions(Error error, const std::vector<std::string>& options)
{
    if (error.code == ErrorCode::ToolFailed && !options.empty()) {
        error.code = ErrorCode::InvalidArgument;
        error.message += fmt::format("; the options were {}", fmt::join(options, " "));
        error.hint = "one of them may make the tool print something instead of compiling: leave it away; if "
                     "not, look for a "
                     "limit on file sizes (ulimit -f)";
    }
    return error;
}

} // namespace ptxwb::detail
