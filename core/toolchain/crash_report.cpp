// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/crash_report.h"

#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/support/version.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace ptxwb {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t mostInputBytes = 64U << 20;
constexpr std::size_t mostOutputBytes = 1U << 20; ///< per stream

fs::path crashFolder()
{
    return userCacheDirectory() / "crashes";
}

std::string quoted(const std::string& word)
{
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
        return word;
    }
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return text + '\'';
}

std::string commandText(const ProcessRequest& request)
{
    std::string text;
    for (const char* name :
        {"CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "PATH"}) {
        if (const char* value = request.clearEnvironment ? nullptr : std::getenv(name)) {
            text += fmt::format("{}={}\n", name, quoted(value));
        }
    }
    for (const auto& [name, value] : request.environment) {
        text += fmt::format("{}={}\n", name, quoted(value));
    }
    for (std::size_t i = 0; i < request.argv.size(); ++i) {
        text += (i == 0 ? "" : " ") + quoted(request.argv[i]);
    }
    return text + '\n';
}

std::string streamText(std::string_view title, std::string_view bytes)
{
    auto text = fmt::format("--- {}\n{}\n", title, bytes.substr(0, mostOutputBytes));
    if (bytes.size() > mostOutputBytes) {
        text += fmt::format("[... {} bytes left out]\n", bytes.size() - mostOutputBytes);
    }
    return text;
}

/// What the tool read: its last word, and what nvcc handed to ptxas.
std::vector<fs::path> inputsOf(const ProcessRequest& request, const fs::path& scratch)
{
    std::vector<fs::path> inputs;
    if (request.argv.size() > 1) {
        inputs.push_back(scratch / request.argv.back());
    }
    std::error_code failed;
    for (fs::directory_iterator entry(scratch / "keep", failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() == ".ptx") {
            inputs.push_back(entry->path());
        }
    }
    std::erase_if(inputs, [](const fs::path& path) {
        std::error_code unreadable;
        return !fs::is_regular_file(path, unreadable) || fs::file_size(path, unreadable) > mostInputBytes
            || unreadable;
    });
    return inputs;
}

/// The folder of an equal crash that is kept already.
std::optional<fs::path> keptBefore(const fs::path& folder, const std::string& ending)
{
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const auto name = entry->path().filename().string();
        if (name.ends_with(ending) && !name.starts_with('.')) {
            return entry->path();
        }
    }
    return std::nullopt;
}

/// The names begin with the time.
void keepNewest(const fs::path& folder)
{
    std::vector<fs::path> bundles;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (!entry->path().filename().string().starts_with('.')) {
            bundles.push_back(entry->path());
        }
    }
    std::ranges::sort(bundles);
    for (std::size_t i = 0; i + detail::mostCrashBundles < bundles.size(); ++i) {
        fs::remove_all(bundles[i], failed);
    }
}

Result<void> writeBundle(const fs::path& folder, const Tool& tool, const std::string& how,
    const ProcessRequest& request, const std::vector<std::pair<fs::path, std::string>>& inputs,
    const ProcessOutcome& outcome)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
        return Error{.code = ErrorCode::Unreadable, .message = failed.message(), .path = folder.string()};
    }
    auto files = inputs;
    files.emplace_back("command.txt", commandText(request));
    files.emplace_back("output.txt",
        how + '\n' + streamText("stderr", outcome.standardError)
            + streamText("stdout", outcome.standardOutput));
    files.emplace_back("versions.txt",
        fmt::format(
            "{} {} {}\nptxwb {}\n", toolName(tool.kind), tool.version, tool.path.string(), productVersion()));
    for (const auto& [name, bytes] : files) {
        if (auto written = writeFileAtomically(folder / name, bytes); !written) {
            return written;
        }
    }
    return {};
}

Result<fs::path> keep(const Tool& tool, const std::string& how, const ProcessRequest& request,
    const fs::path& scratch, const ProcessOutcome& outcome)
{
    std::vector<std::pair<fs::path, std::string>> inputs;
    std::string identity = tool.path.string() + '\n' + tool.version + '\n';
    for (const auto& word : request.argv) {
        identity += word + '\n';
    }
    for (const auto& path : inputsOf(request, scratch)) {
        if (auto bytes = readFile(path)) {
            identity += sha256Hex(*bytes);
            inputs.emplace_back(path.filename(), *std::move(bytes));
        }
    }
    const auto folder = crashFolder();
    const auto ending = '-' + sha256Hex(identity).substr(0, 12);
    if (auto before = keptBefore(folder, ending)) {
        return *before;
    }
    const auto now =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const auto name =
        fmt::format("{:%Y%m%dT%H%M%S}.{:03}Z{}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)),
            now.time_since_epoch().count() % 1000, ending);
    // Under another name until it is whole.
    const auto part = folder / fmt::format(".{}.{}", name, ::getpid());
    std::error_code failed;
    if (const auto written = writeBundle(part, tool, how, request, inputs, outcome); !written) {
        fs::remove_all(part, failed);
        return written.error();
    }
    fs::rename(part, folder / name, failed);
    if (failed) {
        std::error_code ignored;
        fs::remove_all(part, ignored);
        return Error{
            .code = ErrorCode::Unreadable, .message = failed.message(), .path = (folder / name).string()};
    }
    keepNewest(folder);
    return folder / name;
}

} // namespace

std::optional<std::string> crashBundleOf(const Error& error)
{
    return error.code == ErrorCode::ToolCrashed && fs::path(error.path).parent_path() == crashFolder()
        ? std::optional(error.path)
        : std::nullopt;
}

namespace detail {

Error toolCrashed(const Tool& tool, const std::string& how, const ProcessRequest& request,
    const fs::path& scratch, const ProcessOutcome& outcome)
{
    Error error{.code = ErrorCode::ToolCrashed,
        .message = fmt::format("the tool crashed: {} {} {}; ", toolName(tool.kind), tool.version, how),
        .hint = "this is a fault of the tool, not an error message about the source; another toolkit or a "
                "simpler kernel may get past it",
        .path = tool.path.string()};
    const auto kept = keep(tool, how, request, scratch, outcome);
    if (kept) {
        error.path = kept->string();
        error.message +=
            fmt::format("its input and words are kept in {}: send them to NVIDIA, or open an issue with them",
                error.path);
    } else {
        error.message += fmt::format(
            "its input and words could not be kept in {}: {}", crashFolder().string(), kept.error().message);
    }
    return error;
}

} // namespace detail

} // namespace ptxwb
