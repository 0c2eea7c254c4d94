// SPDX-License-Identifier: Apache-2.0
#include "../sass/sass_test_data.h"
#include "widgets/editor/placeholder_pane.h"
#include "widgets/sass/family_chips.h"
#include "widgets/sass/loop_label.h"
#include "widgets/sass/sass_find_bar.h"
#include "widgets/sass/sass_model.h"
#include "widgets/sass/sass_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace ptxwb;
using namespace ptxwb::testing;

class TestSassView : public QObject {
    Q_OBJECT

    static QTableView* table(SassView& view) { return view.findChild<QTableView*>(); }
    static bool saysSomewhere(SassView& view, const QString& text)
    {
        for (const auto* label : view.findChildren<QLabel*>()) {
            if (label->isVisibleTo(&view) && label->text().contains(text)) {
                return true;
            }
        }
        return false;
    }

private slots:
    void emptyPaneSaysWhy()
    {
        SassView view;
        auto* pane = view.findChild<PlaceholderPane*>();
        QVERIFY(!pane->placeholder().isEmpty());
        view.setEmptyReason(QStringLiteral("nvdisasm is not installed. Get nvidia-cuda-nvdisasm."));
        QCOMPARE(pane->placeholder(), QStringLiteral("nvdisasm is not installed. Get nvidia-cuda-nvdisasm."));
        view.setListing(sassListing("saxpy.sm_90a.nvdisasm.txt"));
        QVERIFY(pane->placeholder().isEmpty());
        view.setListing({});
        QVERIFY(pane->placeholder().contains(QLatin1String(".entry")));
    }

    void choosesKernels()
    {
        SassView view;
        view.setListing(sassListing("saxpy.sm_90a.nvdisasm.txt"), {{"saxpy", 12, 0, 0, 0, {}, 1}});
        auto* kernels = view.findChild<QComboBox*>();
        QCOMPARE(kernels->count(), 2);
        QSignalSpy changed(&view, &SassView::currentKernelChanged);
        view.setCurrentKernel(QStringLiteral("saxpy"));
        QCOMPARE(view.currentKernel(), QStringLiteral("saxpy"));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(view.model()->rowCount(), 0x280 / 16);
        QVERIFY(saysSomewhere(view, QStringLiteral("registers 12")));
        // A new listing keeps the kernel of that name.
        view.setListing(sassListing("saxpy.sm_90a.cuobjdump.txt"));
        QCOMPARE(view.currentKernel(), QStringLiteral("saxpy"));
        QVERIFY(saysSomewhere(view, QStringLiteral("no line map")));
    }

    void filterChipsHideRows()
    {
        SassView view;
        view.resize(900, 600);
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.show();
        QToolButton* wgmma = nullptr;
        QStringList shown;
        for (auto* chip : view.findChild<FamilyChips*>()->findChildren<QToolButton*>()) {
            if (chip->isVisible()) {
                shown << chip->text();
            }
            if (chip->text().startsWith(QLatin1String("wgmma"))) {
                wgmma = chip;
            }
        }
        QVERIFY(shown.contains(QStringLiteral("wgmma 2")));
        QVERIFY(shown.contains(QStringLiteral("TMA 1")));
        QVERIFY(!shown.join(QLatin1Char(' ')).contains(QLatin1String("tcgen05")));
        wgmma->click();
        QCOMPARE(table(view)->model()->rowCount(), 2);
        QCOMPARE(view.hiddenRows(), 62);
        QPushButton* showAll = nullptr;
        for (auto* button : view.findChildren<QPushButton*>()) {
            if (button->isVisible() && button->text().contains(QLatin1String("62 rows hidden"))) {
                showAll = button;
            }
        }
        QVERIFY(showAll != nullptr);
        // A kernel without that family shows everything again.
        view.setListing(sassListing("saxpy.sm_90a.nvdisasm.txt"));
        QCOMPARE(view.hiddenRows(), 0);
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        wgmma->click();
        showAll->click();
        QCOMPARE(view.hiddenRows(), 0);
        QVERIFY(!showAll->isVisible());
    }

    void linksBothWays()
    {
        SassView view;
        view.resize(900, 300);
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.show();
        QSignalSpy activated(&view, &SassView::ptxLineActivated);
        view.highlightPtxLine(61);
        QCOMPARE(activated.count(), 0); // no echo
        const auto store = table(view)->model()->index(0x320 / 16, SassModel::OpcodeColumn);
        QVERIFY(store.data(Qt::BackgroundRole).isValid());
        QVERIFY(table(view)->viewport()->rect().contains(table(view)->visualRect(store).center()));
        table(view)->setCurrentIndex(table(view)->model()->index(0, 0));
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated.last().at(0).toInt(), 11); // what the tool says of the first row
        // By keyboard too; rows without a line say nothing.
        table(view)->setCurrentIndex(table(view)->model()->index(0x280 / 16, 0));
        const auto before = activated.count();
        QTest::keyClick(table(view), Qt::Key_Down); // the HGMMA, for which the tool gives no line
        QCOMPARE(table(view)->currentIndex().row(), 0x290 / 16);
        QCOMPARE(activated.count(), before);
        QTest::keyClick(table(view), Qt::Key_Up);
        QVERIFY(activated.count() > before);
    }

    void linksToSourceLines()
    {
        SassView view;
        view.setListing(sassListing("saxpy.sm_90a.nvdisasm.txt"));
        view.setCurrentKernel(QStringLiteral("saxpy"));
        QSignalSpy activated(&view, &SassView::sourceLineActivated);
        table(view)->setCurrentIndex(table(view)->model()->index(0x150 / 16, 0));
        QCOMPARE(activated.last().at(0).toInt(), 9);
        QCOMPARE(activated.last().at(1).toString(), QStringLiteral("saxpy.cu"));
    }

    void findsRows()
    {
        SassView view;
        view.resize(900, 400);
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.openFind();
        auto* bar = view.findChild<SassFindBar*>();
        auto* needle = bar->findChild<QLineEdit*>();
        QVERIFY(bar->isVisible());
        QTest::keyClicks(needle, QStringLiteral("hgmma"));
        QCOMPARE(table(view)->currentIndex().row(), 0x290 / 16);
        QCOMPARE(bar->statusText(), QStringLiteral("1 of 2"));
        QTest::keyClick(needle, Qt::Key_Return);
        QCOMPARE(table(view)->currentIndex().row(), 0x2d0 / 16);
        QTest::keyClick(needle, Qt::Key_Return); // wraps
        QCOMPARE(table(view)->currentIndex().row(), 0x290 / 16);
        QTest::keyClick(needle, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(table(view)->currentIndex().row(), 0x2d0 / 16);
        bar->setNeedle(QStringLiteral(".L_x_2")); // labels are found too
        QVERIFY(bar->statusText().endsWith(QLatin1String("of 2")));
        bar->setNeedle(QStringLiteral("nothing like it"));
        QCOMPARE(bar->statusText(), QStringLiteral("Not found"));
        QTest::keyClick(needle, Qt::Key_Escape);
        QVERIFY(!bar->isVisible());
    }

    void copiesRows()
    {
        SassView view;
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.show();
        table(view)->selectRow(0x300 / 16);
        for (auto* action : view.actions()) {
            if (action->shortcut() == QKeySequence(QKeySequence::Copy)) {
                action->trigger();
            }
        }
        QCOMPARE(
            QGuiApplication::clipboard()->text(), QStringLiteral("/*0300*/  LDC.64 R2, c[0x0][0x2c0]\n"));
    }

    void followsBranches()
    {
        SassView view;
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.show();
        table(view)->setCurrentIndex(table(view)->model()->index(0x2f0 / 16, 0));
        for (auto* action : view.actions()) {
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_B)) {
                action->trigger();
            }
        }
        QCOMPARE(table(view)->currentIndex().row(), 0x190 / 16);
    }

    void familiesInOneColumnDoNotMakeItTall()
    {
        SassView view;
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.resize(900, 500);
        view.show();
        auto* chips = view.findChild<FamilyChips*>();
        QVERIFY(chips != nullptr);
        QVERIFY(view.minimumSizeHint().height()
            < chips->sizeHint().height() + table(view)->minimumSizeHint().height());
        QCOMPARE(chips->height(), chips->heightForWidth(chips->width()));
    }

    void namesTheMainLoop()
    {
        SassView view;
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.show();
        auto* label = view.findChild<LoopLabel*>();
        QVERIFY(label != nullptr);
        QVERIFY(label->isVisible());
        QVERIFY(label->text().contains(QStringLiteral("0190 to 02f0")));
        QVERIFY(label->text().contains(QStringLiteral("tensor core products: 2")));
        emit label->linkActivated(QString::number(0x190 / 16));
        QCOMPARE(table(view)->currentIndex().row(), 0x190 / 16);
        view.setListing(sassListing("saxpy.sm_90a.nvdisasm.txt"));
        QVERIFY(!label->isVisible()); // no tensor core product there
    }

    void footerNamesTheTool()
    {
        SassView view;
        view.setListing(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        view.setTool(QStringLiteral("nvdisasm 13.2.86"));
        QVERIFY(saysSomewhere(view, QStringLiteral("nvdisasm 13.2.86")));
        QVERIFY(saysSomewhere(view, QStringLiteral("sm_90a")));
        view.setNotice(QStringLiteral("of an earlier text"));
        QVERIFY(saysSomewhere(view, QStringLiteral("of an earlier text")));
        view.setNotice({});
        QVERIFY(!saysSomewhere(view, QStringLiteral("of an earlier text")));
    }
};

QTEST_MAIN(TestSassView)
#include "tst_sass_view.moc"
