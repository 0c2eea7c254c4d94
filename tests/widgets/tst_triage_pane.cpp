// SPDX-License-Identifier: Apache-2.0
#include "widgets/triage/cause_histogram.h"
#include "widgets/triage/triage_filter_model.h"
#include "widgets/triage/triage_pane.h"
#include "widgets/triage/triage_words.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace ptxwb;
using records::CauseClass;
using records::TriageResult;
using records::TriageRow;

namespace {

TriageRow failed(const char* path, CauseClass cause, int line)
{
    TriageRow row;
    row.path = path;
    row.result = TriageResult::DoesNotCompile;
    row.cause = records::TriageCause{.cause = cause, .message = "it is wrong", .line = line};
    return row;
}

TriageRow good(const char* path, bool lacks)
{
    TriageRow row;
    row.path = path;
    row.result = TriageResult::Compiles;
    row.asked = {{"wgmma", 4}};
    row.present = records::PresentFamilies{.gmma = lacks ? 0 : 4};
    if (lacks) {
        row.askedNotPresent = {"wgmma"};
    }
    return row;
}

std::vector<TriageRow> someRows()
{
    return {failed("b.ptx", CauseClass::Operands, 12), good("a.ptx", false), good("c.ptx", true),
        failed("d.ptx", CauseClass::UnknownOpcode, 3), failed("e.md", CauseClass::Operands, 2)};
}

QString answerAt(const QAbstractItemModel& model, int row)
{
    return model.index(row, TriageModel::AnswerColumn).data().toString();
}

} // namespace

class TestTriagePane : public QObject {
    Q_OBJECT

private slots:
    void rowsAreCountedByTheirCause()
    {
        TriageModel model;
        QAbstractItemModelTester tester(&model);
        model.setRows(someRows());
        std::vector<std::pair<int, int>> counts;
        for (const TriageModel::Count& count : model.counts()) {
            counts.emplace_back(count.bucket, count.answers);
        }
        const std::vector<std::pair<int, int>> wanted{{TriageModel::AllBucket, 5},
            {TriageModel::CompilesBucket, 2}, {TriageModel::LacksBucket, 1},
            {static_cast<int>(CauseClass::Operands), 2}, {static_cast<int>(CauseClass::UnknownOpcode), 1}};
        QVERIFY(counts == wanted);
        model.addRow(good("f.ptx", false));
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(model.counts()[1].answers, 3);
    }

    void theLineIsThatOfTheAnswerWhereThereIsOne()
    {
        TriageModel model;
        TriageRow row = failed("e.md", CauseClass::Operands, 2);
        row.cause->answerLine = 9;
        model.setRows({row});
        QCOMPARE(model.index(0, TriageModel::LineColumn).data().toString(), QStringLiteral("9"));
    }

    void aCauseAndWordsFilter()
    {
        TriageModel model;
        TriageFilterModel filter;
        QAbstractItemModelTester tester(&filter);
        filter.setSourceModel(&model);
        model.setRows(someRows());
        QCOMPARE(filter.rowCount(), 5);
        filter.setBucket(static_cast<int>(CauseClass::Operands));
        QCOMPARE(filter.rowCount(), 2);
        filter.setWords(QStringLiteral("wrong E.md"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setWords({});
        filter.setBucket(TriageModel::LacksBucket);
        QCOMPARE(filter.rowCount(), 1);
        QCOMPARE(answerAt(filter, 0), QStringLiteral("c.ptx"));
        filter.setBucket(TriageModel::AllBucket);
        filter.sort(TriageModel::LineColumn);
        // By number: 12 comes behind 3.
        QCOMPARE(answerAt(filter, 4), QStringLiteral("b.ptx"));
        filter.sort(-1);
        QCOMPARE(answerAt(filter, 0), QStringLiteral("b.ptx"));
    }

    void theHistogramFiltersAndARowIsActivated()
    {
        TriagePane pane;
        pane.resize(1000, 300);
        pane.show();
        pane.startRun(QStringLiteral("answers"));
        QVERIFY(pane.isRunning());
        QSignalSpy cancel(&pane, &TriagePane::cancelRequested);
        QSignalSpy activated(&pane, &TriagePane::rowActivated);
        for (const TriageRow& row : someRows()) {
            pane.addRow(row, 1, 5);
        }
        QTRY_COMPARE(pane.histogram()->count(), 5);
        pane.endRun(someRows(), QStringLiteral("5 answers"));
        QVERIFY(!pane.isRunning());
        QCOMPARE(pane.summary(), QStringLiteral("5 answers"));
        pane.histogram()->setCurrentRow(3);
        QCOMPARE(pane.filter()->rowCount(), 2);
        auto* view = pane.findChild<QTreeView*>();
        emit view->activated(pane.filter()->index(1, 0));
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated.first().first().value<TriageRow>().path, std::string("e.md"));
        // The cause that was chosen goes with a folder that has it no more.
        pane.endRun({good("a.ptx", false)}, {});
        QCOMPARE(pane.filter()->rowCount(), 1);
        QCOMPARE(cancel.count(), 0);
    }

    void whatStopsARunIsSaidWhereItsRowsWouldBe()
    {
        TriagePane pane;
        const auto* place = pane.findChild<PlaceholderPane*>();
        QVERIFY(!place->placeholder().isEmpty());
        pane.startRun(QStringLiteral("answers"));
        pane.stopRun(QStringLiteral("there is no such folder"));
        QCOMPARE(place->placeholder(), QStringLiteral("there is no such folder"));
        pane.startRun(QStringLiteral("answers"));
        pane.addRow(good("a.ptx", false), 1, 2);
        pane.stopRun(QStringLiteral("Stopped"));
        QVERIFY(place->placeholder().isEmpty());
        QCOMPARE(pane.model()->rowCount(), 1);
    }

    void everyCauseHasItsWords()
    {
        QSet<QString> words;
        for (int cause = 0; cause <= static_cast<int>(CauseClass::Other); ++cause) {
            const QString word = TriageWords::cause(static_cast<CauseClass>(cause));
            QVERIFY(!word.isEmpty());
            words << word;
        }
        QCOMPARE(words.size(), static_cast<int>(CauseClass::Other) + 1);
    }
};

QTEST_MAIN(TestTriagePane)
#include "tst_triage_pane.moc"
