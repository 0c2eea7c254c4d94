// SPDX-License-Identifier: Apache-2.0
// How long the emulator takes for an example kernel at a workload, as JSON.
//   emulator_benchmark scalar
//   emulator_benchmark [TASK_DIRECTORY KERNEL WORKLOAD POLICIES(e,l,r) CHECKS(0|1) WORKERS]
#include "core/emulator/evaluate.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <cstdio>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

/// A loop of independent multiply-adds: the rate of the scalar core.
int scalarRate(bool checks)
{
    std::string text =
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .b32 %r<16>;\n.reg .f32 %f<16>;\n.reg .b64 %rd<4>;\n.reg .pred %p;\nmov.u32 %r0, "
        "%tid.x;\nmov.b32 %r1, 0;\n";
    for (int i = 0; i < 16; ++i) {
        text += fmt::format("cvt.rn.f32.u32 %f{}, %r0;\n", i);
    }
    text += "LOOP:\n";
    for (int i = 0; i < 16; ++i) {
        text += fmt::format("fma.rn.f32 %f{0}, %f{0}, %f{1}, %f{2};\nxor.b32 %r{3}, %r0, %r1;\n", i,
            (i + 1) % 16, (i + 2) % 16, 2 + i % 8);
    }
    text += "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 100000;\n@%p bra LOOP;\nld.param.u64 %rd0, [out];\n"
            "st.global.f32 [%rd0], %f0;\nret;\n}\n";
    EmulatorRequest request;
    request.text = text;
    BufferSpec spec;
    spec.name = "out";
    spec.type.shape = {1};
    request.plan.buffers.push_back(spec);
    request.buffers.emplace_back(4);
    Launch launch;
    launch.kernel = "k";
    launch.block = {128, 1, 1};
    launch.arguments.push_back({.kind = ArgumentKind::Tensor, .index = 0});
    request.plan.launches.push_back(launch);
    request.checks = checks;
    const auto outcome = emulate(std::move(request));
    if (!outcome) {
        fmt::print(stderr, "{}\n", describe(outcome.error()));
        return 1;
    }
    fmt::print(
        "{{\"benchmark\": \"scalar\", \"checks\": {}, \"seconds\": {:.3f}, \"thread_instructions_per_s\": "
        "{:.4g}}}\n",
        checks, outcome->seconds, static_cast<double>(outcome->threadInstructions) / outcome->seconds);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && std::string(argv[1]) == "scalar") {
        return scalarRate(false) + scalarRate(true);
    }
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
        "\"thread_instructions_per_s\": {:.4g}, \"most_steps_of_a_cluster\": {}}}\n",
        kernel, tag, verdictName(verdict->verdict), verdict->schedules.runs, wall, verdict->emulationSeconds,
        verdict->oracleSeconds, verdict->threadInstructions,
        static_cast<double>(verdict->threadInstructions) / verdict->emulationSeconds, verdict->mostSteps);
    return 0;
}
