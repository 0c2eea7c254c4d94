// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/timeline_pane.h"
#include "widgets/debugger/timeline_view.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

Timeline made()
{
    Timeline timeline;
    timeline.warps = {{0, 0}, {0, 1}};
    timeline.opcodes = {"cp.async.bulk", "wgmma.mma_async"};
    timeline.barriers = {{0, "full + 8"}};
    timeline.spans = {{.warp = 0, .begin = 0, .end = 10, .line = 4, .lastLine = 9},
        {.warp = 1, .begin = 10, .end = 14, .line = 4, .lastLine = 4},
        {.warp = 0, .waits = true, .begin = 10, .end = 90, .line = 9, .lastLine = 9},
        {.warp = 0, .begin = 90, .end = 100, .line = 10, .lastLine = 12}};
    timeline.operations = {
        {.kind = Timeline::OperationKind::Copy, .begin = 5, .end = 50, .line = 6, .ended = true},
        {.kind = Timeline::OperationKind::Copy, .begin = 8, .end = 60, .line = 7, .ended = true},
        {.kind = Timeline::OperationKind::Copy, .begin = 50, .end = 70, .line = 6, .ended = true},
        {.kind = Timeline::OperationKind::Product,
            .warp = 1,
            .begin = 12,
            .end = 100,
            .line = 5,
            .opcode = 1}};
    timeline.phases = {{.begin = 3, .end = 60, .phase = 0}, {.begin = 60, .end = 100, .phase = 1}};
    timeline.rounds = 100;
    timeline.isWhole = true;
    return timeline;
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private slots:
    void operationsThatOverlapLieSideBySide()
    {
        const auto lanes = TimelineLanes::of(made());
        QCOMPARE(lanes.size(), std::size_t{6}); // two warps, two lanes of copies, products, a barrier
        QCOMPARE(lanes[0].bars.size(), std::size_t{3});
        QCOMPARE(lanes[2].bars.size(), std::size_t{2}); // the third copy begins where the first ended
        QCOMPARE(lanes[3].bars.size(), std::size_t{1});
        QVERIFY(lanes[3].title.isEmpty());
        QCOMPARE(lanes[5].title, QStringLiteral("full + 8"));
        for (const auto& lane : lanes) {
            for (std::size_t i = 1; i < lane.bars.size(); ++i) {
                QVERIFY(lane.bars[i].begin >= lane.bars[i - 1].end);
            }
        }
        auto turned = made();
        std::swap(turned.warps[0], turned.warps[1]); // the warp that ran first is not the first one
        QCOMPARE(TimelineLanes::of(turned).front().title, lanes.front().title);
        QCOMPARE(TimelineLanes::firstEndingBehind(lanes[0], 9.5), std::size_t{0});
        QCOMPARE(TimelineLanes::firstEndingBehind(lanes[0], 10), std::size_t{1});
        QCOMPARE(TimelineLanes::firstEndingBehind(lanes[0], 100), std::size_t{3});
    }

    void itIsWholeUntilSomebodyZooms()
    {
        TimelineView view;
        view.resize(900, 200);
        view.setLanes(TimelineLanes::of(made()), 100);
        view.show();
        QVERIFY(std::abs(view.roundsShown() - 100) < 1e-6);
        view.resize(700, 200);
        QCoreApplication::processEvents();
        QVERIFY(std::abs(view.roundsShown() - 100) < 1e-6);
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.roundsShown() < 70);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(std::abs(view.roundsShown() - 100) < 1e-6);
        for (int i = 0; i < 100; ++i) {
            QTest::keyClick(&view, Qt::Key_Minus);
        }
        QVERIFY(std::abs(view.roundsShown() - 100) < 1e-6);
    }

    void theKeyboardReachesEveryBar()
    {
        TimelineView view;
        view.resize(900, 60); // lower than its lanes
        view.setLanes(TimelineLanes::of(made()), 100);
        view.show();
        QSignalSpy said(&view, &TimelineView::barChosen);
        QSignalSpy went(&view, &TimelineView::roundActivated);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.chosen(), (TimelineView::Place{0, 0}));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.chosen(), (TimelineView::Place{0, 1}));
        QVERIFY(said.back().front().toString().contains(QLatin1String("waits at line 9")));
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(went.back().front().toULongLong(), 10ULL);
        for (int i = 0; i < 9; ++i) {
            QTest::keyClick(&view, Qt::Key_Down);
        }
        QCOMPARE(view.chosen()->lane, std::size_t{5});
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.chosen(), (TimelineView::Place{5, 0}));
    }

    void aClickChoosesTheBarBelowIt()
    {
        TimelineView view;
        view.resize(900, 300);
        view.setLanes(TimelineLanes::of(made()), 100);
        view.show();
        const int middle = view.viewport()->width() / 2; // within the wait of warp 0
        const int row = view.fontMetrics().height() + 10;
        const auto place = view.placeAt({middle, row});
        QCOMPARE(place, (TimelineView::Place{0, 1}));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {middle, row});
        QCOMPARE(view.chosen(), (TimelineView::Place{0, 1}));
        QVERIFY(!view.placeAt({2, row}));
        QVERIFY(!view.placeAt({middle, 290}));
        QVERIFY(!view.grab().isNull());
    }

    void thePaneSaysWhatItShows()
    {
        TimelinePane pane;
        QVERIFY(pane.note().isEmpty());
        pane.show(made());
        QVERIFY(pane.note().contains(QLatin1String("an order, not time")));
        QVERIFY(pane.note().contains(QLatin1String("The run ends there")));
        auto cut = made();
        cut.isWhole = false;
        cut.isCut = true;
        pane.show(std::move(cut));
        QVERIFY(pane.note().contains(QLatin1String("Cut there")));
        pane.clear();
        QVERIFY(pane.view()->lanes().empty());
    }
};

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
