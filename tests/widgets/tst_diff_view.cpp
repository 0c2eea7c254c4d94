// SPDX-License-Identifier: Apache-2.0
#include "../sass/sass_test_data.h"
#include "widgets/diff/diff_view.h"
#include "widgets/diff/sass_diff_model.h"
#include "widgets/editor/placeholder_pane.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QTableView>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::testing;

class TestDiffView : public QObject {
    Q_OBJECT

    const SassListing m_two = sassListing("pipeline.sm_90a.nvdisasm.txt");
    const SassListing m_three = sassListing("pipeline_three.sm_90a.nvdisasm.txt");
    const SassDiff m_diff = diffListings(m_two, m_three);

    static QTableView* table(DiffView& view) { return view.findChild<QTableView*>(); }
    static bool saysSomewhere(DiffView& view, const QString& text)
    {
        for (const auto* label : view.findChildren<QLabel*>()) {
            if (label->isVisibleTo(&view) && label->text().contains(text)) {
                return true;
            }
        }
        return false;
    }

private slots:
    void obeysTheModelContract()
    {
        SassDiffModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setDiff(m_diff, m_two, m_three);
        model.setHideEqual(true);
        model.setShowSchedule(true);
        model.setHideEqual(false);
        model.setKernel(5); // no such kernel: empty
        QCOMPARE(model.rowCount(), 0);
        model.setDiff({}, {}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void showsBothSides()
    {
        SassDiffModel model;
        model.setDiff(m_diff, m_two, m_three);
        model.setTitles(QStringLiteral("before"), QStringLiteral("after"));
        QCOMPARE(model.rowCount(), static_cast<int>(m_diff.kernels[0].rows.size()));
        QCOMPARE(model.headerData(SassDiffModel::CodeAColumn, Qt::Horizontal).toString(),
            QStringLiteral("before"));
        QCOMPARE(
            model.headerData(SassDiffModel::CodeBColumn, Qt::Horizontal).toString(), QStringLiteral("after"));
        bool addedHgmma = false;
        for (int i = 0; i < model.rowCount(); ++i) {
            const auto kind = static_cast<DiffKind>(model.index(i, 0).data(SassDiffModel::KindRole).toInt());
            const auto left = model.index(i, SassDiffModel::CodeAColumn).data().toString();
            const auto right = model.index(i, SassDiffModel::CodeBColumn).data().toString();
            if (kind == DiffKind::Equal) {
                QVERIFY(!left.isEmpty() && !right.isEmpty());
                QVERIFY(model.index(i, SassDiffModel::KindColumn).data().toString().isEmpty());
            }
            if (kind == DiffKind::Added) {
                QVERIFY(left.isEmpty());
                addedHgmma = addedHgmma || right.startsWith(QLatin1String("HGMMA"));
            }
            if (kind == DiffKind::Removed) {
                QVERIFY(right.isEmpty());
            }
        }
        QVERIFY(addedHgmma);
    }

    void hidesEqualRowsAndSaysHowMany()
    {
        SassDiffModel model;
        model.setDiff(m_diff, m_two, m_three);
        const int all = model.rowCount();
        const int changes = model.changeCount();
        QVERIFY(changes > 0);
        model.setHideEqual(true);
        QCOMPARE(model.changeCount(), changes);
        QVERIFY(model.rowCount() < all);
        int told = 0;
        int shown = 0;
        for (int i = 0; i < model.rowCount(); ++i) {
            if (model.index(i, 0).data(SassDiffModel::KindRole).toInt() >= 0) {
                ++shown;
                continue;
            }
            for (const auto& word :
                model.index(i, SassDiffModel::CodeAColumn).data().toString().split(QLatin1Char(' '))) {
                told += word.toInt();
            }
        }
        QCOMPARE(shown + told, all); // nothing is lost
    }

    void stepsThroughChanges()
    {
        DiffView view;
        view.resize(1000, 300);
        view.setDiff(m_diff, m_two, m_three, QStringLiteral("before"), QStringLiteral("after"));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        table(view)->setFocus();
        std::vector<int> rows;
        for (int i = 0; i < view.changeCount(); ++i) {
            QTest::keyClick(table(view), Qt::Key_F7);
            rows.push_back(table(view)->currentIndex().row());
            QVERIFY(table(view)->currentIndex().data(SassDiffModel::ChangeRole).toInt() == i);
            QVERIFY(
                saysSomewhere(view, QStringLiteral("change %1 of %2").arg(i + 1).arg(view.changeCount())));
        }
        QVERIFY(std::is_sorted(rows.begin(), rows.end()));
        QTest::keyClick(table(view), Qt::Key_F7); // wraps
        QCOMPARE(table(view)->currentIndex().row(), rows.front());
        QTest::keyClick(table(view), Qt::Key_F7, Qt::ShiftModifier);
        QCOMPARE(table(view)->currentIndex().row(), rows.back());
    }

    void saysTheSentence()
    {
        DiffView view;
        view.setDiff(m_diff, m_two, m_three, QStringLiteral("a"), QStringLiteral("b"));
        QVERIFY(saysSomewhere(view, QString::fromStdString(m_diff.summary)));
        view.setDiff(m_diff, m_two, m_three, QStringLiteral("a"), QStringLiteral("b"),
            QStringLiteral("1 HGMMA more, +8 registers."));
        QVERIFY(saysSomewhere(view, QStringLiteral("+8 registers")));
        view.setDiff(diffListings(m_two, m_two), m_two, m_two, QStringLiteral("a"), QStringLiteral("a"));
        QVERIFY(saysSomewhere(view, QStringLiteral("Identical")));
        QVERIFY(saysSomewhere(view, QStringLiteral("no changes")));
        QTest::keyClick(&view, Qt::Key_F7); // goes nowhere, and nothing breaks
    }

    void schedulingIsShownOnDemand()
    {
        auto diff = m_diff;
        SassDiffModel model;
        model.setDiff(diff, m_two, m_three);
        int scheduled = 0;
        for (const auto& row : diff.kernels[0].rows) {
            scheduled += row.kind == DiffKind::Schedule ? 1 : 0;
        }
        QVERIFY(scheduled > 0);
        const int before = model.changeCount();
        model.setShowSchedule(true);
        QVERIFY(model.changeCount() >= before);
        bool told = false;
        for (int i = 0; i < model.rowCount(); ++i) {
            told = told
                || model.index(i, SassDiffModel::KindColumn).data().toString().startsWith(QLatin1Char('~'));
        }
        QVERIFY(told);
    }

    void copiesMarkdown()
    {
        DiffView view;
        view.setDiff(m_diff, m_two, m_three, QStringLiteral("two.ptx"), QStringLiteral("three.ptx"));
        view.copyMarkdown();
        const auto text = QGuiApplication::clipboard()->text();
        QVERIFY(text.contains(QLatin1String("two.ptx")));
        QVERIFY(text.contains(QLatin1String("```diff")));
        QVERIFY(text.contains(QLatin1String("| wgmma | +1 |")));
    }

    void kernelsOfOneSideOnly()
    {
        const auto both = sassListing("saxpy.sm_90a.nvdisasm.txt");
        const auto other = parsed(replaced(sassText("saxpy.sm_90a.nvdisasm.txt"), "_Z7reverseiPi", "other"));
        DiffView view;
        view.setDiff(diffListings(both, other), both, other, QStringLiteral("A"), QStringLiteral("B"));
        auto* kernels = view.findChild<QComboBox*>();
        QCOMPARE(kernels->count(), 3);
        QVERIFY(kernels->itemText(0).contains(QLatin1String("only in A")));
        for (int i = 0; i < kernels->count(); ++i) {
            kernels->setCurrentIndex(i);
            QVERIFY(table(view)->model()->rowCount() > 0);
            const auto index = table(view)->model()->index(
                0, i == 2 ? SassDiffModel::CodeBColumn : SassDiffModel::CodeAColumn);
            QVERIFY(!index.data().toString().isEmpty());
        }
    }

    void emptyPaneSaysWhy()
    {
        DiffView view;
        QVERIFY(!view.findChild<PlaceholderPane*>()->placeholder().isEmpty());
        view.setDiff(m_diff, m_two, m_three, QStringLiteral("a"), QStringLiteral("b"));
        QVERIFY(view.findChild<PlaceholderPane*>()->placeholder().isEmpty());
        view.setEmptyReason(QStringLiteral("The other file does not compile."));
        QCOMPARE(view.findChild<PlaceholderPane*>()->placeholder(),
            QStringLiteral("The other file does not compile."));
    }
};

QTEST_MAIN(TestDiffView)
#include "tst_diff_view.moc"
