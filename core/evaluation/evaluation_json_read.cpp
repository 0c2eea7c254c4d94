// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluation.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace ptxwb {

namespace {

using Json = nlohmann::json;

double number(const Json& value)
{
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        if (text == "NaN") {
            return std::numeric_limits<double>::quiet_NaN();
        }
        if (text == "Inf" || text == "-Inf") {
            const double infinity = std::numeric_limits<double>::infinity();
            return text == "Inf" ? infinity : -infinity;
        }
    }
    return value.get<double>();
}

template <class T> std::optional<T> optional(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) {
        return std::nullopt;
    }
    return found->get<T>();
}

template <class T> T valueOr(const Json& object, const char* key, T fallback)
{
    return optional<T>(object, key).value_or(std::move(fallback));
}

template <class E, class Names> E enumByName(const std::vector<E>& all, Names name, const std::string& text)
{
    for (const auto entry : all) {
        if (name(entry) == text) {
            return entry;
        }
    }
    throw std::invalid_argument("unknown word '" + text + "'");
}

DeviceInfo readDevice(const Json& j)
{
    DeviceInfo device;
    device.name = j.at("name").get<std::string>();
    device.computeCapability = valueOr<std::string>(j, "cc", "");
    device.target = valueOr<std::string>(j, "target", "");
    device.driver = valueOr<std::string>(j, "driver", "");
    device.memoryBytes = valueOr<std::uint64_t>(j, "memory_bytes", 0);
    device.l2Bytes = valueOr<std::uint64_t>(j, "l2_bytes", 0);
    device.multiprocessors = valueOr(j, "multiprocessors", 0);
    device.smClockMhz = optional<int>(j, "sm_clock_mhz");
    device.maxSmClockMhz = optional<int>(j, "max_sm_clock_mhz");
    device.throttleReasons = valueOr<std::vector<std::string>>(j, "throttle", {});
    return device;
}

PhaseRecord readPhase(const Json& j)
{
    static const std::vector<PhaseState> states{
        PhaseState::Passed, PhaseState::Failed, PhaseState::Skipped, PhaseState::Cancelled};
    return {.phase = enumByName(allPhases(), phaseName, j.at("phase").get<std::string>()),
        .state = enumByName(states, phaseStateName, j.at("state").get<std::string>()),
        .ms = valueOr(j, "ms", 0.0),
        .reason = valueOr<std::string>(j, "reason", "")};
}

OutputComparison readComparison(const Json& j)
{
    OutputComparison c;
    c.output = j.at("output").get<std::string>();
    c.elements = valueOr<std::uint64_t>(j, "elements", 0);
    c.mismatched = valueOr<std::uint64_t>(j, "mismatched", 0);
    c.maxAbsError = number(j.at("max_abs_error"));
    c.maxRelError = number(j.at("max_rel_error"));
    c.normwiseRelError = number(j.at("normwise_rel_error"));
    c.nanCount = valueOr<std::uint64_t>(j, "nan_count", 0);
    c.infCount = valueOr<std::uint64_t>(j, "inf_count", 0);
    c.poisonCount = valueOr<std::uint64_t>(j, "poison_count", 0);
    c.allZero = valueOr(j, "all_zero", false);
    if (const auto first = j.find("first_mismatch"); first != j.end() && !first->is_null()) {
        c.firstMismatch = first->at("index").get<std::uint64_t>();
        c.firstMismatchGot = number(first->at("got"));
        c.firstMismatchExpected = number(first->at("expected"));
    }
    return c;
}

std::vector<OutputComparison> readComparisons(const Json& rows)
{
    std::vector<OutputComparison> result;
    for (const auto& row : rows) {
        result.push_back(readComparison(row));
    }
    return result;
}

TrialFacts readTrial(const Json& j)
{
    return {.seed = valueOr<std::uint64_t>(j, "seed", 0),
        .outputs = readComparisons(j.at("outputs")),
        .modifiedInputs = valueOr<std::vector<std::string>>(j, "modified_inputs", {}),
        .damagedGuards = valueOr<std::vector<std::string>>(j, "damaged_guards", {})};
}

std::optional<Judgement> readJudgement(const Json& verdicts, const char* key)
{
    const auto found = verdicts.find(key);
    if (found == verdicts.end() || found->is_null()) {
        return std::nullopt;
    }
    const auto verdict = verdictByName(found->at("verdict").get<std::string>());
    if (!verdict) {
        throw std::invalid_argument("unknown verdict");
    }
    return Judgement{.verdict = *verdict, .explanation = valueOr<std::string>(*found, "explanation", "")};
}

TimingSeries readSeries(const Json& j)
{
    return {.name = j.at("name").get<std::string>(),
        .coldUs = valueOr<std::vector<double>>(j, "cold_us", {}),
        .warmUs = valueOr<std::vector<double>>(j, "warm_us", {}),
        .card = valueOr<std::map<std::string, std::string>>(j, "card", {})};
}

std::optional<SpeedupEstimate> readSpeedup(const Json& owner)
{
    const auto found = owner.find("speedup");
    if (found == owner.end() || found->is_null()) {
        return std::nullopt;
    }
    return SpeedupEstimate{.ratio = found->at("ratio").get<double>(),
        .ci95 = found->at("ci95").get<std::array<double, 2>>(),
        .pairedRounds = found->at("paired_rounds").get<int>(),
        .candidateMedianUs = valueOr(*found, "candidate_median_us", 0.0),
        .baselineMedianUs = valueOr(*found, "baseline_median_us", 0.0)};
}

std::optional<PaperProtocol> readPaperProtocol(const Json& j)
{
    const auto found = j.find("paper_protocol");
    if (found == j.end() || !found->is_object()) {
        return std::nullopt;
    }
    return PaperProtocol{.candidateUs = found->at("candidate_us").get<double>(),
        .candidateTrialsUs = valueOr<std::vector<double>>(*found, "candidate_trial_medians_us", {}),
        .baseline = optional<std::string>(*found, "baseline").value_or(""),
        .baselineUs = optional<double>(*found, "baseline_us"),
        .baselineTrialsUs = valueOr<std::vector<double>>(*found, "baseline_trial_medians_us", {}),
        .dryRuns = valueOr(*found, "dry_runs", 0),
        .calls = valueOr(*found, "calls", 0),
        .deviations = valueOr<std::vector<std::string>>(*found, "deviations", {})};
}

Timing readTiming(const Json& j)
{
    Timing timing;
    timing.candidate = readSeries(j.at("candidate"));
    for (const auto& row : j.at("baselines")) {
        BaselineTiming baseline{.name = row.at("name").get<std::string>(),
            .unavailable = optional<std::string>(row, "unavailable")};
        if (!baseline.unavailable) {
            baseline.series = readSeries(row.at("series"));
            baseline.speedup = readSpeedup(row);
            baseline.error = readComparisons(row.value("error", Json::array()));
            for (const auto& round : row.value("rounds", Json::array())) {
                baseline.rounds.push_back({.candidateUs = round.at("candidate_us").get<double>(),
                    .baselineUs = round.at("baseline_us").get<double>(),
                    .throttled = valueOr(round, "throttled", false)});
            }
        }
        timing.baselines.push_back(std::move(baseline));
    }
    if (const auto roofline = j.find("roofline"); roofline != j.end() && roofline->is_object()) {
        timing.rooflineFloorUs = optional<double>(*roofline, "floor_us");
        timing.impossible = valueOr(*roofline, "impossible", false);
    }
    timing.paperProtocol = readPaperProtocol(j);
    timing.ownClockUs = optional<double>(j, "own_clock_us");
    timing.refused = optional<std::string>(j, "refused").value_or("");
    timing.smClocksMhz = valueOr<std::vector<int>>(j, "sm_clocks_mhz", {});
    timing.powerWatts = valueOr<std::vector<double>>(j, "power_watts", {});
    timing.throttleReasons = valueOr<std::vector<std::string>>(j, "throttle", {});
    return timing;
}

Diagnostic readDiagnostic(const Json& j)
{
    static const std::vector<Severity> severities{
        Severity::Fatal, Severity::Error, Severity::Warning, Severity::Info};
    Diagnostic d;
    d.severity = enumByName(severities, severityName, j.at("severity").get<std::string>());
    d.code = optional<std::string>(j, "code");
    d.message = j.at("message").get<std::string>();
    d.file = valueOr<std::string>(j, "file", "");
    d.line = optional<int>(j, "line");
    d.column = optional<int>(j, "column");
    d.endColumn = optional<int>(j, "end_column");
    d.rootCause = valueOr(j, "root_cause", true);
    d.group = valueOr(j, "group", 0);
    d.explanation = optional<std::string>(j, "explanation");
    d.tool = valueOr<std::string>(j, "tool", "");
    return d;
}

PerformanceNote readNote(const Json& j)
{
    return {.code = j.at("code").get<std::string>(),
        .line = optional<int>(j, "line"),
        .lineBy = valueOr<std::string>(j, "line_by", ""),
        .kernel = valueOr<std::string>(j, "kernel", ""),
        .registers = optional<int>(j, "registers"),
        .message = valueOr<std::string>(j, "message", ""),
        .meaning = valueOr<std::string>(j, "meaning", ""),
        .usualCause = valueOr<std::string>(j, "usual_cause", ""),
        .lookFor = valueOr<std::string>(j, "look_for", "")};
}

KernelResources readKernel(const Json& j)
{
    return {.name = j.at("name").get<std::string>(),
        .registers = optional<int>(j, "registers"),
        .spillStoreBytes = optional<int>(j, "spill_store_bytes"),
        .spillLoadBytes = optional<int>(j, "spill_load_bytes"),
        .sharedBytes = optional<int>(j, "shared_bytes"),
        .stackBytes = optional<int>(j, "stack_bytes"),
        .barriers = optional<int>(j, "barriers")};
}

void readInstructions(Evaluation& e, const Json& j)
{
    for (const auto& [name, counts] : j.at("families").items()) {
        if (const auto family = sassFamilyByName(name)) {
            e.families[*family] = counts.at("sites").get<int>();
        }
    }
    for (const auto& row : valueOr<Json>(j, "metrics", Json::array())) {
        e.metrics.push_back({.kernel = row.at("kernel").get<std::string>(),
            .group = row.at("group").get<std::string>(),
            .title = row.at("title").get<std::string>(),
            .name = row.at("name").get<std::string>(),
            .value = optional<double>(row, "value"),
            .unit = row.at("unit").get<std::string>(),
            .reason = valueOr<std::string>(row, "value_reason", "")});
    }
    for (const auto& row : j.at("goals")) {
        e.goals.push_back({.goal = {.name = row.at("goal").get<std::string>(),
                               .target = valueOr<std::string>(row, "target", ""),
                               .sassFamily = valueOr<std::string>(row, "family", "")},
            .inCode = row.at("in_code").get<int>(),
            .executed = optional<std::int64_t>(row, "executed"),
            .executedBy = valueOr<std::string>(row, "executed_by", ""),
            .contributes = optional<bool>(row, "contributes"),
            .reason = valueOr<std::string>(row, "executed_reason", "")});
    }
    if (const auto account = j.find("paper_account"); account != j.end()) {
        e.paperAccount = {.gmma = valueOr(*account, "GMMA", 0),
            .tma = valueOr(*account, "TMA", 0),
            .tcgen = valueOr(*account, "TCGEN", 0)};
    }
}

Evidence readEvidence(const Json& j)
{
    static const std::vector<EvidenceState> states{
        EvidenceState::Measured, EvidenceState::Inferred, EvidenceState::NotMeasured};
    return {.claim = j.at("claim").get<std::string>(),
        .state = enumByName(states, evidenceStateName, j.at("state").get<std::string>()),
        .value = valueOr<std::string>(j, "value", ""),
        .how = valueOr<std::string>(j, "how", ""),
        .command = valueOr<std::string>(j, "command", ""),
        .tool = valueOr<std::string>(j, "tool", ""),
        .toolVersion = valueOr<std::string>(j, "tool_version", ""),
        .artefactSha256 = valueOr<std::string>(j, "artefact_sha256", ""),
        .reason = valueOr<std::string>(j, "reason", "")};
}

Language readLanguage(const std::string& name)
{
    return enumByName(std::vector{Language::Ptx, Language::Cuda, Language::Cubin}, languageName, name);
}

emulator::Report readReport(const Json& j)
{
    emulator::Report report;
    const auto rule = emulator::ruleByName(j.at("rule").get<std::string>());
    if (!rule) {
        throw std::invalid_argument("unknown rule");
    }
    report.rule = *rule;
    report.severity =
        j.at("severity") == "error" ? emulator::ReportSeverity::Error : emulator::ReportSeverity::Warning;
    report.message = j.at("message").get<std::string>();
    for (const auto& line : j.at("lines")) {
        report.lines.push_back(
            {.file = line.at("file").get<std::string>(), .line = line.at("line").get<int>()});
    }
    report.bySanitizer = valueOr<std::string>(j, "by", "emulator") == "sanitizer";
    report.kernel = valueOr<std::string>(j, "kernel", "");
    report.warp = valueOr<std::string>(j, "warp", "");
    report.agent = valueOr<std::string>(j, "agent", "");
    if (const auto address = j.find("address"); address != j.end() && !address->is_null()) {
        report.address = emulator::ReportAddress{.space = address->at("space").get<std::string>(),
            .symbol = valueOr<std::string>(*address, "symbol", ""),
            .offset = valueOr<std::uint64_t>(*address, "offset", 0)};
    }
    report.policy = valueOr<std::string>(j, "policy", "");
    report.seed = valueOr<std::uint64_t>(j, "seed", 0);
    report.step = valueOr<std::uint64_t>(j, "step", 0);
    report.fix = valueOr<std::string>(j, "fix", "");
    report.occurrences = valueOr<std::uint64_t>(j, "occurrences", 1);
    report.atLeast = valueOr(j, "occurrences_at_least", false);
    return report;
}

template <class T, class Read> std::vector<T> readAll(const Json& owner, const char* key, Read read)
{
    std::vector<T> rows;
    if (const auto found = owner.find(key); found != owner.end() && found->is_array()) {
        for (const auto& row : *found) {
            rows.push_back(read(row));
        }
    }
    return rows;
}

Evaluation readEvaluation(const Json& j)
{
    Evaluation e;
    const auto& candidate = j.at("candidate");
    e.candidatePath = candidate.at("path").get<std::string>();
    e.candidateSha256 = candidate.at("sha256").get<std::string>();
    e.language = readLanguage(candidate.at("language").get<std::string>());
    e.contract = valueOr<std::string>(candidate, "contract", "kernel");
    e.task = j.at("task").get<std::string>();
    e.taskNotes = valueOr<std::vector<std::string>>(j, "task_notes", {});
    const auto& workload = j.at("workload");
    e.workload.uuid = workload.at("uuid").get<std::string>();
    e.axes = workload.at("axes").get<std::map<std::string, std::int64_t>>();
    e.workload.axes = e.axes;
    e.workload.tags = valueOr<std::vector<std::string>>(workload, "tags", {});
    e.target = j.at("target").get<std::string>();
    if (!j.at("device").is_null()) {
        e.device = readDevice(j.at("device"));
    }
    e.phases = readAll<PhaseRecord>(j, "phases", readPhase);
    const auto verdict = verdictByName(j.at("verdict").get<std::string>());
    if (!verdict) {
        throw std::invalid_argument("unknown verdict");
    }
    e.verdict = *verdict;
    e.explanation = valueOr<std::string>(j, "explanation", "");
    e.diagnostics = readAll<Diagnostic>(j, "diagnostics", readDiagnostic);
    e.notes = readAll<PerformanceNote>(j, "notes", readNote);
    e.kernels = readAll<KernelResources>(j, "kernels", readKernel);
    readInstructions(e, j.at("instructions"));
    if (!j.at("correctness").is_null()) {
        e.trials = readAll<TrialFacts>(j.at("correctness"), "trials", readTrial);
        e.numericProfile = valueOr<std::string>(j.at("correctness"), "profile", "");
    }
    e.paper = readJudgement(j.at("verdicts"), "paper");
    e.strict = readJudgement(j.at("verdicts"), "strict");
    if (!j.at("timing").is_null()) {
        e.timing = readTiming(j.at("timing"));
    }
    e.reports = readAll<emulator::Report>(j, "reports", readReport);
    if (const auto schedules = j.find("schedules"); schedules != j.end() && !schedules->is_null()) {
        e.schedules =
            emulator::Schedules{.policies = schedules->at("policies").get<std::vector<std::string>>(),
                .seeds = valueOr(*schedules, "seeds", 0),
                .runs = valueOr(*schedules, "runs", 0),
                .found = valueOr(*schedules, "found", 0),
                .completed = valueOr(*schedules, "completed", valueOr(*schedules, "runs", 0))};
    }
    e.on = j.at("on").get<std::string>();
    e.onReason = valueOr<std::string>(j, "on_reason", "");
    e.host = optional<std::string>(j, "host");
    e.rule = valueOr<std::string>(j, "rule", "strict") == "paper" ? Rule::Paper : Rule::Strict;
    e.seed = valueOr<std::uint64_t>(j, "seed", 0);
    const auto& made = j.at("made");
    e.madeUtc = made.at("utc").get<std::string>();
    e.productVersion = valueOr<std::string>(made, "ptxwb", "");
    e.tools = readAll<Tool>(made, "tools", [](const Json& row) {
        static const std::vector<ToolKind> kinds{
            ToolKind::Ptxas, ToolKind::Nvcc, ToolKind::Nvdisasm, ToolKind::Cuobjdump};
        return Tool{.kind = enumByName(kinds, toolName, row.at("name").get<std::string>()),
            .version = valueOr<std::string>(row, "version", "")};
    });
    e.libraries = readAll<LibraryInfo>(made, "libraries", [](const Json& row) {
        return LibraryInfo{.name = row.at("name").get<std::string>(),
            .version = optional<std::string>(row, "version"),
            .reason = valueOr<std::string>(row, "reason", "")};
    });
    e.evidence = readAll<Evidence>(j, "evidence", readEvidence);
    return e;
}

} // namespace

Result<Evaluation> evaluationFromJson(std::string_view text)
{
    try {
        const auto document = Json::parse(text);
        if (!document.is_object() || document.value("schema", "") != "ptxwb.eval.v1") {
            return Error{.code = ErrorCode::BadFormat,
                .message = "this is no ptxwb.eval.v1 document",
                .hint = "make one with `ptxwb eval FILE --task T --json`"};
        }
        return readEvaluation(document);
    } catch (const std::exception& failure) {
        return Error{.code = ErrorCode::BadFormat, .message = failure.what()};
    }
}

} // namespace ptxwb
