// SPDX-License-Identifier: Apache-2.0
// PTX that nvcc made of ordinary CUDA kernels (tests/data/emulator/corpus): under the policies early, late
// and random no report, and the values that the CPU expects.
#include "core/emulator/run_plan.h"
#include "core/support/files.h"
#include "tests/emulator/corpus/expectation.h"
#include "tests/emulator/harness.h"

#include <QTest>

#include <filesystem>
#include <set>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

const std::string corpus = std::string(PTXWB_TEST_DATA) + "/emulator/corpus/";

QByteArray reportsOf(const PlanRunOutcome& outcome)
{
    std::string text = outcome.explanation;
    for (const auto& report : outcome.reports) {
        text += "\n  " + located(report);
    }
    return QByteArray::fromStdString(text);
}

} // namespace

class TestEmulatorCorpus : public QObject {
    Q_OBJECT

private slots:
    void kernels_data()
    {
        QTest::addColumn<int>("which");
        int which = 0;
        for (const auto& expectation : corpusExpectations()) {
            QTest::newRow(expectation.file) << which++;
        }
    }

    void kernels()
    {
        QFETCH(int, which);
        const auto& expectation = corpusExpectations()[static_cast<std::size_t>(which)];
        const auto text = readFile(corpus + expectation.file + ".ptx");
        QVERIFY(text);
        PlanRunRequest request;
        request.text = *text;
        request.displayName = expectation.file;
        const auto outcome = runPlan(request);
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(outcome->reports.empty(), reportsOf(*outcome).constData());
        QVERIFY2(outcome->verdict == Verdict::Unverified, reportsOf(*outcome).constData());
        QCOMPARE(outcome->schedules.completed, 3);
        const auto declared = resolveDeclaredPlan(request.text);
        QVERIFY(declared);
        const auto buffers = makePlanBuffers(*declared, request.seed, {});
        QVERIFY(buffers);
        CorpusTensors tensors;
        for (std::size_t b = 0; b < buffers->size(); ++b) {
            tensors.inputs[declared->plan.buffers[b].name] = {declared->plan.buffers[b].type, (*buffers)[b]};
        }
        for (const auto& output : outcome->outputs) {
            tensors.outputs[output.name] = {output.type, output.bytes};
        }
        const auto wrong = expectation.check(tensors);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void whatIsPrintedIsKept()
    {
        auto text = readFile(corpus + "printing.ptx");
        QVERIFY(text);
        const auto outcome = runPlan({.text = *text, .policies = {AsyncPolicy::Early}});
        QVERIFY(outcome);
        const std::string expected = "0:  0.00|even|100000000 a%\n1:  0.50|odd |200000000 b%\n"
                                     "2:  1.00|even|400000000 c%\n3:  1.50|odd |800000000 d%\n";
        QCOMPARE(outcome->printed, expected);
        const auto argument = text->find("{\"i32\":\"n\"}");
        const auto failing =
            runPlan({.text = text->replace(argument, 11, "{\"i32\":3}"), .policies = {AsyncPolicy::Early}});
        QVERIFY(failing);
        QCOMPARE(failing->reports.size(), std::size_t{1});
        QCOMPARE(failing->reports[0].rule, RuleId::Trap);
        QVERIFY2(failing->reports[0].message.starts_with("the assertion i < n of "),
            failing->reports[0].message.c_str());
    }

    void everyKernelIsExpected()
    {
        std::set<std::string> known;
        for (const auto& expectation : corpusExpectations()) {
            known.insert(expectation.file);
        }
        for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
            if (entry.path().extension() == ".ptx") {
                QVERIFY2(known.contains(entry.path().stem().string()), entry.path().c_str());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorCorpus)
#include "tst_emulator_corpus.moc"
