// SPDX-License-Identifier: Apache-2.0
// The example kernels of tasks/ get the verdicts that their task.json promises, on this device.
// PTXWB_GPU_WORKLOAD chooses the workload (default "small"), PTXWB_GPU_ONLY a part of the kernel's path,
// PTXWB_GPU_RECORD=DIR keeps the conversations.
#include "assemble.h"

#include "core/bench/expression.h"
#include "core/bench/task.h"
#include "core/gpu/baseline.h"
#include "core/gpu/measure_rounds.h"
#include "core/gpu/target_match.h"
#include "core/runner/runner_client.h"

#include <cmath>
#include <cstdlib>

using namespace ptxwb;
using namespace ptxwb::test;
using namespace std::chrono_literals;

namespace {

std::string setting(const char* name, const char* otherwise)
{
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

std::string chosenWorkload()
{
    return setting("PTXWB_GPU_WORKLOAD", "small");
}

EvaluateRequest requestFor(const Task& task, const ExampleKernel& example, const std::string& target)
{
    const auto path = task.directory / example.path;
    const Workload* workload = NEED(task.workload(chosenWorkload()));
    EvaluateRequest request;
    request.cubin = assemble(path, target);
    request.target = target;
    request.plan = NEED(resolveLaunchPlan(NEED(readFile(path)), task, *workload));
    request.oracle = task.oracle;
    request.axes = NEED(task.axisValues(*workload));
    request.tolerance = task.tolerance;
    request.strict = task.strict;
    for (const BaselineSpec& baseline : task.baselines) {
        request.baselines.push_back(baseline.name);
    }
    request.flops = static_cast<double>(NEED(evaluateExpression(task.flops, request.axes)));
    request.bytes = static_cast<double>(NEED(evaluateExpression(task.bytes, request.axes)));
    return request;
}

void report(const Finished& finished)
{
    for (const TrialFacts& trial : finished.trials) {
        for (const OutputComparison& output : trial.outputs) {
            fmt::print("       seed {} {}: normwise {:.3e}, max abs {:.3e}, mismatched {}\n", trial.seed,
                output.output, output.normwiseRelError, output.maxAbsError, output.mismatched);
        }
    }
    if (!finished.timing) {
        return;
    }
    const Timing& timing = *finished.timing;
    fmt::print("       cold {:.1f} us, warm {:.1f} us, floor {:.1f} us, timed outputs checked: {}\n",
        median(timing.candidate.coldUs).value_or(0), median(timing.candidate.warmUs).value_or(0),
        timing.rooflineFloorUs.value_or(0), finished.timedOutputsChecked);
    for (const BaselineTiming& baseline : timing.baselines) {
        if (baseline.unavailable) {
            fmt::print("       {}: unavailable: {}\n", baseline.name, *baseline.unavailable);
            continue;
        }
        fmt::print("       {}: cold {:.1f} us, warm {:.1f} us, {} rounds\n", baseline.name,
            median(baseline.series.coldUs).value_or(0), median(baseline.series.warmUs).value_or(0),
            baseline.rounds.size());
        if (baseline.speedup) {
            fmt::print("       speed-up {:.4f} [{:.4f}, {:.4f}]\n", baseline.speedup->ratio,
                baseline.speedup->ci95[0], baseline.speedup->ci95[1]);
        }
        for (const auto& [key, value] : baseline.series.card) {
            fmt::print("         {}: {}\n", key, value);
        }
        for (const OutputComparison& error : baseline.error) {
            fmt::print("         its error in {}: normwise {:.3e}, max abs {:.3e}, mismatched {}\n",
                error.output, error.normwiseRelError, error.maxAbsError, error.mismatched);
        }
    }
    for (const std::string& reason : timing.throttleReasons) {
        fmt::print("       throttle: {}\n", reason);
    }
}

/// A baseline may lack its library or headers; when it has them, it must be right and have been timed. Right
/// means within the strict bound of our oracle: two programs that have nothing in common agree.
std::string baselineProblem(const Finished& finished, const StrictRule& strict)
{
    for (const BaselineTiming& baseline :
        finished.timing ? finished.timing->baselines : std::vector<BaselineTiming>()) {
        const std::string why = baseline.unavailable.value_or("");
        if (why.find("is not here") != std::string::npos
            || why.find("was built without") != std::string::npos) {
            continue;
        }
        if (!why.empty() || !baseline.speedup || baseline.error.empty()) {
            return fmt::format("baseline {}: {}", baseline.name, why.empty() ? "it was not timed" : why);
        }
        for (const OutputComparison& error : baseline.error) {
            if (!passesStrictRule(error, strict).value_or(true)) {
                return fmt::format("baseline {}: normwise error {:.3e} in {}", baseline.name,
                    error.normwiseRelError, error.output);
            }
        }
    }
    return {};
}

/// The candidate as its own baseline.
class Itself final : public gpu::Baseline {
public:
    explicit Itself(gpu::RunContext& context)
        : m_context(context)
    {
    }
    const char* name() const override { return "itself"; }
    cudaError_t run(cudaStream_t stream) override { return m_context.candidate.launch(stream); }
    const void* output(std::size_t) const override { return nullptr; }
    std::map<std::string, std::string> card() const override { return {}; }

private:
    gpu::RunContext& m_context;
};

/// The speed-up of a kernel over itself, by the rounds that a library is timed with.
SpeedupEstimate ratioToItself(const EvaluateRequest& request, gpu::EventWriter& events)
{
    const gpu::Nvml nvml;
    gpu::Watchdog watchdog([](const std::string&, std::chrono::milliseconds) { std::abort(); });
    gpu::RunContext context{.request = request, .events = events, .nvml = nvml, .watchdog = watchdog};
    context.device = NEED(gpu::openDevice(0, nvml));
    CHECK(cudaStreamCreateWithFlags(&context.stream, cudaStreamNonBlocking) == cudaSuccess);
    context.buffers = NEED(gpu::BufferSet::allocate(request.plan, request.oracle));
    const auto fault = context.candidate.load(request.cubin, request.plan, context.buffers, context.device);
    CHECK_SAY(!fault, fault ? fault->explanation : "");
    auto stopwatch = NEED(
        gpu::Stopwatch::make(context.stream, context.device.info.l2Bytes, context.candidate.launchCount()));
    Timing timing;
    BaselineTiming entry;
    Itself itself(context);
    CHECK(!NEED(gpu::Rounds(context, stopwatch, timing).pairWith(itself, entry)));
    CHECK(entry.speedup.has_value());
    return *entry.speedup;
}

} // namespace

PTXWB_CASE(tasks, examples_get_the_verdicts_they_promise)
{
    const auto probe = NEED(probeRunner({.command = {PTXWB_BIN_DIR "/ptxwb-runner"}}, 60s));
    CHECK(!probe.devices.empty());
    const DeviceInfo& device = probe.devices[0];
    const int major = std::atoi(device.computeCapability.c_str());
    const int minor = device.computeCapability.back() - '0';
    const std::string only = setting("PTXWB_GPU_ONLY", "");
    std::string failures;
    int ran = 0;
    for (const Task& task : NEED(loadTasks(PTXWB_SOURCE_ROOT "/tasks"))) {
        for (const ExampleKernel& example : task.examples) {
            const std::string name = task.name + "-" + std::filesystem::path(example.path).stem().string();
            const auto promised = verdictByName(example.expectedVerdict);
            // What does not assemble never reaches a device; what is for another target is not meant for this
            // one.
            if (promised == Verdict::CompileError || gpu::whyNotLoadable(example.target, major, minor)
                || example.contract != "kernel" || name.find(only) == std::string::npos) {
                continue;
            }
            ++ran;
            RunnerEndpoint endpoint{.command = {PTXWB_BIN_DIR "/ptxwb-runner"}, .title = "local"};
            if (const auto directory = setting("PTXWB_GPU_RECORD", ""); !directory.empty()) {
                endpoint.command.insert(
                    endpoint.command.end(), {"--record", fmt::format("{}/{}.jsonl", directory, name)});
            }
            const auto finished = runOnRunner(endpoint, requestFor(task, example, example.target), {});
            const std::string got =
                finished ? std::string(verdictName(finished->verdict)) : describe(finished.error());
            fmt::print("     {}: {}{}\n", name, got, finished ? ": " + finished->explanation : "");
            if (finished) {
                report(*finished);
            }
            std::fflush(stdout);
            if (finished && finished->verdict == Verdict::Correct) {
                if (const auto problem = baselineProblem(*finished, task.strict); !problem.empty()) {
                    failures += fmt::format("{}: {}; ", name, problem);
                }
            }
            if (got != example.expectedVerdict) {
                failures += fmt::format("{} is {} instead of {}; ", name, got, example.expectedVerdict);
            }
        }
    }
    CHECK_SAY(failures.empty(), failures);
    CHECK(ran > 0 || !only.empty());
}

/// Timing cannot tell a kernel from itself. The numbers are printed; the check is wide, because a device may
/// be shared.
PTXWB_CASE(tasks, a_kernel_is_as_fast_as_itself)
{
    static gpu::EventWriter events;
    events.write(Cancelled{}); // it says nothing more after the end of a conversation
    const gpu::Nvml nvml;
    const gpu::Device device = NEED(gpu::openDevice(0, nvml));
    for (const Task& task : NEED(loadTasks(PTXWB_SOURCE_ROOT "/tasks"))) {
        for (const ExampleKernel& example : task.examples) {
            if (task.opType != "gemm" || example.expectedVerdict != "correct" || example.contract != "kernel"
                || gpu::whyNotLoadable(example.target, device.major, device.minor)) {
                continue;
            }
            const auto speedup = ratioToItself(requestFor(task, example, example.target), events);
            fmt::print("     {} of {} at {}: {:.4f} [{:.4f}, {:.4f}], {} rounds, {:.1f} us\n", example.path,
                task.name, chosenWorkload(), speedup.ratio, speedup.ci95[0], speedup.ci95[1],
                speedup.pairedRounds, speedup.candidateMedianUs);
            CHECK(std::fabs(speedup.ratio - 1) < 0.02);
        }
    }
}
