// SPDX-License-Identifier: Apache-2.0
// Whether an output depends on the tensor cores: a wgmma whose result is thrown away does not count.
#include "core/emulator/contribution.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

/// 64 x 8 products of ones; `tail` makes %f9 of them (%f1 to %f4) or of a scalar sum of the same ones (%f5).
EmulatorRequest request(const std::string& tail)
{
    EmulatorRequest made;
    made.text =
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<10>;\n.reg .pred %p;\n"
        ".shared .align 128 .b8 tile[2304];\n"
        "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [out];\nmul.wide.u32 %rd1, %r0, 4;\n"
        "add.s64 %rd1, %rd0, %rd1;\nmov.u32 %r1, tile;\n"
        "mad.lo.u32 %r2, %r0, 4, %r1;\nmov.u32 %r3, 0x3f803f80;\nmov.u32 %r4, 0;\n"
        "FILL: st.shared.u32 [%r2], %r3;\nadd.u32 %r2, %r2, 512;\nadd.u32 %r4, %r4, 1;\n"
        "setp.lt.u32 %p, %r4, 4;\n@%p bra FILL;\n"
        "setp.lt.u32 %p, %r0, 64;\n@%p st.shared.u32 [%r2], %r3;\n"
        "fence.proxy.async;\nbar.sync 0;\n"
        "mov.f32 %f5, 0f00000000;\nmov.u32 %r4, 0;\n"
        "SUM: fma.rn.f32 %f5, 0f3F800000, 0f3F800000, %f5;\nadd.u32 %r4, %r4, 1;\n"
        "setp.lt.u32 %p, %r4, 16;\n@%p bra SUM;\n"
        "shr.u32 %r5, %r1, 4;\ncvt.u64.u32 %rd2, %r5;\nor.b64 %rd2, %rd2, 0x0000001000080000;\n"
        "add.s64 %rd3, %rd2, 128;\n"
        "wgmma.fence.sync.aligned;\nsetp.ne.u32 %p, %r0, %r0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1,%f2,%f3,%f4}, %rd2, %rd3, %p, 1, 1, 0, 0;\n"
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
        + tail + "\nst.global.f32 [%rd1], %f9;\nret;\n}\n";
    BufferSpec spec;
    spec.name = "out";
    spec.role = BufferRole::Output;
    spec.type.shape = {128};
    made.plan.buffers.push_back(spec);
    made.buffers.emplace_back(512);
    Launch launch;
    launch.kernel = "k";
    launch.block = {128, 1, 1};
    launch.arguments.push_back({.kind = ArgumentKind::Tensor, .index = 0});
    made.plan.launches.push_back(launch);
    return made;
}

} // namespace

class TestEmulatorContribution : public QObject {
    Q_OBJECT

private slots:
    void outputs_data()
    {
        QTest::addColumn<QByteArray>("tail");
        QTest::addColumn<bool>("depends");
        QTest::newRow("stored") << QByteArray("mov.f32 %f9, %f1;") << true;
        QTest::newRow("through arithmetic") << QByteArray("fma.rn.f32 %f9, %f2, 0f3F000000, %f5;") << true;
        QTest::newRow("through a branch")
            << QByteArray("mov.f32 %f9, %f5;\nsetp.eq.f32 %p, %f3, %f5;\n@%p mov.f32 %f9, 0f00000000;")
            << true;
        QTest::newRow("thrown away") << QByteArray("mov.f32 %f9, %f5;") << false;
        QTest::newRow("times zero") << QByteArray("fma.rn.f32 %f9, %f4, 0f00000000, %f5;") << false;
        QTest::newRow("overwritten") << QByteArray("mov.f32 %f1, %f5;\nmov.f32 %f9, %f1;") << false;
    }

    void outputs()
    {
        QFETCH(QByteArray, tail);
        QFETCH(bool, depends);
        const auto made = request(tail.toStdString());
        auto plain = made;
        const auto outcome = emulate(std::move(plain));
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        const auto& said = outcome->reports;
        QVERIFY2(outcome->end == EmulatorEnd::Completed && said.empty(),
            said.empty() ? "" : said[0].message.c_str());
        const bool ran =
            std::any_of(outcome->executed.begin(), outcome->executed.end(), [](const OpcodeCount& count) {
                return count.opcode.starts_with("wgmma.mma_async") && count.warps == 4;
            });
        QVERIFY(ran); // executed it is, in every case
        const auto found = outputDependsOn(made, ResultOf::Wgmma);
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QVERIFY(found->has_value());
        QCOMPARE(**found, depends);
        const auto copies = outputDependsOn(made, ResultOf::TensorCopy);
        QVERIFY(copies && copies->has_value());
        QVERIFY(!**copies); // there are none
    }

    void registersAndBulkCopies_data()
    {
        QTest::addColumn<QByteArray>("tail");
        QTest::addColumn<bool>("mma");
        QTest::addColumn<bool>("copy");
        const QByteArray product =
            "mov.b32 %r5, 0x3f800000;\nmma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
            "{%f6,%f7,%f8,%f9}, {%r5,%r5}, {%r5}, {%f5,%f5,%f5,%f5};\n";
        const QByteArray copy = "st.shared.f32 [%r2], %f9;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
                                "setp.eq.u32 %p, %r0, 0;\n@%p cp.async.bulk.global.shared::cta.bulk_group "
                                "[%rd0], [%r6], 512;\n@%p cp.async.bulk.commit_group;\n"
                                "@%p cp.async.bulk.wait_group 0;\nbar.sync 0;\n";
        const QByteArray place = "mov.u32 %r6, tile;\nmad.lo.u32 %r2, %r0, 4, %r6;\n";
        QTest::newRow("product stored") << product << true << false;
        QTest::newRow("product thrown away") << product + "mov.f32 %f9, %f5;" << false << false;
        QTest::newRow("copy overwritten") << product + place + copy << true << false;
        QTest::newRow("copy last") << product + place + copy + "ret;" << true << true;
    }

    void registersAndBulkCopies()
    {
        QFETCH(QByteArray, tail);
        QFETCH(bool, mma);
        QFETCH(bool, copy);
        const auto made = request(tail.toStdString());
        const auto byMma = outputDependsOn(made, ResultOf::Mma);
        QVERIFY2(byMma, byMma ? "" : describe(byMma.error()).c_str());
        QCOMPARE(byMma->value_or(!mma), mma);
        const auto byCopy = outputDependsOn(made, ResultOf::BulkCopy);
        QVERIFY2(byCopy, byCopy ? "" : describe(byCopy.error()).c_str());
        QCOMPARE(byCopy->value_or(!copy), copy);
        QVERIFY(givesResult("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", ResultOf::Mma));
        QVERIFY(givesResult("cp.async.bulk.global.shared::cta.bulk_group", ResultOf::BulkCopy));
        QVERIFY(!givesResult("cp.async.bulk.wait_group", ResultOf::BulkCopy));
        QVERIFY(!givesResult("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", ResultOf::BulkCopy));
    }

    void aRunThatDoesNotEndSaysNothing()
    {
        const auto found = outputDependsOn(request("mov.f32 %f9, %f5;\ntrap;"), ResultOf::Wgmma);
        QVERIFY(found);
        QVERIFY(!found->has_value());
    }

    void changedElementsStayFinite()
    {
        std::array<float, 3> values{1.5F, -3.25e20F, 0.0F};
        const auto before = values;
        perturbElements(reinterpret_cast<std::byte*>(values.data()), sizeof values, 4);
        for (std::size_t i = 0; i < values.size(); ++i) {
            QVERIFY(std::isfinite(values[i]) && values[i] != before[i]);
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorContribution)
#include "tst_emulator_contribution.moc"
