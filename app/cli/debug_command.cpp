// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/debug_session.h"
#include "app/cli/inspected_file.h"
#include "app/cli/seed_option.h"
#include "app/cli/source_file.h"
#include "app/cli/task_option.h"
#include "core/emulator/example_plan.h"
#include "core/emulator/run_plan.h"
#include "core/emulator/task_inputs.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <thread>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string file;
    std::string task;
    std::string workload = "emulator";
    std::string policy = "early";
    std::string seed = "1";
    std::size_t launch = 0;
    std::uint64_t cta = 0;
};

Result<void> fillFromTask(
    const Options& options, const SourceFile& source, emulator::EmulatorRequest& request)
{
    auto task = findTask(options.task);
    if (!task) {
        return task.error();
    }
    const auto workload = task->workload(options.workload);
    if (!workload) {
        return workload.error();
    }
    const emulator::EmulatorEvaluationRequest evaluation{
        .text = request.text, .task = *task, .workload = **workload, .seed = request.seed};
    auto plan = resolveLaunchPlan(source.bytes, *task, **workload);
    if (!plan) {
        return plan.error();
    }
    auto buffers =
        emulator::makeTaskBuffers(evaluation, *plan, std::max(1U, std::thread::hardware_concurrency()));
    if (!buffers) {
        return buffers.error();
    }
    request.plan = std::move(*plan);
    request.buffers = std::move(*buffers);
    return {};
}

Result<void> fillFromPlan(const SourceFile& source, emulator::EmulatorRequest& request)
{
    auto declared = resolveDeclaredPlan(source.bytes);
    if (!declared) {
        auto error = declared.error();
        if (error.code == ErrorCode::NotFound && !error.line) {
            error.code = ErrorCode::BadFormat;
            error.hint = fmt::format("put a plan into the file and correct it, or name a --task:\n{}",
                emulator::examplePlan(request.text));
        }
        return error;
    }
    auto buffers = emulator::makePlanBuffers(*declared, request.seed, source.directory);
    if (!buffers) {
        return buffers.error();
    }
    request.plan = std::move(declared->plan);
    request.buffers = std::move(*buffers);
    return {};
}

int converse(DebugSession& debugger, const Session& session)
{
    const bool typed = ::isatty(STDIN_FILENO) != 0;
    const auto say = [&](std::string_view text) { return session.print(text, Holds); };
    if (const int failed = say(debugger.greeting()); failed != Holds) {
        return failed;
    }
    std::string line;
    while (!debugger.isOver()) {
        say("(ptxwb) ");
        if (session.stop.stop_requested() || !std::getline(std::cin, line)) {
            say("\n");
            break;
        }
        // What comes from a pipe is shown too, so that the answers can be read.
        const auto echo = typed ? std::string() : line + '\n';
        if (const int failed = say(echo + debugger.run(line)); failed != Holds) {
            return failed;
        }
    }
    return session.stop.stop_requested() ? Interrupted : Holds;
}

int runDebug(const Options& options, const Session& session)
{
    const auto seed = seedOf(options.seed);
    if (!seed) {
        return session.fail(seed.error());
    }
    if (session.json || options.file == "-") {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = session.json
                ? "debug is a conversation and has no --json"
                : "debug reads its commands from stdin, so the kernel cannot come from there",
            .hint = session.json ? "`ptxwb run --json` gives the reports" : "write it to a file"});
    }
    const auto source = readSource(options.file, session);
    if (!source) {
        return session.fail(source.error());
    }
    const auto language = languageOfSource(*source);
    if (!language) {
        return session.fail(language.error());
    }
    const auto emulated = sourceToEmulate(*source, *language, session);
    if (!emulated) {
        return session.fail(emulated.error());
    }
    DebugTarget target{.launch = options.launch, .cta = options.cta};
    target.request.text = emulated->ptx;
    target.request.displayName = emulated->displayName;
    target.request.seed = *seed;
    target.request.policy = emulator::policyByName(options.policy).value_or(emulator::AsyncPolicy::Early);
    auto filled = options.task.empty() ? fillFromPlan(*source, target.request)
                                       : fillFromTask(options, *source, target.request);
    if (!filled) {
        auto error = filled.error();
        error.path = error.path.empty() ? source->displayName : error.path;
        return session.fail(error);
    }
    auto debugger = DebugSession::open(std::move(target), session.stop);
    return debugger ? converse(*debugger, session) : session.fail(debugger.error());
}

} // namespace

RunCommand addDebugCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("debug",
        "Step a kernel's PTX on the CPU, forwards and backwards; commands come from stdin (help lists them)");
    command
        ->add_option("FILE", options->file,
            "A .ptx file with a launch plan, or a .cu, of which the PTX that nvcc makes is stepped")
        ->required();
    command->add_option("--task", options->task, "The task that gives the tensors; without it the plan does");
    command->add_option("--workload", options->workload, "Of the task")->capture_default_str();
    command->add_option("--policy", options->policy, "When asynchronous operations happen")
        ->check(CLI::IsMember({"early", "late", "random"}))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Of random tensors and of the random policy")
        ->capture_default_str();
    command->add_option("--launch", options->launch, "Which launch of the plan, from 0")
        ->capture_default_str();
    command->add_option("--cta", options->cta, "Which CTA, by its linear index")->capture_default_str();
    return [options](const Session& session) { return runDebug(*options, session); };
}

} // namespace ptxwb::cli
