// SPDX-License-Identifier: Apache-2.0
#include "core/runner/protocol.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace ptxwb;

namespace {

EvaluateRequest sampleRequest()
{
    EvaluateRequest request;
    request.cubin = std::string("\x7f"
                                "ELF\0\xff\n",
        7);
    request.sharedObject = std::string("so\0", 3);
    request.target = "sm_90a";
    request.plan.buffers = {
        {.name = "A", .type = {.dtype = Dtype::Bfloat16, .shape = {8192, 5120}}},
        {.name = "C",
            .type = {.dtype = Dtype::Bfloat16, .shape = {8192, 7168}},
            .role = BufferRole::Output,
            .init = BufferInit::Poison},
        {.name = "tmp",
            .type = {.dtype = Dtype::Float32, .shape = {}},
            .role = BufferRole::Workspace,
            .init = BufferInit::Scalar,
            .scalar = -std::numeric_limits<double>::infinity()},
    };
    request.plan.tensorMaps = {{.name = "mapA",
        .buffer = 0,
        .dtype = Dtype::Bfloat16,
        .dims = {5120, 8192},
        .stridesBytes = {10240},
        .box = {64, 128},
        .elementStrides = {1, 1},
        .swizzle = Swizzle::B128,
        .fill = OutOfBoundsFill::Nan,
        .l2 = L2Promotion::B256,
        .offsetBytes = 128}};
    Launch launch;
    launch.kernel = "gemm";
    launch.grid = {132, 1, 1};
    launch.block = {384, 1, 1};
    launch.cluster = {2, 1, 1};
    launch.dynamicSharedBytes = 197632;
    launch.programmaticSerialization = true;
    launch.preferredCluster = {{4, 1, 1}};
    launch.arguments = {{.kind = ArgumentKind::TensorMap, .index = 0},
        {.kind = ArgumentKind::Tensor, .index = 1, .offsetBytes = 16},
        {.kind = ArgumentKind::I64, .integer = std::numeric_limits<std::int64_t>::min()},
        {.kind = ArgumentKind::F32, .real = 0.1}};
    request.plan.launches = {launch};
    request.oracle = {.name = "gemm_nt", .parameters = {{"scale", 0.5}}};
    request.axes = {{"M", 8192}, {"N", 7168}};
    request.tolerance = {.rtol = 1e-2, .atol = 1e-3, .matchedRatio = 0.999, .trials = 5};
    request.strict = {.normwiseRelError = {{"C", 0.004}, {"", 0.1}}};
    request.rule = Rule::Paper;
    request.seed = std::numeric_limits<std::uint64_t>::max();
    request.baselines = {"cublaslt"};
    request.stopping = {.minRounds = 3, .maxRounds = 9, .targetRelativeWidth = 0.02};
    request.flops = 6.0e11;
    request.device = 1;
    request.phaseTimeoutMs = 1234;
    return request;
}

Finished sampleFinished()
{
    Finished finished;
    finished.verdict = Verdict::NotFinite;
    finished.explanation = "é and a broken byte";
    finished.paper = {.verdict = Verdict::Correct, .explanation = "ok"};
    finished.device.name = "NVIDIA H200";
    finished.device.smClockMhz = 1980;
    finished.device.throttleReasons = {"sw_power_cap"};
    finished.libraries = {{.name = "cudnn", .version = {}, .path = {}, .reason = "not found"},
        {.name = "cublaslt", .version = "13.0.2", .path = "/lib/x", .reason = {}}};
    OutputComparison output;
    output.output = "C";
    output.elements = 1ULL << 40;
    output.maxAbsError = std::numeric_limits<double>::infinity();
    output.maxRelError = std::numeric_limits<double>::quiet_NaN();
    output.firstMismatch = 17;
    output.firstMismatchGot = -std::numeric_limits<double>::infinity();
    finished.trials = {{.seed = 99, .outputs = {output}, .modifiedInputs = {"A"}, .damagedGuards = {"B"}}};
    Timing timing;
    timing.candidate = {.name = "candidate", .coldUs = {1.5, 2.5}, .warmUs = {1.25}};
    BaselineTiming baseline;
    baseline.name = "cublaslt";
    baseline.rounds = {{.candidateUs = 10, .baselineUs = 11, .throttled = true}};
    baseline.speedup = SpeedupEstimate{.ratio = 1.1,
        .ci95 = {1.0, 1.2},
        .pairedRounds = 12,
        .candidateMedianUs = 10,
        .baselineMedianUs = 11};
    baseline.series.card = {{"library", "cuBLASLt"}};
    baseline.error = {output};
    BaselineTiming missing;
    missing.name = "cudnn";
    missing.unavailable = "not here";
    timing.baselines = {baseline, missing};
    timing.rooflineFloorUs = 561.9;
    timing.smClocksMhz = {1980, 1755};
    timing.powerWatts = {690.5, 700.25};
    finished.timing = timing;
    finished.timedOutputsChecked = true;
    return finished;
}

} // namespace

class TestProtocol : public QObject {
    Q_OBJECT

private slots:
    void requestSurvivesTheWire();
    void everyEventSurvivesTheWire();
    void numbersThatAreNotFiniteSurvive();
    void brokenUtf8DoesNotEndTheConversation();
    void unknownFieldsAreIgnored();
    void badLinesAreNamed_data();
    void badLinesAreNamed();
    void truncatedLinesAreErrors();
    void planIndicesAreChecked();
};

void TestProtocol::requestSurvivesTheWire()
{
    const EvaluateRequest request = sampleRequest();
    const std::string line = encode(RunnerRequest(request));
    QVERIFY(line.find('\n') == std::string::npos);
    const auto decoded = decodeRequest(line);
    QVERIFY2(decoded, decoded ? "" : decoded.error().message.c_str());
    const auto& back = std::get<EvaluateRequest>(*decoded);
    // Encoding is a function of the value, so equal text means equal values.
    QCOMPARE(encode(RunnerRequest(back)), line);
    QCOMPARE(back.cubin, request.cubin);
    QCOMPARE(back.sharedObject, request.sharedObject);
    QCOMPARE(back.seed, request.seed);
    QCOMPARE(back.plan.launches[0].arguments[2].integer, std::numeric_limits<std::int64_t>::min());
    QCOMPARE(back.plan.launches[0].preferredCluster.value()[0], 4U);
    QVERIFY(std::isinf(back.plan.buffers[2].scalar));
    QVERIFY(back.plan.tensorMaps[0].swizzle == Swizzle::B128);
    QVERIFY(back.rule == Rule::Paper);
    QVERIFY(std::holds_alternative<ProbeRequest>(*decodeRequest(encode(RunnerRequest(ProbeRequest{})))));
    QVERIFY(std::holds_alternative<CancelRequest>(*decodeRequest(encode(RunnerRequest(CancelRequest{})))));
}

void TestProtocol::everyEventSurvivesTheWire()
{
    const std::vector<RunnerEvent> events{Hello{.version = 1, .build = "0.1.0", .cudaRuntime = "13.0"},
        ProgressEvent{
            .phase = "verify", .fraction = 0.25, .message = "trial 1 of 3", .candidateRunning = true},
        PhaseEvent{.phase = "measure", .state = PhaseState::Skipped, .ms = 1.5, .reason = "not correct"},
        sampleFinished(),
        Failed{{.code = ErrorCode::Unavailable, .message = "no driver", .hint = "install it", .line = 3}},
        Cancelled{},
        ProbeResult{
            .devices = {sampleFinished().device}, .libraries = sampleFinished().libraries, .problem = "p"}};
    for (const RunnerEvent& event : events) {
        const std::string line = encode(event);
        const auto decoded = decodeEvent(line);
        QVERIFY2(decoded, decoded ? "" : decoded.error().message.c_str());
        QCOMPARE(decoded->index(), event.index());
        QCOMPARE(encode(*decoded), line);
        QCOMPARE(isTerminal(event), event.index() >= 3);
    }
    const auto failed = decodeEvent(encode(events[4]));
    QVERIFY(std::get<Failed>(*failed).error.code == ErrorCode::Unavailable);
    QCOMPARE(std::get<Failed>(*failed).error.line.value(), 3);
}

void TestProtocol::numbersThatAreNotFiniteSurvive()
{
    const std::string line = encode(RunnerEvent(sampleFinished()));
    QVERIFY(line.find("\"NaN\"") != std::string::npos);
    QVERIFY(line.find("\"-Inf\"") != std::string::npos);
    const auto decoded = decodeEvent(line);
    QVERIFY(decoded);
    const auto& output = std::get<Finished>(*decoded).trials[0].outputs[0];
    QVERIFY(std::isinf(output.maxAbsError) && output.maxAbsError > 0);
    QVERIFY(std::isnan(output.maxRelError));
    QVERIFY(std::isinf(output.firstMismatchGot) && output.firstMismatchGot < 0);
}

void TestProtocol::brokenUtf8DoesNotEndTheConversation()
{
    const auto decoded =
        decodeEvent(encode(RunnerEvent(ProgressEvent{.phase = "verify", .message = "a\xff b"})));
    QVERIFY(decoded);
    QCOMPARE(std::get<ProgressEvent>(*decoded).message, std::string("a\xef\xbf\xbd b"));
}

void TestProtocol::unknownFieldsAreIgnored()
{
    const auto decoded = decodeEvent(
        R"({"event":"phase","phase":"verify","state":"passed","ms":1,"reason":"","later":{"x":[1,2]}})");
    QVERIFY(decoded);
    QVERIFY(std::get<PhaseEvent>(*decoded).state == PhaseState::Passed);
}

void TestProtocol::badLinesAreNamed_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("place");
    QTest::newRow("empty") << std::string() << std::string("$");
    QTest::newRow("not JSON") << std::string("Segmentation fault") << std::string("$");
    QTest::newRow("array") << std::string("[1]") << std::string("$");
    QTest::newRow("no kind") << std::string("{}") << std::string("$.event");
    QTest::newRow("unknown kind") << std::string(R"({"event":"dance"})") << std::string("$.event");
    QTest::newRow("kind is a number") << std::string(R"({"event":3})") << std::string("$.event");
    QTest::newRow("other protocol") << std::string(R"({"event":"hello","protocol":"http","version":1})")
                                    << std::string("$.protocol");
    QTest::newRow("version is text") << std::string(
        R"({"event":"hello","protocol":"ptxwb-runner","version":"1","build":"","cuda_runtime":""})")
                                     << std::string("$.version");
    QTest::newRow("version too large") << std::string(
        R"({"event":"hello","protocol":"ptxwb-runner","version":9999999999,"build":"","cuda_runtime":""})")
                                       << std::string("$.version");
    QTest::newRow("unknown state") << std::string(
        R"({"event":"phase","phase":"verify","state":"great","ms":1,"reason":""})")
                                   << std::string("$.state");
    QTest::newRow("missing field") << std::string(
        R"({"event":"phase","phase":"verify","state":"passed","ms":1})")
                                   << std::string("$.reason");
    QTest::newRow("number as text, not a special one")
        << std::string(R"({"event":"phase","phase":"verify","state":"passed","ms":"fast","reason":""})")
        << std::string("$.ms");
    QTest::newRow("deep") << std::string(R"({"event":"finished","verdict":"correct","explanation":"",)"
                                         R"("paper":{"verdict":"splendid","explanation":""}})")
                          << std::string("$.paper.verdict");
    QTest::newRow("nested a million deep") << std::string(1'000'000, '[') << std::string("$");
}

void TestProtocol::badLinesAreNamed()
{
    QFETCH(std::string, text);
    QFETCH(std::string, place);
    const auto decoded = decodeEvent(text);
    QVERIFY(!decoded);
    QVERIFY(decoded.error().code == ErrorCode::Protocol);
    QCOMPARE(decoded.error().jsonPath, place);
    QVERIFY(decoded.error().message.size() < 1000);
}

void TestProtocol::truncatedLinesAreErrors()
{
    const std::string event = encode(RunnerEvent(sampleFinished()));
    for (std::size_t size = 0; size < event.size(); size += 7) {
        QVERIFY(!decodeEvent(std::string_view(event).substr(0, size)));
    }
    const std::string request = encode(RunnerRequest(sampleRequest()));
    for (std::size_t size = 0; size < request.size(); size += 7) {
        QVERIFY(!decodeRequest(std::string_view(request).substr(0, size)));
    }
}

void TestProtocol::planIndicesAreChecked()
{
    EvaluateRequest request = sampleRequest();
    request.plan.launches[0].arguments[1].index = 7;
    auto decoded = decodeRequest(encode(RunnerRequest(request)));
    QVERIFY(!decoded);
    QVERIFY(decoded.error().message.find("buffer 7") != std::string::npos);

    request = sampleRequest();
    request.plan.tensorMaps[0].buffer = -1;
    decoded = decodeRequest(encode(RunnerRequest(request)));
    QVERIFY(!decoded);
    QVERIFY(decoded.error().message.find("mapA") != std::string::npos);

    request = sampleRequest();
    std::string line = encode(RunnerRequest(request));
    const auto at = line.find("\"cubin\":\"");
    line.replace(at + 9, 1, "*");
    decoded = decodeRequest(line);
    QVERIFY(!decoded);
    QCOMPARE(decoded.error().jsonPath, std::string("$.cubin"));
}

QTEST_APPLESS_MAIN(TestProtocol)
#include "tst_protocol.moc"
