// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch.h"
#include "app/cli/command_line.h"
#include "app/cli/eval_history.h"
#include "app/cli/inspected_file.h"
#include "app/cli/place_option.h"
#include "app/cli/profile_text.h"
#include "app/cli/seed_option.h"
#include "app/cli/source_file.h"
#include "app/cli/task_option.h"
#include "app/cli/text_report.h"
#include "core/evaluation/evaluator.h"
#include "core/evaluation/recorded_run.h"
#include "core/evaluation/requirement.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string file;
    std::string task;
    std::string workload;
    std::string axes;
    std::string on = "auto";
    std::string target;
    std::string rule = "strict";
    std::string output;
    std::string seed = "0";
    std::string require;
    std::string baseline;
    std::string dataset;
    std::string oracle;
    std::string batch;
    std::string out;
    std::string gpus = "all";
    std::string sums = "fp32";
    bool unsafeHostCode = false;
    bool again = false;
    bool allowUnverified = false;
    bool noHistory = false;
    bool record = false;
    bool noMeasure = false;
    bool thorough = false;
    bool profile = false;
    std::string ncuReport;
    std::vector<std::string> sanitize;
};

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
    evaluation.profile.clear(); // the report has them, and lies on the machine that made it
    evaluation.profileReport.clear();
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

/// A correct candidate that misses what was asked for does not hold.
int statusWith(const std::vector<Requirement>& requirements, Evaluation& evaluation, const Session& session)
{
    int status = exitStatusOf(evaluation.verdict);
    for (const auto& requirement : requirements) {
        evaluation.requirements.push_back(checkRequirement(requirement, evaluation));
        const auto& outcome = evaluation.requirements.back();
        if (!outcome.met) {
            session.progress(fmt::format("not met: {}: {}", outcome.text, outcome.reason));
            status = status == Holds ? static_cast<int>(DoesNotHold) : status;
        }
    }
    return status;
}

int evalBatch(const Options& options, const std::vector<Requirement>& requirements, const Session& session)
{
    const auto refuse = [&](std::string message, std::string hint) {
        return session.fail(
            {.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)});
    };
    if (!options.file.empty()) {
        return refuse("--batch and FILE exclude each other", "the lines of the batch name their files");
    }
    if (options.sums != "fp32") {
        return refuse("--batch and --sums exclude each other",
            "`ptxwb eval FILE --on emulator --sums h200` takes one candidate");
    }
    if (!options.baseline.empty()) {
        return refuse("--batch and --baseline exclude each other",
            "`ptxwb eval FILE --baseline OTHER` takes one candidate");
    }
    if (options.out.empty()) {
        return refuse("--batch needs --out", "--out OUT.jsonl takes one line for each of the batch");
    }
    const bool isElsewhere = options.on.starts_with("ssh:") || options.on.starts_with("exec:");
    if (options.on != "auto" && options.on != "gpu" && options.on != "emulator" && options.on != "none"
        && !isElsewhere) {
        return refuse("a batch runs --on gpu, ssh:HOST, exec:'COMMAND', emulator or none",
            "--gpus chooses among the GPUs");
    }
    if (auto kept = keepsInput(options.batch, options.out); !kept) {
        return session.fail(kept.error());
    }
    const bool withoutGpu = options.on == "emulator" || options.on == "none";
    return runBatchFile({.input = options.batch,
                            .output = options.out,
                            .gpus = options.gpus,
                            .on = withoutGpu || isElsewhere ? options.on : std::string(),
                            .task = options.task,
                            .target = options.target,
                            .requirements = requirements,
                            .paperRule = options.rule == "paper",
                            .measure = !options.noMeasure,
                            .again = options.again,
                            .unsafeHostCode = options.unsafeHostCode},
        session);
}

int runEval(const Options& options, const Session& session)
{
    const auto requirements = options.require.empty()
        ? Result<std::vector<Requirement>>(std::vector<Requirement>())
        : parseRequirements(options.require);
    if (!requirements) {
        return session.fail(requirements.error());
    }
    const auto seed = seedOf(options.seed);
    if (!seed) {
        return session.fail(seed.error());
    }
    if (!options.batch.empty()) {
        return evalBatch(options, *requirements, session);
    }
    if (options.file.empty() || options.task.empty()) {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = options.file.empty() ? "FILE is required" : "--task is required",
            .hint = "ptxwb eval FILE --task NAME, or --batch FILE.jsonl --out OUT.jsonl"});
    }
    for (const auto& input : {options.file, options.baseline}) {
        if (auto kept = keepsInput(input, options.output); !kept) {
            return session.fail(kept.error());
        }
    }
    auto source = readSource(options.file, session);
    if (!source) {
        return session.fail(source.error());
    }
    auto task = findTask(options.task, options.dataset);
    if (!task) {
        return session.fail(task.error());
    }
    if (auto chosen = chooseOracle(*task, options.oracle); !chosen) {
        return session.fail(chosen.error());
    }
    if (!options.axes.empty()) {
        if (!options.workload.empty()) {
            return session.fail({.code = ErrorCode::InvalidArgument,
                .message = "--axes and --workload exclude each other",
                .hint = "--workload names a workload of the task, --axes makes one"});
        }
    }
    // A data set's workloads have no tags, so none of them is what a place takes unasked.
    const bool takesFirst = !options.dataset.empty() && options.axes.empty() && options.workload.empty();
    if (takesFirst) {
        session.progress(fmt::format("workload {}, the first of {} (--workload chooses)",
            task->workloads.front().uuid, task->workloads.size()));
    }
    const auto workload = takesFirst ? Result<std::string>(task->workloads.front().uuid)
        : options.axes.empty()       ? Result<std::string>(options.workload)
                                     : addWorkload(*task, options.axes);
    if (!workload) {
        return session.fail(workload.error());
    }
    EvaluationRequest request{.displayName = source->displayName,
        .text = std::move(source->bytes),
        .directory = source->directory,
        .task = *task,
        .options = session.passThrough,
        .seed = *seed,
        .rule = options.rule == "paper" ? Rule::Paper : Rule::Strict,
        .measure = !options.noMeasure,
        .profile = options.profile,
        .measuredSums = options.sums == "h200"};
    if (!workload->empty()) {
        request.workload = *workload;
    }
    if (!options.target.empty()) {
        request.target = options.target;
    }
    if (!options.baseline.empty()) {
        auto baseline = readSource(options.baseline, session);
        if (!baseline) {
            return session.fail(baseline.error());
        }
        request.baseline = OwnBaseline{.displayName = baseline->displayName,
            .text = std::move(baseline->bytes),
            .directory = baseline->directory};
    }
    for (const auto& name : options.sanitize) {
        request.sanitize.push_back(*sanitizerByName(name));
    }
    if (options.thorough
        && std::find(request.sanitize.begin(), request.sanitize.end(), SanitizerTool::Memcheck)
            == request.sanitize.end()) {
        request.sanitize.insert(request.sanitize.begin(), SanitizerTool::Memcheck);
    }
    request.keepProfile = userDataDirectory() / "profiles"
        / fmt::format("{}-{}.ncu-rep", std::filesystem::path(request.displayName).stem().string(),
            workload->empty() ? "default" : *workload);
    request.readProfile = options.ncuReport;
    const auto place = placeOf(options.on);
    if (!place) {
        return session.fail(place.error());
    }
    if (request.measuredSums && place->where == Where::Gpu) {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = "--sums is for the emulator; a GPU adds as it does",
            .hint = "--on emulator, or leave --sums out"});
    }
    request.where = place->where;
    request.endpoint = place->endpoint;
    request.device = place->device;
    EvalHistory history(options.noHistory, options.again, session);
    history.lookInto(request);
    const Compiler compiler = makeCompiler();
    auto evaluation = Evaluator(compiler).evaluate(request, ProgressLines(session), session.stop);
    if (!evaluation) {
        return session.fail(evaluation.error());
    }
    history.keep(*evaluation, request.text);
    int status = statusWith(*requirements, *evaluation, session);
    // It ran and nothing was at fault; there is just nobody who knows the right answer.
    if (options.allowUnverified && evaluation->verdict == Verdict::Unverified && !evaluation->trials.empty()
        && status == Missing) {
        status = Holds;
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
    return session.print(session.json
            ? document
            : evaluationReport(*evaluation) + profileText(*evaluation) + recordedText(*task, *evaluation),
        status);
}

} // namespace

RunCommand addEvalCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("eval",
        "Compile, inspect, verify and time a candidate. Exit status 0: correct; 1: not; 3: could not be "
        "checked here");
    command->add_option("FILE", options->file, "A .ptx or .cu file with a launch plan; - is stdin");
    command->add_option("--task", options->task, "See `ptxwb tasks`");
    command->add_option("--dataset", options->dataset,
        "A FlashInfer Trace root (definitions/, workloads/): --task names one of its definitions");
    command->add_option("--oracle", options->oracle,
        "Instead of the task's: python (the definition's reference, with torch in your interpreter), "
        "stored:FOLDER (a "
        ".npy file for each input and output), none");
    command->add_option("--workload", options->workload, "Tag (paper, small, emulator, demo) or uuid");
    command->add_option("--axes", options->axes, "A workload of these sizes instead, e.g. M=4096");
    command->add_option("--on", options->on, "auto, gpu, gpu:N, emulator, none, ssh:HOST, exec:'COMMAND'")
        ->capture_default_str();
    command->add_option("--target", options->target, "e.g. sm_90a");
    command->add_option("--rule", options->rule, "Which rule decides: strict, or the paper's")
        ->check(CLI::IsMember({"strict", "paper"}))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Of the inputs; 0 draws one and logs it")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Also write the JSON document here");
    command->add_option("--batch", options->batch,
        "FILE.jsonl instead of FILE: one candidate a line, {\"file\", \"task\"}; with --out, which is "
        "resumed");
    command->add_option("--out", options->out, "OUT.jsonl of --batch");
    command->add_option("--gpus", options->gpus, "Of --batch: all, or numbers: 0,2")->capture_default_str();
    command->add_flag("--unsafe-host-code", options->unsafeHostCode,
        "Of --batch: also run candidates that bring host code of their own");
    command->add_option(
        "--require", options->require, "What must hold for exit status 0, e.g. 'wgmma,speedup>=0.95'");
    command->add_option("--baseline", options->baseline,
        "A kernel of your own for the same task: checked too, and the first one that FILE is timed against");
    command->add_flag("--allow-unverified", options->allowUnverified,
        "Exit status 0 for a candidate that ran, of a task without an oracle");
    command->add_flag("--again", options->again, "Evaluate anew what the history has already");
    command->add_flag("--no-history", options->noHistory, "Neither look into the history nor add to it");
    command->add_flag("--record", options->record, "Write it to the task's recorded/ folder");
    command
        ->add_option("--sums", options->sums,
            "How the emulator adds in mma and wgmma: fp32, or h200: in every bit as measured there, slower")
        ->check(CLI::IsMember({"fp32", "h200"}))
        ->capture_default_str();
    command->add_flag("--no-measure", options->noMeasure, "Verify only");
    command->add_flag("--thorough", options->thorough, "Also compute-sanitizer's memcheck, on a local GPU");
    command->add_flag(
        "--profile", options->profile, "Also count executed instructions by Nsight Compute, on a local GPU");
    command->add_option("--ncu-rep", options->ncuReport,
        "Take executed instructions from this report of Nsight Compute instead of profiling");
    command
        ->add_option("--sanitize", options->sanitize, "Also these tools of compute-sanitizer, on a local GPU")
        ->check(CLI::IsMember({"memcheck", "racecheck", "initcheck", "synccheck"}));
    return [options](const Session& session) { return runEval(*options, session); };
}

} // namespace ptxwb::cli
