// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff_text.h"
#include "sass_edits.h"
#include "sass_test_data.h"

#include <QTest>

#include <map>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

/// The rows of one kind, as "opcode:what".
QStringList rowsOf(const SassDiff& diff, const SassListing& a, const SassListing& b, DiffKind kind)
{
    QStringList rows;
    for (const auto& kernel : diff.kernels) {
        for (const auto& row : kernel.rows) {
            if (row.kind != kind) {
                continue;
            }
            const auto& instruction = row.b >= 0 ? b.kernels[static_cast<std::size_t>(kernel.kernelB)]
                                                       .instructions[static_cast<std::size_t>(row.b)]
                                                 : a.kernels[static_cast<std::size_t>(kernel.kernelA)]
                                                       .instructions[static_cast<std::size_t>(row.a)];
            auto text = QString::fromStdString(std::string(instruction.opcode));
            for (const auto& what : row.what) {
                text += QLatin1Char(':') + QString::fromStdString(what);
            }
            rows << text;
        }
    }
    return rows;
}

QString str(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

class TestSassDiff : public QObject {
    Q_OBJECT

    const std::string m_pipeline = sassText("pipeline.sm_90a.nvdisasm.txt");
    const std::string m_saxpy = sassText("saxpy.sm_90a.nvdisasm.txt");
    const std::string m_attention = sassText("attention.sm_90a.nvdisasm.txt");

private slots:
    void sameTextIsIdentical()
    {
        const auto listing = parsed(m_attention);
        const auto diff = diffListings(listing, listing);
        QVERIFY(diff.identical);
        QVERIFY(!diff.scheduleOnly);
        QVERIFY(diff.familyDeltas.empty());
        QCOMPARE(diff.kernels.at(0).equal, static_cast<int>(diff.kernels.at(0).rows.size()));
        QVERIFY(str(diff.summary).startsWith(QLatin1String("Identical")));
    }

    void renamedRegistersAreIdentical_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("pipeline") << QStringLiteral("pipeline.sm_90a.nvdisasm.txt");
        QTest::newRow("saxpy") << QStringLiteral("saxpy.sm_90a.nvdisasm.txt");
        QTest::newRow("attention") << QStringLiteral("attention.sm_90a.nvdisasm.txt");
        QTest::newRow("tensor memory") << QStringLiteral("tensor_memory.sm_100a.nvdisasm.txt");
    }
    void renamedRegistersAreIdentical()
    {
        QFETCH(QString, file);
        const auto text = sassText(file.toStdString());
        const auto a = parsed(text);
        const auto b = parsed(replaced(otherRegisters(text), ".L_x_", ".L_y_"));
        QVERIFY(b.kernels[0].instructions[1].operands != a.kernels[0].instructions[1].operands);
        const auto diff = diffListings(a, b);
        QCOMPARE(rowsOf(diff, a, b, DiffKind::Changed), QStringList());
        QVERIFY2(diff.identical, diff.summary.c_str());
        QCOMPARE(str(diff.summary),
            QStringLiteral("Identical instructions apart from names of registers and labels."));
        const auto back = diffListings(b, a);
        QVERIFY(back.identical);
    }

    void registersReusedOtherwiseAreIdentical()
    {
        // B keeps the second value in a register of its own, as another allocation would.
        const char* head = "\t.target\tsm_90a\n\t.section\t.text.k,\"ax\"\n.text.k:\n";
        const auto a = parsed(std::string(head)
            + "  /*0000*/ LDG.E R2, desc[UR4][R8.64] ;\n  /*0010*/ FADD R2, R2, 1 ;\n"
              "  /*0020*/ STG.E desc[UR4][R8.64], R2 ;\n  /*0030*/ LDG.E R2, desc[UR4][R8.64+0x4] ;\n"
              "  /*0040*/ STG.E desc[UR4][R8.64+0x8], R2 ;\n  /*0050*/ EXIT ;\n");
        const auto b = parsed(std::string(head)
            + "  /*0000*/ LDG.E R3, desc[UR6][R10.64] ;\n  /*0010*/ FADD R5, R3, 1 ;\n"
              "  /*0020*/ STG.E desc[UR6][R10.64], R5 ;\n  /*0030*/ LDG.E R7, desc[UR6][R10.64+0x4] ;\n"
              "  /*0040*/ STG.E desc[UR6][R10.64+0x8], R7 ;\n  /*0050*/ EXIT ;\n");
        QVERIFY(diffListings(a, b).identical);
        QVERIFY(diffListings(b, a).identical);
    }

    void inconsistentRenamingIsADifference()
    {
        const char* head = "\t.target\tsm_90a\n\t.section\t.text.k,\"ax\"\n.text.k:\n";
        const auto a = parsed(std::string(head)
            + "  /*0000*/ LDG.E R2, desc[UR4][R8.64] ;\n  /*0010*/ LDG.E R3, desc[UR4][R8.64+0x4] ;\n"
              "  /*0020*/ FFMA R4, R2, R3, 1 ;\n  /*0030*/ FADD R5, R2, -R3 ;\n"
              "  /*0040*/ STG.E desc[UR4][R8.64], R5 ;\n  /*0050*/ EXIT ;\n");
        auto text = *a.text;
        const auto swapped = parsed(replaced(text, "FADD R5, R2, -R3", "FADD R5, R3, -R2"));
        const auto diff = diffListings(a, swapped);
        QVERIFY(!diff.identical);
        QCOMPARE(rowsOf(diff, a, swapped, DiffKind::Changed), QStringList({QStringLiteral("FADD:operand")}));
        // A register that is overwritten while its value is still wanted.
        const auto clobbered = parsed(replaced(text, "FFMA R4,", "FFMA R2,"));
        const auto diff2 = diffListings(a, clobbered);
        QCOMPARE(
            rowsOf(diff2, a, clobbered, DiffKind::Changed), QStringList({QStringLiteral("FADD:operand")}));
    }

    void plantedChangesAreNamed_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* address, const char* from, const char* to,
                             const char* expected) {
            QTest::newRow(name) << QString::fromLatin1(address) << QString::fromLatin1(from)
                                << QString::fromLatin1(to) << QString::fromLatin1(expected);
        };
        // Rows of pipeline.sm_90a.nvdisasm.txt.
        row("opcode", "0310", "IMAD.WIDE.U32", "LEA", "LEA:opcode");
        row("modifier", "0310", "IMAD.WIDE.U32", "IMAD.WIDE", "IMAD.WIDE:modifier");
        row("immediate", "0310", "0x10", "0x20", "IMAD.WIDE.U32:immediate");
        row("mma shape", "0290", "64x8x16", "64x16x16", "HGMMA.64x16x16.F32.BF16:modifier");
        row("address offset", "0320", "[R2.64]", "[R2.64+0x10]", "STG.E.128:operand");
        row("constant", "0300", "0x2c0", "0x2c8", "LDC.64:immediate");
        row("predicate sign", "02f0", "@!P1", "@P1 ", "BRA:predicate");
        row("predicate register", "0200", "@!P0", "@!P5", "SYNCS.ARRIVE.TRANS64:predicate");
        row("predicate dropped", "0240", "@!UP1", "     ", "UTMALDG.2D:predicate");
        row("operand", "00d0", "R5", "R3", "ISETP.NE.U32.AND:operand");
        row("source", "0320", "R24", "R26", "STG.E.128:operand");
        row("branch target", "0360", ".L_x_2", ".L_x_1", "BRA:target");
        row("branch to no row", "0360", "`(.L_x_2)", "0x8001840", "BRA:target");
        row("special register", "0010", "SR_TID.X", "SR_TID.Y", "S2R:operand");
    }
    void plantedChangesAreNamed()
    {
        QFETCH(QString, address);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, expected);
        const auto a = parsed(m_pipeline);
        const auto changed = edited(m_pipeline, address.toStdString(), from.toStdString(), to.toStdString());
        for (const auto& text : {changed, otherRegisters(changed)}) {
            const auto b = parsed(text);
            const auto diff = diffListings(a, b);
            QVERIFY(!diff.identical);
            QVERIFY(!diff.scheduleOnly);
            QCOMPARE(rowsOf(diff, a, b, DiffKind::Changed), QStringList({expected}));
            QCOMPARE(
                rowsOf(diff, a, b, DiffKind::Added) + rowsOf(diff, a, b, DiffKind::Removed), QStringList());
            const auto& changes = diff.kernels.front().changes;
            QCOMPARE(changes.size(), 1U);
            QCOMPARE(changes.front().rows, 1);
            QVERIFY(str(diff.summary).contains(str(changes.front().text)));
        }
    }

    void removedAndAddedRowsAreNamed()
    {
        const auto a = parsed(m_pipeline);
        const auto row = line(m_pipeline, "0290");
        const auto b = parsed(otherRegisters(replaced(m_pipeline, row, "")));
        auto diff = diffListings(a, b);
        QCOMPARE(
            rowsOf(diff, a, b, DiffKind::Removed), QStringList({QStringLiteral("HGMMA.64x8x16.F32.BF16")}));
        QCOMPARE(rowsOf(diff, a, b, DiffKind::Changed), QStringList());
        QCOMPARE(diff.familyDeltas.at(SassFamily::Gmma), -1);
        QCOMPARE(str(diff.summary), QStringLiteral("1 HGMMA fewer in a loop, 1 row removed."));
        diff = diffListings(b, a);
        QCOMPARE(
            rowsOf(diff, b, a, DiffKind::Added), QStringList({QStringLiteral("HGMMA.64x8x16.F32.BF16")}));
        QCOMPARE(diff.familyDeltas.at(SassFamily::Gmma), 1);
    }

    void oneOfManyAlikeRowsIsFound()
    {
        // Without the producers of the operands, any of the alike FFMA rows might be the one that is gone.
        const auto listing = parsed(m_attention);
        std::string address;
        int seen = 0;
        for (const auto& row : listing.kernels[0].instructions) {
            if (row.opcode == "HMMA.16816.F32.BF16" && ++seen == 40) {
                address = QStringLiteral("%1").arg(row.address, 4, 16, QLatin1Char('0')).toStdString();
            }
        }
        QVERIFY(!address.empty());
        const auto row = line(m_attention, address);
        const auto b = parsed(otherRegisters(replaced(m_attention, row, "")));
        const auto diff = diffListings(listing, b);
        QCOMPARE(rowsOf(diff, listing, b, DiffKind::Removed),
            QStringList({QStringLiteral("HMMA.16816.F32.BF16")}));
        QVERIFY2(rowsOf(diff, listing, b, DiffKind::Changed).size() <= 1, diff.summary.c_str());
        for (const auto& r : diff.kernels[0].rows) {
            if (r.kind == DiffKind::Removed) {
                QCOMPARE(QStringLiteral("%1").arg(
                             listing.kernels[0].instructions[static_cast<std::size_t>(r.a)].address, 4, 16,
                             QLatin1Char('0')),
                    QString::fromStdString(address));
            }
        }
    }

    void otherControlCodesAreScheduling()
    {
        const auto a = parsed(m_saxpy);
        // Stall 1 becomes 3, on one row.
        const auto row = line(m_saxpy, "0100");
        auto text = row;
        const auto high = text.rfind("/* 0x000e") + 3;
        text.replace(high, 18, "0x000ea6000c1e1900");
        QVERIFY(text != row);
        const auto b = parsed(replaced(m_saxpy, row, text));
        const auto diff = diffListings(a, b);
        QVERIFY(diff.identical);
        QVERIFY(diff.scheduleOnly);
        QCOMPARE(rowsOf(diff, a, b, DiffKind::Schedule).size(), 1);
        QVERIFY(rowsOf(diff, a, b, DiffKind::Schedule)[0].contains(QLatin1String("stall")));
        const auto stall = [](const SassListing& listing) {
            return decodeControl(rowAt(kernelNamed(listing, "_Z7reverseiPi"), 0x100).encoding).stall
                + decodeControl(rowAt(kernelNamed(listing, "saxpy"), 0x100).encoding).stall;
        };
        QVERIFY(stall(a) != stall(b));
        QCOMPARE(*diff.stallDelta, stall(b) - stall(a));
        QVERIFY(str(diff.summary).startsWith(QLatin1String("Same instructions, scheduling differs")));
    }

    void anotherOrderIsScheduling()
    {
        const auto a = parsed(m_pipeline);
        const auto swap = [](const std::string& text, const std::string& x, const std::string& y) {
            const auto first = line(text, x);
            const auto second = line(text, y);
            auto out = text;
            out.replace(out.find(first + second), first.size() + second.size(),
                replaced(second, "/*" + y + "*/", "/*" + x + "*/")
                    + replaced(first, "/*" + x + "*/", "/*" + y + "*/"));
            return out;
        };
        // Two rows that only differ in their registers, and two of different opcodes.
        auto text = swap(m_pipeline, "0060", "0070");
        text = swap(text, "01e0", "01f0");
        const auto b = parsed(otherRegisters(text));
        const auto diff = diffListings(a, b);
        QCOMPARE(rowsOf(diff, a, b, DiffKind::Changed), QStringList());
        QVERIFY2(diff.scheduleOnly, diff.summary.c_str());
        QVERIFY(!diff.identical || diff.kernels[0].moved == 0);
        QVERIFY(str(diff.summary).contains(QLatin1String("in another order")));

        // Dependent rows must keep their order: this is no scheduling.
        const auto wrong = parsed(swap(m_pipeline, "0100", "0110"));
        QVERIFY(!diffListings(a, wrong).scheduleOnly);
        // So must two operations on the same barrier.
        const auto barrier = parsed(swap(m_pipeline, "0240", "0250"));
        QVERIFY(!diffListings(a, barrier).scheduleOnly);
    }

    void returnAddressesAreNoDifference()
    {
        // The attention kernel passes return addresses to a library routine; all code behind a new row
        // shifts.
        const auto a = parsed(m_attention);
        std::string shifted;
        for (std::size_t i = 0; i < m_attention.size();) {
            const auto end = m_attention.find('\n', i);
            auto row = m_attention.substr(i, end + 1 - i);
            if (const auto at = row.find("/*"); at != std::string::npos && row.substr(at + 2, 2) != " 0") {
                const auto address = std::stoul(row.substr(at + 2, 4), nullptr, 16);
                row.replace(
                    at + 2, 4, QStringLiteral("%1").arg(address + 16, 4, 16, QLatin1Char('0')).toStdString());
                if (const auto mov = row.find("MOV R16, 0x"); mov != std::string::npos) {
                    const auto value = std::stoul(row.substr(mov + 11), nullptr, 16);
                    row.replace(mov + 9, 6, "0x" + QString::number(value + 16, 16).toStdString());
                }
            }
            shifted += row;
            i = end + 1;
        }
        QVERIFY(shifted.find("MOV R16, 0x1e40 ;") != std::string::npos);
        const auto b = parsed(shifted);
        const auto diff = diffListings(a, b);
        QVERIFY2(diff.identical, diff.summary.c_str());
    }

    void movedBlockIsMoved()
    {
        // ptxas may lay a cold block out elsewhere.
        const auto listing = parsed(m_pipeline);
        const auto begin = m_pipeline.find(".L_x_0:\n");
        const auto end = m_pipeline.find(".L_x_3:\n");
        const auto block = m_pipeline.substr(begin, end - begin);
        auto text = m_pipeline;
        text.erase(begin, block.size());
        const auto target = text.find(".L_x_3:\n");
        // Behind the self-branch.
        const auto after = text.find("        /*0380*/", target);
        text.insert(after, block);
        const auto b = parsed(text);
        const auto diff = diffListings(listing, b);
        QVERIFY(diff.kernels[0].moved > 0);
        QCOMPARE(rowsOf(diff, listing, b, DiffKind::Added), QStringList());
        QCOMPARE(rowsOf(diff, listing, b, DiffKind::Removed), QStringList());
    }

    void realRecompilationOfAChangedSource()
    {
        const auto a = sassListing("pipeline.sm_90a.nvdisasm.txt");
        const auto b = sassListing("pipeline_three.sm_90a.nvdisasm.txt"); // one more wgmma per trip
        const auto diff = diffListings(a, b);
        QVERIFY(!diff.identical);
        QCOMPARE(diff.familyDeltas.at(SassFamily::Gmma), 1);
        QVERIFY2(str(diff.summary).startsWith(QLatin1String("1 HGMMA more")), diff.summary.c_str());
        QVERIFY(rowsOf(diff, a, b, DiffKind::Added).join(QLatin1Char(' ')).contains(QLatin1String("HGMMA")));
        QVERIFY2(diff.kernels[0].equal + diff.kernels[0].schedule > diff.kernels[0].changed * 4,
            diff.summary.c_str());
    }

    void nvdisasmAndCuobjdumpOfOneCubinAreIdentical()
    {
        const auto a = parsed(m_saxpy);
        const auto b = sassListing("saxpy.sm_90a.cuobjdump.txt");
        const auto diff = diffListings(a, b);
        QVERIFY2(diff.identical, diff.summary.c_str());
        QVERIFY(!diff.scheduleOnly);
    }

    void kernelsMatchByName()
    {
        const auto a = parsed(m_saxpy);
        const auto b = parsed(replaced(m_saxpy, "_Z7reverseiPi", "other"));
        const auto diff = diffListings(a, b);
        QCOMPARE(diff.kernels.size(), 3U);
        QVERIFY(diff.kernels[0].onlyInA);
        QVERIFY(!diff.kernels[1].onlyInA && !diff.kernels[1].onlyInB);
        QVERIFY(diff.kernels[2].onlyInB);
        QVERIFY(!diff.identical);
        QVERIFY(str(diff.summary).contains(QLatin1String("1 kernel only in A")));
        // Two single kernels are compared whatever they are called.
        const auto c = parsed(m_pipeline);
        const auto d = parsed(replaced(m_pipeline, "pipeline", "other"));
        const auto single = diffListings(c, d);
        QCOMPARE(single.kernels.size(), 1U);
        QVERIFY(single.identical);
        QCOMPARE(str(single.kernels[0].nameInB), QStringLiteral("other"));
    }

    void everyRowIsThereOnce()
    {
        const auto a = parsed(m_attention);
        const auto b = parsed(m_pipeline);
        const auto diff = diffListings(a, b); // nothing in common, still complete and in order
        std::map<int, int> seenA;
        std::map<int, int> seenB;
        int lastA = -1;
        int lastB = -1;
        for (const auto& row : diff.kernels.at(0).rows) {
            if (row.a >= 0) {
                QVERIFY(row.a > lastA);
                lastA = row.a;
                ++seenA[row.a];
            }
            if (row.b >= 0) {
                QVERIFY(row.b > lastB);
                lastB = row.b;
                ++seenB[row.b];
            }
            QCOMPARE(row.kind == DiffKind::Moved, row.peer >= 0);
        }
        const auto rows = [](const SassKernel& kernel) {
            auto n = kernel.instructions.size();
            while (n > 0 && kernel.instructions[n - 1].opcode == "NOP") {
                --n;
            }
            return n;
        };
        QCOMPARE(seenA.size(), rows(a.kernels[0]));
        QCOMPARE(seenB.size(), rows(b.kernels[0]));
    }

    void survivesTruncatedAndEmptyKernels()
    {
        const auto a = parsed(m_pipeline);
        for (std::size_t size = 0; size < m_pipeline.size(); size += 97) {
            const auto b = parseSassListing(m_pipeline.substr(0, size));
            if (b) {
                QVERIFY(!diffListings(a, *b).summary.empty());
                QVERIFY(!diffListings(*b, a).summary.empty());
            }
        }
        const auto empty = parsed("\t.section\t.text.k,\"ax\"\n");
        QVERIFY(diffListings(empty, empty).identical);
    }

    void markdownShowsTheHunks()
    {
        const auto a = parsed(m_pipeline);
        const auto b =
            parsed(edited(replaced(m_pipeline, line(m_pipeline, "0290"), ""), "0310", "0x10", "0x20"));
        const auto diff = diffListings(a, b);
        const auto text = str(diffMarkdown(diff, a, b, {"before|x.ptx", "after.ptx"}));
        QVERIFY(text.startsWith(QStringLiteral("**SASS: before\\|x.ptx → after.ptx**")));
        QVERIFY(text.contains(QLatin1String("| wgmma | -1 |")));
        QVERIFY(text.contains(QLatin1String("\n- /*0290*/ HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], R24\n")));
        QVERIFY(text.contains(QLatin1String("\n+ /*0310*/ IMAD.WIDE.U32 R2, R5, 0x20, R2   (immediate)\n")));
        QCOMPARE(text.count(QLatin1String("```")), 2);
        const auto runs = diffRuns(diff.kernels[0]);
        QCOMPARE(runs.front().first, 0);
        QCOMPARE(runs.back().end, static_cast<int>(diff.kernels[0].rows.size()));
        QVERIFY(diffHunks(diffListings(a, a).kernels[0], 3, true).empty());
    }

    void runsOfExchangedSidesAreAsMany()
    {
        KernelDiff diff;
        diff.rows = {{DiffKind::Removed, 0, -1, {}, -1}, {DiffKind::Moved, 1, -1, {}, 0},
            {DiffKind::Moved, -1, 0, {}, 1}, {DiffKind::Added, -1, 1, {}, -1}};
        KernelDiff exchanged;
        exchanged.rows = {{DiffKind::Moved, 0, -1, {}, 1}, {DiffKind::Removed, 1, -1, {}, -1},
            {DiffKind::Added, -1, 0, {}, -1}, {DiffKind::Moved, -1, 1, {}, 0}};
        QCOMPARE(diffRuns(diff).size(), std::size_t(4));
        QCOMPARE(diffRuns(exchanged).size(), std::size_t(4));
        // Rows that move from the same place stay one run.
        diff.rows.insert(diff.rows.begin() + 1, {DiffKind::Moved, 2, -1, {}, 5});
        QCOMPARE(diffRuns(diff).size(), std::size_t(4));
    }

    void resourcesJoinTheSentence()
    {
        const auto a = parsed(m_pipeline);
        const auto b = parsed(replaced(m_pipeline, line(m_pipeline, "0290"), ""));
        const auto diff = diffListings(a, b);
        QCOMPARE(str(diffSummary(diff, {8, {}, 0, -1024})),
            QStringLiteral("1 HGMMA fewer in a loop, 1 row removed, +8 registers, -1024 bytes of static "
                           "shared memory."));
    }
};

QTEST_APPLESS_MAIN(TestSassDiff)
#include "tst_sass_diff.moc"
