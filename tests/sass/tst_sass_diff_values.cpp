// SPDX-License-Identifier: Apache-2.0
#include "diff_verdicts.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

struct Row {
    std::string opcode;
    std::vector<int> registers; ///< the first is written
};

/// Loads, products of random earlier values, stores: one block whose rows depend on each other in many ways.
std::vector<Row> randomBlock(std::mt19937& random, int rows)
{
    std::vector<Row> block;
    constexpr int registers = 48;
    for (int i = 0; i < registers; ++i) {
        block.push_back({"LDG.E R%0, desc[UR4][R200.64+" + std::to_string(4 * i) + "]", {i}});
    }
    std::uniform_int_distribution<int> any(0, registers - 1);
    for (int i = 0; i < rows; ++i) {
        const int to = any(random);
        block.push_back({"FFMA R%0, R%1, R%2, R%3", {to, any(random), any(random), to}});
    }
    return block;
}

/// The rows in another order that keeps every dependence.
std::vector<Row> shuffled(const std::vector<Row>& block, std::mt19937& random)
{
    std::vector<Row> out;
    std::vector<Row> left = block;
    const auto depends = [](const Row& later, const Row& earlier) {
        const auto reads = [](const Row& row, int reg) {
            return std::find(row.registers.begin() + 1, row.registers.end(), reg) != row.registers.end();
        };
        return later.registers[0] == earlier.registers[0] || reads(later, earlier.registers[0])
            || reads(earlier, later.registers[0]);
    };
    while (!left.empty()) {
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < std::min<std::size_t>(left.size(), 24); ++i) {
            if (std::none_of(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Row& before) { return depends(left[i], before); })) {
                ready.push_back(i);
            }
        }
        const auto at = ready[random() % ready.size()];
        out.push_back(left[at]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return out;
}

std::vector<std::string> written(const std::vector<Row>& block, const std::vector<int>& names)
{
    std::vector<std::string> rows{"LDC.64 R200, c[0x0][0x210]", "ULDC.64 UR4, c[0x0][0x208]"};
    for (const auto& row : block) {
        auto text = row.opcode;
        for (std::size_t i = 0; i < row.registers.size(); ++i) {
            text = replaced(text, "%" + std::to_string(i),
                std::to_string(names[static_cast<std::size_t>(row.registers[i])]));
        }
        rows.push_back(text);
    }
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
        rows.push_back("STG.E desc[UR4][R200.64+" + std::to_string(4 * i) + "], R"
            + std::to_string(names[static_cast<std::size_t>(i)]));
    }
    rows.emplace_back("EXIT");
    return rows;
}

} // namespace

class TestSassDiffValues : public QObject {
    Q_OBJECT

private slots:
    void reorderedAndRenamedIsScheduling_data()
    {
        QTest::addColumn<int>("rows");
        for (const int rows : {20, 200, 2000, 6000}) {
            QTest::addRow("%d", rows) << rows;
        }
    }
    void reorderedAndRenamedIsScheduling()
    {
        QFETCH(int, rows);
        std::mt19937 random(static_cast<unsigned>(rows));
        const auto block = randomBlock(random, rows);
        std::vector<int> names(48);
        std::iota(names.begin(), names.end(), 0);
        const auto a = kernelOf(written(block, names));
        std::shuffle(names.begin(), names.end(), random);
        auto other = shuffled(block, random);
        const auto b = kernelOf(written(other, names));
        const auto diff = diffListings(a, b);
        QVERIFY2(diff.scheduleOnly && !diff.identical, diff.summary.c_str());
        QCOMPARE(diff.kernels[0].changed + diff.kernels[0].added + diff.kernels[0].removed, 0);
        // One row that differs besides stays one row.
        auto rowsOfB = written(other, names);
        auto& lastStore = rowsOfB[rowsOfB.size() - 2];
        lastStore = replaced(lastStore, "+188]", "+1188]");
        const auto almost = diffListings(a, kernelOf(rowsOfB));
        QVERIFY(!almost.scheduleOnly && !almost.identical);
        const auto& kernel = almost.kernels[0];
        QVERIFY2(kernel.changed + kernel.added + kernel.removed <= 2, almost.summary.c_str());
        // One operand of one of its rows: no longer.
        auto& row = other[other.size() / 2 + 30];
        auto& reg = row.registers[row.registers.size() > 1 ? 1 : 0];
        reg = (reg + 1) % 48;
        QVERIFY(!diffListings(a, kernelOf(written(other, names))).scheduleOnly);
    }

    void sameComputation_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("verdict");
        const auto row = [](const char* name, const char* verdict, const char* a, const char* b) {
            QTest::newRow(name) << QString::fromUtf8(a) << QString::fromUtf8(b) << QString::fromUtf8(verdict);
        };
        row("both senses of a predicate write", "identical", R"(
            MOV R5, 0x1
            MOV R6, 0x2
            STG.E desc[UR4][R2.64], R6
            STG.E desc[UR4][R2.64+0x8], R5
            @P0 LDG.E R5, desc[UR4][R8.64]
            @!P0 LDG.E R5, desc[UR4][R8.64+0x4]
            STG.E desc[UR4][R2.64+0x4], R5
            EXIT)",
            R"(
            MOV R5, 0x1
            MOV R6, 0x2
            STG.E desc[UR4][R2.64], R6
            STG.E desc[UR4][R2.64+0x8], R5
            @P0 LDG.E R6, desc[UR4][R8.64]
            @!P0 LDG.E R6, desc[UR4][R8.64+0x4]
            STG.E desc[UR4][R2.64+0x4], R6
            EXIT)");
        row("zeroed sums exchanged before a loop", "identical", R"(
            CS2R R10, SRZ
            CS2R R12, SRZ
            .L_x_0:
            FADD R10, R10, R4
            FADD R12, R12, R5
            @P0 BRA `(.L_x_0)
            STG.E desc[UR4][R2.64], R10
            STG.E desc[UR4][R2.64+0x4], R12
            EXIT)",
            R"(
            CS2R R22, SRZ
            CS2R R20, SRZ
            .L_x_0:
            FADD R20, R20, R4
            FADD R22, R22, R5
            @P0 BRA `(.L_x_0)
            STG.E desc[UR4][R2.64], R20
            STG.E desc[UR4][R2.64+0x4], R22
            EXIT)");
        row("what a caller left, renamed and reordered", "scheduling", R"(
            FADD R0, R4, R5
            FMUL R1, R6, R4
            FADD R7, R0, R1
            STG.E desc[UR4][R2.64], R7
            EXIT)",
            R"(
            FMUL R11, R16, R14
            FADD R10, R14, R15
            FADD R17, R10, R11
            STG.E desc[UR4][R2.64], R17
            EXIT)");
    }
    void sameComputation()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, verdict);
        QCOMPARE(verdictOf(a.toUtf8().constData(), b.toUtf8().constData()), verdict);
    }

    void anotherComputationIsDifferent_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        const auto row = [](const char* name, const char* a, const char* b) {
            QTest::newRow(name) << QString::fromUtf8(a) << QString::fromUtf8(b);
        };
        row("a register that nothing wrote", R"(
            LDG.E R11, desc[UR4][R2.64]
            R2UR UR8, R11
            FFMA R21, R8, UR8, R21
            EXIT)",
            R"(
            LDG.E R11, desc[UR4][R2.64]
            R2UR UR8, R11
            FFMA R21, R8, UR27, R21
            EXIT)");
        row("the upper half of an address", R"(
            IADD3 R2, P0, R10, R12, RZ
            IADD3.X R3, R11, R13, RZ, P0, !PT
            STG.E desc[UR4][R2.64], R9
            EXIT)",
            R"(
            IADD3 R4, P0, R10, R12, RZ
            IADD3.X R7, R11, R13, RZ, P0, !PT
            STG.E desc[UR4][R4.64], R9
            EXIT)");
        row("one of four stored registers", R"(
            MOV R4, 0x1
            MOV R5, 0x2
            MOV R6, 0x3
            MOV R7, 0x4
            STG.E.128 desc[UR4][R2.64], R4
            EXIT)",
            R"(
            MOV R4, 0x1
            MOV R6, 0x2
            MOV R5, 0x3
            MOV R7, 0x4
            STG.E.128 desc[UR4][R2.64], R4
            EXIT)");
        row("a guarded write over another value", R"(
            LDG.E R5, desc[UR4][R8.64]
            LDG.E R6, desc[UR4][R8.64+0x4]
            @P0 LDG.E R5, desc[UR4][R8.64+0x8]
            STG.E desc[UR4][R2.64], R5
            EXIT)",
            R"(
            LDG.E R5, desc[UR4][R8.64]
            LDG.E R6, desc[UR4][R8.64+0x4]
            @P0 LDG.E R6, desc[UR4][R8.64+0x8]
            STG.E desc[UR4][R2.64], R6
            EXIT)");
        row("registers behind a conversion", R"(
            LDG.E R1, desc[UR4][R8.64]
            LDG.E R2, desc[UR4][R8.64+0x4]
            F2FP.BF16.F32.PACK_AB R0, R6, R7
            FADD R3, R1, -R2
            STG.E desc[UR4][R8.64], R3
            EXIT)",
            R"(
            LDG.E R1, desc[UR4][R8.64]
            LDG.E R2, desc[UR4][R8.64+0x4]
            F2FP.BF16.F32.PACK_AB R0, R6, R7
            FADD R3, R2, -R1
            STG.E desc[UR4][R8.64], R3
            EXIT)");
        row("sums of a product", R"(
            HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], RZ, !UPT, gsb0
            WARPGROUP.DEPBAR.LE gsb0, 0x0
            FADD R0, R25, -R26
            STG.E desc[UR8][R2.64], R0
            EXIT)",
            R"(
            HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], RZ, !UPT, gsb0
            WARPGROUP.DEPBAR.LE gsb0, 0x0
            FADD R0, R26, -R25
            STG.E desc[UR8][R2.64], R0
            EXIT)");
        row("sums read before the wait", R"(
            HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], RZ, !UPT, gsb0
            WARPGROUP.DEPBAR.LE gsb0, 0x0
            FADD R0, R25, -R26
            STG.E desc[UR8][R2.64], R0
            EXIT)",
            R"(
            HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], RZ, !UPT, gsb0
            FADD R0, R25, -R26
            WARPGROUP.DEPBAR.LE gsb0, 0x0
            STG.E desc[UR8][R2.64], R0
            EXIT)");
        row("acquiring loads", R"(
            LDG.E.STRONG.GPU R4, desc[UR4][R2.64]
            LDG.E R5, desc[UR4][R8.64]
            STG.E desc[UR4][R2.64+0x8], R4
            STG.E desc[UR4][R2.64+0xc], R5
            EXIT)",
            R"(
            LDG.E R5, desc[UR4][R8.64]
            LDG.E.STRONG.GPU R4, desc[UR4][R2.64]
            STG.E desc[UR4][R2.64+0x8], R4
            STG.E desc[UR4][R2.64+0xc], R5
            EXIT)");
        row("two looks at the clock", R"(
            CS2R.32 R4, SR_CLOCKLO
            LDG.E R9, desc[UR4][R2.64]
            CS2R.32 R5, SR_CLOCKLO
            IADD3 R6, R5, -R4, RZ
            STG.E desc[UR4][R2.64], R6
            EXIT)",
            R"(
            CS2R.32 R4, SR_CLOCKLO
            LDG.E R9, desc[UR4][R2.64]
            CS2R.32 R5, SR_CLOCKLO
            IADD3 R6, R4, -R5, RZ
            STG.E desc[UR4][R2.64], R6
            EXIT)");
        row("two unknown registers become one", R"(
            FADD R0, R4, R5
            STG.E desc[UR4][R2.64], R0
            EXIT)",
            R"(
            FADD R0, R4, R4
            STG.E desc[UR4][R2.64], R0
            EXIT)");
        row("sums of a loop exchanged behind it", R"(
            CS2R R10, SRZ
            CS2R R12, SRZ
            .L_x_0:
            FADD R10, R10, R4
            FADD R12, R12, R5
            @P0 BRA `(.L_x_0)
            STG.E desc[UR4][R2.64], R10
            STG.E desc[UR4][R2.64+0x4], R12
            EXIT)",
            R"(
            CS2R R10, SRZ
            CS2R R12, SRZ
            .L_x_0:
            FADD R10, R10, R4
            FADD R12, R12, R5
            @P0 BRA `(.L_x_0)
            STG.E desc[UR4][R2.64], R12
            STG.E desc[UR4][R2.64+0x4], R10
            EXIT)");
        row("one path writes another register", R"(
            LDG.E R10, desc[UR4][R2.64]
            LDG.E R11, desc[UR4][R2.64+0x4]
            @P0 BRA `(.L_x_0)
            LDG.E R10, desc[UR4][R2.64+0x8]
            .L_x_0:
            STG.E desc[UR4][R2.64], R10
            EXIT)",
            R"(
            LDG.E R10, desc[UR4][R2.64]
            LDG.E R11, desc[UR4][R2.64+0x4]
            @P0 BRA `(.L_x_0)
            LDG.E R11, desc[UR4][R2.64+0x8]
            .L_x_0:
            STG.E desc[UR4][R2.64], R11
            EXIT)");
    }
    void theRegisterThatDiffersIsNamed()
    {
        const auto a =
            kernelOf(lines("S2UR UR18, SR_CTAID.X\nS2UR UR19, SR_CTAID.Y\nUTMALDG.2D [UR16], [UR6]\nEXIT"));
        const auto b =
            kernelOf(lines("S2UR UR19, SR_CTAID.X\nS2UR UR18, SR_CTAID.Y\nUTMALDG.2D [UR16], [UR6]\nEXIT"));
        const auto diff = diffListings(a, b);
        QVERIFY(!diff.identical);
        const auto& row = diff.kernels.at(0).rows.at(2);
        QCOMPARE(row.what, std::vector<std::string>{"operand"});
        QCOMPARE(row.registers, (std::vector<std::string>{"UR18", "UR19"}));
    }

    void anotherComputationIsDifferent()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QCOMPARE(verdictOf(a.toUtf8().constData(), b.toUtf8().constData()), QStringLiteral("different"));
    }
};

QTEST_APPLESS_MAIN(TestSassDiffValues)
#include "tst_sass_diff_values.moc"
