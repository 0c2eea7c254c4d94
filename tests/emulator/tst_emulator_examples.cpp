// SPDX-License-Identifier: Apache-2.0
// The example kernels of tasks/ by emulation: each gets the verdict that its task declares.
#include "core/emulator/evaluate.h"
#include "core/support/files.h"
#include "tests/emulator/harness.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

std::uint64_t executedOf(const EmulatorVerdict& verdict, const std::string& start)
{
    std::uint64_t warps = 0;
    for (const auto& count : verdict.executed) {
        warps += count.opcode.starts_with(start) ? count.warps : 0;
    }
    return warps;
}

Result<EmulatorVerdict> evaluated(const char* directory, const char* kernel, std::int64_t rows,
    const char* axis, std::string (*change)(std::string) = nullptr, std::vector<std::string>* told = nullptr)
{
    const std::string root = std::string(PTXWB_SOURCE_ROOT) + "/tasks/" + directory;
    auto task = loadTask(root);
    if (!task) {
        return task.error();
    }
    auto text = readFile(root + "/" + kernel);
    if (!text) {
        return text.error();
    }
    EmulatorEvaluationRequest request;
    request.text = change != nullptr ? change(*text) : *text;
    if (told != nullptr) {
        request.onFinding = [told](const Report& report) { told->push_back(located(report)); };
    }
    request.displayName = kernel;
    request.task = *task;
    request.workload = **task->workload("emulator");
    request.workload.axes[axis] = rows;
    request.policies = {AsyncPolicy::Random};
    request.contributions = true;
    return evaluateOnEmulator(request);
}

} // namespace

class TestEmulatorExamples : public QObject {
    Q_OBJECT

private slots:
    void verdicts_data()
    {
        QTest::addColumn<QByteArray>("task");
        QTest::addColumn<QByteArray>("kernel");
        QTest::addColumn<int>("rows");
        QTest::addColumn<QByteArray>("axis");
        QTest::addColumn<QByteArray>("verdict");
        const QByteArray gemm = "gemm/gemm_n7168_k5120";
        QTest::newRow("wgmma and TMA") << gemm << QByteArray("examples/wgmma_tma.ptx") << 100
                                       << QByteArray("M") << QByteArray("correct");
        QTest::newRow("plain GEMM") << gemm << QByteArray("examples/plain.ptx") << 20 << QByteArray("M")
                                    << QByteArray("correct");
        QTest::newRow("wrong result") << gemm << QByteArray("failed/wrong_result.ptx") << 64
                                      << QByteArray("M") << QByteArray("incorrect_numerical");
        QTest::newRow("without wgmma") << gemm << QByteArray("failed/without_wgmma.ptx") << 20
                                       << QByteArray("M") << QByteArray("correct");
        QTest::newRow("tcgen05") << gemm << QByteArray("examples/tcgen05_tma.ptx") << 128 << QByteArray("M")
                                 << QByteArray("unsupported");
        QTest::newRow("attention") << QByteArray("attention/mha_with_lse_d128")
                                   << QByteArray("examples/plain.ptx") << 64 << QByteArray("S")
                                   << QByteArray("correct");
    }

    void verdicts()
    {
        QFETCH(QByteArray, task);
        QFETCH(QByteArray, kernel);
        QFETCH(int, rows);
        QFETCH(QByteArray, axis);
        QFETCH(QByteArray, verdict);
        const auto result = evaluated(task.constData(), kernel.constData(), rows, axis.constData());
        QVERIFY2(result, result ? "" : describe(result.error()).c_str());
        QCOMPARE(QByteArray::fromStdString(std::string(verdictName(result->verdict))), verdict);
        if (verdict == "correct" || verdict == "incorrect_numerical") {
            QVERIFY2(
                result->reports.empty(), result->reports.empty() ? "" : result->reports[0].message.c_str());
            QVERIFY(result->explanation.find("1 schedule") != std::string::npos || verdict != "correct");
        }
        if (kernel.endsWith("wgmma_tma.ptx")) {
            // 28 tiles of 128 x 256, 80 steps, 4 wgmma each, 8 warps; 2 loads per step.
            QCOMPARE(executedOf(*result, "wgmma.mma_async"), std::uint64_t{28} * 80 * 4 * 8);
            QCOMPARE(executedOf(*result, "cp.async.bulk.tensor.2d.shared"), std::uint64_t{28} * 80 * 2);
            QCOMPARE(result->contributes.size(), std::size_t{2});
            QVERIFY(result->contributes.at(ResultOf::Wgmma) && result->contributes.at(ResultOf::TensorCopy));
        } else if (!kernel.endsWith("wrong_result.ptx")) {
            QVERIFY(!result->contributes.contains(ResultOf::Wgmma));
            QVERIFY(!result->contributes.contains(ResultOf::TensorCopy));
            if (executedOf(*result, "mma.sync") != 0) { // whose results are what is written
                QVERIFY(result->contributes.at(ResultOf::Mma));
            }
        }
        if (verdict == "unsupported") {
            QVERIFY(result->explanation.find("tcgen05.alloc") != std::string::npos);
            QCOMPARE(result->reports[0].lines[0].line, 112);
        }
    }

    void aWarningStandsInTheSentenceOfACorrectVerdict()
    {
        const auto withoutFence = [](std::string text) {
            const std::string fence = "wgmma.fence.sync.aligned;";
            return text.erase(text.find(fence), fence.size());
        };
        const auto result =
            evaluated("gemm/gemm_n7168_k5120", "examples/wgmma_tma.ptx", 64, "M", withoutFence);
        QVERIFY2(result, result ? "" : describe(result.error()).c_str());
        QCOMPARE(result->verdict, Verdict::Correct);
        QCOMPARE(result->reports.size(), std::size_t{1});
        const auto& said = result->explanation;
        QVERIFY2(
            said.find("under 1 schedule 1 warning: missing_wgmma_fence") != std::string::npos, said.c_str());
        QVERIFY2(said.find("nothing found") == std::string::npos, said.c_str());
    }

    void aRaceSeenAgainAndAgainIsEnough()
    {
        const auto waitsTooLittle = [](std::string text) {
            const std::string wait = "wgmma.wait_group.sync.aligned 1;";
            return text.replace(text.find(wait), wait.size(), "wgmma.wait_group.sync.aligned 2;");
        };
        std::vector<std::string> told;
        const auto result =
            evaluated("gemm/gemm_n7168_k5120", "examples/wgmma_tma.ptx", 256, "M", waitsTooLittle, &told);
        QVERIFY2(result, result ? "" : describe(result.error()).c_str());
        QCOMPARE(result->verdict, Verdict::Race);
        QVERIFY(result->trials.empty());
        QVERIFY(!result->executedIsWhole);
        QCOMPARE(result->schedules.completed, 0);
        QVERIFY(result->reports.front().atLeast);
        QVERIFY2(result->explanation.find("(stopped early, after it was seen ") != std::string::npos,
            result->explanation.c_str());
        QVERIFY(told.size() >= result->reports.size());
    }

    void unknownKernelIsAnError()
    {
        auto text = readFile(
            std::string(PTXWB_SOURCE_ROOT) + "/tasks/gemm/gemm_n7168_k5120/failed/does_not_assemble.ptx");
        QVERIFY(text);
        EmulatorRequest request;
        request.text = *text;
        request.plan.launches.push_back({.kernel = "nobody"});
        const auto outcome = emulate(request);
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, ErrorCode::BadFormat);
        QCOMPARE(outcome.error().jsonPath, std::string("$.launches[0].kernel"));
    }
};

QTEST_APPLESS_MAIN(TestEmulatorExamples)
#include "tst_emulator_examples.moc"
