// SPDX-License-Identifier: Apache-2.0
// How long the emulator takes for an example kernel at a workload, as JSON.
//   emulator_benchmark [TASK_DIRECTORY KERNEL WORKLOAD POLICIES(e,l,r) CHECKS(0|1) WORKERS]
#include "core/emulator/evaluate.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <cstdio>

using namespace ptxwb;
using namespace ptxwb::emulator;

int main(int argc, char** argv)
{
    const auto argument = [&](int i, const char* otherwise) {
        return std::string(i < argc ? argv[i] : otherwise);
    };
    const std::string root = PTXWB_SOURCE_ROOT;
    const auto directory = argument(1, "tasks/gemm/gemm_n7168_k5120");
    const auto kernel = argument(2, "examples/wgmma_tma.ptx");
    const auto tag = argument(3, "emulator");
    const auto policies = argument(4, "elr");
    auto task = loadTask(root + "/" + directory);
    if (!task) {
        fmt::print(stderr, "{}\n", describe(task.error()));
        return 1;
    }
    const auto workload = task->workload(tag);
    const auto text = readFile(kernel.starts_with("/") ? kernel : root + "/" + directory + "/" + kernel);
    if (!workload || !text) {
        fmt::print(stderr, "{}\n", describe(!workload ? workload.error() : text.error()));
        return 1;
    }
    EmulatorEvaluationRequest request;
    request.text = *text;
    request.displayName = kernel;
    request.task = *task;
    request.workload = **workload;
    request.policies.clear();
    for (const char p : policies) {
        request.policies.push_back(
            p == 'e' ? AsyncPolicy::Early : (p == 'l' ? AsyncPolicy::Late : AsyncPolicy::Random));
    }
    request.checks = argument(5, "1") == "1";
    request.limits.workers = static_cast<unsigned>(std::stoul(argument(6, "0")));
    const auto start = std::chrono::steady_clock::now();
    const auto verdict = evaluateOnEmulator(request);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!verdict) {
        fmt::print(stderr, "{}\n", describe(verdict.error()));
        return 1;
    }
    for (const auto& r : verdict->reports) {
        fmt::print(stderr, "{} {}:{}{} x{} [{} {} step {}] {}\n    fix: {}\n",
            r.severity == ReportSeverity::Error ? "error" : "warning", ruleName(r.rule),
            r.lines.empty() ? 0 : r.lines[0].line,
            r.lines.size() > 1 ? fmt::format(",{}", r.lines[1].line) : "", r.occurrences, r.warp, r.policy,
            r.step, r.message, r.fix);
    }
    for (const auto& trial : verdict->trials) {
        for (const auto& o : trial.outputs) {
            fmt::print(stderr, "{}: mismatched {} of {}, norm {:.6g}, max abs {:.4g}, nan {}, poison {}\n",
                o.output, o.mismatched, o.elements, o.normwiseRelError, o.maxAbsError, o.nanCount,
                o.poisonCount);
        }
    }
    fmt::print(
        "{{\"kernel\": \"{}\", \"workload\": \"{}\", \"verdict\": \"{}\", \"runs\": {}, \"wall_s\": {:.3f}, "
        "\"emulation_s\": {:.3f}, \"oracle_s\": {:.3f}, \"thread_instructions\": {}, "
        "\"thread_instructions_per_s\": {:.4g}}}\n",
        kernel, tag, verdictName(verdict->verdict), verdict->schedules.runs, wall, verdict->emulationSeconds,
        verdict->oracleSeconds, verdict->threadInstructions,
        static_cast<double>(verdict->threadInstructions) / verdict->emulationSeconds);
    return 0;
}
