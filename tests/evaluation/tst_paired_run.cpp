// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/paired_run.h"

#include <QTest>

using namespace ptxwb;

namespace {

BufferSpec buffer(const char* name, BufferRole role, std::int64_t n = 8)
{
    return {.name = name, .type = {.dtype = Dtype::Float32, .shape = {n}}, .role = role};
}

/// X -> Y, with workspaces behind, each an argument.
ResolvedPlan planWith(const std::vector<const char*>& workspaces)
{
    ResolvedPlan plan;
    plan.buffers = {buffer("X", BufferRole::Input), buffer("Y", BufferRole::Output)};
    Launch launch{.kernel = "k"};
    launch.arguments = {
        {.kind = ArgumentKind::Tensor, .index = 0}, {.kind = ArgumentKind::Tensor, .index = 1}};
    for (const char* name : workspaces) {
        launch.arguments.push_back(
            {.kind = ArgumentKind::Workspace, .index = static_cast<int>(plan.buffers.size())});
        plan.buffers.push_back(buffer(name, BufferRole::Workspace));
    }
    launch.arguments.push_back({.kind = ArgumentKind::I32, .integer = 2});
    plan.launches = {launch};
    return plan;
}

std::string nameOf(const ResolvedPlan& plan, std::size_t argument)
{
    return plan.buffers[static_cast<std::size_t>(plan.launches[0].arguments[argument].index)].name;
}

} // namespace

class TestPairedRun : public QObject {
    Q_OBJECT

private slots:
    void workspacesStayTheirOwn()
    {
        auto a = planWith({"partial", "counters"});
        a.tensorMaps = {{.name = "map", .buffer = 3}};
        auto b = planWith({"scratch"});
        QVERIFY(joinPlans(a, b));
        QCOMPARE(a.buffers.size(), std::size_t{5});
        QCOMPARE(b.buffers.size(), std::size_t{5});
        QCOMPARE(nameOf(b, 2), std::string("scratch"));
        QCOMPARE(nameOf(a, 0), std::string("X"));
        QCOMPARE(nameOf(a, 2), std::string("partial"));
        QCOMPARE(nameOf(a, 3), std::string("counters"));
        QCOMPARE(a.buffers[static_cast<std::size_t>(a.tensorMaps[0].buffer)].name, std::string("counters"));
        QCOMPARE(a.launches[0].arguments[4].integer, std::int64_t{2});
    }

    void otherTensorsAreNoVersions()
    {
        const auto refused = [](auto&& change) {
            auto a = planWith({});
            auto b = planWith({});
            change(a);
            const auto joined = joinPlans(a, b);
            return !joined && joined.error().code == ErrorCode::InvalidArgument;
        };
        QVERIFY(refused([](ResolvedPlan& plan) { plan.buffers[0].name = "Z"; }));
        QVERIFY(refused([](ResolvedPlan& plan) { plan.buffers[1].type.shape = {9}; }));
        QVERIFY(refused([](ResolvedPlan& plan) { plan.buffers[1].type.dtype = Dtype::Float16; }));
        QVERIFY(refused([](ResolvedPlan& plan) { plan.buffers[0].init = BufferInit::Zero; }));
        QVERIFY(refused([](ResolvedPlan& plan) { plan.buffers.pop_back(); }));
        QVERIFY(!refused([](ResolvedPlan&) {}));
    }

    void whatIsRequiredOfB()
    {
        PairedRun run;
        const auto check = [&](const char* text) {
            const auto asked = parseRequirements(text);
            return asked ? checkPaired(*asked, run) : asked.error();
        };
        QVERIFY(!(*check("speedup>=1"))[0].met); // nothing was measured
        run.timing.emplace();
        run.timing->candidate.coldUs = {10, 11, 12};
        run.speedup = SpeedupEstimate{.ratio = 1.1, .ci95 = {1.05, 1.15}};
        run.timing->baselines.push_back({.name = "rival", .speedup = run.speedup});
        QVERIFY((*check("speedup>=1.05"))[0].met);
        QVERIFY(!(*check("speedup>=1.2"))[0].met);
        QVERIFY((*check("speedup>1,time_us<=11"))[1].met);
        QVERIFY(!(*check("warm_us<=11"))[0].met);
        QCOMPARE(check("wgmma").error().code, ErrorCode::InvalidArgument);
        QCOMPARE(check("strict").error().code, ErrorCode::InvalidArgument);
        run.agree = false; // two different functions have no ratio
        QVERIFY(!(*check("speedup>=1.05"))[0].met);
    }

    void whichIsFaster()
    {
        const auto of = [](double ratio, double low, double high) {
            return fasterOf(SpeedupEstimate{.ratio = ratio, .ci95 = {low, high}});
        };
        QCOMPARE(of(1.05, 1.04, 1.06), Faster::B);
        QCOMPARE(of(0.9, 0.89, 0.91), Faster::A);
        QCOMPARE(of(1.05, 0.99, 1.1), Faster::NoDifferenceShown);
        QCOMPARE(of(1.004, 1.003, 1.0045), Faster::NoDifferenceShown); // as between two copies
        QCOMPARE(fasterOf(std::nullopt), Faster::NotMeasured);
    }
};

QTEST_MAIN(TestPairedRun)
#include "tst_paired_run.moc"
