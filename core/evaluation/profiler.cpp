// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/profiler.h"

#include "core/evaluation/gpu_tool.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

constexpr std::chrono::milliseconds patience{180'000};
constexpr std::string_view refusedCode = "ERR_NVGPUCTRPERM";

/// The cells of a CSV line whose cells are all quoted.
std::vector<std::string> cellsOf(std::string_view line)
{
    std::vector<std::string> cells;
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] != '"') {
            ++at;
            continue;
        }
        std::string cell;
        for (++at; at < line.size(); ++at) {
            if (line[at] == '"' && at + 1 < line.size() && line[at + 1] == '"') {
                ++at;
            } else if (line[at] == '"') {
                break;
            }
            cell += line[at];
        }
        ++at;
        cells.push_back(std::move(cell));
    }
    return cells;
}

/// "@P0 HGMMA.64x256x16.F32.BF16 R24, ..." -> "HGMMA.64x256x16.F32.BF16".
std::string_view opcodeOf(std::string_view row)
{
    const auto word = [&] {
        row.remove_prefix(std::min(row.find_first_not_of(' '), row.size()));
        const auto end = std::min(row.find_first_of(" ;,"), row.size());
        const auto found = row.substr(0, end);
        row.remove_prefix(end);
        return found;
    };
    const auto first = word();
    return first.starts_with('@') ? word() : first;
}

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

} // namespace

std::optional<ExecutedCounts> parseExecutedCounts(std::string_view csv)
{
    ExecutedCounts counts;
    std::optional<std::size_t> source;
    std::optional<std::size_t> executed;
    bool any = false;
    while (!csv.empty()) {
        const auto end = std::min(csv.find('\n'), csv.size());
        const auto cells = cellsOf(csv.substr(0, end));
        csv.remove_prefix(std::min(end + 1, csv.size()));
        const auto column = [&](std::string_view name) -> std::optional<std::size_t> {
            const auto found = std::find(cells.begin(), cells.end(), name);
            return found == cells.end() ? std::nullopt
                                        : std::optional(static_cast<std::size_t>(found - cells.begin()));
        };
        if (const auto heading = column("Instructions Executed")) {
            executed = heading;
            source = column("Source");
            continue;
        }
        if (!source || !executed || cells.size() <= std::max(*source, *executed)) {
            continue;
        }
        std::int64_t number = 0;
        const std::string& text = cells[*executed];
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{}) {
            continue;
        }
        any = true;
        const auto families = familiesOf(opcodeOf(cells[*source]));
        for (const auto family : allSassFamilies()) {
            if (contains(families, family)) {
                counts[family] += number;
            }
        }
    }
    return any ? std::optional(counts) : std::nullopt;
}

std::optional<std::filesystem::path> findNsightCompute()
{
    return findGpuTool({.name = "ncu", .variable = "PTXWB_NCU"});
}

Result<ProfilerRun> countExecuted(const RunnerEndpoint& endpoint, const EvaluateRequest& request,
    const std::vector<std::string>& kernels, std::stop_token stop)
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
    run.counts = parseExecutedCounts(read->standardOutput);
    if (!run.counts) {
        run.reason = profiled->timedOut
            ? fmt::format("Nsight Compute did not end within {} s", patience.count() / 1000)
            : whyWithout(profiled->standardOutput + profiled->standardError);
    }
    return run;
}

void noteExecuted(Evaluation& evaluation, const ProfilerRun& run)
{
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
