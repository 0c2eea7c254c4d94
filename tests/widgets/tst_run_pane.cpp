// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/findings_model.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/results/verdict_words.h"
#include "widgets/run/outputs_model.h"
#include "widgets/run/run_pane.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace ptxwb;

namespace {

emulator::TensorContent output()
{
    emulator::TensorContent content;
    content.name = "Y";
    content.type.dtype = Dtype::Float32;
    content.type.shape = {100};
    content.head = {1.5, 2};
    content.min = 1.5;
    content.unwrittenCount = 3;
    return content;
}

} // namespace

class TestRunPane : public QObject {
    Q_OBJECT

private slots:
    void outputsAreShownAndWhatIsUnknownIsNotZero()
    {
        OutputsModel model;
        QAbstractItemModelTester tester(&model);
        model.setOutputs({output()});
        const auto cell = [&](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(cell(OutputsModel::TypeColumn), QStringLiteral("float32 [100]"));
        QCOMPARE(cell(OutputsModel::MinColumn), QStringLiteral("1.5"));
        QCOMPARE(cell(OutputsModel::MaxColumn), QStringLiteral("–"));
        QCOMPARE(cell(OutputsModel::UnwrittenColumn), QStringLiteral("3"));
        QCOMPARE(cell(OutputsModel::HeadColumn), QStringLiteral("1.5 2 …"));
        model.setOutputs({});
        QCOMPARE(model.rowCount(), 0);
    }

    void aCleanRunClaimsNothingAndAFindingLeadsToItsLine()
    {
        RunPane pane;
        QVERIFY(!pane.placeholder().isEmpty());
        pane.startRun();
        QVERIFY(pane.isRunning());
        emulator::PlanRunOutcome outcome;
        outcome.outputs = {output()};
        pane.showOutcome(outcome);
        QVERIFY(!pane.isRunning());
        QVERIFY(pane.placeholder().isEmpty());
        QVERIFY(pane.banner()->word() != VerdictWords::word(Verdict::Correct));
        outcome.verdict = Verdict::Race;
        emulator::Report report;
        report.rule = emulator::RuleId::Race;
        report.lines = {{"k.ptx", 12}, {"k.ptx", 30}};
        outcome.reports = {report};
        pane.showOutcome(outcome);
        QCOMPARE(pane.banner()->word(), VerdictWords::word(Verdict::Race));
        QCOMPARE(pane.findings()->rowCount(), 1);
        QSignalSpy line(&pane, &RunPane::lineActivated);
        for (auto* view : pane.findChildren<QTreeView*>()) {
            if (view->model() == pane.findings()) {
                emit view->activated(pane.findings()->index(0, 0));
            }
        }
        QCOMPARE(line.count(), 1);
        QCOMPARE(line.first().first().toInt(), 12);
    }

    void aFailureSaysWhyAndOffersAPlan()
    {
        RunPane pane;
        pane.show();
        QSignalSpy insert(&pane, &RunPane::insertPlanRequested);
        QSignalSpy run(&pane, &RunPane::runRequested);
        QPushButton* button = nullptr;
        for (auto* one : pane.findChildren<QPushButton*>()) {
            button = one->isVisible() ? button : one;
        }
        QVERIFY(button != nullptr);
        pane.startRun();
        pane.showFailure(QStringLiteral("there is no plan"), true);
        QCOMPARE(pane.placeholder(), QStringLiteral("there is no plan"));
        QVERIFY(button->isVisible());
        button->click();
        QCOMPARE(insert.count(), 1);
        pane.findChild<QPushButton*>()->click();
        QCOMPARE(run.count(), 1);
        pane.startRun();
        QVERIFY(!button->isVisible());
        pane.stopRun();
        QVERIFY(!pane.isRunning());
    }
};

QTEST_MAIN(TestRunPane)
#include "tst_run_pane.moc"
