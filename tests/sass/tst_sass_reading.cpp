// SPDX-License-Identifier: Apache-2.0
// What is told about rows beyond their text: readings, scoreboards, live registers, the summary of a kernel.
#include "core/sass/kernel_summary.h"
#include "core/sass/live_registers.h"
#include "core/sass/opcode_reading.h"
#include "core/sass/scoreboards.h"
#include "sass_test_data.h"

#include <QTest>

#include <set>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

std::string described(std::string_view opcode, std::string_view operands = {})
{
    const SassInstruction row{.opcode = opcode, .operands = operands};
    return describeInstruction(row);
}

const char* pipeline = "pipeline.sm_90a.nvdisasm.txt";

std::set<std::uint64_t> settersOf(const SassKernel& kernel, const std::vector<ScoreboardWait>& waits)
{
    std::set<std::uint64_t> addresses;
    for (const auto& wait : waits) {
        for (const int row : wait.setters) {
            addresses.insert(kernel.instructions.at(static_cast<std::size_t>(row)).address);
        }
    }
    return addresses;
}

std::size_t indexOf(const SassKernel& kernel, std::uint64_t address)
{
    return static_cast<std::size_t>(&rowAt(kernel, address) - kernel.instructions.data());
}

} // namespace

class TestSassReading : public QObject {
    Q_OBJECT

private slots:
    void everyOpcodeOfTheCapturesHasAReading()
    {
        for (const char* name : {pipeline, "attention.sm_90a.nvdisasm.txt", "saxpy.sm_90a.nvdisasm.txt",
                 "tensor_memory.sm_100a.nvdisasm.txt"}) {
            const auto listing = sassListing(name);
            for (const auto& kernel : listing.kernels) {
                for (const auto& row : kernel.instructions) {
                    QVERIFY2(opcodeReading(row.opcode) != nullptr, std::string(row.opcode).c_str());
                    QVERIFY(!describeInstruction(row).empty());
                }
            }
        }
    }

    void unknownOpcodesHaveNone()
    {
        QVERIFY(opcodeReading("QQMMX.128") == nullptr);
        QVERIFY(opcodeReading("") == nullptr);
        QCOMPARE(described("QQMMX.128"), std::string());
        QVERIFY(opcodeReading("HGMM") == nullptr);
        QVERIFY(opcodeReading("HGMMA") != nullptr);
    }

    void tensorProductsAreSpelledOut_data()
    {
        QTest::addColumn<QString>("opcode");
        QTest::addColumn<QString>("operands");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* opcode, const char* operands, const char* said) {
            QTest::newRow(said) << QString::fromLatin1(opcode) << QString::fromLatin1(operands)
                                << QString::fromLatin1(said);
        };
        row("HGMMA.64x256x16.F32.BF16", "R24, gdesc[UR8], R24, gsb0",
            "HGMMA 64x256x16, A and B from shared, bf16 inputs, fp32 accumulate");
        row("HGMMA.64x64x16.F32", "R24, R4, gdesc[UR8], R24",
            "HGMMA 64x64x16, A from registers, B from shared, f16 inputs, fp32 accumulate");
        row("HGMMA.64x64x16.F32.BF16", "R24, gdesc[UR8].tnspB, R24",
            "HGMMA 64x64x16, A and B from shared, bf16 inputs, fp32 accumulate, B transposed");
        row("QGMMA.64x64x32.F32.E4M3.E5M2", "R24, gdesc[UR8], R24",
            "QGMMA 64x64x32, A and B from shared, e4m3 inputs x e5m2, fp32 accumulate");
        row("HMMA.16816.F32.BF16", "R4, R8, R12, R4", "HMMA 16x8x16, bf16 inputs, fp32 accumulate");
    }

    void tensorProductsAreSpelledOut()
    {
        QFETCH(QString, opcode);
        QFETCH(QString, operands);
        QFETCH(QString, said);
        QCOMPARE(QString::fromStdString(described(opcode.toStdString(), operands.toStdString())), said);
    }

    void modifiersAreSaidOfTheirOpcodesOnly()
    {
        QCOMPARE(described("LDG.E.128.CONSTANT"),
            std::string("load from global memory; 128 bits; through the read-only path"));
        QCOMPARE(described("MUFU.EX2"),
            std::string("approximate function of the special unit; 2 to the power of x"));
        QCOMPARE(described("LDSM.16.MT88.4"),
            std::string(
                "loads 8x8 matrices from shared memory into the fragments of a warp (ldmatrix); transposed; "
                "four matrices"));
        QCOMPARE(described("MOV.64"), std::string("copy")); // 64 says nothing of a copy here
        QCOMPARE(described("LDG.E.U8"), std::string("load from global memory; 8 bits, zero extended"));
        QCOMPARE(described("STS.U8"), std::string("store to shared memory; 8 bits")); // extends nothing
        QCOMPARE(described("VABSDIFF4.U8"), std::string("absolute differences of packed bytes"));
        QCOMPARE(described("VABSDIFF4.U8.ACC"),
            std::string("absolute differences of packed bytes; summed onto the last operand"));
        QCOMPARE(described("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU"),
            std::string("atomic operation in global memory, without an answer; adds; of a float32; ordered "
                        "with other threads' accesses"));
        QCOMPARE(described("FSETP.GEU.AND"),
            std::string("float32 comparison into predicates; greater, equal or unordered"));
        QCOMPARE(described("HADD2.F32", "R4, -RZ, R4.H0_H0"),
            std::string(
                "addition of packed 16-bit float pairs; of one half only, as a float32; with a zero a "
                "conversion"));
    }

    void conversionsNameBothSidesWhereTheRowDoes()
    {
        QCOMPARE(
            described("F2F.F64.F32"), std::string("conversion between float formats; from fp32 to fp64"));
        QCOMPARE(described("F2I.FTZ.U32.TRUNC.NTZ"),
            std::string("conversion from float to integer; to u32; rounded toward zero"));
        QCOMPARE(described("F2I.F64.TRUNC"),
            std::string("conversion from float to integer; from fp64; rounded toward zero"));
        QCOMPARE(described("I2F.U16"), std::string("conversion from integer to float; from u16"));
        QCOMPARE(described("I2F.F64"), std::string("conversion from integer to float; to fp64"));
    }

    void waitsSayTheirNumber()
    {
        QCOMPARE(described("DEPBAR.LE", "SB0, 0x2"),
            std::string("waits until at most 2 operations of a scoreboard are still under way"));
        QCOMPARE(described("DEPBAR.LE", "SB0, 0x0"),
            std::string("waits until no operations of a scoreboard are still under way"));
        QCOMPARE(described("WARPGROUP.DEPBAR.LE", "gsb0, 0x1"),
            std::string(
                "order of the warpgroup's asynchronous products (wgmma); waits until at most 1 groups "
                "are under way (wgmma.wait_group)"));
    }

    void aCountedWaitNamesTheGroupsThatItWaitsFor()
    {
        const auto listing = sassListing("attention.sm_90a.nvdisasm.txt");
        for (const auto& kernel : listing.kernels) {
            const auto waits = scoreboardWaits(kernel, controlFlow(kernel));
            for (std::size_t row = 0; row < waits.size(); ++row) {
                if (kernel.instructions[row].opcode == "DEPBAR.LE") {
                    QCOMPARE(waits[row].size(), 1U);
                    QCOMPARE(waits[row].front().barrier, 0);
                    QVERIFY(!waits[row].front().setters.empty());
                    for (const int setter : waits[row].front().setters) {
                        QCOMPARE(kernel.instructions[static_cast<std::size_t>(setter)].opcode,
                            std::string_view("LDGDEPBAR"));
                    }
                }
            }
        }
    }

    /// Of rows without encodings, wait by wait; "BRA 0x10" branches back.
    static std::vector<std::vector<int>> groupsWaitedFor(const std::vector<const char*>& rows)
    {
        SassKernel kernel;
        for (const std::string_view row : rows) {
            const auto space = row.find(' ');
            kernel.instructions.push_back({.address = 16 * kernel.instructions.size(),
                .predicate = row.starts_with("BRA") ? "@P0" : "",
                .opcode = row.substr(0, space),
                .operands = space == row.npos ? "" : row.substr(space + 1)});
        }
        std::vector<std::vector<int>> setters;
        for (const auto& waits : scoreboardWaits(kernel, controlFlow(kernel))) {
            for (const auto& wait : waits) {
                if (wait.barrier != ScoreboardWait::groups) {
                    throw std::runtime_error("a scoreboard without an encoding");
                }
                setters.push_back(wait.setters);
            }
        }
        return setters;
    }

    void aWaitForProductsNamesTheGroups()
    {
        using Rows = std::vector<std::vector<int>>;
        constexpr auto inside = "HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], R24";
        constexpr auto last = "HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], R24, gsb0";
        constexpr auto waitAll = "WARPGROUP.DEPBAR.LE gsb0, 0x0";
        constexpr auto waitOne = "WARPGROUP.DEPBAR.LE gsb0, 0x1";
        QCOMPARE(groupsWaitedFor({"WARPGROUP.ARRIVE", inside, last, waitAll, "EXIT"}), (Rows{{2}}));
        // The latest group may be under way: the wait is for the one before.
        QCOMPARE(groupsWaitedFor({inside, last, last, waitOne, waitAll, "EXIT"}), (Rows{{1}, {2}}));
        QCOMPARE(
            groupsWaitedFor({last, last, last, waitOne, waitAll, waitAll, "EXIT"}), (Rows{{0, 1}, {2}, {}}));
        // Round a loop the group of the trip before is the older one.
        QCOMPARE(groupsWaitedFor({last, last, waitOne, "BRA 0x10", waitAll, "EXIT"}), (Rows{{0, 1}, {1}}));
        QCOMPARE(groupsWaitedFor({"NOP", last, waitOne, "BRA 0x10", waitAll, "EXIT"}), (Rows{{1}, {1}}));
        QCOMPARE(groupsWaitedFor({inside, waitAll, "EXIT"}), (Rows{{}}));

        const auto listing = sassListing(pipeline);
        const auto& kernel = listing.kernels.front();
        const auto waits = scoreboardWaits(kernel, controlFlow(kernel));
        QVERIFY((settersOf(kernel, waits.at(indexOf(kernel, 0x2e0))) == std::set<std::uint64_t>{0x2d0}));
    }

    void aWaitNamesTheRowsThatSetItsScoreboards()
    {
        const auto listing = sassListing(pipeline);
        const auto& kernel = listing.kernels.front();
        const auto waits = scoreboardWaits(kernel, controlFlow(kernel));
        const auto at = [&](std::uint64_t address) {
            return settersOf(kernel, waits.at(indexOf(kernel, address)));
        };
        using Addresses = std::set<std::uint64_t>;
        QVERIFY((at(0xb0) == Addresses{0x20})); // ULEA needs S2UR's special register
        QVERIFY((at(0xd0) == Addresses{0x10}));
        QVERIFY((at(0x180) == Addresses{0xa0, 0x130})); // barrier: the mbarrier's init and a constant
        QVERIFY((at(0x260) == Addresses{0x200, 0x240, 0x250}));
        QVERIFY(at(0x10).empty());
    }

    void aLoopCarriesScoreboardsRound()
    {
        // Row 1 waits for scoreboard 0, which row 2 sets: only the way back brings it there.
        SassKernel kernel;
        const auto row = [&](std::uint64_t address, std::string_view opcode, std::string_view operands,
                             std::uint64_t high) {
            kernel.instructions.push_back({.address = address,
                .opcode = opcode,
                .operands = operands,
                .encoding = {0, high},
                .hasEncoding = true});
        };
        const auto control = [](std::uint64_t writes, std::uint64_t waits) {
            return writes << (110 - 64) | std::uint64_t{7} << (113 - 64) | waits << (116 - 64);
        };
        row(0x00, "MOV", "R0, RZ", control(7, 0));
        row(0x10, "IADD3", "R0, R0, R1, RZ", control(7, 1));
        row(0x20, "LDG.E", "R1, [R2]", control(0, 0));
        row(0x30, "BRA", "0x10", control(7, 0));
        row(0x40, "EXIT", "", control(7, 0));
        const auto waits = scoreboardWaits(kernel, controlFlow(kernel));
        QCOMPARE(waits.at(1).size(), 1U);
        QCOMPARE(waits.at(1).front().setters, std::vector<int>{2});
    }

    void liveRegistersAreJoinedByAddress()
    {
        auto listing = sassListing(pipeline);
        QVERIFY(!mostLiveRegisters(listing.kernels.front()));
        const auto joined = joinLiveRegisters(listing, sassText("pipeline.sm_90a.live.txt"));
        QVERIFY(joined);
        const auto& kernel = listing.kernels.front();
        QCOMPARE(rowAt(kernel, 0x00).liveRegisters, 2);
        QCOMPARE(rowAt(kernel, 0x20).liveRegisters, 3);
        QCOMPARE(rowAt(kernel, 0x240).liveRegisters, 9);
        QCOMPARE(rowAt(kernel, 0x330).liveRegisters, 1);
        QCOMPARE(mostLiveRegisters(kernel).value_or(0), 9);
        QVERIFY(*joined > 50);
    }

    void aTextWithoutTheTableIsAnError()
    {
        auto listing = sassListing(pipeline);
        const auto joined = joinLiveRegisters(listing, sassText(pipeline));
        QVERIFY(!joined);
        QCOMPARE(joined.error().code, ErrorCode::BadFormat);
        QVERIFY(!joinLiveRegisters(listing, ""));
    }

    void everyTruncationOfTheTableIsSurvived()
    {
        const auto text = sassText("pipeline.sm_90a.live.txt");
        auto listing = sassListing(pipeline);
        for (std::size_t size = 0; size < text.size(); size += 13) {
            static_cast<void>(joinLiveRegisters(listing, std::string_view(text).substr(0, size)));
        }
        QVERIFY(joinLiveRegisters(listing, text));
    }

    void theSummaryFindsTheLoopOfProducts()
    {
        const auto listing = sassListing(pipeline);
        const auto& kernel = listing.kernels.front();
        const auto summary = summarise(kernel, controlFlow(kernel));
        QCOMPARE(summary.all.tensorProducts, 2);
        QCOMPARE(summary.all.tmaCopies, 1);
        QCOMPARE(summary.all.mbarrierWaits, 2);
        QCOMPARE(summary.tensorLoops.size(), 1U);
        const auto& loop = summary.tensorLoops.front();
        QCOMPARE(kernel.instructions.at(static_cast<std::size_t>(loop.first)).address, 0x190U);
        QCOMPARE(kernel.instructions.at(static_cast<std::size_t>(loop.last)).address, 0x2f0U);
        QCOMPARE(loop.counts.rows, 23);
        QCOMPARE(loop.rowsOutOfLine, 3); // the retry of the wait
        QCOMPARE(loop.counts.mbarrierWaits, 1);
        QCOMPARE(loop.slotsBetweenProducts, std::vector<int>{3});
        QCOMPARE(loop.waitsAmongProducts, 0);
        QVERIFY(summary.copyLoops.empty());
        const auto text = summaryText(kernel, summary);
        QVERIFY(text.find("loop 00190..002f0: 23 rows, 2 tensor core products, 1 wait for them")
            != std::string::npos);
    }

    void aKernelWithoutTensorWorkShowsItsOtherLoops()
    {
        SassKernel kernel;
        const auto row = [&](std::string_view opcode, std::string_view operands) {
            kernel.instructions.push_back(
                {.address = kernel.instructions.size() * 16, .opcode = opcode, .operands = operands});
        };
        row("MOV", "R0, RZ");
        row("LDGSTS.E", "[R4], desc[UR4][R2.64]"); // the loop: rows 1 to 6
        row("LDGDEPBAR", "");
        row("DEPBAR.LE", "SB0, 0x1");
        row("LDS", "R5, [R4]");
        row("FFMA", "R0, R5, R5, R0");
        row("BRA", "0x10");
        kernel.instructions.back().predicate = "@P0";
        row("STG.E", "desc[UR4][R2.64], R0");
        row("EXIT", "");
        const auto summary = summarise(kernel, controlFlow(kernel));
        QVERIFY(summary.tensorLoops.empty() && summary.copyLoops.empty());
        QCOMPARE(summary.otherLoops.size(), 1U);
        QCOMPARE(QString::fromStdString(summaryText(kernel, summary)),
            QStringLiteral("9 rows, 1 cp.async copy (LDGSTS), 1 wait for them (DEPBAR)\n"
                           "loop 00010..00060: 6 rows, 1 cp.async copy (LDGSTS), 1 wait for them (DEPBAR), "
                           "1 load from shared memory\n"));
        const auto listing = sassListing(pipeline); // whose loops are all of tensor work
        const auto& other = listing.kernels.front();
        QVERIFY(summarise(other, controlFlow(other)).otherLoops.empty());
    }

    void aTripTakesOneOfItsWays()
    {
        SassKernel kernel;
        const auto row = [&](std::string_view opcode, std::string_view operands, std::uint64_t stall,
                             std::string_view predicate = {}) {
            kernel.instructions.push_back({.address = kernel.instructions.size() * 16,
                .predicate = predicate,
                .opcode = opcode,
                .operands = operands,
                .encoding = {0, stall << 41},
                .hasEncoding = true});
        };
        row("MOV", "R0, RZ", 1);
        row("LDG.E", "R1, desc[UR4][R2.64]", 2); // the loop: rows 1 to 6, of which 3 and 4 are exclusive
        row("BRA", "0x50", 5, "@P0");
        row("FADD", "R1, R1, R1", 10);
        row("BRA", "0x60", 5);
        row("FMUL", "R1, R1, R1", 4);
        row("BRA", "0x10", 7, "@P1");
        row("UCGABAR_ARV", "", 1);
        row("UCGABAR_WAIT", "", 1);
        row("EXIT", "", 5);
        const auto summary = summarise(kernel, controlFlow(kernel));
        QCOMPARE(summary.otherLoops.size(), 1U);
        QCOMPARE(summary.otherLoops.front().stallCycles, 2 + 5 + 10 + 5 + 7);
        QCOMPARE(summary.otherLoops.front().fewestStallCycles, 2 + 5 + 4 + 7);
        QCOMPARE(QString::fromStdString(summaryText(kernel, summary)),
            QStringLiteral("10 rows, 1 cluster barrier\n"
                           "loop 00010..00060: 6 rows, 1 load from global memory; issuing a trip takes 18 to "
                           "29 cycles by its stall fields, by the way it takes\n"));
    }

    void waitsOfTensorMemoryAreNoneForCopies()
    {
        const auto listing = sassListing("tensor_memory.sm_100a.nvdisasm.txt");
        const auto& kernel = listing.kernels.front();
        QCOMPARE(
            std::ranges::count(kernel.instructions, std::string_view("DEPBAR.LE"), &SassInstruction::opcode),
            2);
        const auto summary = summarise(kernel, controlFlow(kernel));
        QCOMPARE(summary.all.asyncWaits, 0);
        QCOMPARE(summary.tensorColumns, 32);
        QVERIFY(!summary.hasMoreTensorColumns);
        const auto text = summaryText(kernel, summary);
        QVERIFY2(text.find("32 of 512 columns, so 16 at a time") != std::string::npos, text.c_str());
        QVERIFY2(text.find("DEPBAR") == std::string::npos, text.c_str());
    }

    void opcodesOfEverydayKernelsHaveAReading()
    {
        QStringList unread;
        const auto seen =
            QString::fromStdString(sassText("opcodes_seen.txt")).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY(seen.size() > 130);
        for (const auto& opcode : seen) {
            const auto* reading = opcodeReading(opcode.toStdString());
            if (reading == nullptr || reading->words.empty()) {
                unread << opcode;
            }
        }
        QCOMPARE(unread, QStringList());
        QVERIFY(opcodeReading("NOTANOPCODE") == nullptr);
    }
};

QTEST_APPLESS_MAIN(TestSassReading)
#include "tst_sass_reading.moc"
