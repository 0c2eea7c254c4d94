// SPDX-License-Identifier: Apache-2.0
#include "sass_test_data.h"

#include <QTest>

#include <set>

using namespace ptxwb;
using namespace ptxwb::testing;

class TestSassControlCode : public QObject {
    Q_OBJECT

private slots:
    void decodesPublishedFields()
    {
        // 0x000fe2: one cycle, does not yield, sets and waits for nothing.
        const auto plain = decodeControl({0, 0x000fe20000000800ULL});
        QCOMPARE(plain, (ControlCode{1, false, -1, -1, 0, 0}));
        // 0x000ea2: the load sets scoreboard 2.
        const auto load = decodeControl({0, 0x000ea2000c1e1900ULL});
        QCOMPARE(load, (ControlCode{1, false, 2, -1, 0, 0}));
        // 0x004fe2: the consumer waits for scoreboard 2.
        const auto use = decodeControl({0, 0x004fe20000000800ULL});
        QCOMPARE(use, (ControlCode{1, false, -1, -1, 4, 0}));
        // 0x000fca: five cycles, may yield.
        const auto yield = decodeControl({0, 0x000fca0000000000ULL});
        QCOMPARE(yield, (ControlCode{5, true, -1, -1, 0, 0}));
    }

    void reuseBitsAgreeWithTheText()
    {
        int withReuse = 0;
        for (const auto* file : {"saxpy.sm_90a.nvdisasm.txt", "tensor_memory.sm_100a.nvdisasm.txt"}) {
            const auto listing = sassListing(file);
            for (const auto& kernel : listing.kernels) {
                for (const auto& row : kernel.instructions) {
                    const bool inText = row.operands.find(".reuse") != std::string_view::npos;
                    QCOMPARE(decodeControl(row.encoding).reuse != 0, inText);
                    withReuse += inText ? 1 : 0;
                }
            }
        }
        QVERIFY(withReuse > 0);
    }

    void consumersWaitForTheirLoads()
    {
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        const auto& kernel = kernelNamed(listing, "saxpy");
        const auto loadX = decodeControl(rowAt(kernel, 0x100).encoding);
        const auto loadY = decodeControl(rowAt(kernel, 0x110).encoding);
        const auto fma = decodeControl(rowAt(kernel, 0x140).encoding);
        QVERIFY(loadX.writeBarrier >= 0);
        QVERIFY(loadY.writeBarrier >= 0);
        QVERIFY((fma.waitMask >> loadX.writeBarrier) & 1);
        QVERIFY((fma.waitMask >> loadY.writeBarrier) & 1);
    }

    void everyWaitHasASetter()
    {
        for (const auto* file : {"saxpy.sm_90a.nvdisasm.txt", "pipeline.sm_90a.nvdisasm.txt",
                 "tensor_memory.sm_100a.nvdisasm.txt"}) {
            const auto listing = sassListing(file);
            for (const auto& kernel : listing.kernels) {
                std::set<int> set;
                int waited = 0;
                for (const auto& row : kernel.instructions) {
                    QVERIFY(row.hasEncoding);
                    const auto code = decodeControl(row.encoding);
                    set.insert({code.writeBarrier, code.readBarrier});
                    waited |= code.waitMask;
                }
                for (int index = 0; index < 6; ++index) {
                    QVERIFY2(((waited >> index) & 1) == 0 || set.contains(index), file);
                }
                QVERIFY(waited != 0);
                QVERIFY(!set.contains(6)); // there are six scoreboards
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSassControlCode)
#include "tst_sass_control_code.moc"
