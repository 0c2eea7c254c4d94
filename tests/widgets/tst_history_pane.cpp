// SPDX-License-Identifier: Apache-2.0
#include "widgets/history/history_pane.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace ptxwb;
using records::HistoryEntry;

namespace {

HistoryEntry entry(std::int64_t id, const char* path, const char* verdict, std::optional<double> speedup)
{
    return {.id = id,
        .madeUtc = "2026-03-0" + std::to_string(id) + "T10:00:00Z",
        .candidatePath = path,
        .candidateSha256 = "0123456789abcdef",
        .task = "gemm_n7168_k5120",
        .workload = "paper",
        .target = "sm_90a",
        .on = speedup ? "gpu" : "emulator",
        .device = speedup ? "NVIDIA H200" : "",
        .verdict = verdict,
        .speedup = speedup,
        .productVersion = "0.1.0"};
}

std::vector<HistoryEntry> newestFirst()
{
    return {entry(3, "/k/c.ptx", "correct", 0.97), entry(2, "/k/b.ptx", "race", std::nullopt),
        entry(1, "/k/a.ptx", "verdict_of_tomorrow", 10.5)};
}

QString shown(const QTreeView& view, int row, int column)
{
    return view.model()->index(row, column).data().toString();
}

QPushButton* button(const HistoryPane& pane, const QString& text)
{
    for (QPushButton* one : pane.findChildren<QPushButton*>()) {
        if (one->text() == text) {
            return one;
        }
    }
    return nullptr;
}

} // namespace

class TestHistoryPane : public QObject {
    Q_OBJECT

private slots:
    void theModelIsAModel()
    {
        HistoryModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setEntries(newestFirst());
        QCOMPARE(model.rowCount(), 3);
        model.setEntries({});
        QCOMPARE(model.rowCount(), 0);
    }

    void aRowSaysWhatWasMadeAndWhere()
    {
        HistoryPane pane;
        pane.setEntries(newestFirst(), false);
        const QTreeView& view = *pane.view();
        QCOMPARE(shown(view, 0, HistoryModel::CandidateColumn), QStringLiteral("c.ptx"));
        QCOMPARE(shown(view, 0, HistoryModel::WhereColumn), QStringLiteral("NVIDIA H200"));
        QCOMPARE(shown(view, 1, HistoryModel::WhereColumn), QStringLiteral("emulator"));
        QVERIFY(shown(view, 0, HistoryModel::SpeedupColumn).startsWith(QLatin1String("0.97")));
        QVERIFY(shown(view, 1, HistoryModel::SpeedupColumn).isEmpty());
        // A word of a later version is shown as it is.
        QCOMPARE(shown(view, 2, HistoryModel::VerdictColumn), QStringLiteral("verdict_of_tomorrow"));
    }

    void numbersAreSortedAsNumbers()
    {
        HistoryPane pane;
        pane.setEntries(newestFirst(), false);
        pane.view()->sortByColumn(HistoryModel::SpeedupColumn, Qt::DescendingOrder);
        QCOMPARE(shown(*pane.view(), 0, HistoryModel::CandidateColumn), QStringLiteral("a.ptx"));
        QCOMPARE(shown(*pane.view(), 2, HistoryModel::CandidateColumn), QStringLiteral("b.ptx"));
    }

    void theChosenRowIsAskedForThroughSortingAndFilter()
    {
        HistoryPane pane;
        pane.setEntries(newestFirst(), false);
        QSignalSpy results(&pane, &HistoryPane::resultRequested);
        QSignalSpy texts(&pane, &HistoryPane::textRequested);
        QPushButton* result = button(pane, QStringLiteral("Show the result"));
        QPushButton* text = button(pane, QStringLiteral("Open its text"));
        QVERIFY(result != nullptr && text != nullptr);
        QVERIFY2(result->isEnabled() && text->isEnabled(), "the newest one is chosen");
        pane.setEntries({}, false);
        QVERIFY(!result->isEnabled() && !text->isEnabled());
        pane.setEntries(newestFirst(), false);
        pane.view()->sortByColumn(HistoryModel::CandidateColumn, Qt::AscendingOrder);
        pane.findChild<QLineEdit*>()->setText(QStringLiteral("B.PTX"));
        QCOMPARE(pane.view()->model()->rowCount(), 1);
        pane.view()->setCurrentIndex(pane.view()->model()->index(0, 0));
        QVERIFY(result->isEnabled());
        result->click();
        text->click();
        emit pane.view()->activated(pane.view()->currentIndex());
        QCOMPARE(results.count(), 2);
        QCOMPARE(results[0][0].toLongLong(), 2);
        QCOMPARE(results[1][0].toLongLong(), 2);
        QCOMPARE(texts[0][0].toLongLong(), 2);
    }

    void aNewListKeepsTheChosenOne()
    {
        HistoryPane pane;
        pane.setEntries({entry(1, "a.ptx", "correct", std::nullopt)}, false);
        pane.view()->setCurrentIndex(pane.view()->model()->index(0, 0));
        pane.setEntries(newestFirst(), false);
        QCOMPARE(pane.view()->currentIndex().siblingAtColumn(HistoryModel::CandidateColumn).data().toString(),
            QStringLiteral("a.ptx"));
    }

    void anEmptyListSaysWhy()
    {
        HistoryPane pane;
        pane.setEntries({}, false);
        QVERIFY(pane.placeholder().contains(QLatin1String("F5")));
        pane.showProblem(QStringLiteral("it is locked"));
        QCOMPARE(pane.placeholder(), QStringLiteral("it is locked"));
        pane.setEntries(newestFirst(), true);
        QVERIFY(pane.placeholder().isEmpty());
    }
};

QTEST_MAIN(TestHistoryPane)
#include "tst_history_pane.moc"
