// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/plan_fit.h"

#include <QTest>

using namespace ptxwb;

namespace {

LaunchArgument argument(ArgumentKind kind, int index = -1)
{
    return {.kind = kind, .index = index};
}

ResolvedPlan planOf(std::vector<LaunchArgument> arguments, const std::string& kernel = "k")
{
    ResolvedPlan plan;
    plan.buffers.push_back({.name = "C"});
    plan.tensorMaps.push_back({.name = "mapA", .buffer = 0});
    plan.launches.push_back({.kernel = kernel, .arguments = std::move(arguments)});
    return plan;
}

std::string moduleWith(const std::string& parameters)
{
    return ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(" + parameters + ") { ret; }\n";
}

} // namespace

class TestPlanFit : public QObject {
    Q_OBJECT

private slots:
    void comparesKinds_data()
    {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char* parameter, ArgumentKind kind, bool fits) {
            QTest::addRow("%s from %d", parameter, static_cast<int>(kind))
                << QString::fromLatin1(parameter) << static_cast<int>(kind) << fits;
        };
        using enum ArgumentKind;
        row(".param .u64 p", Tensor, true);
        row(".param .b64 p", Tensor, true);
        row(".param .u64 .ptr .global .align 16 p", Tensor, true);
        row(".param .u32 p", Tensor, false);
        row(".param .f64 p", Tensor, false);
        row(".param .align 64 .b8 p[128]", TensorMap, true);
        row(".param .align 128 .b8 p[4*32]", TensorMap, true);
        row(".param .align 8 .b8 p[128]", TensorMap, false);
        row(".param .align 64 .b8 p[64]", TensorMap, false);
        row(".param .u64 p", TensorMap, false);
        row(".param .align 64 .b8 p[128]", Tensor, false);
        row(".param .u32 p", I32, true);
        row(".param .s32 p", U32, true);
        row(".param .b32 p", F32, true);
        row(".param .b32 p", I32, true);
        row(".param .f32 p", F32, true);
        row(".param .f32 p", I32, false);
        row(".param .u32 p", F32, false);
        row(".param .u64 p", I32, false);
        row(".param .u64 p", I64, true);
        row(".param .s64 p", U64, true);
        row(".param .f64 p", F64, true);
        row(".param .u16 p", I32, false);
        row(".param .align 8 .b8 p[16]", I64, false);
    }

    void comparesKinds()
    {
        QFETCH(QString, parameter);
        QFETCH(int, kind);
        const auto text = moduleWith(parameter.toStdString());
        const auto misfits =
            planMisfits(planOf({argument(static_cast<ArgumentKind>(kind), 0)}), outlinePtx(text));
        QTEST(misfits.empty(), "fits");
        if (!misfits.empty()) {
            QCOMPARE(misfits.front().jsonPath, std::string("$.launches[0].args[0]"));
            QVERIFY(misfits.front().message.starts_with("kernel 'k' takes "));
            QVERIFY(!misfits.front().hint.empty());
        }
    }

    void countsAndNamesBothSides()
    {
        const auto text = moduleWith(".param .u64 c, .param .u32 m");
        const auto misfits = planMisfits(planOf({argument(ArgumentKind::Tensor, 0)}), outlinePtx(text));
        QCOMPARE(misfits.size(), std::size_t{1});
        QCOMPARE(misfits.front().jsonPath, std::string("$.launches[0].args"));
        QCOMPARE(misfits.front().message,
            std::string("kernel 'k' takes 2 parameters (.u64 c, .u32 m), the plan gives 1 (the tensor C)"));
    }

    void aKernelWithoutParametersTakesNone()
    {
        const std::string text = ".version 8.0\n.target sm_90a\n.visible .entry k { ret; }\n";
        QVERIFY(planMisfits(planOf({}), outlinePtx(text)).empty());
        QCOMPARE(planMisfits(planOf({argument(ArgumentKind::I32)}), outlinePtx(text)).size(), std::size_t{1});
    }

    void namesTheKernelsThatAreThere()
    {
        const std::string text = ".visible .entry _Z1kPf(.param .u64 p) { ret; }\n.func helper { ret; }\n";
        const auto misfits = planMisfits(planOf({argument(ArgumentKind::Tensor, 0)}), outlinePtx(text));
        QCOMPARE(misfits.size(), std::size_t{1});
        QCOMPARE(misfits.front().message, std::string("the launch plan starts 'k', but the code has _Z1kPf"));
        QVERIFY(misfits.front().hint.find("extern \"C\"") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPlanFit)
#include "tst_plan_fit.moc"
