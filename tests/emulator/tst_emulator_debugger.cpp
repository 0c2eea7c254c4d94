// SPDX-License-Identifier: Apache-2.0
// The debugger: it sees what emulate() does, round by round, and can go back.
#include "core/emulator/debugger.h"
#include "tests/emulator/harness.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

constexpr const char* header = ".version 8.0\n.target sm_90a\n.address_size 64\n";

/// Two warps exchange values through shared memory; `bar` may be left out.
std::string exchange(const std::string& bar)
{
    return std::string(header)
        + ".visible .entry k(.param .u64 out)\n{\n" // 4
          ".reg .pred %p;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.shared .align 16 .b32 tile[64];\n" // 6
          "mov.u32 %r0, %tid.x;\n" // 10
          "shl.b32 %r1, %r0, 2;\n"
          "mov.u32 %r2, tile;\n"
          "add.u32 %r3, %r2, %r1;\n"
          "st.shared.u32 [%r3], %r0;\n" // 14
        + bar
        + "\n" // 15
          "xor.b32 %r4, %r3, 128;\n"
          "ld.shared.u32 %r5, [%r4];\n" // 17
          "ld.param.u64 %rd0, [out];\n"
          "mul.wide.u32 %rd1, %r0, 4;\n"
          "add.u64 %rd2, %rd0, %rd1;\n"
          "st.global.u32 [%rd2], %r5;\n" // 21
          "ret;\n}\n";
}

EmulatorRequest requestOf(std::string text, AsyncPolicy policy, std::uint64_t seed)
{
    EmulatorRequest request;
    request.text = std::move(text);
    request.displayName = "kernel.ptx";
    request.policy = policy;
    request.seed = seed;
    BufferSpec out;
    out.name = "out";
    out.type = {Dtype::Int32, {64}};
    request.plan.buffers.push_back(out);
    request.buffers.emplace_back(256);
    Launch launch;
    launch.kernel = "k";
    launch.block = {64, 1, 1};
    launch.arguments.push_back({.kind = ArgumentKind::Tensor, .index = 0});
    request.plan.launches.push_back(launch);
    return request;
}

std::unique_ptr<Debugger> opened(EmulatorRequest request)
{
    auto debugger = Debugger::open(std::move(request));
    if (!debugger) {
        qWarning("%s", describe(debugger.error()).c_str());
        return nullptr;
    }
    return std::move(*debugger);
}

} // namespace

class TestEmulatorDebugger : public QObject {
    Q_OBJECT

private slots:
    void backIsTheInverseOfStep();
    void breakpointsHoldBeforeTheirLine();
    void findsWhatEmulateFinds_data();
    void findsWhatEmulateFinds();
    void goesBackToTheLastChange();
    void tellsWhoRanAndWaited();
    void readsMatricesThroughSwizzlesAndDescriptors();
    void refusesWhatIsNotThere();
};

void TestEmulatorDebugger::backIsTheInverseOfStep()
{
    auto debugger = opened(requestOf(exchange("bar.sync 0;"), AsyncPolicy::Early, 1));
    QVERIFY(debugger);
    QCOMPARE(debugger->line(), 10);
    std::vector<std::uint64_t> rounds;
    for (int i = 0; i < 5; ++i) {
        rounds.push_back(debugger->round());
        QVERIFY(debugger->step().cause == StopCause::Step);
    }
    QCOMPARE(debugger->line(), 15);
    QCOMPARE(debugger->registerOf("%r0")->values[7], std::uint64_t{7});
    while (!rounds.empty()) {
        QVERIFY(debugger->back().cause == StopCause::Step);
        QCOMPARE(debugger->round(), rounds.back());
        rounds.pop_back();
    }
    QCOMPARE(debugger->line(), 10);
    QCOMPARE(debugger->registerOf("%r0")->defined, 0U);
    QVERIFY(debugger->back().cause == StopCause::Start);
}

void TestEmulatorDebugger::breakpointsHoldBeforeTheirLine()
{
    auto debugger = opened(requestOf(exchange("bar.sync 0;"), AsyncPolicy::Late, 1));
    QVERIFY(debugger);
    debugger->addBreakpoint(14, BreakCondition{"%r0", "==", 40});
    const auto stop = debugger->resume();
    QVERIFY(stop.cause == StopCause::Breakpoint);
    QCOMPARE(debugger->line(), 14);
    QCOMPARE(debugger->current().warp, 1U);
    const auto place = debugger->locate("tile[40]");
    QVERIFY(place);
    const std::vector<std::byte> untouched(4, std::byte{0xFF});
    QVERIFY(*debugger->read(*place, 4) == untouched);
    debugger->step();
    QCOMPARE(std::to_integer<int>(debugger->read(*place, 4)->front()), 40);
    QVERIFY(debugger->resume().cause == StopCause::Finished);
    QVERIFY(debugger->isOver());
}

void TestEmulatorDebugger::findsWhatEmulateFinds_data()
{
    QTest::addColumn<int>("policy");
    QTest::addColumn<quint64>("seed");
    QTest::newRow("early") << 0 << quint64{1};
    QTest::newRow("late") << 1 << quint64{1};
    QTest::newRow("random 1") << 2 << quint64{1};
    QTest::newRow("random 2") << 2 << quint64{2};
    QTest::newRow("random 3") << 2 << quint64{3};
}

void TestEmulatorDebugger::findsWhatEmulateFinds()
{
    QFETCH(int, policy);
    QFETCH(quint64, seed);
    const auto request = requestOf(exchange(""), static_cast<AsyncPolicy>(policy), seed);
    const auto outcome = emulate(request);
    QVERIFY(outcome);
    QVERIFY(!outcome->reports.empty());
    auto debugger = opened(request);
    QVERIFY(debugger);
    for (const auto& report : outcome->reports) {
        QVERIFY(debugger->goToReport(report));
        QVERIFY(!debugger->isOver());
        QVERIFY(debugger->resume().cause == StopCause::Report);
        QCOMPARE(debugger->reports().back().step, report.step);
        QCOMPARE(debugger->reports().back().message, report.message);
    }
}

void TestEmulatorDebugger::goesBackToTheLastChange()
{
    auto debugger = opened(requestOf(exchange("bar.sync 0;"), AsyncPolicy::Early, 1));
    QVERIFY(debugger);
    QVERIFY(debugger->resume().cause == StopCause::Finished);
    const auto place = debugger->watchPlace("out[3]");
    QVERIFY(place);
    QCOMPARE(debugger->valueText(*place), std::string("35"));
    const auto stop = debugger->backToChange(*place);
    QVERIFY(stop);
    QCOMPARE(debugger->line(), 21);
    QCOMPARE(debugger->current().warp, 0U);
    QCOMPARE(debugger->valueText(*place), std::string("0"));
    QVERIFY(!debugger->backToChange(*place));
}

void TestEmulatorDebugger::tellsWhoRanAndWaited()
{
    auto debugger = opened(requestOf(exchange("bar.sync 0;"), AsyncPolicy::Early, 1));
    QVERIFY(debugger);
    for (int i = 0; i < 3; ++i) {
        debugger->step();
    }
    const auto here = debugger->round();
    const auto part = debugger->timeline(false);
    QCOMPARE(part.rounds, here);
    QVERIFY(!part.isWhole);
    QCOMPARE(debugger->round(), here);

    const auto whole = debugger->timeline(true);
    QCOMPARE(debugger->round(), here);
    QVERIFY(whole.isWhole && !whole.isCut);
    QCOMPARE(whole.warps.size(), std::size_t{2});
    std::vector<std::uint64_t> ran(2);
    std::vector<std::uint64_t> end(2);
    bool waits = false;
    for (const auto& span : whole.spans) {
        QVERIFY(span.begin >= end[span.warp] && span.end > span.begin && span.end <= whole.rounds);
        end[span.warp] = span.end;
        if (span.waits) {
            waits = true;
            QCOMPARE(span.line, 15);
        } else {
            ran[span.warp] += span.end - span.begin;
        }
    }
    QVERIFY(waits); // the first warp, for the second
    QVERIFY(ran[0] >= 13 && ran[1] >= 13); // instructions of the kernel
    QVERIFY(whole.phases.empty() && whole.operations.empty());
    const auto json = traceJson(whole, "kernel.ptx");
    QVERIFY(json.find("\"waits at line 15\"") != std::string::npos);

    // To any round, both ways, and to the same place as by steps.
    const int line = debugger->line();
    debugger->goTo(0);
    QCOMPARE(debugger->round(), std::uint64_t{0});
    debugger->goTo(here);
    QCOMPARE(debugger->line(), line);
    QVERIFY(debugger->goTo(whole.rounds + 100).cause == StopCause::Finished);
}

void TestEmulatorDebugger::readsMatricesThroughSwizzlesAndDescriptors()
{
    // Word i of the tile holds i; the tile lies at a multiple of 1024, so that a swizzle begins with it.
    auto text = exchange("bar.sync 0;");
    text.replace(text.find(".align 16"), 9, ".align 1024");
    text.replace(text.find("%rd<4>;"), 7, "%rd<4>;\n.reg .b64 %desc;");
    text.replace(text.find("ret;"), 4, "mov.b64 %desc, 0x4000004000010040;\nret;");
    auto debugger = opened(requestOf(text, AsyncPolicy::Early, 1));
    QVERIFY(debugger);
    QVERIFY(debugger->untilLine(23).cause == StopCause::Step);
    const auto values = [](const MatrixView& view) {
        std::vector<int> all;
        for (std::size_t i = 0; i < view.bytes.size(); i += 4) {
            all.push_back(static_cast<int>(toDouble(view.dtype, view.bytes.data() + i)));
        }
        return all;
    };
    MatrixQuery query{.from = "tile", .dtype = Dtype::Int32, .rows = 2, .columns = 32};
    const auto plain = debugger->matrix(query);
    QVERIFY(plain);
    QCOMPARE(values(*plain)[33], 33);
    query.swizzle = Swizzle::B128;
    const auto swizzled = debugger->matrix(query);
    QVERIFY(swizzled);
    QCOMPARE(values(*swizzled)[3], 3);
    QCOMPARE(values(*swizzled)[32], 36); // row 1: its pieces of four words have changed places in pairs
    QCOMPARE(values(*swizzled)[36], 32);
    query.columns = 33;
    QVERIFY(!debugger->matrix(query)); // wider than the span
    query = {.from = "tile", .dtype = Dtype::Int32, .rows = 3, .columns = 32};
    QVERIFY(!debugger->matrix(query)); // behind the end
    query = {.from = "Y", .swizzle = Swizzle::B128};
    QVERIFY(!debugger->matrix(query));

    const auto tile = debugger->locate("tile");
    QVERIFY(tile);
    query = {
        .from = QStringLiteral("0x%1").arg(0x4000004000010000ULL | tile->address >> 4U, 0, 16).toStdString(),
        .layout = MatrixLayout::DescriptorK,
        .dtype = Dtype::Int32,
        .rows = 2,
        .columns = 32};
    const auto described = debugger->matrix(query);
    QVERIFY2(described, described ? "" : described.error().message.c_str());
    QCOMPARE(values(*described), values(*swizzled));
    query.from = "%r0";
    QVERIFY(!debugger->matrix(query)); // of 32 bits
    query.from = "%desc";
    QVERIFY(!debugger->matrix(query)); // not written yet
}

void TestEmulatorDebugger::refusesWhatIsNotThere()
{
    QVERIFY(!Debugger::open(requestOf(exchange(""), AsyncPolicy::Early, 1), 1));
    QVERIFY(!Debugger::open(requestOf(exchange(""), AsyncPolicy::Early, 1), 0, 1));
    QVERIFY(!Debugger::open(requestOf("", AsyncPolicy::Early, 1)));
    auto debugger = opened(requestOf(exchange(""), AsyncPolicy::Early, 1));
    QVERIFY(debugger);
    QVERIFY(!debugger->registerOf("%nothing"));
    QVERIFY(!debugger->locate("nothing+4"));
    QVERIFY(!debugger->addWatch("out+4000000000"));
    QVERIFY(!debugger->choose({0, 2}));
    QVERIFY(!debugger->read(*debugger->locate("shared+0"), 4));
}

QTEST_APPLESS_MAIN(TestEmulatorDebugger)
#include "tst_emulator_debugger.moc"
