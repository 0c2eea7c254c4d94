// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluation.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace ptxwb;

namespace {

// Every optional part filled, so that a field lost on the way shows.
Evaluation wholeEvaluation()
{
    Evaluation e;
    e.candidatePath = "tasks/gemm/x.ptx";
    e.candidateSha256 = std::string(64, 'a');
    e.task = "gemm";
    e.taskNotes = {"a note"};
    e.workload = {.uuid = "94920358", .axes = {{"M", 8192}}, .tags = {"paper"}};
    e.axes = {{"M", 8192}, {"N", 7168}};
    e.target = "sm_90a";
    e.on = "gpu";
    e.onReason = "NVIDIA H200";
    e.host = "node7";
    e.device = DeviceInfo{.name = "NVIDIA H200",
        .computeCapability = "9.0",
        .target = "sm_90a",
        .driver = "580.1",
        .memoryBytes = 150'000'000'000ULL,
        .multiprocessors = 132,
        .l2Bytes = 62'914'560,
        .smClockMhz = 1980,
        .maxSmClockMhz = 1980,
        .throttleReasons = {"sw_power_cap"}};
    for (const auto phase : allPhases()) {
        e.phases.push_back({.phase = phase, .state = PhaseState::Passed, .ms = 1.5, .reason = "r"});
    }
    e.verdict = Verdict::Correct;
    e.explanation = "all trials agree";
    e.paper = Judgement{.verdict = Verdict::Correct, .explanation = "p"};
    e.strict = Judgement{.verdict = Verdict::IncorrectNumerical, .explanation = "s"};
    e.rule = Rule::Paper;
    e.diagnostics.push_back({.severity = Severity::Warning,
        .code = "C1",
        .message = "m",
        .file = "f",
        .line = 3,
        .column = 4,
        .endColumn = 5,
        .rootCause = false,
        .group = 2,
        .explanation = "why",
        .tool = "ptxas"});
    e.notes.push_back({.code = "C7510",
        .line = 9,
        .lineBy = "tool",
        .kernel = "k",
        .message = "m",
        .meaning = "x",
        .usualCause = "y",
        .lookFor = "z"});
    e.kernels.push_back({.name = "k",
        .registers = 168,
        .spillStoreBytes = 0,
        .spillLoadBytes = 4,
        .sharedBytes = 1024,
        .stackBytes = 0,
        .barriers = 3});
    e.families = {{SassFamily::Gmma, 4}, {SassFamily::Tma, 2}};
    e.paperAccount = {.gmma = 4, .tma = 2, .tcgen = 0};
    e.goals.push_back({.goal = {.name = "wgmma", .target = "sm_90a", .sassFamily = "wgmma"},
        .inCode = 4,
        .executed = 100,
        .contributes = true});
    e.goals.push_back({.goal = {.name = "tma", .target = "sm_90a", .sassFamily = "tma"},
        .inCode = 2,
        .reason = "no counters"});
    OutputComparison output{.output = "C",
        .elements = 10,
        .mismatched = 1,
        .maxAbsError = 0.5,
        .maxRelError = 0.25,
        .normwiseRelError = std::numeric_limits<double>::infinity(),
        .nanCount = 1,
        .infCount = 2,
        .poisonCount = 3,
        .allZero = true,
        .firstMismatch = 7,
        .firstMismatchGot = std::numeric_limits<double>::quiet_NaN(),
        .firstMismatchExpected = 2};
    e.trials.push_back({.seed = 42, .outputs = {output}, .modifiedInputs = {"A"}, .damagedGuards = {"C"}});
    Timing timing;
    timing.candidate = {.name = "candidate", .coldUs = {1, 2, 3}, .warmUs = {1}, .card = {}};
    timing.baselines.push_back({.name = "cublaslt",
        .rounds = {{.candidateUs = 1, .baselineUs = 2, .throttled = true}},
        .speedup = SpeedupEstimate{.ratio = 1.25,
            .ci95 = {1.2, 1.3},
            .pairedRounds = 12,
            .candidateMedianUs = 2,
            .baselineMedianUs = 2.5},
        .series = {.name = "cublaslt", .coldUs = {2}, .warmUs = {}, .card = {{"version", "13.0"}}},
        .error = {output}});
    timing.baselines.push_back({.name = "cudnn", .unavailable = "not here"});
    timing.rooflineFloorUs = 0.5;
    timing.smClocksMhz = {1980};
    timing.powerWatts = {500.5};
    timing.throttleReasons = {"x"};
    e.timing = timing;
    e.libraries = {{.name = "cublaslt", .version = "13.0", .path = "", .reason = ""},
        {.name = "cudnn", .version = std::nullopt, .path = "", .reason = "absent"}};
    e.tools = {{.kind = ToolKind::Ptxas, .path = {}, .version = "13.0.88"}};
    e.evidence.push_back({.claim = "c",
        .state = EvidenceState::Measured,
        .value = "v",
        .how = "h",
        .command = "cmd",
        .tool = "t",
        .toolVersion = "1",
        .artefactSha256 = "s",
        .reason = "r"});
    e.evidence.push_back({.claim = "d", .state = EvidenceState::NotMeasured, .reason = "no GPU"});
    e.seed = 77;
    e.madeUtc = "2026-12-01T10:00:00Z";
    e.productVersion = "0.1.0";
    return e;
}

} // namespace

class TestEvaluationJson : public QObject {
    Q_OBJECT

private slots:
    // The writer is deterministic, so writing what was read must give the same bytes: nothing was lost or
    // changed.
    void readingWhatWasWrittenGivesTheSameDocument()
    {
        const auto text = toJson(wholeEvaluation());
        const auto read = evaluationFromJson(text);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(QString::fromStdString(toJson(*read)), QString::fromStdString(text));
        QCOMPARE(read->goals.at(0).executed.value(), 100);
        QVERIFY(!read->goals.at(1).executed.has_value());
        QVERIFY(std::isnan(read->trials.at(0).outputs.at(0).firstMismatchGot));
        QCOMPARE(leadingBaseline(*read)->speedup->ratio, 1.25);
    }

    void whatWasNotMeasuredIsNullWithAReason()
    {
        Evaluation e = wholeEvaluation();
        e.timing.reset();
        e.device.reset();
        e.trials.clear();
        e.onReason = "no GPU here";
        e.evidence = {
            {.claim = "time of one call", .state = EvidenceState::NotMeasured, .reason = "no GPU here"}};
        const auto text = toJson(e);
        QVERIFY(text.find("\"timing\": null") != std::string::npos);
        QVERIFY(text.find("\"timing_reason\": \"no GPU here\"") != std::string::npos);
        QVERIFY(text.find("\"device\": null") != std::string::npos);
        QVERIFY(text.find("\"device_reason\": \"no GPU here\"") != std::string::npos);
        QVERIFY(text.find("\"value\": null") != std::string::npos);
        QVERIFY(evaluationFromJson(text).has_value());
    }

    void aSpeedupIsGivenForCorrectCandidatesOnly()
    {
        Evaluation e = wholeEvaluation();
        e.verdict = Verdict::IncorrectNumerical;
        QVERIFY(leadingBaseline(e) == nullptr);
        e.verdict = Verdict::Correct;
        e.timing->impossible = true;
        QVERIFY(leadingBaseline(e) == nullptr);
    }

    void bytesThatAreNoUtf8DoNotEndTheProgram()
    {
        Evaluation e = wholeEvaluation();
        e.candidatePath = "bad\xff\xfename.ptx";
        QVERIFY(evaluationFromJson(toJson(e)).has_value());
    }

    void truncatedDocumentsAreErrors()
    {
        const auto text = toJson(wholeEvaluation());
        for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
            const auto read = evaluationFromJson(std::string_view(text).substr(0, length));
            QVERIFY(!read.has_value());
            QCOMPARE(read.error().code, ErrorCode::BadFormat);
        }
        QVERIFY(!evaluationFromJson("{\"schema\": \"other\"}").has_value());
        QVERIFY(!evaluationFromJson("[]").has_value());
    }
};

QTEST_APPLESS_MAIN(TestEvaluationJson)
#include "tst_evaluation_json.moc"
