// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff_text.h"
#include "sass_edits.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

constexpr auto pipeline = "pipeline.sm_90a.nvdisasm.txt";
constexpr auto three = "pipeline_three.sm_90a.nvdisasm.txt";
constexpr auto attention = "attention.sm_90a.nvdisasm.txt";
constexpr auto saxpy = "saxpy.sm_90a.nvdisasm.txt";
constexpr auto tensorMemory = "tensor_memory.sm_100a.nvdisasm.txt";

QString str(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// One line per row, with the sides as they are or exchanged.
QStringList rowsOf(const KernelDiff& kernel, bool exchanged)
{
    QStringList rows;
    std::vector<DiffRow> all = kernel.rows;
    for (auto at = all.begin(); exchanged && at != all.end(); ++at) {
        std::swap(at->a, at->b);
        at->kind = at->kind == DiffKind::Added ? DiffKind::Removed
            : at->kind == DiffKind::Removed    ? DiffKind::Added
                                               : at->kind;
    }
    for (const auto& row : all) {
        QString what;
        for (const auto& word : row.what) {
            what += QLatin1Char(' ') + str(word);
        }
        rows << QStringLiteral("%1 %2 %3 %4%5")
                    .arg(str(diffKindName(row.kind)))
                    .arg(row.a)
                    .arg(row.b)
                    .arg(row.peer)
                    .arg(what);
    }
    rows.sort(); // rows of one side that stand side by side have no order across the sides
    return rows;
}

void isMirrored(const SassListing& a, const SassListing& b)
{
    const auto there = diffListings(a, b);
    const auto back = diffListings(b, a);
    QCOMPARE(back.identical, there.identical);
    QCOMPARE(back.scheduleOnly, there.scheduleOnly);
    QCOMPARE(back.kernels.size(), there.kernels.size());
    for (const auto& kernel : there.kernels) {
        const auto other = std::ranges::find_if(back.kernels, [&](const KernelDiff& one) {
            return one.kernelA == kernel.kernelB && one.kernelB == kernel.kernelA;
        });
        QVERIFY(other != back.kernels.end());
        QCOMPARE(rowsOf(*other, true), rowsOf(kernel, false));
        QCOMPARE(other->equal, kernel.equal);
        QCOMPARE(other->changed, kernel.changed);
        QCOMPARE(other->added, kernel.removed);
        QCOMPARE(other->removed, kernel.added);
        QCOMPARE(other->moved, kernel.moved);
        QCOMPARE(other->schedule, kernel.schedule);
        QCOMPARE(other->reorderedOnly, kernel.reorderedOnly);
        QCOMPARE(other->opcodeDeltas.size(), kernel.opcodeDeltas.size());
        for (const auto& [opcode, n] : kernel.opcodeDeltas) {
            QCOMPARE(other->opcodeDeltas.at(opcode), -n);
        }
        for (const auto& [opcode, n] : kernel.loopOpcodeDeltas) {
            QCOMPARE(other->loopOpcodeDeltas.at(opcode), -n);
        }
        QCOMPARE(other->stallDelta.has_value(), kernel.stallDelta.has_value());
        QCOMPARE(other->stallDelta.value_or(0), -kernel.stallDelta.value_or(0));
    }
    for (const auto& [family, n] : there.familyDeltas) {
        QCOMPARE(back.familyDeltas.at(family), -n);
    }
}

/// A change of the pipeline kernel and what is said of it.
struct Planted {
    const char* name;
    std::function<std::string(const std::string&)> plant;
    int changed = 0, added = 0, removed = 0, moved = 0, schedule = 0;
    const char* summary = "";
};

/// A block at another place: the retries of the wait behind the last branch.
std::string withMovedBlock(const std::string& text)
{
    const auto begin = text.find(".L_x_0:\n");
    const auto block = text.substr(begin, text.find(".L_x_3:\n") - begin);
    auto moved = text;
    moved.erase(begin, block.size());
    moved.insert(moved.find("        /*0380*/", moved.find(".L_x_3:\n")), block);
    return moved;
}

std::string withOtherStall(const std::string& text)
{
    const auto row = line(text, "0310");
    auto other = row;
    auto& digit = other.at(other.rfind("/* 0x") + 8); // bits 105..108 and the yield bit lie here
    digit = digit == '4' ? '5' : '4';
    return replaced(text, row, other);
}

const std::vector<Planted>& plantedChanges()
{
    static const std::vector<Planted> all{
        {.name = "opcode",
            .plant = [](const std::string& t) { return edited(t, "0310", "IMAD.WIDE.U32", "LEA"); },
            .changed = 1,
            .summary = "IMAD.WIDE.U32 -> LEA"},
        {.name = "modifier",
            .plant = [](const std::string& t) { return edited(t, "0320", "STG.E.128", "STG.E.64"); },
            .changed = 1,
            .summary = "STG.E.128 -> STG.E.64."},
        {.name = "immediate",
            .plant = [](const std::string& t) { return edited(t, "0310", "0x10", "0x20"); },
            .changed = 1,
            .summary = "IMAD.WIDE.U32: 0x10 -> 0x20."},
        {.name = "predicate",
            .plant = [](const std::string& t) { return edited(t, "0200", "@!P0", "@P0 "); },
            .changed = 1,
            .summary = "SYNCS.ARRIVE.TRANS64: @!P0 -> @P"},
        {.name = "scheduling",
            .plant = withOtherStall,
            .schedule = 1,
            .summary = "Same instructions, scheduling differs: 1 row with other control codes"},
        {.name = "added",
            .plant = [](const std::string& t) { return inserted(t, "0310", line(t, "0190")); },
            .added = 1,
            .summary = "1 row added."},
        {.name = "removed",
            .plant = [](const std::string& t) { return replaced(t, line(t, "0290"), ""); },
            .removed = 1,
            .summary = "1 HGMMA fewer in a loop, 1 row removed."},
        {.name = "moved block", .plant = withMovedBlock, .moved = -1, .summary = "in another order"},
        {.name = "a wait more in the loop",
            .plant = [](const std::string& t) { return inserted(t, "0290", line(t, "02e0")); },
            .added = 1,
            .summary = "1 WARPGROUP.DEPBAR (wait for wgmma) more in a loop, 1 row added."},
        {.name = "spilled registers",
            .plant =
                [](const std::string& t) {
                    const auto store =
                        replaced(line(t, "0320"), "STG.E.128 desc[UR10][R2.64], R24", "STL [R1], R24");
                    return inserted(t, "0310", store);
                },
            .added = 1,
            .summary = "1 STL (local memory) more, 1 row added."},
    };
    return all;
}

} // namespace

class TestSassDiffSides : public QObject {
    Q_OBJECT

private slots:
    // As broken text has it: two sections, one without a name.
    void aKernelWithoutANameIsItself()
    {
        auto text = sassText(saxpy);
        text += replaced(text, "_Z7reverseiPi", "");
        const auto listing = parsed(std::move(text));
        QVERIFY(std::ranges::any_of(listing.kernels, [](const SassKernel& one) { return one.name.empty(); }));
        QVERIFY(diffListings(listing, listing).identical);
    }

    void tenChangesAreNamed_data()
    {
        QTest::addColumn<int>("index");
        QCOMPARE(plantedChanges().size(), 10U);
        for (std::size_t i = 0; i < plantedChanges().size(); ++i) {
            QTest::newRow(plantedChanges()[i].name) << static_cast<int>(i);
        }
    }
    void tenChangesAreNamed()
    {
        QFETCH(int, index);
        const auto& planted = plantedChanges()[static_cast<std::size_t>(index)];
        const auto text = sassText(pipeline);
        const auto a = parsed(text);
        for (const bool renamed : {false, true}) { // every register renamed on top of the change
            const auto changed = planted.plant(text);
            const auto b = parsed(renamed ? otherRegisters(changed) : changed);
            const auto diff = diffListings(a, b);
            const auto& kernel = diff.kernels.at(0);
            QVERIFY(!diff.identical || diff.scheduleOnly);
            QCOMPARE(kernel.changed, planted.changed);
            QCOMPARE(kernel.added, planted.added);
            QCOMPARE(kernel.removed, planted.removed);
            QVERIFY(planted.moved < 0 ? kernel.moved > 0 : kernel.moved == planted.moved);
            QCOMPARE(kernel.schedule, planted.schedule);
            if (planted.moved == 0) {
                QVERIFY2(str(diff.summary).contains(str(planted.summary)), diff.summary.c_str());
            }
            isMirrored(a, b);
        }
    }

    void theOtherWayRoundIsTheMirrorImage_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        const std::vector<const char*> files{pipeline, three, attention, saxpy, tensorMemory};
        for (std::size_t i = 0; i < files.size(); ++i) {
            for (std::size_t j = i; j < files.size(); ++j) {
                QTest::addRow("%s, %s", files[i], files[j]) << str(files[i]) << str(files[j]);
            }
        }
    }
    void theOtherWayRoundIsTheMirrorImage()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        isMirrored(sassListing(a.toStdString()), sassListing(b.toStdString()));
        isMirrored(sassListing(a.toStdString()), parsed(otherRegisters(sassText(b.toStdString()))));
    }

    void paddingIsCountedOnNoSide()
    {
        const auto text = sassText(saxpy);
        const auto a = parsed(text);
        const auto b = parsed(replaced(text, "_Z7reverseiPi", "other"));
        const auto diff = diffListings(a, b);
        int oneSided = 0;
        for (const auto& kernel : diff.kernels) {
            if (!kernel.onlyInA && !kernel.onlyInB) {
                continue;
            }
            ++oneSided;
            const auto& listing = kernel.onlyInA ? a : b;
            const auto& rows =
                listing.kernels[static_cast<std::size_t>(std::max(kernel.kernelA, kernel.kernelB))]
                    .instructions;
            QCOMPARE(rows.back().opcode, std::string_view("NOP"));
            const int last = std::max(kernel.rows.back().a, kernel.rows.back().b);
            QVERIFY(rows[static_cast<std::size_t>(last)].opcode != "NOP");
            QCOMPARE(kernel.added + kernel.removed, static_cast<int>(kernel.rows.size()));
        }
        QCOMPARE(oneSided, 2);
        QVERIFY(diff.familyDeltas.empty());
    }

    void kernelsOfOneTemplateAreCompared()
    {
        // gemm<float> beside a kernel that stays, then gemm<__half> in its place.
        const auto text = sassText(saxpy);
        const auto a = parsed(replaced(text, "_Z7reverseiPi", "_ZN2ns4gemmIfLi2EEEvPT_"));
        const auto b = parsed(replaced(text, "_Z7reverseiPi", "_ZN2ns4gemmI6__halfLi4EEEvPT_"));
        const auto diff = diffListings(a, b);
        QCOMPARE(diff.kernels.size(), 2U);
        QVERIFY(diff.identical);
        QVERIFY(std::ranges::any_of(diff.kernels, [](const KernelDiff& k) { return k.name != k.nameInB; }));
    }

    void parametersOfTwoTargetsAreAlike()
    {
        const std::string rows = "  /*0000*/ LDC.64 R2, c[0x0][0x218] ;\n  /*0010*/ LDC R1, c[0x0][0x28] ;\n"
                                 "  /*0020*/ STG.E desc[UR4][R2.64], R1 ;\n  /*0030*/ EXIT ;\n";
        const auto kernel = [](const char* target, const std::string& text) {
            return parsed(
                std::string("\t.target\t") + target + "\n\t.section\t.text.k,\"ax\"\n.text.k:\n" + text);
        };
        const auto hopper = kernel("sm_90a", rows);
        const auto blackwell = kernel("sm_100a", replaced(replaced(rows, "0x218", "0x388"), "0x28", "0x37c"));
        QVERIFY(diffListings(hopper, blackwell).identical);
        QVERIFY(!diffListings(hopper, kernel("sm_100a", replaced(rows, "0x218", "0x380"))).identical);
        QVERIFY(!diffListings(hopper, kernel("sm_90a", replaced(rows, "0x218", "0x388"))).identical);
        isMirrored(hopper, blackwell);
    }
};

QTEST_APPLESS_MAIN(TestSassDiffSides)
#include "tst_sass_diff_sides.moc"
