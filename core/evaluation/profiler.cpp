// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/profiler.h"

#include "core/evaluation/gpu_tool.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::chrono::milliseconds patience{180'000};
constexpr std::string_view refusedCode = "ERR_NVGPUCTRPERM";

std::string versionOf(const std::filesystem::path& tool, const std::stop_token& stop)
{
    const auto asked =
        runProcess({.argv = {tool.string(), "--version"}, .timeout = std::chrono::seconds(20)}, stop);
    const auto begin = asked ? asked->standardOutput.find("Version ") : std::string::npos;
    return begin == std::string::npos ? std::string()
                                      : asked->standardOutput.substr(begin + 8,
                                          asked->standardOutput.find_first_of(" \n", begin + 8) - begin - 8);
}

std::string whyWithout(const std::string& said)
{
    if (said.find(refusedCode) != std::string::npos) {
        return "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM); an administrator "
               "allows it "
               "with the driver's option NVreg_RestrictProfilingToAdminUsers=0";
    }
    const auto error = said.find("==ERROR==");
    if (error != std::string::npos) {
        return fmt::format(
            "Nsight Compute says: {}", said.substr(error + 10, said.find('\n', error) - error - 10));
    }
    return "Nsight Compute gave no counts of the candidate's kernels";
}

/// Every kernel that was wanted has its list, with values or with the reason.
std::vector<ProfiledMetric> metricsOf(const std::filesystem::path& program,
    const std::filesystem::path& report, const std::vector<std::string>& kernels, const std::stop_token& stop)
{
    const auto page = runProcess({.argv = {program.string(), "--import", report.string(), "--page", "raw",
                                      "--csv", "--print-units", "base"},
                                     .timeout = patience},
        stop);
    auto metrics = page ? parseMetrics(page->standardOutput, kernels) : std::vector<ProfiledMetric>();
    return metrics.empty() ? unmeasuredMetrics(
               kernels, page ? "the report has no numbers of this kernel" : describe(page.error()))
                           : metrics;
}

/// A report is worth opening in Nsight Compute's own window, so it stays.
void keep(const std::filesystem::path& report, const std::filesystem::path& keepAs, ProfilerRun& run)
{
    if (keepAs.empty()) {
        return;
    }
    std::error_code failed;
    std::filesystem::create_directories(keepAs.parent_path(), failed);
    std::filesystem::copy_file(report, keepAs, std::filesystem::copy_options::overwrite_existing, failed);
    run.report = failed ? std::filesystem::path() : keepAs;
}

} // namespace

std::vector<std::string> kernelNames(const Evaluation& evaluation)
{
    std::vector<std::string> names;
    for (const auto& kernel : evaluation.kernels) {
        names.push_back(kernel.name);
    }
    return names;
}

std::optional<std::filesystem::path> findNsightCompute()
{
    return findGpuTool({.name = "ncu", .variable = "PTXWB_NCU"});
}

Result<ProfilerRun> countExecuted(const RunnerEndpoint& endpoint, const EvaluateRequest& request,
    const std::vector<std::string>& kernels, const std::filesystem::path& keepAs, std::stop_token stop)
{
    ProfilerRun run;
    if (endpoint.host) {
        run.reason = "Nsight Compute is run on this machine's GPU only";
        return run;
    }
    const auto program = findNsightCompute();
    if (!program) {
        run.reason = "Nsight Compute (ncu) is not here; it comes with the CUDA toolkit (PTXWB_NCU names one "
                     "elsewhere)";
        return run;
    }
    const auto scratch = TemporaryDirectory::create();
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
    once.phaseTimeoutMs = static_cast<int>(patience.count());
    const auto requestFile = scratch->path() / "request.json";
    if (auto written = writeFileAtomically(requestFile, encode(RunnerRequest(once)) + '\n', stop); !written) {
        run.reason = describe(written.error());
        return run;
    }
    run.version = versionOf(*program, stop);
    const auto report = (scratch->path() / "profile").string();
    std::vector<std::string> argv{program->string(), "--target-processes", "all", "--kernel-name-base",
        "mangled", "--kernel-name", fmt::format("regex:^({})$", fmt::join(kernels, "|")), "--clock-control",
        "none", "--section", "SourceCounters", "-f", "-o", report};
    for (const auto& section : metricSections()) {
        argv.insert(argv.end(), {"--section", section});
    }
    // With an oracle there is more than one call.
    if (!request.plan.launches.empty()) {
        argv.insert(argv.end(), {"--launch-count", std::to_string(request.plan.launches.size())});
    }
    argv.insert(argv.end(), endpoint.command.begin(), endpoint.command.end());
    run.command = fmt::format("{} --request REQUEST", fmt::join(argv, " "));
    const auto place = run.command.find(report);
    run.command.replace(
        place == std::string::npos ? 0 : place, place == std::string::npos ? 0 : report.size(), "REPORT");
    argv.insert(argv.end(), {"--request", requestFile.string()});
    const auto ask = [&](std::vector<std::string> words) {
        return runProcess(
            {.argv = std::move(words), .workingDirectory = scratch->path(), .timeout = patience}, stop);
    };
    const auto profiled = ask(std::move(argv));
    const auto read = profiled && !profiled->cancelled
        ? ask({program->string(), "--import", report + ".ncu-rep", "--page", "source", "--csv"})
        : profiled;
    if (stop.stop_requested()) {
        return Error{.code = ErrorCode::Cancelled, .message = "the profiler was cancelled"};
    }
    if (!profiled || !read) {
        run.reason = describe(profiled ? read.error() : profiled.error());
        return run;
    }
    run.rows = parseProfiledRows(read->standardOutput);
    if (!run.rows.empty()) {
        run.counts = countsOf(run.rows);
        run.metrics = metricsOf(*program, report + ".ncu-rep", kernels, stop);
        keep(report + ".ncu-rep", keepAs, run);
    } else {
        run.reason = profiled->timedOut
            ? fmt::format("Nsight Compute did not end within {} s", patience.count() / 1000)
            : whyWithout(profiled->standardOutput + profiled->standardError);
    }
    return run;
}

Result<ProfilerRun> readProfile(
    const std::filesystem::path& report, const std::vector<std::string>& kernels, std::stop_token stop)
{
    ProfilerRun run;
    std::error_code failed;
    if (!std::filesystem::is_regular_file(report, failed)) {
        return Error{.code = ErrorCode::NotFound,
            .message = "there is no such report of Nsight Compute",
            .path = report.string()};
    }
    const auto program = findNsightCompute();
    if (!program) {
        run.reason = "Nsight Compute (ncu) is not here, which alone reads its reports";
        return run;
    }
    run.version = versionOf(*program, stop);
    run.report = report;
    std::vector<std::string> argv{program->string(), "--import",
        std::filesystem::absolute(report, failed).string(), "--page", "source", "--csv"};
    run.command = fmt::format("{}", fmt::join(argv, " "));
    const auto read = runProcess({.argv = std::move(argv), .timeout = patience}, stop);
    if (stop.stop_requested()) {
        return Error{.code = ErrorCode::Cancelled, .message = "the profiler was cancelled"};
    }
    if (!read) {
        run.reason = describe(read.error());
        return run;
    }
    run.rows = rowsOf(parseProfiledRows(read->standardOutput), kernels);
    if (run.rows.empty()) {
        run.reason = fmt::format("the report has no executed instructions of {}: {}",
            fmt::join(kernels, ", "), whyWithout(read->standardOutput + read->standardError));
    } else {
        run.counts = countsOf(run.rows);
        run.metrics = metricsOf(*program, std::filesystem::absolute(report, failed), kernels, stop);
    }
    return run;
}

void noteExecuted(Evaluation& evaluation, const ProfilerRun& run)
{
    evaluation.profile = run.rows;
    evaluation.metrics =
        run.metrics.empty() ? unmeasuredMetrics(kernelNames(evaluation), run.reason) : run.metrics;
    evaluation.profileReport = run.report.string();
    for (auto& goal : evaluation.goals) {
        if (!run.counts) {
            goal.reason = run.reason;
            continue;
        }
        const auto family = sassFamilyByName(goal.goal.sassFamily);
        const auto found = family ? run.counts->find(*family) : run.counts->end();
        goal.executed = found == run.counts->end() ? 0 : found->second;
        goal.executedBy = "counters";
    }
}

} // namespace ptxwb
