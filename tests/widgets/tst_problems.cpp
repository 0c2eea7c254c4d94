// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/fix_preview.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/resources_strip.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
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
        view.setProblems({error, lineless}, {note});
        QCOMPARE(view.rowsAsText(),
            QStringLiteral("✗ Error\t7\t3\tUnknown symbol\tptxas\n"
                           "✗ Fatal\t\t\tPtx assembly aborted\tptxas\n"
                           "ℹ Note\t\t\tC7510: wgmma serialized\tptxas"));
        QCOMPARE(view.model()->countOf(Severity::Error), 1);
        view.setProblems({}, {});
        QCOMPARE(view.model()->rowCount(), 0);
    }

    void equalNotesAreOneProblemAndGuessesAreMarked()
    {
        ProblemsView view;
        PerformanceNote note;
        note.code = "C7519";
        note.kernel = "k";
        note.message = "injected around line 4";
        note.meaning = "A fence was put in";
        note.usualCause = "left out";
        note.line = 4;
        note.registers = 168;
        PerformanceNote second = note;
        second.message = "injected around line 9";
        second.line = 9;
        PerformanceNote other = note;
        other.kernel = "l";
        view.setProblems({}, {note, second, other});
        QCOMPARE(view.model()->rowCount(), 2);
        QCOMPARE(view.model()->rowCount(view.model()->index(0, 0)), 1);
        view.setCurrentRow(0);
        QString said;
        for (const QLabel* label : view.findChildren<QLabel*>()) {
            said += label->text() + QLatin1Char('\n');
        }
        for (const char* part : {"(our guess): left out", "168", "1 more place"}) {
            QVERIFY2(said.contains(QLatin1String(part)), qPrintable(said));
        }
    }

    void activatingARowAsksToGoThere()
    {
        ProblemsView view;
        Diagnostic error;
        error.line = 7;
        error.column = 3;
        Diagnostic lineless;
        view.setProblems({error, lineless}, {});
        QSignalSpy spy(&view, &ProblemsView::placeActivated);
        auto* tree = view.findChild<QTreeView*>();
        emit tree->activated(view.model()->index(1, 0));
        QCOMPARE(spy.count(), 0);
        emit tree->activated(view.model()->index(0, 0));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.first(), (QVariantList{7, 3}));
    }

    void whatFollowsIsFoldedBeneathItsCause()
    {
        ProblemsModel model;
        QAbstractItemModelTester tester(&model);
        std::vector<Diagnostic> said(4);
        said[0].message = "follows, and came first";
        said[0].group = 1;
        said[0].rootCause = false;
        said[1].message = "the cause";
        said[1].group = 1;
        said[1].line = 4;
        said[1].fixes.push_back({.title = "mend it"});
        said[2].message = "follows";
        said[2].group = 1;
        said[2].rootCause = false;
        said[3].message = "another";
        said[3].group = 2;
        model.setProblems(said, {});
        QCOMPARE(model.rowCount(), 2);
        const QModelIndex cause = model.index(0, 0);
        QCOMPARE(model.rowCount(cause), 2);
        QCOMPARE(model.rowCount(model.index(1, 0)), 0);
        QCOMPARE(model.message(cause)->message, std::string("the cause"));
        QCOMPARE(model.message(model.index(0, 0, cause))->message, std::string("follows, and came first"));
        QCOMPARE(model.problem(model.index(1, 0, cause))->cause.message, std::string("the cause"));
        QCOMPARE(model.fixableCount(), 1);
        QCOMPARE(model.countOf(Severity::Error), 2);
        QCOMPARE(model.asText().count(QLatin1Char('\n')), 3);
        model.setColours({});
        model.setProblems({said[3]}, {});
        QCOMPARE(model.rowCount(), 1);
    }

    void aMessageOnAHeaderHasNoPlaceInTheEditor()
    {
        ProblemsModel model;
        Diagnostic foreign;
        foreign.file = "some/header.h";
        foreign.line = 7;
        foreign.message = "odd";
        model.setProblems({foreign}, {}, "k.cu");
        QCOMPARE(model.index(0, 0).data(ProblemsModel::LineRole).toInt(), 0);
        QCOMPARE(model.index(0, ProblemsModel::MessageColumn).data().toString(),
            QStringLiteral("some/header.h:7: odd"));
        QCOMPARE(model.nextRow(1, 1, true), -1);
    }

    void aPreviewShowsTheLinesThatAFixChanges()
    {
        const std::string text = "one\r\ntwo\r\nthree\r\nfour";
        // A replacement, a line taken out, and a line put in behind the last one.
        Fix fix;
        fix.edits.push_back({.line = 1, .startColumn = 1, .endLine = 1, .endColumn = 4, .text = "eins"});
        fix.edits.push_back({.line = 2, .startColumn = 1, .endLine = 3, .endColumn = 1, .text = ""});
        fix.edits.push_back({.line = 4, .startColumn = 5, .endLine = 4, .endColumn = 5, .text = "\r\nfive"});
        const std::vector<PreviewLine> wanted{{false, 1, "one"}, {true, 1, "eins"}, {false, 2, "two"},
            {false, 4, "four"}, {true, 3, "four"}, {true, 4, "five"}};
        const std::vector<PreviewLine> preview = previewOfFix(text, fix);
        for (const PreviewLine& line : preview) {
            qInfo() << line.added << line.number << QString::fromStdString(line.text);
        }
        QVERIFY(preview == wanted);
        QVERIFY(previewOfFix(text, {}).empty());
        // Places beyond the text are at its end, as where fixes are applied.
        Fix beyond;
        beyond.edits.push_back({.line = 90, .startColumn = 3, .endLine = 90, .endColumn = 3, .text = "!"});
        QVERIFY((previewOfFix("a\nb", beyond) == std::vector<PreviewLine>{{false, 2, "b"}, {true, 2, "b!"}}));
    }

    void aFixIsAskedForByItsButtonUnlessTheTextHasChanged()
    {
        ProblemsView view;
        Diagnostic error;
        error.line = 1;
        error.message = "wrong word";
        error.explanation = "It is spelt otherwise.";
        error.fixes.push_back({.title = "write two",
            .edits = {{.line = 1, .startColumn = 1, .endLine = 1, .endColumn = 4, .text = "two"}}});
        view.setProblems({error}, {}, "one\n", "k.ptx");
        view.resize(900, 300);
        view.show();
        const auto button = [&](const char* name) {
            return view.findChild<QPushButton*>(QLatin1String(name));
        };
        QSignalSpy one(&view, &ProblemsView::fixRequested);
        QSignalSpy all(&view, &ProblemsView::allFixesRequested);
        QVERIFY(button("applyFix1") != nullptr);
        const QString preview = view.findChild<QLabel*>(QStringLiteral("fixPreview1"))->text();
        QVERIFY2(preview.contains(QLatin1String("one")) && preview.contains(QLatin1String("two")),
            qPrintable(preview));
        button("applyFix1")->click();
        QCOMPARE(one.count(), 1);
        QCOMPARE(one.first().first().value<Fix>().title, std::string("write two"));
        button("applyAllFixes")->click();
        QCOMPARE(all.count(), 1);
        view.setStale(true);
        QVERIFY(!button("applyFix1")->isEnabled());
        QVERIFY(!button("applyAllFixes")->isEnabled());
        view.setProblems({error}, {}, "one\n", "k.ptx");
        QVERIFY(button("applyFix1")->isEnabled());
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
