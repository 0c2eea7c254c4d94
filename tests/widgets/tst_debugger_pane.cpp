// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/debug_table_model.h"
#include "widgets/debugger/debug_tables.h"
#include "widgets/debugger/debugger_pane.h"
#include "widgets/debugger/memory_view.h"
#include "widgets/results/findings_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <array>
#include <cstring>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

RegisterView reg(const char* name, std::uint64_t value, std::uint32_t defined = 0xFFFFFFFFU)
{
    RegisterView view;
    view.name = name;
    view.values.fill(value);
    view.defined = defined;
    return view;
}

DebugSnapshot snapshot()
{
    DebugSnapshot now;
    now.stop = {StopCause::Deadlock, "nothing can go on"};
    now.launch = "k: grid 1 x 1 x 1";
    now.current = {0, 1};
    now.running = WarpName{0, 0};
    now.line = 12;
    now.warps = {{.name = {0, 0}, .live = 0xFFFFFFFFU, .splits = {{0xFFFFFFFFU, 9, "add.s32", ""}}},
        {.name = {0, 1},
            .live = 0xFFFFFFFFU,
            .splits = {{1, 12, "mbarrier.try_wait", "waits"}, {2, 14, "bra", ""}}},
        {.name = {0, 2}}};
    BarrierView barrier;
    barrier.address = 64;
    barrier.place = "full + 8";
    barrier.phase = 3;
    barrier.pending = 1;
    barrier.expected = 9;
    barrier.waiting = {{0, 1}};
    now.barriers = {barrier};
    now.namedBarriers = {{.number = 2, .arrived = 32, .expected = 64}};
    now.pending = {{.line = 20, .opcode = "cp.async.bulk", .warp = {0, 0}}};
    now.registers = {reg("%r1", 5), reg("%r2", 0xFFFFFFFF)};
    now.reports = {Report{.message = "one"}, Report{.message = "two"}};
    return now;
}

QTableView* viewOf(const QWidget& pane, const QAbstractItemModel* model)
{
    for (auto* view : pane.findChildren<QTableView*>()) {
        if (view->model() == model) {
            return view;
        }
    }
    return nullptr;
}

} // namespace

class TestDebuggerPane : public QObject {
    Q_OBJECT

private slots:
    void tablesKeepTheirModelInOrder()
    {
        DebugTableModel model(DebugTables::warpHeaders(), nullptr);
        QAbstractItemModelTester tester(&model);
        const DebugSnapshot now = snapshot();
        model.setRows(DebugTables::warps(now));
        QCOMPARE(model.rowCount(), 4); // a row for each group of lanes, and one for the warp that has exited
        QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("0.1"));
        QVERIFY(model.index(1, 0).data(Qt::FontRole).isValid());
        QVERIFY(!model.index(0, 0).data(Qt::FontRole).isValid());
        QCOMPARE(model.index(3, 5).data().toString(), QStringLiteral("has exited"));
        model.setRows(DebugTables::warps(now));
        model.setRows({});
        QCOMPARE(model.rowCount(), 0);
    }

    void barriersSayWhatIsMissingAndWhoWaits()
    {
        const auto rows = DebugTables::barriers(snapshot());
        QCOMPARE(rows.size(), std::size_t{2});
        QVERIFY(rows[0].strong);
        QCOMPARE(rows[0].cells[2], QStringLiteral("3 (parity 1)"));
        QCOMPARE(rows[0].cells[3], QStringLiteral("1 of 9"));
        QCOMPARE(rows[0].cells[8], QStringLiteral("0.1"));
        QCOMPARE(rows[1].item, -1);
        QCOMPARE(rows[0].cells.size(), DebugTables::barrierHeaders().size());
        QCOMPARE(rows[1].cells.size(), DebugTables::barrierHeaders().size());
    }

    void registersAreShownInEveryFormatAndChangesStandOut()
    {
        const DebugSnapshot before = snapshot();
        DebugSnapshot now = before;
        now.registers[0].values[3] = 6;
        now.registers[1].defined = 1;
        auto rows = DebugTables::registers(now, &before, 3, RegisterFormat::Hex);
        QCOMPARE(rows[0].cells[2], QStringLiteral("0x00000006"));
        QVERIFY(rows[0].strong && rows[1].strong);
        QCOMPARE(rows[1].cells[2], QStringLiteral("undefined"));
        rows = DebugTables::registers(now, &before, 0, RegisterFormat::Signed);
        QCOMPARE(rows[1].cells[2], QStringLiteral("-1"));
        // Of another warp nothing is comparable.
        now.current = {0, 2};
        QVERIFY(!DebugTables::registers(now, &before, 0, RegisterFormat::Hex)[0].strong);
        QCOMPARE(DebugTables::value(0x3F800000, 32, RegisterFormat::Float), QStringLiteral("1"));
        QCOMPARE(DebugTables::value(0x4000000000000000, 64, RegisterFormat::Float), QStringLiteral("2"));
        QCOMPARE(DebugTables::value(1, 1, RegisterFormat::Hex), QStringLiteral("true"));
    }

    void memoryIsShownByItsTypeEightARow()
    {
        DebugMemory memory;
        memory.name = "Y";
        memory.dtype = Dtype::Float32;
        const std::array<float, 9> values{0, 1, 2, 3, 4, 5, 6, 7, 8.5F};
        memory.bytes.resize(sizeof values);
        std::memcpy(memory.bytes.data(), values.data(), sizeof values);
        auto rows = DebugTables::memory(memory);
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].cells.size(), DebugTables::memoryHeaders(memory).size());
        QCOMPARE(rows[1].cells, (QStringList{QStringLiteral("Y + 32"), QStringLiteral("8.5")}));
        memory.words = true;
        memory.dtype = Dtype::Int32;
        QCOMPARE(DebugTables::memory(memory)[0].cells[2], QStringLiteral("0x3f800000"));
        memory.problem = "no such place";
        rows = DebugTables::memory(memory);
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].cells[0], QStringLiteral("no such place"));
    }

    void aMatrixHasRowsAndColumnsOfItsOwn()
    {
        DebugMemory memory;
        memory.name = "%descA: shared + 1024";
        memory.dtype = Dtype::Uint8;
        memory.columns = 3;
        memory.isMatrix = true;
        memory.bytes.assign(6, std::byte{7});
        MemoryView view;
        QAbstractItemModelTester tester(view.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        view.show(memory);
        QCOMPARE(view.model()->rowCount(), 2);
        QCOMPARE(view.model()->columnCount(), 4);
        QCOMPARE(view.model()->index(1, 0).data().toString(), QStringLiteral("1"));
        memory = {};
        view.show(memory);
        QCOMPARE(view.model()->columnCount(), 9);
    }

    void aStopIsShownAndItsRowsLeadOn()
    {
        DebuggerPane pane;
        QVERIFY(!pane.placeholder().isEmpty());
        pane.show(snapshot());
        QVERIFY(pane.placeholder().isEmpty());
        QVERIFY2(pane.stateText().contains(QLatin1String("Deadlock")), qPrintable(pane.stateText()));
        QVERIFY(pane.stateText().contains(QLatin1String("line 12")));
        QSignalSpy warp(&pane, &DebuggerPane::warpChosen);
        QSignalSpy barrier(&pane, &DebuggerPane::barrierActivated);
        QSignalSpy line(&pane, &DebuggerPane::lineActivated);
        emit viewOf(pane, pane.warps())->activated(pane.warps()->index(2, 0));
        QCOMPARE(warp.count(), 1);
        QVERIFY(warp.first().first().value<WarpName>() == (WarpName{0, 1}));
        emit viewOf(pane, pane.barriers())->activated(pane.barriers()->index(0, 0));
        emit viewOf(pane, pane.barriers())->activated(pane.barriers()->index(1, 0));
        QCOMPARE(barrier.count(), 1);
        emit viewOf(pane, pane.pending())->activated(pane.pending()->index(0, 0));
        QCOMPARE(line.first().first().toInt(), 20);
        QCOMPARE(pane.reports()->rowCount(), 2);
        pane.setStale(true);
        QVERIFY(pane.stateText().contains(QLatin1String("earlier text")));
        pane.showReason(QStringLiteral("over"));
        QCOMPARE(pane.placeholder(), QStringLiteral("over"));
        QVERIFY(!pane.shown());
    }
};

QTEST_MAIN(TestDebuggerPane)
#include "tst_debugger_pane.moc"
