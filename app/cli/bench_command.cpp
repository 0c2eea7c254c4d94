// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/inspected_file.h"
#include "app/cli/place_option.h"
#include "app/cli/run_on_gpu.h"
#include "app/cli/seed_option.h"
#include "app/cli/source_file.h"
#include "app/cli/task_option.h"
#include "core/evaluation/paired_run.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string a;
    std::string b;
    std::string task;
    std::string workload;
    std::string axes;
    std::string on = "gpu";
    std::string target;
    std::string rule = "strict";
    std::string seed = "1";
    std::string output;
    std::string require;
    int rounds = 400;
};

Result<CandidateSource> candidateOf(const std::string& file, const Session& session)
{
    auto source = readSource(file, session);
    if (!source) {
        return source.error();
    }
    const auto language = languageOfSource(*source);
    if (!language) {
        return language.error();
    }
    return CandidateSource{.displayName = source->displayName,
        .text = std::move(source->bytes),
        .directory = source->directory,
        .language = *language};
}

std::string conclusion(const PairedRun& run)
{
    switch (fasterOf(run.speedup)) {
    case Faster::B:
        return fmt::format("B is faster: {:.4f}x of A's speed", run.speedup->ratio);
    case Faster::A:
        return fmt::format("A is faster: {:.4f}x of B's speed", 1 / run.speedup->ratio);
    case Faster::NoDifferenceShown:
        return fmt::format(
            "no difference shown: the interval holds 1, or the ratio is within {:.1f} % of it, as "
            "between two copies of one kernel",
            pairResolution * 100);
    case Faster::NotMeasured:
        break;
    }
    return fmt::format("not measured: {}", run.notMeasured);
}

std::string versionText(char letter, const VersionOutcome& version, const TimingSeries* series)
{
    std::string text = fmt::format("{}: {} ({})\n   {}{}{}\n", letter, version.built.source.displayName,
        version.built.compiled.target, verdictName(version.verdict), version.explanation.empty() ? "" : " - ",
        version.explanation);
    if (series != nullptr) {
        text += "   " + timesText("cold L2", series->coldUs) + "   " + timesText("warm", series->warmUs);
    }
    return text;
}

std::string textOf(const PairedRun& run)
{
    const bool timed = run.timing && !run.timing->baselines.empty();
    std::string text = versionText('A', run.a, timed ? &run.timing->baselines.front().series : nullptr)
        + versionText('B', run.b, timed ? &run.timing->candidate : nullptr);
    for (const auto& [name, difference] : run.differences) {
        text += fmt::format("{}: B's differs from A's by {:.3g} (normwise, relative)\n", name, difference);
    }
    if (run.speedup) {
        text +=
            fmt::format("time of A / time of B: {:.4f}, 95 % within [{:.4f}, {:.4f}], {} rounds A B B A\n",
                run.speedup->ratio, run.speedup->ci95[0], run.speedup->ci95[1], run.speedup->pairedRounds);
    }
    text += fmt::format("on: {}, {}{}seed {}\n", run.placement.reason, run.task.empty() ? "" : run.task + " ",
        run.workload ? run.workload->name() + ", " : "", run.seed);
    if (!run.agree) {
        text += "the outputs of A and B are not the same function of the inputs\n";
    }
    return text + conclusion(run) + '\n';
}

/// 0: both pass their checks (without a task: agree) and were compared; 3: could not be; 1: one is at fault.
int statusOf(const PairedRun& run)
{
    const Verdict fine = run.task.empty() ? Verdict::Unverified : Verdict::Correct;
    for (const VersionOutcome* version : {&run.a, &run.b}) {
        const bool ran = !version->explanation.starts_with("not run");
        if (ran && version->verdict != fine) {
            return exitStatusOf(version->verdict);
        }
    }
    if (!run.agree) {
        return DoesNotHold;
    }
    return run.speedup ? Holds : Missing;
}

int runBench(const Options& options, const Session& session)
{
    const auto seed = seedOf(options.seed);
    if (!seed) {
        return session.fail(seed.error());
    }
    const auto requirements = options.require.empty()
        ? Result<std::vector<Requirement>>(std::vector<Requirement>())
        : parseRequirements(options.require);
    if (!requirements) {
        return session.fail(requirements.error());
    }
    // What is no quantity is refused before anything runs.
    if (auto possible = checkPaired(*requirements, {}); !possible) {
        return session.fail(possible.error());
    }
    const auto place = placeOf(options.on);
    if (!place) {
        return session.fail(place.error());
    }
    if (place->where == Where::Emulator || place->where == Where::None) {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = fmt::format("bench --on {}: an emulator has no GPU's clock", options.on),
            .hint = "gpu, gpu:N, ssh:HOST or exec:'COMMAND'"});
    }
    for (const auto& input : {options.a, options.b}) {
        if (auto kept = keepsInput(input, options.output); !kept) {
            return session.fail(kept.error());
        }
    }
    PairedRunRequest request{.place = {.endpoint = place->endpoint, .device = place->device},
        .options = session.passThrough,
        .seed = *seed == 0 ? 1 : *seed,
        .rule = options.rule == "paper" ? Rule::Paper : Rule::Strict};
    request.stopping.maxRounds = options.rounds;
    request.stopping.minRounds = std::min(request.stopping.minRounds, options.rounds);
    for (const auto& [file, source] :
        {std::pair(&options.a, &request.a), std::pair(&options.b, &request.b)}) {
        auto read = candidateOf(*file, session);
        if (!read) {
            return session.fail(read.error());
        }
        *source = *std::move(read);
    }
    if (!options.task.empty()) {
        auto task = findTask(options.task);
        if (!task) {
            return session.fail(task.error());
        }
        request.task = *std::move(task);
    }
    if (!options.workload.empty()) {
        if (!request.task) {
            return session.fail({.code = ErrorCode::InvalidArgument,
                .message = "--workload is of a task",
                .hint = "give --task too; without a task the plans declare their shapes"});
        }
        request.workload = options.workload;
    }
    if (!options.axes.empty()) {
        if (!options.workload.empty()) {
            return session.fail({.code = ErrorCode::InvalidArgument,
                .message = "--axes and --workload exclude each other",
                .hint = "--workload names a workload of the task, --axes makes one"});
        }
        if (!request.task) {
            return session.fail({.code = ErrorCode::InvalidArgument,
                .message = "--axes is of a task",
                .hint = "give --task too"});
        }
        const auto workload = addWorkload(*request.task, options.axes);
        if (!workload) {
            return session.fail(workload.error());
        }
        request.workload = *workload;
    }
    if (!options.target.empty()) {
        request.target = options.target;
    }
    const Compiler compiler = makeCompiler();
    std::string last;
    auto run = runPaired(
        compiler, request,
        [&](const std::string& line) {
            if (line != last) {
                session.progress(line);
            }
            last = line;
        },
        session.stop);
    if (!run) {
        return session.fail(run.error());
    }
    int status = statusOf(*run);
    if (auto outcomes = checkPaired(*requirements, *run)) {
        for (const auto& outcome : *outcomes) {
            if (!outcome.met) {
                session.progress(fmt::format("not met: {}: {}", outcome.text, outcome.reason));
                status = status == Holds ? static_cast<int>(DoesNotHold) : status;
            }
        }
        run->requirements = *std::move(outcomes);
    }
    const auto document = toJson(*run);
    if (!options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, document, session.stop); !written) {
            return session.fail(written.error());
        }
    }
    return session.print(session.json ? document : textOf(*run), status);
}

} // namespace

RunCommand addBenchCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("bench",
        "Which of two versions of one kernel is faster: both checked, then timed in turns (A B B A) in one "
        "process on a GPU. Exit status 0: both pass their checks and were compared, whoever won; 1: one is "
        "at "
        "fault; 3: could not be compared here");
    command->add_option("A", options->a, "A .ptx or .cu file with a launch plan; - is stdin")->required();
    command->add_option("B", options->b, "The other version")->required();
    command->add_option("--task", options->task, "Check both by this task (see `ptxwb tasks`)");
    command->add_option("--workload", options->workload, "Of the task: tag or uuid");
    command->add_option("--axes", options->axes, "A workload of the task with these sizes, e.g. M=4096");
    command->add_option("--on", options->on, "gpu, gpu:N, ssh:HOST, exec:'COMMAND'")->capture_default_str();
    command->add_option("--target", options->target, "e.g. sm_90a");
    command->add_option("--rule", options->rule, "Which rule decides: strict, or the paper's")
        ->check(CLI::IsMember({"strict", "paper"}))
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "Most rounds; it ends when the interval is narrow")
        ->check(CLI::Range(3, 100000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Of the inputs")->capture_default_str();
    command->add_option("--require", options->require,
        "What B must hold for exit status 0, e.g. 'speedup>=1.02,registers<=168'; speedup is time of A / "
        "time of B");
    command->add_option("-o,--output", options->output, "Also write the JSON document here");
    return [options](const Session& session) { return runBench(*options, session); };
}

} // namespace ptxwb::cli
