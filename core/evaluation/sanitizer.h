// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/report.h"
#include "core/runner/runner_client.h"

#include <cstdint>
#include <map>
#include <stop_token>

namespace ptxwb {

/// The tools of NVIDIA's compute-sanitizer.
enum class SanitizerTool { Memcheck, Racecheck, Initcheck, Synccheck };
std::string_view sanitizerName(SanitizerTool tool); ///< "memcheck"
std::optional<SanitizerTool> sanitizerByName(std::string_view name);

/// What one tool was asked and said.
struct SanitizerRun {
    SanitizerTool tool = SanitizerTool::Memcheck;
    bool ran = false;
    std::string reason{}; ///< why it did not run, or did not end
    std::string command{};
    std::string version{};
    std::vector<emulator::Report> reports{}; ///< about kernels of the plan only, marked as the sanitizer's
};

/// Lines of the candidate's file by kernel and offset into its code. The tool finds no line of PTX by itself.
using CodeLines = std::map<std::string, std::map<std::uint64_t, int>, std::less<>>;

/// Reads what compute-sanitizer printed: findings with a device location, in order. `sourceName` stands for
/// the candidate's file in the reports; a line that the tool names goes before that of `lines`. Pure.
/// Findings of one place are one report with its occurrences.
std::vector<emulator::Report> parseSanitizerReport(
    std::string_view text, SanitizerTool tool, std::string_view sourceName, const CodeLines& lines);
/// Whether the text ends in the tool's summary, so that silence means "nothing found".
bool hasSanitizerSummary(std::string_view text);

/// compute-sanitizer: PTXWB_COMPUTE_SANITIZER, PATH, CUDA_HOME / CUDA_PATH, /usr/local/cuda.
std::optional<std::filesystem::path> findComputeSanitizer();

/// Runs the candidate once under the tool in a runner of its own, without oracle, guard bands and timing.
/// Blocks; any thread. Errors: Cancelled. What cannot be had is a SanitizerRun that says why.
Result<SanitizerRun> runSanitizer(SanitizerTool tool, const RunnerEndpoint& endpoint,
    const EvaluateRequest& request, std::string_view sourceName, const CodeLines& lines,
    std::stop_token stop);

} // namespace ptxwb
