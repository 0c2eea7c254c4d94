// SPDX-License-Identifier: Apache-2.0
#include "app/environment.h"

#include "core/support/files.h"

namespace ptxwb {

namespace {

/// Without the path: the sentence stands beside many others in the window.
std::string sentence(const Error& error)
{
    return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

} // namespace

Environment loadEnvironment(const std::stop_token& stop)
{
    Environment environment;
    environment.compiler = std::make_shared<Compiler>(
        findToolchain(ToolchainSearch::fromEnvironment(), stop), userCacheDirectory() / "build");
    if (stop.stop_requested()) {
        return environment;
    }
    if (Result<const IsaTable*> table = IsaTable::shared()) {
        environment.isaTable = *table;
    } else {
        environment.problems.push_back(table.error());
    }
    const Result<std::filesystem::path> share = shareDirectory();
    if (!share) {
        environment.problems.push_back(share.error());
        return environment;
    }
    if (Result<std::vector<Task>> tasks = loadTasks(*share / "tasks")) {
        environment.tasks = *std::move(tasks);
    } else {
        environment.problems.push_back(tasks.error());
    }
    return environment;
}

GpuReport probeGpu(std::stop_token stop)
{
    GpuReport report;
    const Result<RunnerEndpoint> runner = localRunner();
    if (!runner) {
        report.problem = sentence(runner.error());
        return report;
    }
    const Result<ProbeResult> probe = probeRunner(*runner, std::chrono::seconds(20), stop);
    if (!probe) {
        report.problem = sentence(probe.error());
    } else if (probe->devices.empty()) {
        report.problem = probe->problem.empty() ? "no NVIDIA GPU was found" : probe->problem;
    } else {
        report.device = probe->devices.front();
    }
    return report;
}

} // namespace ptxwb
