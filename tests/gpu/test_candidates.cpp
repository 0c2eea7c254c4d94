// SPDX-License-Identifier: Apache-2.0
// Right, wrong, faulting and hanging candidates through the real ptxwb-runner, one process each.
#include "assemble.h"

#include "core/runner/runner_client.h"

#include <cstdlib>

using namespace ptxwb;
using namespace ptxwb::test;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t m = 130;
constexpr std::int64_t n = 96;
constexpr std::int64_t k = 64;

const DeviceInfo& device()
{
    static const DeviceInfo info = [] {
        const auto probe = NEED(probeRunner({.command = {PTXWB_BIN_DIR "/ptxwb-runner"}}, 60s));
        CHECK_SAY(!probe.devices.empty(), probe.problem);
        return probe.devices[0];
    }();
    return info;
}

const std::string& cubin()
{
    static const std::string bytes = assemble(PTXWB_TEST_CANDIDATES_PTX, device().target);
    return bytes;
}

Launch launchOf(const std::string& kernel)
{
    Launch launch;
    launch.kernel = kernel;
    launch.grid = {(m * n + 127) / 128, 1, 1};
    launch.block = {128, 1, 1};
    launch.arguments = {{.kind = ArgumentKind::Tensor, .index = 0},
        {.kind = ArgumentKind::Tensor, .index = 1}, {.kind = ArgumentKind::Tensor, .index = 2},
        {.kind = ArgumentKind::I32, .integer = m}, {.kind = ArgumentKind::I32, .integer = n},
        {.kind = ArgumentKind::I32, .integer = k}};
    return launch;
}

EvaluateRequest requestFor(const std::string& kernel)
{
    EvaluateRequest request;
    request.cubin = cubin();
    request.target = device().target;
    request.plan.buffers = {{.name = "A", .type = {.dtype = Dtype::Float32, .shape = {m, k}}},
        {.name = "B", .type = {.dtype = Dtype::Float32, .shape = {n, k}}},
        {.name = "C",
            .type = {.dtype = Dtype::Float32, .shape = {m, n}},
            .role = BufferRole::Output,
            .init = BufferInit::Poison}};
    request.plan.launches = {launchOf(kernel)};
    request.oracle.name = "gemm_nt";
    request.tolerance.trials = 2;
    request.strict.normwiseRelError = {{"C", 1e-5}};
    request.measure = false;
    request.flops = 2.0 * m * n * k;
    request.bytes = 4.0 * (m * k + n * k + m * n);
    request.phaseTimeoutMs = 20'000;
    return request;
}

/// Runs it; with PTXWB_GPU_RECORD=DIR the conversation is kept there as DIR/<name>.jsonl.
Finished run(const EvaluateRequest& request, const std::string& name)
{
    RunnerEndpoint endpoint{.command = {PTXWB_BIN_DIR "/ptxwb-runner"}, .title = "local"};
    if (const char* directory = std::getenv("PTXWB_GPU_RECORD"); directory != nullptr) {
        endpoint.command.insert(
            endpoint.command.end(), {"--record", fmt::format("{}/{}.jsonl", directory, name)});
    }
    int terminals = 0;
    Finished finished = NEED(runOnRunner(
        endpoint, request, [&](const RunnerEvent& event) { terminals += isTerminal(event) ? 1 : 0; }));
    CHECK(terminals == 1);
    fmt::print("     {}: {}: {}\n", name, verdictName(finished.verdict), finished.explanation);
    return finished;
}

void expect(const std::string& kernel, Verdict verdict)
{
    const Finished finished = run(requestFor(kernel), kernel);
    CHECK_SAY(finished.verdict == verdict, finished.explanation);
    CHECK(finished.device.name == device().name);
}

/// Right in the trials, zeros when it is timed: it counts its calls on the device.
EvaluateRequest tiringRequest()
{
    EvaluateRequest request = requestFor("tires");
    Launch counter = launchOf("count_a_call");
    counter.grid = {1, 1, 1};
    counter.block = {1, 1, 1};
    counter.arguments.clear();
    request.plan.launches.push_back(counter);
    request.measure = true;
    return request;
}

} // namespace

PTXWB_CASE(candidates, right_is_correct)
{
    const Finished finished = run(requestFor("right"), "right");
    CHECK(finished.verdict == Verdict::Correct);
    CHECK(finished.trials.size() == 4); // two trials, the repeated call, the audited call
    CHECK(finished.repeatsBitwise == true);
    CHECK(finished.trials[0].seed != finished.trials[1].seed);
    CHECK(finished.trials[0].outputs[0].normwiseRelError < 1e-6);
    CHECK(!finished.timing);
}

PTXWB_CASE(candidates, wrong_ones_get_their_verdicts)
{
    expect("half_of_k", Verdict::IncorrectNumerical);
    expect("zeros", Verdict::IncorrectNumerical);
    expect("nothing", Verdict::NotWritten);
    expect("all_but_last_row", Verdict::NotWritten);
    expect("one_past_the_end", Verdict::OutOfBounds);
    expect("changes_an_input", Verdict::InputModified);
    expect("one_nan", Verdict::NotFinite);
}

PTXWB_CASE(candidates, faults_end_their_own_process_only)
{
    expect("traps", Verdict::RuntimeError);
    expect("writes_nowhere", Verdict::OutOfBounds);
    expect("is_misaligned", Verdict::RuntimeError);
    expect("right", Verdict::Correct);
}

PTXWB_CASE(candidates, a_hang_is_a_timeout_and_the_device_lives_on)
{
    EvaluateRequest request = requestFor("never_ends");
    request.phaseTimeoutMs = 1500;
    const auto begin = std::chrono::steady_clock::now();
    const Finished finished = run(request, "never_ends");
    CHECK(finished.verdict == Verdict::Timeout);
    CHECK(std::chrono::steady_clock::now() - begin < 25s);
    CHECK_SAY(finished.explanation.find("the device answers") != std::string::npos, finished.explanation);
    expect("right", Verdict::Correct);
}

PTXWB_CASE(candidates, cancelled_while_it_hangs)
{
    std::stop_source source;
    const EvaluateRequest request = requestFor("never_ends");
    const auto begin = std::chrono::steady_clock::now();
    const auto result = runOnRunner(
        {.command = {PTXWB_BIN_DIR "/ptxwb-runner"}}, request,
        [&](const RunnerEvent& event) {
            const auto* progress = std::get_if<ProgressEvent>(&event);
            if (progress != nullptr && progress->candidateRunning) {
                source.request_stop();
            }
        },
        source.get_token());
    CHECK(!result && result.error().code == ErrorCode::Cancelled);
    CHECK(std::chrono::steady_clock::now() - begin < 15s);
    expect("right", Verdict::Correct);
}

PTXWB_CASE(candidates, launch_errors_are_named)
{
    const auto explanation = [](EvaluateRequest request, Verdict verdict) {
        const Finished finished = run(request, "launch");
        CHECK_SAY(finished.verdict == verdict, finished.explanation);
        return finished.explanation;
    };
    EvaluateRequest request = requestFor("wrong_name");
    CHECK(explanation(request, Verdict::LaunchError).find("'right'") != std::string::npos);

    request = requestFor("right");
    request.plan.launches[0].arguments.pop_back();
    CHECK(explanation(request, Verdict::LaunchError).find("6 parameters, the plan gives 5")
        != std::string::npos);

    request = requestFor("right");
    request.plan.launches[0].arguments[3].kind = ArgumentKind::I64;
    CHECK(explanation(request, Verdict::LaunchError).find("Parameter 3") != std::string::npos);

    request = requestFor("right");
    request.plan.launches[0].dynamicSharedBytes = 300'000;
    CHECK(explanation(request, Verdict::LaunchError).find("300000") != std::string::npos);

    request = requestFor("right");
    request.plan.launches[0].block = {2048, 1, 1};
    explanation(request, Verdict::LaunchError);

    request = requestFor("right");
    request.target = "sm_70";
    CHECK(explanation(request, Verdict::Unsupported).find("sm_70") != std::string::npos);

    request = requestFor("right");
    request.cubin = "this is no ELF file";
    explanation(request, Verdict::LaunchError);
}

PTXWB_CASE(candidates, several_launches_and_a_workspace)
{
    EvaluateRequest request = requestFor("add_halves");
    request.plan.buffers.push_back({.name = "sums",
        .type = {.dtype = Dtype::Float32, .shape = {m, n}},
        .role = BufferRole::Workspace,
        .init = BufferInit::Zero});
    request.plan.launches[0].arguments[2] = {.kind = ArgumentKind::Workspace, .index = 3};
    Launch second = launchOf("copy_sums");
    second.arguments = {{.kind = ArgumentKind::Workspace, .index = 3},
        {.kind = ArgumentKind::Tensor, .index = 2}, {.kind = ArgumentKind::I32, .integer = m * n}};
    request.plan.launches.push_back(second);
    request.measure = true; // warm calls must set the workspace back, too
    const Finished finished = run(request, "two_launches");
    CHECK_SAY(finished.verdict == Verdict::Correct, finished.explanation);
    CHECK(finished.timedOutputsChecked);
}

PTXWB_CASE(candidates, timed_outputs_are_checked)
{
    EvaluateRequest request = tiringRequest();
    const Finished finished = run(request, "tires");
    CHECK_SAY(finished.verdict == Verdict::IncorrectNumerical, finished.explanation);
    CHECK(finished.explanation.find("timed call") != std::string::npos);
    CHECK(!finished.timing);
}

// Two versions timed against each other: neither may cheat in timed calls only, the first as little as the
// second.
PTXWB_CASE(candidates, timed_outputs_of_both_versions_are_checked)
{
    EvaluateRequest first = tiringRequest();
    first.rival = Rival{.cubin = cubin(), .plan = requestFor("right").plan};
    first.baselines = {"rival"};
    const Finished a = run(first, "the_first_tires");
    CHECK_SAY(a.verdict == Verdict::IncorrectNumerical, a.explanation);
    CHECK(a.explanation.find("timed call") != std::string::npos);
    CHECK(!a.timing);

    EvaluateRequest second = requestFor("right");
    second.rival = Rival{.cubin = cubin(), .plan = tiringRequest().plan};
    second.baselines = {"rival"};
    second.measure = true;
    const Finished b = run(second, "the_second_tires");
    CHECK_SAY(b.rival && b.rival->verdict == Verdict::IncorrectNumerical, b.explanation);
    CHECK(!b.timing || b.timing->baselines.empty() || !b.timing->baselines[0].speedup);
}

PTXWB_CASE(candidates, times_without_a_baseline)
{
    EvaluateRequest request = requestFor("right");
    request.measure = true;
    request.baselines = {"cudnn", "nonsense"};
    const Finished finished = run(request, "times");
    CHECK(finished.verdict == Verdict::Correct);
    CHECK(finished.timing && finished.timing->candidate.coldUs.size() >= 10);
    CHECK(finished.timing->candidate.warmUs.size() >= 10);
    CHECK(finished.timing->baselines.size() == 2);
    CHECK_SAY(finished.timing->baselines[0].unavailable, "cuDNN's attention is no baseline of a GEMM");
    CHECK(finished.timing->baselines[1].unavailable && !finished.timing->baselines[1].speedup);
    CHECK(!finished.timing->impossible);
    CHECK(finished.timedOutputsChecked);
}

PTXWB_CASE(candidates, without_an_oracle_it_is_unverified)
{
    EvaluateRequest request = requestFor("half_of_k");
    request.oracle = {};
    CHECK(run(request, "no_oracle").verdict == Verdict::Unverified);
    request = requestFor("one_past_the_end");
    request.oracle = {};
    CHECK(run(request, "no_oracle_guard").verdict == Verdict::OutOfBounds);
}

PTXWB_CASE(candidates, too_much_memory_is_said)
{
    EvaluateRequest request = requestFor("right");
    request.plan.buffers[0].type.shape = {1LL << 25, 1LL << 20};
    const auto result = runOnRunner({.command = {PTXWB_BIN_DIR "/ptxwb-runner"}}, request, {});
    CHECK(!result && result.error().code == ErrorCode::Unavailable);
    CHECK_SAY(result.error().message.find("GiB") != std::string::npos, result.error().message);
}
