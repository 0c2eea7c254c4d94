// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/sanitizer.h"

#include "core/evaluation/gpu_tool.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::string_view names[]{"memcheck", "racecheck", "initcheck", "synccheck"};
// An instrumented kernel is 10 to 100 times slower.
constexpr std::chrono::milliseconds patience{180'000};

std::string firstLine(std::string_view text)
{
    constexpr std::size_t most = 300;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (line.starts_with('=') || line.starts_with(' ')) {
            line.remove_prefix(1);
        }
        if (!line.empty() && line != "COMPUTE-SANITIZER" && !line.starts_with('{')) {
            return std::string(line.substr(0, most));
        }
    }
    return {};
}

// "Version 2025.3.1 (build 36...)" in the last lines of --version.
std::string versionOf(const std::filesystem::path& tool, const std::stop_token& stop)
{
    const auto asked =
        runProcess({.argv = {tool.string(), "--version"}, .timeout = std::chrono::seconds(10)}, stop);
    if (!asked) {
        return {};
    }
    const auto begin = asked->standardOutput.find("Version ");
    return begin == std::string::npos ? std::string()
                                      : asked->standardOutput.substr(begin + 8,
                                          asked->standardOutput.find_first_of(" \n", begin + 8) - begin - 8);
}

bool launches(const EvaluateRequest& request, const std::string& kernel)
{
    const auto& all = request.plan.launches;
    return std::any_of(all.begin(), all.end(), [&](const Launch& launch) { return launch.kernel == kernel; });
}

} // namespace

std::string_view sanitizerName(SanitizerTool tool)
{
    return names[static_cast<std::size_t>(tool)];
}

std::optional<SanitizerTool> sanitizerByName(std::string_view name)
{
    const auto* const found = std::find(std::begin(names), std::end(names), name);
    return found == std::end(names) ? std::nullopt
                                    : std::optional(static_cast<SanitizerTool>(found - std::begin(names)));
}

std::optional<std::filesystem::path> findComputeSanitizer()
{
    return findGpuTool({.name = "compute-sanitizer",
        .variable = "PTXWB_COMPUTE_SANITIZER",
        .elsewhere = "compute-sanitizer/compute-sanitizer"});
}

Result<SanitizerRun> runSanitizer(SanitizerTool tool, const RunnerEndpoint& endpoint,
    const EvaluateRequest& request, std::string_view sourceName, const CodeLines& lines, std::stop_token stop)
{
    SanitizerRun run{.tool = tool};
    if (endpoint.host) {
        run.reason = "compute-sanitizer is run on this machine's GPU only";
        return run;
    }
    const auto program = findComputeSanitizer();
    if (!program) {
        run.reason = "compute-sanitizer is not here; it comes with the CUDA toolkit "
                     "(PTXWB_COMPUTE_SANITIZER names one elsewhere)";
        return run;
    }
    auto scratch = TemporaryDirectory::create();
    if (!scratch) {
        run.reason = describe(scratch.error());
        return run;
    }
    EvaluateRequest once = request;
    // Inputs that an oracle derives cannot be made without it.
    const auto& buffers = request.plan.buffers;
    if (std::none_of(buffers.begin(), buffers.end(),
            [](const BufferSpec& buffer) { return buffer.init == BufferInit::Derived; })) {
        once.oracle = {};
    }
    once.tolerance.trials = 1;
    once.measure = false;
    once.baselines.clear();
    once.guardBands = false;
    once.phaseTimeoutMs = static_cast<int>(patience.count());
    const auto requestFile = scratch->path() / "request.json";
    if (auto written = writeFileAtomically(requestFile, encode(RunnerRequest(once)) + '\n', stop); !written) {
        run.reason = describe(written.error());
        return run;
    }
    run.version = versionOf(*program, stop);
    ProcessRequest process{.argv = {program->string(), "--tool", std::string(sanitizerName(tool)),
                               "--print-limit", "200", "--target-processes", "all"},
        .workingDirectory = scratch->path(),
        .timeout = patience};
    if (tool == SanitizerTool::Memcheck) {
        // Allocations lie side by side: without a gap an overrun lands in a neighbour, which is no error.
        process.argv.insert(process.argv.end(), {"--padding", "4096"});
    }
    process.argv.insert(process.argv.end(), endpoint.command.begin(), endpoint.command.end());
    run.command = fmt::format("{} --request REQUEST", fmt::join(process.argv, " "));
    process.argv.insert(process.argv.end(), {"--request", requestFile.string()});
    const auto outcome = runProcess(process, stop);
    if (!outcome || outcome->cancelled) {
        if (outcome || outcome.error().code == ErrorCode::Cancelled) {
            return Error{.code = ErrorCode::Cancelled, .message = "the sanitizer was cancelled"};
        }
        run.reason = describe(outcome.error());
        return run;
    }
    const std::string said = outcome->standardOutput + outcome->standardError;
    for (auto& report : parseSanitizerReport(said, tool, sourceName, lines)) {
        if (launches(request, report.kernel)) {
            run.reports.push_back(std::move(report));
        }
    }
    run.ran = hasSanitizerSummary(said) && !outcome->timedOut;
    if (!run.ran) {
        run.reason = outcome->timedOut ? fmt::format("it did not end within {} s", patience.count() / 1000)
                                       : fmt::format("it ended without a summary: {}", firstLine(said));
    } else if (said.find("Device not supported") != std::string::npos) {
        run.ran = false;
        run.reason = "compute-sanitizer does not support this device or its driver";
    }
    return run;
}

} // namespace ptxwb
