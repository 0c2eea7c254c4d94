// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/inspected_file.h"
#include "app/cli/seed_option.h"
#include "app/cli/source_file.h"
#include "app/cli/task_option.h"
#include "app/cli/text_report.h"
#include "core/evaluation/evaluator.h"
#include "core/evaluation/recorded_run.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string file;
    std::string task;
    std::string workload;
    std::string on = "auto";
    std::string target;
    std::string rule = "strict";
    std::string output;
    std::string seed = "0";
    bool record = false;
    bool noMeasure = false;
    bool thorough = false;
    bool profile = false;
    std::vector<std::string> sanitize;
};

Error badPlace(const std::string& on)
{
    return {.code = ErrorCode::InvalidArgument,
        .message = fmt::format("--on '{}' is not understood", on),
        .hint = "auto, gpu, gpu:N (N from 0), emulator, none, ssh:HOST or exec:'COMMAND'"};
}

Result<void> setPlace(const std::string& on, EvaluationRequest& request)
{
    if (on == "auto") {
        request.where = Where::Auto;
    } else if (on == "none") {
        request.where = Where::None;
    } else if (on == "emulator") {
        request.where = Where::Emulator;
    } else if (on == "gpu") {
        request.where = Where::Gpu;
    } else if (on.starts_with("gpu:")) {
        request.where = Where::Gpu;
        const auto [end, failure] = std::from_chars(on.data() + 4, on.data() + on.size(), request.device);
        if (failure != std::errc{} || end != on.data() + on.size() || request.device < 0) {
            return badPlace(on);
        }
    } else if (on.starts_with("ssh:") && on.size() > 4 && on[4] != '-') {
        const auto host = on.substr(4);
        request.where = Where::Gpu;
        // BatchMode: a password prompt would wait for ever where nobody sees it.
        request.endpoint = RunnerEndpoint{
            .command = {"ssh", "-o", "BatchMode=yes", host, "ptxwb-runner"}, .title = on, .host = host};
    } else if (on.starts_with("exec:") && on.size() > 5) {
        request.where = Where::Gpu;
        request.endpoint =
            RunnerEndpoint{.command = {"/bin/sh", "-c", on.substr(5)}, .title = on, .host = on};
    } else {
        return badPlace(on);
    }
    return {};
}

// Paths in recorded documents are relative to the tree, so that they hold on every machine.
std::string relativeToShare(const std::string& name)
{
    const auto share = shareDirectory();
    std::error_code failed;
    const auto full = std::filesystem::weakly_canonical(name, failed);
    if (!share || failed) {
        return name;
    }
    const auto relative = full.lexically_relative(std::filesystem::weakly_canonical(*share, failed));
    return relative.empty() || relative.native().starts_with("..") ? name : relative.string();
}

// Commands name the tree of the machine that ran them.
std::string withoutTree(std::string document)
{
    const auto share = shareDirectory();
    std::error_code failed;
    const auto tree =
        share ? std::filesystem::weakly_canonical(*share, failed).string() + '/' : std::string();
    if (tree.size() < 2) {
        return document;
    }
    for (auto at = document.find(tree); at != std::string::npos; at = document.find(tree, at)) {
        document.erase(at, tree.size());
    }
    return document;
}

// A line when a phase begins and at each tenth of it: a terminal is not to be flooded.
class ProgressLines {
public:
    explicit ProgressLines(const Session& session)
        : m_session(session)
    {
    }

    void operator()(const EvaluationProgress& progress)
    {
        if (progress.isFinding) {
            m_session.progress(fmt::format("{}: found {}", phaseName(progress.phase), progress.message));
            return;
        }
        const bool newPhase = progress.phase != m_phase || m_printed < 0;
        if (progress.ended || progress.message.empty()
            || (!newPhase && progress.fraction < m_printed + step)) {
            return;
        }
        m_phase = progress.phase;
        m_printed = progress.fraction;
        const auto phase = phaseName(progress.phase);
        m_session.progress(
            progress.message == phase ? std::string(phase) : fmt::format("{}: {}", phase, progress.message));
    }

private:
    static constexpr double step = 0.1;
    const Session& m_session;
    Phase m_phase = Phase::Extract;
    double m_printed = -1;
};

Result<void> writeRecord(const Task& task, Evaluation evaluation, const Session& session)
{
    const auto directory = task.directory / "recorded";
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    evaluation.candidatePath = relativeToShare(evaluation.candidatePath);
    const auto path = directory / recordedFileName(evaluation);
    if (auto written = writeFileAtomically(path, withoutTree(toJson(evaluation))); !written) {
        return written.error();
    }
    session.progress(fmt::format("recorded in {}", path.string()));
    return {};
}

std::string recordedText(const Task& task, const Evaluation& evaluation)
{
    std::string text;
    for (const auto& run : loadRecordedRuns(task).runs) {
        const auto& e = run.evaluation;
        const bool sameText = e.candidateSha256 == evaluation.candidateSha256;
        if (!sameText
            && std::filesystem::path(e.candidatePath).filename()
                != std::filesystem::path(evaluation.candidatePath).filename()) {
            continue;
        }
        text += fmt::format("{}{}: {} on {}", recordedLabel(e), sameText ? "" : ", of an earlier text",
            verdictName(e.verdict), e.workload.name());
        if (const auto* baseline = leadingBaseline(e)) {
            text += fmt::format(", {:.3f}x {} [{:.3f}, {:.3f}]", baseline->speedup->ratio, baseline->name,
                baseline->speedup->ci95[0], baseline->speedup->ci95[1]);
        }
        text += '\n';
    }
    return text;
}

int runEval(const Options& options, const Session& session)
{
    const auto seed = seedOf(options.seed);
    if (!seed) {
        return session.fail(seed.error());
    }
    if (auto kept = keepsInput(options.file, options.output); !kept) {
        return session.fail(kept.error());
    }
    auto source = readSource(options.file, session);
    if (!source) {
        return session.fail(source.error());
    }
    auto task = findTask(options.task);
    if (!task) {
        return session.fail(task.error());
    }
    EvaluationRequest request{.displayName = source->displayName,
        .text = std::move(source->bytes),
        .directory = source->directory,
        .task = *task,
        .options = session.passThrough,
        .seed = *seed,
        .rule = options.rule == "paper" ? Rule::Paper : Rule::Strict,
        .measure = !options.noMeasure,
        .profile = options.profile};
    if (!options.workload.empty()) {
        request.workload = options.workload;
    }
    if (!options.target.empty()) {
        request.target = options.target;
    }
    for (const auto& name : options.sanitize) {
        request.sanitize.push_back(*sanitizerByName(name));
    }
    if (options.thorough
        && std::find(request.sanitize.begin(), request.sanitize.end(), SanitizerTool::Memcheck)
            == request.sanitize.end()) {
        request.sanitize.insert(request.sanitize.begin(), SanitizerTool::Memcheck);
    }
    if (auto placed = setPlace(options.on, request); !placed) {
        return session.fail(placed.error());
    }
    const Compiler compiler = makeCompiler();
    const auto evaluation = Evaluator(compiler).evaluate(request, ProgressLines(session), session.stop);
    if (!evaluation) {
        return session.fail(evaluation.error());
    }
    if (options.record && exitStatusOf(evaluation->verdict) == Missing) {
        session.progress("not recorded: the candidate could not be checked here");
    } else if (options.record) {
        if (auto written = writeRecord(*task, *evaluation, session); !written) {
            return session.fail(written.error());
        }
    }
    const auto document = toJson(*evaluation);
    if (!options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, document, session.stop); !written) {
            return session.fail(written.error());
        }
    }
    return session.print(
        session.json ? document : evaluationReport(*evaluation) + recordedText(*task, *evaluation),
        exitStatusOf(evaluation->verdict));
}

} // namespace

RunCommand addEvalCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("eval",
        "Compile, inspect, verify and time a candidate. Exit status 0: correct; 1: not; 3: could not be "
        "checked here");
    command->add_option("FILE", options->file, "A .ptx or .cu file with a launch plan; - is stdin")
        ->required();
    command->add_option("--task", options->task, "See `ptxwb tasks`")->required();
    command->add_option("--workload", options->workload, "Tag (paper, small, emulator, demo) or uuid");
    command->add_option("--on", options->on, "auto, gpu, gpu:N, emulator, none, ssh:HOST, exec:'COMMAND'")
        ->capture_default_str();
    command->add_option("--target", options->target, "e.g. sm_90a");
    command->add_option("--rule", options->rule, "Which rule decides: strict, or the paper's")
        ->check(CLI::IsMember({"strict", "paper"}))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Of the inputs; 0 draws one and logs it")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Also write the JSON document here");
    command->add_flag("--record", options->record, "Write it to the task's recorded/ folder");
    command->add_flag("--no-measure", options->noMeasure, "Verify only");
    command->add_flag("--thorough", options->thorough, "Also compute-sanitizer's memcheck, on a local GPU");
    command->add_flag(
        "--profile", options->profile, "Also count executed instructions by Nsight Compute, on a local GPU");
    command
        ->add_option("--sanitize", options->sanitize, "Also these tools of compute-sanitizer, on a local GPU")
        ->check(CLI::IsMember({"memcheck", "racecheck", "initcheck", "synccheck"}));
    return [options](const Session& session) { return runEval(*options, session); };
}

} // namespace ptxwb::cli
