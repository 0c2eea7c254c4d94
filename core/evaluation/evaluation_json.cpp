// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluation.h"

#include "core/evaluation/compile_json.h"
#include "core/evaluation/content_json.h"
#include "core/evaluation/report_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ptxwb {

namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN or Inf: they are written as strings.
Json number(double value)
{
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "Inf" : "-Inf";
    }
    return value;
}

template <class T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json workloadJson(const Evaluation& e)
{
    return {{"uuid", e.workload.uuid}, {"axes", e.axes}, {"tags", e.workload.tags}};
}

Json phasesJson(const std::vector<PhaseRecord>& phases)
{
    Json rows = Json::array();
    for (const auto& phase : phases) {
        rows.push_back({{"phase", phaseName(phase.phase)}, {"state", phaseStateName(phase.state)},
            {"ms", phase.ms}, {"reason", phase.reason}});
    }
    return rows;
}

/// Why a family's executed instructions are not known.
std::string executedReason(const Evaluation& e, std::string_view family)
{
    const auto goal =
        std::ranges::find(e.goals, family, [](const GoalRecord& one) { return one.goal.sassFamily; });
    if (goal != e.goals.end()) {
        return goal->executed ? fmt::format("see the goal {}, which counts them", goal->goal.name)
                              : goal->reason;
    }
    if (e.trials.empty()) {
        const auto failed = std::ranges::find(e.phases, PhaseState::Failed, &PhaseRecord::state);
        return failed != e.phases.end() ? fmt::format("it did not run: {} failed", phaseName(failed->phase))
            : e.onReason.empty()        ? "it did not run"
                                        : "it did not run: " + e.onReason;
    }
    if (e.on == "emulator") {
        return "the emulator counts instructions of PTX, for the task's goals; none of them is of this "
               "family";
    }
    return e.profile.empty() ? "a GPU counts them under Nsight Compute only (--profile), for the task's goals"
                             : "the counters are kept for the task's goals and by row, see profile";
}

Json instructionsJson(const Evaluation& e)
{
    Json families = Json::object();
    for (const auto& [family, sites] : e.families) {
        families[std::string(sassFamilyName(family))] = {{"sites", sites}, {"executed", nullptr},
            {"executed_reason", executedReason(e, sassFamilyName(family))}};
    }
    Json goals = Json::array();
    for (const auto& goal : e.goals) {
        Json row{{"goal", goal.goal.name}, {"target", goal.goal.target}, {"family", goal.goal.sassFamily},
            {"in_code", goal.inCode}, {"executed", orNull(goal.executed)},
            {"executed_by", goal.executed ? Json(goal.executedBy) : Json(nullptr)}};
        if (!goal.executed) {
            row["executed_reason"] = goal.reason;
        }
        row["contributes"] = orNull(goal.contributes);
        goals.push_back(std::move(row));
    }
    Json profile = Json::array();
    for (const auto& row : e.profile) {
        if (row.samples > 0 || row.executed > 0) {
            profile.push_back({{"kernel", row.kernel}, {"sass", row.sass}, {"executed", row.executed},
                {"samples", row.samples}, {"stalls", row.stalls}});
        }
    }
    Json metrics = Json::array();
    for (const auto& metric : e.metrics) {
        metrics.push_back({{"kernel", metric.kernel}, {"group", metric.group}, {"title", metric.title},
            {"name", metric.name}, {"unit", metric.unit}, {"value", orNull(metric.value)}});
        if (!metric.value) {
            metrics.back()["value_reason"] = metric.reason;
        }
    }
    return {{"families", families}, {"goals", goals}, {"metrics", metrics},
        {"profile", e.profile.empty() ? Json(nullptr) : profile},
        {"profile_report", e.profileReport.empty() ? Json(nullptr) : Json(e.profileReport)},
        {"paper_account",
            {{"GMMA", e.paperAccount.gmma}, {"TMA", e.paperAccount.tma}, {"TCGEN", e.paperAccount.tcgen}}}};
}

Json comparisonJson(const OutputComparison& c)
{
    return {{"output", c.output}, {"elements", c.elements}, {"mismatched", c.mismatched},
        {"matched_ratio", c.matchedRatio()}, {"max_abs_error", number(c.maxAbsError)},
        {"max_rel_error", number(c.maxRelError)}, {"normwise_rel_error", number(c.normwiseRelError)},
        {"nan_count", c.nanCount}, {"inf_count", c.infCount}, {"poison_count", c.poisonCount},
        {"all_zero", c.allZero},
        {"first_mismatch",
            c.firstMismatch ? Json{{"index", *c.firstMismatch}, {"got", number(c.firstMismatchGot)},
                {"expected", number(c.firstMismatchExpected)}}
                            : Json(nullptr)}};
}

Json comparisonsJson(const std::vector<OutputComparison>& outputs)
{
    Json rows = Json::array();
    for (const auto& output : outputs) {
        rows.push_back(comparisonJson(output));
    }
    return rows;
}

Json correctnessJson(const Evaluation& e)
{
    if (e.trials.empty()) {
        return nullptr;
    }
    Json trials = Json::array();
    double maxAbs = 0;
    double maxRel = 0;
    double normwise = 0;
    double matched = 1;
    Json firstMismatch = nullptr;
    for (std::size_t i = 0; i < e.trials.size(); ++i) {
        const auto& trial = e.trials[i];
        for (const auto& output : trial.outputs) {
            maxAbs = std::max(maxAbs, output.maxAbsError);
            maxRel = std::max(maxRel, output.maxRelError);
            normwise = std::max(normwise, output.normwiseRelError);
            matched = std::min(matched, output.matchedRatio());
            if (firstMismatch.is_null() && output.firstMismatch) {
                firstMismatch = comparisonJson(output)["first_mismatch"];
                firstMismatch["trial"] = i;
                firstMismatch["output"] = output.output;
            }
        }
        trials.push_back({{"seed", trial.seed}, {"outputs", comparisonsJson(trial.outputs)},
            {"modified_inputs", trial.modifiedInputs}, {"damaged_guards", trial.damagedGuards}});
    }
    return {{"oracle",
                e.oracle == "candidate"  ? "another kernel, which the task names"
                    : e.on == "emulator" ? "own code of higher precision on the CPU"
                                         : "own kernels of higher precision on the same device"},
        {"profile", e.numericProfile.empty() ? Json(nullptr) : Json(e.numericProfile)}, {"trials", trials},
        {"max_abs_error", number(maxAbs)}, {"max_rel_error", number(maxRel)}, {"matched_ratio", matched},
        {"normwise_rel_error", number(normwise)}, {"first_mismatch", firstMismatch}};
}

Json judgementJson(const std::optional<Judgement>& judgement)
{
    if (!judgement) {
        return nullptr;
    }
    return {{"verdict", verdictName(judgement->verdict)}, {"explanation", judgement->explanation}};
}

Json seriesJson(const TimingSeries& series)
{
    return {{"name", series.name}, {"cold_median_us", orNull(median(series.coldUs))},
        {"warm_median_us", orNull(median(series.warmUs))}, {"cold_us", series.coldUs},
        {"warm_us", series.warmUs}, {"card", series.card}};
}

Json speedupJson(const std::string& baseline, const std::optional<SpeedupEstimate>& estimate)
{
    if (!estimate) {
        return nullptr;
    }
    return {{"baseline", baseline}, {"ratio", estimate->ratio}, {"ci95", estimate->ci95},
        {"paired_rounds", estimate->pairedRounds}, {"candidate_median_us", estimate->candidateMedianUs},
        {"baseline_median_us", estimate->baselineMedianUs}};
}

Json roundsJson(const std::vector<PairedRound>& rounds)
{
    Json rows = Json::array();
    for (const auto& round : rounds) {
        rows.push_back({{"candidate_us", round.candidateUs}, {"baseline_us", round.baselineUs},
            {"throttled", round.throttled}});
    }
    return rows;
}

Json paperProtocolJson(const std::optional<PaperProtocol>& protocol)
{
    if (!protocol) {
        return nullptr;
    }
    Json json{{"candidate_us", protocol->candidateUs},
        {"candidate_trial_medians_us", protocol->candidateTrialsUs},
        {"baseline", protocol->baseline.empty() ? Json(nullptr) : Json(protocol->baseline)},
        {"baseline_us", orNull(protocol->baselineUs)},
        {"baseline_trial_medians_us", protocol->baselineTrialsUs},
        {"speedup",
            protocol->baselineUs ? Json(*protocol->baselineUs / protocol->candidateUs) : Json(nullptr)},
        {"dry_runs", protocol->dryRuns}, {"calls", protocol->calls}, {"deviations", protocol->deviations}};
    return json;
}

void addTiming(Json& document, const Evaluation& e)
{
    if (!e.timing) {
        document["timing"] = nullptr;
        const auto row = std::find_if(e.evidence.begin(), e.evidence.end(),
            [](const Evidence& evidence) { return evidence.claim == "time of one call"; });
        document["timing_reason"] = row == e.evidence.end() ? std::string("not measured") : row->reason;
        return;
    }
    const auto& timing = *e.timing;
    Json baselines = Json::array();
    for (const auto& baseline : timing.baselines) {
        Json row{{"name", baseline.name}, {"unavailable", orNull(baseline.unavailable)}};
        if (!baseline.unavailable) {
            row["series"] = seriesJson(baseline.series);
            row["rounds"] = roundsJson(baseline.rounds);
            row["speedup"] = speedupJson(baseline.name, baseline.speedup);
            row["error"] = comparisonsJson(baseline.error);
        }
        baselines.push_back(std::move(row));
    }
    const auto* leading = leadingBaseline(e);
    document["timing"] = {{"candidate", seriesJson(timing.candidate)}, {"baselines", baselines},
        {"paper_protocol", paperProtocolJson(timing.paperProtocol)},
        {"speedup", leading == nullptr ? Json(nullptr) : speedupJson(leading->name, leading->speedup)},
        {"own_clock_us", orNull(timing.ownClockUs)},
        {"refused", timing.refused.empty() ? Json(nullptr) : Json(timing.refused)},
        {"roofline", {{"floor_us", orNull(timing.rooflineFloorUs)}, {"impossible", timing.impossible}}},
        {"sm_clocks_mhz", timing.smClocksMhz}, {"power_watts", timing.powerWatts},
        {"throttle", timing.throttleReasons}};
    if (!timing.paperProtocol) {
        document["timing"]["paper_protocol_reason"] =
            "not measured: by a host-contract candidate, without a baseline, or by an earlier version";
    }
}

Json evidenceJson(const std::vector<Evidence>& evidence)
{
    Json rows = Json::array();
    for (const auto& row : evidence) {
        Json entry{{"claim", row.claim}, {"state", evidenceStateName(row.state)},
            {"value", row.state == EvidenceState::NotMeasured ? Json(nullptr) : Json(row.value)},
            {"how", row.how}, {"command", row.command}, {"tool", row.tool}, {"tool_version", row.toolVersion},
            {"artefact_sha256", row.artefactSha256}, {"reason", row.reason}};
        rows.push_back(std::move(entry));
    }
    return rows;
}

Json librariesJson(const std::vector<LibraryInfo>& libraries)
{
    Json rows = Json::array();
    for (const auto& library : libraries) {
        rows.push_back(
            {{"name", library.name}, {"version", orNull(library.version)}, {"reason", library.reason}});
    }
    return rows;
}

} // namespace

std::string toJson(const Evaluation& e)
{
    Json tools = Json::array();
    for (const auto& tool : e.tools) {
        tools.push_back({{"name", toolName(tool.kind)}, {"version", tool.version}});
    }
    Json document{{"schema", "ptxwb.eval.v1"},
        {"candidate",
            {{"path", e.candidatePath}, {"sha256", e.candidateSha256}, {"language", languageName(e.language)},
                {"contract", e.contract}}},
        {"task", e.task}, {"task_notes", e.taskNotes}, {"workload", workloadJson(e)}, {"target", e.target},
        {"device", deviceJson(e.device)}};
    if (!e.device) {
        document["device_reason"] = e.onReason;
    }
    document["phases"] = phasesJson(e.phases);
    document["verdict"] = verdictName(e.verdict);
    document["explanation"] = e.explanation;
    document["diagnostics"] = diagnosticsJson(e.diagnostics);
    document["notes"] = notesJson(e.notes);
    document["kernels"] = kernelsJson(e.kernels);
    document["instructions"] = instructionsJson(e);
    document["correctness"] = correctnessJson(e);
    document["verdicts"] = {{"paper", judgementJson(e.paper)}, {"strict", judgementJson(e.strict)}};
    addTiming(document, e);
    document["on"] = e.on;
    document["on_reason"] = e.onReason;
    document["host"] = orNull(e.host);
    document["rule"] = e.rule == Rule::Strict ? "strict" : "paper";
    document["seed"] = e.seed;
    document["made"] = {{"utc", e.madeUtc}, {"ptxwb", e.productVersion}, {"tools", tools},
        {"libraries", librariesJson(e.libraries)}};
    document["schedules"] = schedulesJson(e.schedules);
    document["reports"] = reportsJson(e.reports);
    if (!e.requirements.empty()) {
        Json rows = Json::array();
        for (const auto& row : e.requirements) {
            rows.push_back({{"requirement", row.text}, {"met", row.met}, {"reason", row.reason}});
        }
        document["requirements"] = std::move(rows);
    }
    document["evidence"] = evidenceJson(e.evidence);
    // Candidates come from strangers: a byte that is not UTF-8 must not end the program.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ptxwb
