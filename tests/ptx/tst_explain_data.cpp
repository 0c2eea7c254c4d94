// SPDX-License-Identifier: Apache-2.0
// Descriptors field by field, and the advice beside instructions.
#include "core/ptx/descriptor_fields.h"
#include "core/ptx/isa_table.h"
#include "core/ptx/usage_advice.h"

#include <QTest>

using namespace ptxwb;

namespace {

std::string meaningOf(const DescriptorReading& reading, std::string_view name)
{
    for (const auto& field : reading.fields) {
        if (field.name == name) {
            return field.meaning;
        }
    }
    return "no field";
}

} // namespace

class TestExplainData : public QObject {
    Q_OBJECT

private slots:
    void aWgmmaDescriptorIsReadFieldByField()
    {
        const auto reading = readWgmmaDescriptor(0x4000004000010020);
        QVERIFY(reading.problems.empty());
        QCOMPARE(meaningOf(reading, "start address"), std::string("shared address 0x200"));
        QCOMPARE(meaningOf(reading, "leading dimension offset (LBO)"), std::string("0x1 * 16 = 16 bytes"));
        QCOMPARE(meaningOf(reading, "stride dimension offset (SBO)"), std::string("0x40 * 16 = 1024 bytes"));
        QCOMPARE(meaningOf(reading, "swizzle"), std::string("128 bytes"));
        QCOMPARE(reading.remarks.size(), 1U); // 0x200 is no multiple of 1024
        QVERIFY(readWgmmaDescriptor(0x4000004000010040).remarks.empty());
    }

    void swizzleModesDiffer()
    {
        const std::uint64_t body = 0x0000004000010040;
        QCOMPARE(meaningOf(readWgmmaDescriptor(body), "swizzle"), std::string("none"));
        QCOMPARE(meaningOf(readWgmmaDescriptor(body | std::uint64_t{2} << 62), "swizzle"),
            std::string("64 bytes"));
        QCOMPARE(meaningOf(readWgmmaDescriptor(body | std::uint64_t{3} << 62), "swizzle"),
            std::string("32 bytes"));
    }

    void whatMustBeZeroIsLookedAt_data()
    {
        QTest::addColumn<int>("bit");
        for (const int bit : {14, 15, 30, 31, 46, 48, 52, 61}) {
            QTest::addRow("bit %d", bit) << bit;
        }
    }

    void whatMustBeZeroIsLookedAt()
    {
        QFETCH(int, bit);
        QCOMPARE(readWgmmaDescriptor(0x4000004000010040 | std::uint64_t{1} << bit).problems.size(), 1U);
    }

    void aSmallStrideIsRemarked()
    {
        const auto reading = readWgmmaDescriptor(0x4000002000010040); // 512 bytes with 128-byte rows
        QVERIFY(reading.problems.empty());
        QCOMPARE(reading.remarks.size(), 1U);
        QVERIFY(reading.remarks.front().find("SBO is 512 bytes") == 0);
    }

    void tcgen05HasItsOwnBits()
    {
        const std::uint64_t good = std::uint64_t{2} << 61 | std::uint64_t{1} << 46 | 0x0000004000010040;
        const auto reading = readTcgen05Descriptor(good);
        QVERIFY(reading.problems.empty());
        QCOMPARE(meaningOf(reading, "swizzle"), std::string("128 bytes"));
        QCOMPARE(readTcgen05Descriptor(0x4000004000010040).problems.size(), 1U); // bits 46 to 48
        QCOMPARE(readTcgen05Descriptor((good & ~(std::uint64_t{7} << 61)) | std::uint64_t{5} << 61)
                     .problems.size(),
            1U);
    }

    void anInstructionDescriptorGivesShapeAndTypes()
    {
        // f32 += bf16 * bf16, M 128, N 256
        const std::uint32_t bits = 1U << 4 | 1U << 7 | 1U << 10 | (256U / 8) << 17 | (128U / 16) << 24;
        const auto reading = readTcgen05InstructionDescriptor(bits);
        QVERIFY(reading.problems.empty());
        QCOMPARE(meaningOf(reading, "type of D"), std::string("f32"));
        QCOMPARE(meaningOf(reading, "M"), std::string("8 * 16 = 128"));
        QCOMPARE(meaningOf(reading, "N"), std::string("32 * 8 = 256"));
        QCOMPARE(readTcgen05InstructionDescriptor(bits | 3U << 4).problems.size(), 1U); // no such type of D
        QCOMPARE(readTcgen05InstructionDescriptor(bits & ~(0x3FU << 17)).problems.size(), 1U); // N is 0
        // N 24: of one CTA; 256 rows are of two, whose steps are of 16
        const auto of24 = readTcgen05InstructionDescriptor((bits & ~(0x3FU << 17)) | 3U << 17);
        QVERIFY(of24.problems.empty());
        QCOMPARE(of24.remarks.size(), 1U);
        QCOMPARE(readTcgen05InstructionDescriptor(1U << 4 | 3U << 17 | 16U << 24).problems.size(), 1U);
        QCOMPARE(readTcgen05InstructionDescriptor(bits | 6U << 7).problems.size(), 1U); // A is no type
        QCOMPARE(readTcgen05InstructionDescriptor(1U << 4 | 2U << 7 | 32U << 17 | 8U << 24).problems.size(),
            1U); // tf32 * f16
    }

    void shapesGoWithKindAndCtas_data()
    {
        QTest::addColumn<bool>("isInteger");
        QTest::addColumn<int>("ctas");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("isRight");
        const auto row = [](const char* kind, int ctas, int rows, int columns, bool isRight) {
            QTest::addRow("%s of %d CTAs, %d x %d", kind, ctas, rows, columns)
                << (std::string_view(kind) == "i8") << ctas << rows << columns << isRight;
        };
        row("f16", 1, 128, 24, true);
        row("f16", 2, 128, 24, false);
        row("f16", 2, 128, 48, true);
        row("f16", 2, 256, 24, false);
        row("f16", 1, 256, 32, false);
        row("f16", 2, 64, 32, false);
        row("f16", 1, 64, 40, true);
        row("i8", 1, 64, 24, true);
        row("i8", 1, 64, 40, false);
        row("i8", 0, 128, 40, false);
        row("i8", 1, 128, 48, true);
        row("i8", 2, 128, 48, false);
        row("i8", 2, 256, 64, true);
    }

    void shapesGoWithKindAndCtas()
    {
        QFETCH(bool, isInteger);
        QFETCH(int, ctas);
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(bool, isRight);
        const auto types = isInteger ? 2U << 4 | 1U << 7 | 1U << 10 : 1U << 4 | 1U << 7 | 1U << 10;
        const auto bits = types | static_cast<std::uint32_t>(columns / 8) << 17
            | static_cast<std::uint32_t>(rows / 16) << 24;
        QCOMPARE(readTcgen05InstructionDescriptor(bits, ctas).problems.empty(), isRight);
    }

    void blockScaledDescriptorsHaveTheirOwnBits()
    {
        const auto bytes = readBlockScaledDescriptor(0x08C00000, BlockScaledKind::Mxf8f6f4);
        QVERIFY(bytes.problems.empty());
        QCOMPARE(meaningOf(bytes, "M"), std::string("1 * 128 = 128"));
        QCOMPARE(meaningOf(bytes, "N"), std::string("32 * 8 = 256"));
        QCOMPARE(meaningOf(bytes, "type of A"), std::string("e4m3"));
        QCOMPARE(meaningOf(bytes, "type of the scales"), std::string("ue8m0"));
        QVERIFY(!readBlockScaledDescriptor(0x08C00000, BlockScaledKind::Mxf4).problems.empty());
        QVERIFY(!readTcgen05InstructionDescriptor(0x08C00000).problems.empty());

        const std::uint32_t halves = 1U << 7 | 1U << 10 | 16U << 17 | 1U << 27; // e2m1, N 128, M 128, ue4m3
        const auto nvf4 = readBlockScaledDescriptor(halves, BlockScaledKind::Mxf4);
        QVERIFY(nvf4.problems.empty());
        QCOMPARE(meaningOf(nvf4, "type of the scales"), std::string("ue4m3 (mxf4nvf4 only)"));
        QCOMPARE(meaningOf(nvf4, "K"), std::string("64"));
        QCOMPARE(meaningOf(readBlockScaledDescriptor(halves | 1U << 31, BlockScaledKind::Mxf4), "K"),
            std::string("96 (sm_103a)"));
    }

    void whatABlockScaledKindLacksIsWrong_data()
    {
        QTest::addColumn<uint>("bits");
        QTest::addColumn<bool>("isFourBits");
        const uint bytes = 0x08C00000;
        const uint halves = 1U << 7 | 1U << 10 | 16U << 17 | 1U << 23 | 1U << 27;
        QTest::newRow("scales of another type") << (bytes & ~(1U << 23)) << false;
        QTest::newRow("no such A") << (bytes | 2U << 7) << false;
        QTest::newRow("reserved") << (bytes | 1U << 24) << false;
        QTest::newRow("no rows") << (bytes & ~(3U << 27)) << false;
        QTest::newRow("no columns") << (bytes & ~(0x3FU << 17)) << false;
        QTest::newRow("K of the other kind") << (bytes | 1U << 31) << false;
        QTest::newRow("bytes among halves") << (halves & ~(7U << 7)) << true;
        QTest::newRow("transposed") << (halves | 1U << 15) << true;
        QTest::newRow("factors at byte 1") << (halves | 1U << 4) << true;
        QTest::newRow("sparse of 96") << (halves | 1U << 31 | 1U << 2) << true;
        QTest::newRow("24 columns of two CTAs")
            << ((halves & ~(0x3FU << 17 | 3U << 27)) | 3U << 17 | 2U << 27) << true;
    }

    void whatABlockScaledKindLacksIsWrong()
    {
        QFETCH(uint, bits);
        QFETCH(bool, isFourBits);
        const auto kind = isFourBits ? BlockScaledKind::Mxf4 : BlockScaledKind::Mxf8f6f4;
        QCOMPARE(readBlockScaledDescriptor(bits, kind).problems.size(), 1U);
    }

    void adviceStandsBesideWholeNames()
    {
        QVERIFY(usageAdvice("wgmma.mma_async").size() >= 4);
        QVERIFY(usageAdvice("cp.async.bulk.tensor").size() > usageAdvice("cp.async.bulk").size());
        QVERIFY(usageAdvice("add").empty());
        QVERIFY(usageAdvice("wgmma.mma_asyncx").empty());
        QVERIFY(!usageAdvice("mbarrier.try_wait").empty());
    }

    void theTableCarriesScopesAndExamples()
    {
        const auto table = IsaTable::shared();
        QVERIFY(table);
        const auto* row = (*table)->find("wgmma.mma_async");
        QVERIFY(row != nullptr);
        QCOMPARE(row->execScope, std::string("warpgroup"));
        QCOMPARE(row->completion, std::string("wgmma-group"));
        QVERIFY(!row->examples.empty());
        QVERIFY(!row->forms.empty());
    }
};

QTEST_APPLESS_MAIN(TestExplainData)
#include "tst_explain_data.moc"
