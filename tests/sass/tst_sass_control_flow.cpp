// SPDX-License-Identifier: Apache-2.0
#include "core/sass/control_flow.h"
#include "sass_test_data.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::testing;

class TestSassControlFlow : public QObject {
    Q_OBJECT

    static int row(std::uint64_t address) { return static_cast<int>(address / 16); }

private slots:
    void findsTargetsByLabelAndByAddress()
    {
        const auto text = sassListing("saxpy.sm_90a.nvdisasm.txt");
        const auto dump = sassListing("saxpy.sm_90a.cuobjdump.txt");
        const auto a = controlFlow(kernelNamed(text, "saxpy"));
        const auto b = controlFlow(kernelNamed(dump, "saxpy"));
        QCOMPARE(a.target[static_cast<std::size_t>(row(0x160))], row(0xe0));
        QCOMPARE(a.target, b.target);
        QCOMPARE(a.blockOf, b.blockOf);
    }

    void nestsLoops()
    {
        const auto listing = sassListing("pipeline.sm_90a.nvdisasm.txt");
        const auto flow = controlFlow(listing.kernels.at(0));
        const auto depth = [&flow](std::uint64_t address) {
            return flow.blocks[static_cast<std::size_t>(flow.blockOf[static_cast<std::size_t>(row(address))])]
                .loopDepth;
        };
        QCOMPARE(depth(0x180), 0);
        QCOMPARE(depth(0x190), 1); // the main loop
        QCOMPARE(depth(0x290), 1);
        QCOMPARE(depth(0x320), 0); // behind it, though the spin loop jumps over these rows
        QCOMPARE(depth(0x340), 2); // the out-of-line spin on the barrier
        QCOMPARE(depth(0x360), 1);
        QCOMPARE(depth(0x370), 0); // the trap that branches to itself
    }

    void blocksCoverTheKernel()
    {
        for (const auto* file : {"saxpy.sm_90a.nvdisasm.txt", "tensor_memory.sm_100a.nvdisasm.txt"}) {
            const auto listing = sassListing(file);
            for (const auto& kernel : listing.kernels) {
                const auto flow = controlFlow(kernel);
                int next = 0;
                for (const auto& block : flow.blocks) {
                    QCOMPARE(block.first, next);
                    QVERIFY(block.last >= block.first);
                    next = block.last + 1;
                }
                QCOMPARE(next, static_cast<int>(kernel.instructions.size()));
            }
        }
    }

    void exitEndsAPath()
    {
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        const auto flow = controlFlow(kernelNamed(listing, "saxpy"));
        const auto at = [&flow](std::uint64_t address) -> const SassBlock& {
            return flow
                .blocks[static_cast<std::size_t>(flow.blockOf[static_cast<std::size_t>(row(address))])];
        };
        QVERIFY(at(0x170).successors.empty()); // EXIT
        QCOMPARE(at(0x70).successors.size(), 1U); // @P0 EXIT goes on
        QCOMPARE(at(0x160).successors.size(), 2U);
    }

    void jumpTablesReachEveryTarget()
    {
        const auto listing =
            parseSassListing("\t.target\tsm_90a\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n"
                             ".L_x_0:\n"
                             "        /*0000*/ LDG.E R2, desc[UR4][R4.64] ;\n"
                             "        /*0010*/ BRX R2 -0x20   (*\"BRANCH_TARGETS .L_x_1,.L_x_2,.L_x_3\"*) ;\n"
                             ".L_x_1:\n"
                             "        /*0020*/ FADD R0, R0, R3 ;\n"
                             "        /*0030*/ BRA `(.L_x_3) ;\n"
                             ".L_x_2:\n"
                             "        /*0040*/ FMUL R0, R0, R3 ;\n"
                             ".L_x_3:\n"
                             "        /*0050*/ @P0 BRA `(.L_x_0) ;\n"
                             "        /*0060*/ BRX R6 -0x70 ;\n"
                             "        /*0070*/ EXIT ;\n");
        QVERIFY(listing.has_value());
        const auto& kernel = listing->kernels.at(0);
        const auto flow = controlFlow(kernel);
        QCOMPARE(flow.tables.size(), 1U);
        QCOMPARE(flow.tables[0].first, 1);
        QCOMPARE(flow.tables[0].second, (std::vector<int>{2, 4, 5}));
        const auto block = [&flow](std::size_t index) {
            return flow.blocks[static_cast<std::size_t>(flow.blockOf[index])];
        };
        QCOMPARE(block(1).successors.size(), 3U);
        for (std::size_t i = 0; i < 6; ++i) {
            QCOMPARE(block(i).loopDepth, 1);
        }
        QCOMPARE(block(6).loopDepth, 0);
        QVERIFY(block(6).successors.empty()); // names no target
        QVERIFY(operandsShown(kernel.instructions[1]) == "R2 -0x20");
    }

    void emptyKernel() { QVERIFY(controlFlow(SassKernel{}).blocks.empty()); }
};

QTEST_APPLESS_MAIN(TestSassControlFlow)
#include "tst_sass_control_flow.moc"
