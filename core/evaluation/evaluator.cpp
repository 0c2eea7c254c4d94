// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluator.h"

#include "core/bench/host_abi.h"
#include "core/evaluation/emulator_execution.h"
#include "core/evaluation/given_oracle.h"
#include "core/evaluation/gpu_execution.h"
#include "core/evaluation/oracle_candidate.h"
#include "core/evaluation/own_baseline.h"
#include "core/evaluation/plan_fit.h"
#include "core/evaluation/profiler.h"
#include "core/evaluation/runner_request.h"
#include "core/evaluation/sanitize_phase.h"
#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/support/version.h"
#include "core/toolchain/disassembler.h"
#include "core/toolchain/source_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <random>

namespace ptxwb {

namespace {

std::string utcNow()
{
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::uint64_t drawSeed()
{
    std::random_device device;
    return (std::uint64_t{device()} << 20) ^ device();
}

// One evaluation under way: the phases are its methods, each ends in exactly one PhaseRecord.
class Run {
public:
    Run(const Compiler& compiler, const EvaluationRequest& request,
        const std::function<void(const EvaluationProgress&)>& onProgress, std::stop_token stop)
        : m_compiler(compiler)
        , m_request(request)
        , m_stop(std::move(stop))
        , m_log(m_evaluation.phases, onProgress)
    {
    }

    Result<Evaluation> operator()()
    {
        if (auto begun = begin(); !begun) {
            return begun.error();
        }
        if (m_request.known) {
            if (auto found = m_request.known(m_evaluation)) {
                return *std::move(found);
            }
        }
        if (extract() && compile() && inspect()) {
            if (auto ran = execute(); !ran) {
                return ran.error();
            }
        }
        if (m_failure) {
            return *m_failure;
        }
        if (m_stop.stop_requested()) {
            return Error{.code = ErrorCode::Cancelled, .message = "the evaluation was cancelled"};
        }
        finish();
        return std::move(m_evaluation);
    }

private:
    // Placement comes first: the device's target and the workload's default depend on it.
    Result<void> begin()
    {
        auto& e = m_evaluation;
        e.candidatePath = m_request.displayName;
        e.candidateSha256 = sha256Hex(m_request.text);
        e.task = m_request.task.name;
        e.oracle = m_request.task.oracle.name;
        e.taskNotes = m_request.task.notes;
        e.rule = m_request.rule;
        e.seed = m_request.seed != 0 ? m_request.seed : drawSeed();
        e.madeUtc = utcNow();
        e.productVersion = std::string(productVersion());
        m_placement = placeCandidate(m_request, m_stop);
        e.on = m_placement.on;
        e.onReason = m_placement.reason;
        e.device = m_placement.device;
        e.libraries = m_placement.libraries;
        if (m_placement.endpoint) {
            e.host = m_placement.endpoint->host;
        }
        auto workload = m_request.task.workload(workloadName());
        if (!workload) {
            return workload.error();
        }
        e.workload = **workload;
        auto axes = m_request.task.axisValues(e.workload);
        if (!axes) {
            return axes.error();
        }
        e.axes = *axes;
        return {};
    }

    std::string workloadName() const
    {
        const bool emulated = m_evaluation.on == "emulator";
        if (emulated && m_request.workloadOnEmulator) {
            return *m_request.workloadOnEmulator;
        }
        return m_request.workload.value_or(emulated ? "emulator" : "paper");
    }

    bool extract()
    {
        m_log.begin(Phase::Extract);
        auto& e = m_evaluation;
        auto language = languageOf(m_request.displayName, m_request.text);
        if (!language) {
            return fail(Phase::Extract, Verdict::ExtractionError, describe(language.error()));
        }
        e.language = *language;
        if (e.language != Language::Cubin && !isText()) {
            return false;
        }
        if (e.language == Language::Cubin) {
            return fail(Phase::Extract, Verdict::ExtractionError,
                "a cubin carries no launch plan; evaluate the .ptx or .cu that it came from");
        }
        if (e.language == Language::Cuda && ffi::exportsEntry(m_request.text)) {
            e.contract = "host";
        }
        const bool isHost = e.contract == "host";
        auto plan = isHost ? taskBuffers(m_request.task, e.workload)
                           : resolveLaunchPlan(m_request.text, m_request.task, e.workload);
        if (!plan && isHost) {
            return fail(Phase::Extract, Verdict::Unsupported, describe(plan.error()));
        }
        if (!plan) {
            Diagnostic diagnostic{.severity = Severity::Error,
                .message = plan.error().jsonPath.empty()
                    ? plan.error().message
                    : fmt::format("{}: {}", plan.error().jsonPath, plan.error().message),
                .file = m_request.displayName,
                .line = plan.error().line,
                .tool = "launch plan"};
            auto error = plan.error();
            if (error.code == ErrorCode::NotFound && e.language == Language::Cuda) {
                error.hint += "; a .cu that launches its kernels itself exports its function by "
                              "TVM_FFI_DLL_EXPORT_TYPED_FUNC instead";
            }
            if (!error.hint.empty()) {
                diagnostic.explanation = error.hint;
            }
            e.diagnostics.push_back(std::move(diagnostic));
            return fail(Phase::Extract, Verdict::LaunchError,
                fmt::format("the launch plan cannot be used: {}", describe(error)));
        }
        m_plan = *std::move(plan);
        return pass(
            Phase::Extract, isHost ? "host contract: the file brings its own launch code" : std::string());
    }

    // What no compiler reads (empty, binary, UTF-16) has no launch plan either, which is not its fault.
    bool isText()
    {
        auto source = detail::prepareSource(m_request.text, m_request.displayName,
            m_evaluation.language == Language::Ptx ? "PTX" : "CUDA C++");
        if (source.usable) {
            return true;
        }
        m_evaluation.diagnostics = std::move(source.diagnostics);
        return fail(Phase::Extract, Verdict::ExtractionError, m_evaluation.diagnostics.back().message);
    }

    bool compile()
    {
        m_log.begin(Phase::Compile);
        auto& e = m_evaluation;
        CompileRequest request{.displayName = m_request.displayName,
            .text = m_request.text,
            .language = e.language,
            .directory = m_request.directory,
            .target = m_request.target,
            .preferredTarget = e.device ? std::optional(e.device->target) : std::nullopt,
            .options = m_request.options,
            .hostContract = e.contract == "host",
            .emulatedHost = e.on == "emulator",
            .sandboxed = m_request.sandboxed};
        auto outcome = m_compiler.compile(request, m_stop);
        if (!outcome) {
            return failOrSkip(Phase::Compile, outcome.error());
        }
        m_compiled = *std::move(outcome);
        e.target = m_compiled.target;
        e.diagnostics.insert(
            e.diagnostics.end(), m_compiled.diagnostics.begin(), m_compiled.diagnostics.end());
        e.notes = m_compiled.notes;
        e.kernels = m_compiled.kernels;
        e.tools = m_compiled.tools;
        e.artefacts = m_compiled.artefacts;
        m_sources.compileCommand = fmt::format("{}", fmt::join(m_compiled.command, " "));
        for (const auto& goal : m_request.task.goals) {
            if (goal.target == e.target) {
                e.goals.push_back({.goal = goal});
            }
        }
        if (!m_compiled.ok) {
            return fail(Phase::Compile, Verdict::CompileError, compileFailure());
        }
        if (const auto* cubin = m_compiled.artefact("cubin")) {
            m_sources.cubinSha256 = cubin->sha256;
        }
        return pass(Phase::Compile, m_compiled.fromCache ? "from the build cache" : "");
    }

    std::string compileFailure() const
    {
        const auto& diagnostics = m_compiled.diagnostics;
        const auto root = std::find_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
            return d.rootCause && (d.severity == Severity::Error || d.severity == Severity::Fatal);
        });
        if (root == diagnostics.end()) {
            return "the compiler refused the file";
        }
        return root->line ? fmt::format("line {}: {}", *root->line, root->message) : root->message;
    }

    // SASS is evidence, not a gate: without a disassembler the evaluation goes on and says so.
    bool inspect()
    {
        m_log.begin(Phase::Inspect);
        auto& e = m_evaluation;
        if (!planFits()) {
            return false;
        }
        const auto* cubin = m_compiled.artefact("cubin");
        if (cubin == nullptr) {
            m_sources.notInspected = "the compiler kept no cubin; `ptxwb sass` shows the SASS of the file";
            m_log.skip(Phase::Inspect, m_sources.notInspected);
            return true;
        }
        auto disassembly =
            disassembleCubin(m_compiler.toolchain(), cubin->bytes, userCacheDirectory() / "sass", m_stop);
        if (!disassembly) {
            if (disassembly.error().code == ErrorCode::Cancelled) {
                m_failure = disassembly.error();
                return false;
            }
            m_sources.notInspected = describe(disassembly.error());
            m_log.skip(Phase::Inspect, m_sources.notInspected);
            return true;
        }
        m_disassembler = disassembly->tool;
        e.tools.push_back(disassembly->tool);
        m_sources.disassembleCommand = fmt::format("{}", fmt::join(disassembly->command, " "));
        auto listing = parseSassListing(std::move(disassembly->text));
        if (!listing) {
            m_sources.notInspected = describe(listing.error());
            m_log.skip(Phase::Inspect, m_sources.notInspected);
            return true;
        }
        if (!m_request.sanitize.empty()) {
            m_codeLines = codeLines(*listing, e.language);
        }
        e.families = countFamilies(*listing);
        e.paperAccount = paperAccount(*listing);
        for (auto& goal : e.goals) {
            const auto family = sassFamilyByName(goal.goal.sassFamily);
            const auto found = family ? e.families.find(*family) : e.families.end();
            goal.inCode = found == e.families.end() ? 0 : found->second;
        }
        return pass(Phase::Inspect);
    }

    // Before anything runs: with other arguments than it declares, a kernel reads what is not there.
    bool planFits()
    {
        const auto* made = m_compiled.artefact("ptx");
        const bool isPtx = m_evaluation.language == Language::Ptx;
        if (m_evaluation.contract == "host" || (!isPtx && made == nullptr)) {
            return true;
        }
        const auto misfits = planMisfits(m_plan, outlinePtx(isPtx ? m_request.text : made->bytes));
        for (const auto& misfit : misfits) {
            m_evaluation.diagnostics.push_back({.severity = Severity::Error,
                .message = fmt::format("{}: {}", misfit.jsonPath, misfit.message),
                .file = m_request.displayName,
                .line = planLine(m_request.text, misfit.jsonPath),
                .explanation = misfit.hint,
                .tool = "launch plan"});
        }
        return misfits.empty() || fail(Phase::Inspect, Verdict::LaunchError, misfits.front().message);
    }

    Result<void> execute()
    {
        auto& e = m_evaluation;
        if (e.on == "emulator") {
            return emulate();
        }
        if (const auto refusal = whyNotOnDevice(e, m_placement, m_plan)) {
            refuse(*refusal);
            return {};
        }
        EvaluateRequest request = runnerRequest();
        if (auto added = addOracleCandidate(request, m_compiler, m_request.task, e.workload, m_stop);
            !added) {
            return added;
        }
        if (auto added = addGivenOracle(request, m_request.task, m_stop); !added) {
            return added;
        }
        if (isGivenOracle(m_request.task.oracle)) {
            e.taskNotes.push_back("The reference was made once: every call saw the same inputs.");
        }
        if (const auto& own = m_request.baseline) {
            if (auto added = addOwnBaseline(request, m_compiler, *own, m_request.task, e.workload, m_stop);
                !added) {
                return added;
            }
        }
        auto ran = executeOnGpu(e, m_placement, request, m_log, m_sources, m_stop, m_request.baseline);
        if (ran) {
            ran = profile();
        }
        return ran ? sanitize() : ran;
    }

    // Only what ran to its end is worth a profile.
    Result<void> profile()
    {
        auto& e = m_evaluation;
        const bool isThere = !m_request.readProfile.empty();
        if (!(m_request.profile || isThere) || e.trials.empty()) {
            return {};
        }
        const auto run = isThere ? readProfile(m_request.readProfile, kernelNames(e), m_stop)
                                 : countExecuted(*m_placement.endpoint, runnerRequest(), kernelNames(e),
                                     m_request.keepProfile, m_stop);
        if (!run) {
            return run.error();
        }
        noteExecuted(e, *run);
        return {};
    }

    // After the measurement in time, before it in weight: a right result by luck is none.
    Result<void> sanitize()
    {
        if (m_request.sanitize.empty()) {
            m_log.skip(Phase::Sanitize, "not asked for");
            return {};
        }
        if (m_evaluation.contract == "host") {
            m_log.skip(Phase::Sanitize, "host-contract candidates are not run under compute-sanitizer");
            return {};
        }
        if (m_evaluation.verdict == Verdict::InfrastructureError) {
            return {};
        }
        return sanitizeOnGpu(
            m_evaluation, m_placement, runnerRequest(), m_request.sanitize, m_codeLines, m_log, m_stop);
    }

    Result<void> emulate()
    {
        auto& e = m_evaluation;
        const auto candidate = emulatedCandidate(m_request, e, m_compiled, m_plan, m_compiler.toolchain());
        if (!candidate && candidate.error().code == ErrorCode::DiskFull) {
            return candidate.error();
        }
        if (!candidate) {
            const bool isBanned = candidate.error().code == ErrorCode::InvalidArgument;
            refuse({.verdict = isBanned ? Verdict::BannedLibrary : Verdict::Unverified,
                .reason = describe(candidate.error())});
            return {};
        }
        return executeOnEmulator(
            e, m_request.task, *candidate, m_compiler, m_request.measuredSums, m_log, m_sources, m_stop);
    }

    void refuse(const Refusal& refusal)
    {
        m_sources.notRun = refusal.reason;
        m_sources.notTimed = refusal.reason;
        m_evaluation.verdict = refusal.verdict;
        m_evaluation.explanation = refusal.reason;
    }

    EvaluateRequest runnerRequest() const
    {
        return ptxwb::runnerRequest(m_request, m_evaluation, m_compiled, m_plan);
    }

    void finish()
    {
        auto& e = m_evaluation;
        m_log.complete(m_sources.notRun.empty() ? "an earlier phase failed" : m_sources.notRun);
        const std::string notExecuted = e.trials.empty()
            ? (m_sources.notRun.empty() ? "an earlier phase failed" : m_sources.notRun)
            : "hardware counters were not asked for (--profile)";
        for (auto& goal : e.goals) {
            if (!goal.executed && goal.reason.empty()) {
                goal.reason = notExecuted;
            }
        }
        for (const auto& tool : e.tools) {
            if (tool.kind == ToolKind::Ptxas
                || (tool.kind == ToolKind::Nvcc && m_sources.compiler == nullptr)) {
                m_sources.compiler = &tool;
            }
        }
        m_sources.disassembler = m_disassembler ? &*m_disassembler : nullptr;
        e.evidence = buildLedger(e, m_sources);
    }

    bool pass(Phase phase, std::string reason = {})
    {
        m_log.end(phase, PhaseState::Passed, std::move(reason));
        return true;
    }

    // A failure always has a diagnostic: that is where a program looks for the reason.
    bool fail(Phase phase, Verdict verdict, std::string explanation)
    {
        auto& said = m_evaluation.diagnostics;
        if (std::none_of(said.begin(), said.end(),
                [](const Diagnostic& d) { return d.severity <= Severity::Error; })) {
            said.push_back({.severity = Severity::Error,
                .message = explanation,
                .file = m_request.displayName,
                .tool = "ptxwb"});
        }
        m_evaluation.verdict = verdict;
        m_evaluation.explanation = explanation;
        m_log.end(phase, PhaseState::Failed, std::move(explanation));
        return false;
    }

    // A missing or crashing tool is not the candidate's fault.
    bool failOrSkip(Phase phase, const Error& error)
    {
        switch (error.code) {
        case ErrorCode::Cancelled:
        case ErrorCode::InvalidArgument:
        case ErrorCode::DiskFull:
            m_failure = error;
            return false;
        case ErrorCode::MissingTool:
            m_sources.notRun = describe(error);
            m_sources.notInspected = m_sources.notRun;
            m_sources.notTimed = m_sources.notRun;
            m_log.skip(phase, m_sources.notRun);
            m_evaluation.verdict = Verdict::Unverified;
            m_evaluation.explanation = m_sources.notRun;
            return false;
        default:
            return fail(phase, Verdict::InfrastructureError, describe(error));
        }
    }

    const Compiler& m_compiler;
    const EvaluationRequest& m_request;
    std::stop_token m_stop;
    Evaluation m_evaluation;
    Placement m_placement;
    ResolvedPlan m_plan;
    CompileOutcome m_compiled;
    CodeLines m_codeLines;
    LedgerSources m_sources;
    std::optional<Tool> m_disassembler;
    std::optional<Error> m_failure;
    PhaseLog m_log;
};

} // namespace

Result<Evaluation> Evaluator::evaluate(const EvaluationRequest& request,
    const std::function<void(const EvaluationProgress&)>& onProgress, std::stop_token stop) const
{
    return Run(m_compiler, request, onProgress, std::move(stop))();
}

} // namespace ptxwb
