// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/problems_view.h"
#include "widgets/editor/resources_strip.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace ptxwb;

class TestProblems : public QObject {
    Q_OBJECT

private slots:
    void rowsHoldDiagnosticsThenNotes()
    {
        ProblemsView view;
        QAbstractItemModelTester tester(view.model());
        Diagnostic error;
        error.message = "Unknown symbol";
        error.line = 7;
        error.column = 3;
        error.tool = "ptxas";
        Diagnostic lineless;
        lineless.severity = Severity::Fatal;
        lineless.message = "Ptx assembly aborted";
        lineless.tool = "ptxas";
        PerformanceNote note;
        note.code = "C7510";
        note.message = "wgmma serialized";
        note.meaning = "Slow";
        view.model()->setProblems({error, lineless}, {note});
        QCOMPARE(view.rowsAsText(),
            QStringLiteral("✗ Error\t7\t3\tUnknown symbol\tptxas\n"
                           "✗ Fatal\t\t\tPtx assembly aborted\tptxas\n"
                           "ℹ Note\t\t\tC7510: wgmma serialized\tptxas"));
        QCOMPARE(view.model()->countOf(Severity::Error), 1);
        view.model()->setProblems({}, {});
        QCOMPARE(view.model()->rowCount(), 0);
    }

    void activatingARowAsksToGoThere()
    {
        ProblemsView view;
        Diagnostic error;
        error.line = 7;
        error.column = 3;
        Diagnostic lineless;
        view.model()->setProblems({error, lineless}, {});
        QSignalSpy spy(&view, &ProblemsView::placeActivated);
        auto* tree = view.findChild<QTreeView*>();
        emit tree->activated(view.model()->index(1, 0));
        QCOMPARE(spy.count(), 0);
        emit tree->activated(view.model()->index(0, 0));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.first(), (QVariantList{7, 3}));
    }

    void theNextProblemIsFoundByPlaceAndAroundTheEnd()
    {
        ProblemsModel model;
        QCOMPARE(model.nextRow(1, 1, true), -1);
        std::vector<Diagnostic> rows(4);
        rows[0].line = 20;
        rows[1].line = 5;
        rows[1].column = 9;
        rows[2].line = 5;
        rows[2].column = 2; // rows[3]: of no line
        model.setProblems(rows, {});
        QCOMPARE(model.nextRow(1, 1, true), 2);
        QCOMPARE(model.nextRow(5, 2, true), 1);
        QCOMPARE(model.nextRow(5, 9, true), 0);
        QCOMPARE(model.nextRow(20, 1, true), 2);
        QCOMPARE(model.nextRow(5, 2, false), 0);
        QCOMPARE(model.nextRow(20, 1, false), 1);
    }

    void resourcesSayWhatChanged()
    {
        KernelResources before;
        before.name = "gemm";
        before.registers = 160;
        before.spillStoreBytes = 0;
        before.sharedBytes = 1024;
        KernelResources now = before;
        now.registers = 168;
        now.sharedBytes = 512;
        now.barriers = 2;
        const QString text = ResourcesStrip::describe(now, &before);
        QVERIFY2(
            text.contains(QLatin1String("168")) && text.contains(QLatin1String("(+8)")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("(−512)")), qPrintable(text));
        QVERIFY2(!ResourcesStrip::describe(now, nullptr).contains(QLatin1String("(+8)")),
            "nothing to compare with");
        KernelResources unknown;
        unknown.name = "k";
        QVERIFY2(!ResourcesStrip::describe(unknown, nullptr).contains(QLatin1Char('0')),
            "unknown is never shown as 0");
    }
};

QTEST_MAIN(TestProblems)
#include "tst_problems.moc"
