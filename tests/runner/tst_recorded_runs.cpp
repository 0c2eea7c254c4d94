// SPDX-License-Identifier: Apache-2.0
// Conversations that ptxwb-runner had on an NVIDIA H200 (`ptxwb-runner --record`), played across the process
// boundary.
#include "core/runner/runner_client.h"

#include <QTest>

using namespace ptxwb;
using namespace std::chrono_literals;

namespace {

RunnerEndpoint replay(const char* log, const char* speed)
{
    return {.command = {PTXWB_BIN_DIR "/ptxwb-replay",
                std::string(PTXWB_TEST_DATA "/runner/") + log + ".jsonl", "--speed", speed},
        .title = "recorded on NVIDIA H200"};
}

struct Run {
    Result<Finished> result;
    std::vector<RunnerEvent> events;

    int phases(PhaseState state) const
    {
        int count = 0;
        for (const RunnerEvent& event : events) {
            const auto* phase = std::get_if<PhaseEvent>(&event);
            count += phase != nullptr && phase->state == state ? 1 : 0;
        }
        return count;
    }
};

Run play(const char* log, const char* speed = "0")
{
    Run run{.result = Error{}, .events = {}};
    run.result =
        runOnRunner(replay(log, speed), {}, [&](const RunnerEvent& event) { run.events.push_back(event); });
    return run;
}

} // namespace

class TestRecordedRuns : public QObject {
    Q_OBJECT

private slots:
    void correctWithAnInterval();
    void incorrectNumerical();
    void correctBesideCudnn();
    void ownPlan();
    void twoVersions();
    void fault();
    void hang();
    void cancelInTheMiddle();
};

void TestRecordedRuns::correctWithAnInterval()
{
    const Run run = play("gemm-wgmma_tma-paper-correct", "20");
    QVERIFY2(run.result, run.result ? "" : run.result.error().message.c_str());
    const Finished& finished = *run.result;
    QVERIFY(finished.verdict == Verdict::Correct);
    QCOMPARE(finished.device.name, std::string("NVIDIA H200"));
    QCOMPARE(finished.trials.size(), std::size_t(3));
    QVERIFY(finished.timing && finished.timedOutputsChecked);
    QVERIFY(!finished.timing->impossible);
    const BaselineTiming& baseline = finished.timing->baselines.at(0);
    QCOMPARE(baseline.name, std::string("cublaslt"));
    QVERIFY(baseline.speedup);
    QVERIFY(baseline.speedup->ci95[0] <= baseline.speedup->ratio
        && baseline.speedup->ratio <= baseline.speedup->ci95[1]);
    QVERIFY(baseline.speedup->ratio > 0.5 && baseline.speedup->ratio < 2);
    QVERIFY(baseline.series.card.contains("version"));
    QVERIFY(finished.timing->rooflineFloorUs < baseline.speedup->candidateMedianUs);
    QCOMPARE(run.phases(PhaseState::Passed), 2);
    double last = 0;
    for (const RunnerEvent& event : run.events) {
        const auto* progress = std::get_if<ProgressEvent>(&event);
        if (progress != nullptr && progress->phase == "verify") {
            QVERIFY(progress->fraction >= last && progress->fraction <= 1);
            last = progress->fraction;
        }
    }
    QVERIFY(last > 0);
}

void TestRecordedRuns::incorrectNumerical()
{
    const Run run = play("gemm-wrong_result-paper-incorrect_numerical");
    QVERIFY(run.result);
    QVERIFY(run.result->verdict == Verdict::IncorrectNumerical);
    QVERIFY(!run.result->timing);
    const OutputComparison& output = run.result->trials.at(0).outputs.at(0);
    QVERIFY(output.mismatched > 0 && output.firstMismatch);
    QCOMPARE(run.phases(PhaseState::Failed), 1);
    QCOMPARE(run.phases(PhaseState::Skipped), 1);
}

void TestRecordedRuns::correctBesideCudnn()
{
    const Run run = play("attention-plain-small-correct");
    QVERIFY(run.result);
    QVERIFY(run.result->verdict == Verdict::Correct);
    QVERIFY(run.result->timing && !run.result->timing->candidate.coldUs.empty());
    const BaselineTiming& baseline = run.result->timing->baselines.at(0);
    QCOMPARE(baseline.name, std::string("cudnn"));
    QVERIFY(!baseline.unavailable);
    QVERIFY(baseline.speedup && baseline.speedup->ratio > 0.3 && baseline.speedup->ratio < 1);
    QCOMPARE(baseline.error.size(), std::size_t(2)); // O and LSE
    for (const OutputComparison& output : baseline.error) {
        QVERIFY(output.mismatched == 0 && output.normwiseRelError < 3e-3);
    }
    QCOMPARE(baseline.series.card.at("library"), std::string("cuDNN"));
}

void TestRecordedRuns::ownPlan()
{
    const Run run = play("run-own_plan");
    QVERIFY(run.result);
    QVERIFY(run.result->verdict == Verdict::Unverified);
    QCOMPARE(run.result->outputs.size(), std::size_t(1));
    const TensorContent& output = run.result->outputs.front();
    QCOMPARE(output.name, std::string("Y"));
    QCOMPARE(output.type.elements(), std::int64_t{65536});
    QCOMPARE(output.head.size(), std::size_t(16));
    QCOMPARE(output.unwrittenCount, std::optional<std::uint64_t>(0));
    QVERIFY(output.bytes.empty() && !output.difference);
    QCOMPARE(run.result->repeatsBitwise, std::optional(true));
    QVERIFY(run.result->timing && run.result->timing->baselines.empty());
    const auto times = summarise(run.result->timing->candidate.coldUs);
    QVERIFY(times && times->samples == 60 && times->p10 <= times->median && times->median <= times->p90);
}

void TestRecordedRuns::twoVersions()
{
    const Run run = play("bench-same_kernel");
    QVERIFY(run.result);
    QVERIFY(run.result->verdict == Verdict::Correct);
    QVERIFY(run.result->rival && run.result->rival->verdict == Verdict::Correct);
    QVERIFY(!run.result->rival->trials.empty());
    const BaselineTiming& other = run.result->timing->baselines.at(0);
    QCOMPARE(other.series.name, std::string("rival"));
    QVERIFY(other.speedup && other.speedup->ci95[0] <= 1 && other.speedup->ci95[1] >= 1);
}

void TestRecordedRuns::fault()
{
    const Run run = play("fault-out_of_bounds");
    QVERIFY(run.result);
    QVERIFY(run.result->verdict == Verdict::OutOfBounds);
    QVERIFY(!run.result->explanation.empty());
    // It ended with the status of a dead context, so the device was asked again.
    QVERIFY(run.result->explanation.find("the device answers") != std::string::npos);
}

void TestRecordedRuns::hang()
{
    const Run run = play("hang-timeout", "20");
    QVERIFY(run.result);
    QVERIFY(run.result->verdict == Verdict::Timeout);
    QVERIFY(run.result->explanation.find("the device answers") != std::string::npos);
}

void TestRecordedRuns::cancelInTheMiddle()
{
    std::stop_source source;
    std::vector<RunnerEvent> events;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = runOnRunner(
        replay("gemm-wgmma_tma-paper-correct", "0.2"), {},
        [&](const RunnerEvent& event) {
            events.push_back(event);
            if (std::holds_alternative<ProgressEvent>(event)) {
                source.request_stop();
            }
        },
        source.get_token());
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Cancelled);
    QVERIFY(std::holds_alternative<Cancelled>(events.back()));
    QVERIFY(std::chrono::steady_clock::now() - begin < 30s);
}

QTEST_APPLESS_MAIN(TestRecordedRuns)
#include "tst_recorded_runs.moc"
