// SPDX-License-Identifier: Apache-2.0
#include "core/sass/row_parser.h"
#include "sass_test_data.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

std::string str(std::string_view text)
{
    return std::string(text);
}

} // namespace

class TestSassListing : public QObject {
    Q_OBJECT

private slots:
    void readsKernelsAndTarget()
    {
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        QCOMPARE(str(listing.target), std::string("sm_90a"));
        QCOMPARE(listing.kernels.size(), 2U);
        QCOMPARE(str(listing.kernels[0].name), std::string("_Z7reverseiPi"));
        QCOMPARE(str(listing.kernels[1].name), std::string("saxpy"));
        QCOMPARE(str(listing.kernels[1].target), std::string("sm_90a"));
        QCOMPARE(listing.kernels[1].instructions.size(), 0x280U / 16);
        for (const auto& kernel : listing.kernels) {
            QVERIFY2(kernel.unknownLines.empty(), str(kernel.name).c_str());
        }
    }

    void readsARow()
    {
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        const auto& kernel = kernelNamed(listing, "saxpy");
        const auto& branch = rowAt(kernel, 0x160);
        QCOMPARE(str(branch.predicate), std::string("@!P0"));
        QCOMPARE(str(branch.opcode), std::string("BRA"));
        QCOMPARE(str(branch.operands), std::string("`(.L_x_1)"));
        const auto& load = rowAt(kernel, 0x100);
        QCOMPARE(str(load.opcode), std::string("LDG.E"));
        QCOMPARE(str(load.operands), std::string("R2, desc[UR6][R2.64]"));
        QVERIFY(load.predicate.empty());
        QVERIFY(load.hasEncoding);
        QCOMPARE(load.encoding[0], 0x0000000602027981ULL);
        QVERIFY(load.encoding[1] != 0);
        QCOMPARE(str(rowAt(kernel, 0x190).opcode), std::string("NOP"));
    }

    void placesLabels()
    {
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        const auto& kernel = kernelNamed(listing, "saxpy");
        QCOMPARE(kernel.labels.size(), 3U); // the section's own names are no labels
        QCOMPARE(str(kernel.labels[0].second), std::string(".L_x_1"));
        QCOMPARE(kernel.labels[0].first, 0xe0U);
        QCOMPARE(kernel.labels[2].first, 0x280U); // behind the last row
    }

    void linksPtxAndSourceLines()
    {
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        QVERIFY(listing.hasPtxLines);
        QVERIFY(listing.hasSourceLines);
        QCOMPARE(listing.files.size(), 1U);
        QVERIFY(str(listing.files[0]).ends_with("saxpy.cu"));
        const auto& kernel = kernelNamed(listing, "saxpy");
        QCOMPARE(rowAt(kernel, 0x0).sourceLine, 6);
        QCOMPARE(rowAt(kernel, 0x0).ptxLine, 22);
        // Only the PTX line changes here, so the source line stays.
        QCOMPARE(rowAt(kernel, 0x20).sourceLine, 8);
        QCOMPARE(rowAt(kernel, 0x20).ptxLine, 35);
    }

    void keepsInlineChains()
    {
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        const auto& kernel = kernelNamed(listing, "saxpy");
        const auto& fma = rowAt(kernel, 0x140);
        QCOMPARE(str(fma.opcode), std::string("FFMA"));
        QCOMPARE(fma.sourceLine, 3);
        QCOMPARE(fma.callerCount, 1);
        QCOMPARE(listing.callers[static_cast<std::size_t>(fma.firstCaller)].line, 9);
        const auto& store = rowAt(kernel, 0x150);
        QCOMPARE(store.sourceLine, 9);
        QCOMPARE(store.callerCount, 0);
        QCOMPARE(store.firstCaller, -1);
    }

    void readsNestedInlining()
    {
        const auto listing = parsed("\t.target\tsm_90a\n\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"
                                    "\t//## File \"a.cuh\", line 3 inlined at \"b.cuh\", line 7\n"
                                    "\t//## File \"b.cuh\", line 7 inlined at \"c.cu\", line 9\n"
                                    "\t//## File \"c.cu\", line 9\n"
                                    "\t//## File \".nv_debug_ptx_txt\", line 58\n"
                                    "        /*0000*/                   NOP ;\n"
                                    "        /*0010*/                   EXIT ;\n");
        const auto& rows = listing.kernels.at(0).instructions;
        QCOMPARE(rows.at(0).sourceLine, 3);
        QCOMPARE(rows.at(0).callerCount, 2);
        QCOMPARE(listing.callers.at(0).line, 7);
        QCOMPARE(listing.callers.at(1).line, 9);
        QCOMPARE(
            str(listing.files.at(static_cast<std::size_t>(listing.callers.at(1).file))), std::string("c.cu"));
        QCOMPARE(rows.at(1).callerCount, 2); // places hold until the next marker
        QVERIFY(!rows.at(1).hasEncoding);
    }

    void ownPlaceIsInTheKernelsFile()
    {
        const auto listing = parsed("\t.target\tsm_90a\n\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"
                                    "\t//## File \"a.cuh\", line 3 inlined at \"b.cuh\", line 7\n"
                                    "\t//## File \"b.cuh\", line 7 inlined at \"c.cu\", line 9\n"
                                    "\t//## File \"c.cu\", line 9 inlined at \"c.cu\", line 12\n"
                                    "\t//## File \"c.cu\", line 12\n"
                                    "        /*0000*/                   NOP ;\n"
                                    "\t//## File \"b.cuh\", line 20\n"
                                    "        /*0010*/                   EXIT ;\n");
        const auto& rows = listing.kernels.at(0).instructions;
        const auto nameOf = [&](const SassInstruction& row) {
            return str(listing.files.at(static_cast<std::size_t>(ownPlace(listing, row).file)));
        };
        QCOMPARE(nameOf(rows.at(0)), std::string("c.cu"));
        QCOMPARE(ownPlace(listing, rows.at(0)).line, 9);
        QCOMPARE(nameOf(rows.at(1)), std::string("b.cuh"));
        QCOMPARE(ownPlace(listing, rows.at(1)).line, 20);
    }

    void handWrittenPtxHasPtxLinesOnly()
    {
        const auto listing = sassListing("pipeline.sm_90a.nvdisasm.txt");
        QVERIFY(listing.hasPtxLines);
        QVERIFY(!listing.hasSourceLines);
        std::vector<std::string> lines;
        const auto source = sassText("pipeline.ptx");
        for (std::size_t from = 0; from < source.size();) {
            const auto end = source.find('\n', from);
            lines.push_back(source.substr(from, end - from));
            from = end + 1;
        }
        auto kernel = listing.kernels.at(0);
        std::vector<int> wgmma;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].find("    wgmma.mma_async") == 0) {
                wgmma.push_back(static_cast<int>(i) + 1);
            }
        }
        QCOMPARE(wgmma.size(), 2U);
        int stores = 0;
        for (const auto& row : kernel.instructions) {
            if (row.opcode.starts_with("STG")) {
                ++stores;
                const auto& line = lines.at(static_cast<std::size_t>(row.ptxLine - 1));
                QVERIFY2(line.find("st.global.v4") != std::string::npos, line.c_str());
            }
            // The tool gives these no line, and a neighbour's line would be a guess.
            QVERIFY(!row.opcode.starts_with("HGMMA") || row.ptxLine == 0);
        }
        QCOMPARE(stores, 1);

        QCOMPARE(linkWgmmaLines(kernel, {1, 2, 3}), 0);
        QCOMPARE(linkWgmmaLines(kernel, wgmma), 2);
        std::vector<int> linked;
        for (const auto& row : kernel.instructions) {
            if (row.opcode.starts_with("HGMMA")) {
                QVERIFY(row.lineInferred);
                linked.push_back(row.ptxLine);
            }
        }
        QCOMPARE(linked, wgmma);
    }

    void readsCuobjdump()
    {
        const auto text = sassListing("saxpy.sm_90a.cuobjdump.txt");
        const auto reference = sassListing("saxpy.sm_90a.nvdisasm.txt");
        QCOMPARE(text.kernels.size(), 2U);
        QCOMPARE(str(text.target), std::string("sm_90a"));
        QVERIFY(!text.hasPtxLines);
        for (const auto& kernel : text.kernels) {
            const auto& same = kernelNamed(reference, kernel.name);
            QCOMPARE(kernel.instructions.size(), same.instructions.size());
            QVERIFY(kernel.unknownLines.empty());
            for (std::size_t i = 0; i < same.instructions.size(); ++i) {
                QCOMPARE(str(kernel.instructions[i].opcode), str(same.instructions[i].opcode));
                QCOMPARE(kernel.instructions[i].encoding, same.instructions[i].encoding);
            }
        }
    }

    void readsTwoTargetsOfAFatbin()
    {
        const auto listing = sassListing("saxpy.fatbin.cuobjdump.txt");
        QCOMPARE(listing.kernels.size(), 4U);
        QCOMPARE(str(listing.kernels[0].target), std::string("sm_90a"));
        QCOMPARE(str(listing.kernels[3].target), std::string("sm_100a"));
        for (const auto& kernel : listing.kernels) {
            QVERIFY(!kernel.instructions.empty());
            QVERIFY(kernel.unknownLines.empty());
        }
    }

    void takesCrLf()
    {
        const auto text = sassText("pipeline.sm_90a.nvdisasm.txt");
        const auto unix = parsed(text);
        const auto dos = parsed(replaced(text, "\n", "\r\n"));
        QCOMPARE(dos.kernels.size(), unix.kernels.size());
        const auto& a = unix.kernels[0];
        const auto& b = dos.kernels[0];
        QCOMPARE(b.instructions.size(), a.instructions.size());
        for (std::size_t i = 0; i < a.instructions.size(); ++i) {
            QCOMPARE(str(b.instructions[i].operands), str(a.instructions[i].operands));
            QCOMPARE(b.instructions[i].encoding, a.instructions[i].encoding);
            QCOMPARE(b.instructions[i].ptxLine, a.instructions[i].ptxLine);
        }
        QCOMPARE(b.labels.size(), a.labels.size());
        QVERIFY(b.unknownLines.empty());
    }

    void dataSectionsHoldNoInstructions()
    {
        const auto text =
            std::string("\t.target\tsm_90a\n\t.section\t.debug_frame,\"\",@progbits\n.debug_frame:\n"
                        "        /*0000*/ \t.byte\t0xff, 0xff\n")
            + sassText("pipeline.sm_90a.nvdisasm.txt")
            + "\t.section\t.nv.constant0,\"a\",@progbits\n        /*0000*/ \t.byte\t0x00\n";
        const auto listing = parsed(text);
        QCOMPARE(listing.kernels.size(), 1U);
        QCOMPARE(listing.kernels[0].instructions.size(), 0x400U / 16);
    }

    void keepsWhatItDoesNotKnow()
    {
        const auto listing =
            parsed("code for sm_101a\n\t\tFunction : k\n\t.headerflags\t@\"X\"\n"
                   "        /*0000*/                   FROB.X.Y12 R1, weird{a;b}, ?; /* 0x01 */\n"
                   "        strange line\n"
                   "        /*0010*/                   @P1 EXIT ?WAIT1 ;\n");
        const auto& kernel = listing.kernels.at(0);
        QCOMPARE(kernel.instructions.size(), 2U);
        QCOMPARE(str(kernel.instructions[0].opcode), std::string("FROB.X.Y12"));
        QCOMPARE(str(kernel.instructions[1].predicate), std::string("@P1"));
        QCOMPARE(kernel.unknownLines.size(), 1U);
        QCOMPARE(str(trimmed(kernel.unknownLines[0])), std::string("strange line"));
    }

    void takesLiveRangeColumns()
    {
        const auto row = parseSassRow(
            "        /*0030*/                   ULDC.64 UR4, c[0x0][0x208] ;         // |   4   |   2    |");
        QVERIFY(row.has_value());
        QCOMPARE(str(row->opcode), std::string("ULDC.64"));
        QCOMPARE(str(row->operands), std::string("UR4, c[0x0][0x208]"));
    }

    void viewsOutliveCopiesAndMoves()
    {
        SassListing copy;
        {
            const auto listing = sassListing("pipeline.sm_90a.nvdisasm.txt");
            copy = listing;
        }
        QCOMPARE(str(copy.kernels[0].instructions[0].opcode), std::string("LDC"));
        const auto moved = std::move(copy);
        QCOMPARE(str(moved.kernels[0].name), std::string("pipeline"));
    }

    void refusesOtherText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("prose") << QStringLiteral("nvdisasm fatal : no such file\n");
        QTest::newRow("data only") << QStringLiteral(
            "\t.target\tsm_90a\n\t.section\t.nv.info,\"\",@progbits\n");
    }
    void refusesOtherText()
    {
        QFETCH(QString, text);
        const auto listing = parseSassListing(text.toStdString());
        QVERIFY(!listing);
        QCOMPARE(static_cast<int>(listing.error().code), static_cast<int>(ErrorCode::BadFormat));
        QVERIFY(!listing.error().hint.empty());
    }

    void survivesTruncationAtEveryByte_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>(
            "step"); // the work is quadratic in the size: the long one is cut every few bytes
        QTest::newRow("nvdisasm") << QStringLiteral("saxpy.sm_90a.nvdisasm.txt") << 1;
        QTest::newRow("cuobjdump") << QStringLiteral("saxpy.sm_90a.cuobjdump.txt") << 1;
        QTest::newRow("sm_100a") << QStringLiteral("tensor_memory.sm_100a.nvdisasm.txt") << 13;
    }
    void survivesTruncationAtEveryByte()
    {
        QFETCH(QString, file);
        QFETCH(int, step);
        const auto text = sassText(file.toStdString());
        std::size_t rowsBefore = 0;
        for (std::size_t size = 0; size <= text.size(); size += static_cast<std::size_t>(step)) {
            const auto listing = parseSassListing(text.substr(0, size));
            if (!listing) {
                continue;
            }
            std::size_t rows = 0;
            for (const auto& kernel : listing->kernels) {
                rows += kernel.instructions.size();
            }
            QVERIFY(rows >= rowsBefore); // more text never means fewer rows
            rowsBefore = rows;
        }
        QVERIFY(rowsBefore > 0);
    }

    void sectionInfoOfOlderTargetsEndsNoKernel()
    {
        // As nvdisasm writes it for targets before sm_90.
        const auto listing = parsed("\t.target\tsm_80\n\t.section\t.text.k,\"ax\",@progbits\n"
                                    "\t.sectioninfo\t@\"SHI_REGISTERS=71\"\n\t.align\t128\nk:\n.text.k:\n"
                                    "        /*0000*/                   EXIT ;\n");
        QCOMPARE(listing.kernels.size(), 1U);
        QCOMPARE(listing.kernels[0].instructions.size(), 1U);
        QCOMPARE(listing.kernels[0].target, std::string_view("sm_80"));
    }
};

QTEST_APPLESS_MAIN(TestSassListing)
#include "tst_sass_listing.moc"
