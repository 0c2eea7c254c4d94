// SPDX-License-Identifier: Apache-2.0
#include "core/sass/cubin_facts.h"

#include "core/sass/diff_text.h"
#include "sass_test_data.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

CubinFacts factsOf(const std::string& cubin)
{
    auto facts = readCubinFacts(cubin);
    if (!facts) {
        throw std::runtime_error(facts.error().message);
    }
    return *facts;
}

const KernelFacts& kernelOf(const CubinFacts& facts, std::string_view name)
{
    return *std::ranges::find(facts.kernels, name, &KernelFacts::name);
}

const DataFact* dataOf(const CubinFacts& facts, std::string_view name)
{
    const auto at = std::ranges::find(facts.data, name, &DataFact::name);
    return at == facts.data.end() ? nullptr : &*at;
}

/// `bytes` with the only place that holds `from` changed to hold `to`.
std::string patched(std::string bytes, std::string_view from, std::string_view to)
{
    const auto at = bytes.find(from);
    if (at == std::string::npos || bytes.find(from, at + 1) != std::string::npos
        || from.size() != to.size()) {
        throw std::runtime_error("not one place");
    }
    return bytes.replace(at, to.size(), to);
}

std::string hex(const char* digits)
{
    return QByteArray::fromHex(digits).toStdString();
}

/// Listings of two kernels, whose instructions are the same on both sides.
SassListing twoKernels()
{
    const std::string text = "\t.target\tsm_90a\n\t.section\t.text.scale,\"ax\"\n.text.scale:\n"
                             "  /*0000*/ EXIT ;\n"
                             "\t.section\t.text.widen,\"ax\"\n.text.widen:\n  /*0000*/ EXIT ;\n";
    return parsed(text);
}

} // namespace

class TestSassCubinFacts : public QObject {
    Q_OBJECT

    const std::string m_cubin = sassText("facts.sm_90a.cubin");

private slots:
    void aNoteOfOneSideIsTold()
    {
        const auto listing = twoKernels();
        auto diff = diffListings(listing, listing);
        const CompilerNote serialised{
            .code = "C7519", .kernel = "scale", .message = "Potential loss|of speed"};
        const CompilerNote both{.code = "C7510", .kernel = "widen", .message = "The same"};
        addNoteDifferences(diff, {both}, {serialised, both});
        QVERIFY(diff.identical && diff.notesCompared);
        QCOMPARE(diff.notes.size(), 1U);
        QCOMPARE(diff.notes[0].a, 0);
        QCOMPARE(diff.notes[0].b, 1);
        QCOMPARE(
            noteText(diff.notes[0]), std::string("note C7519 of scale in B only: Potential loss|of speed"));
        QVERIFY2(
            diff.summary.find("note C7519 of scale in B only") != std::string::npos, diff.summary.c_str());
        const auto markdown = diffMarkdown(diff, listing, listing, {});
        QVERIFY(markdown.find("- note C7519 of scale in B only: Potential loss") != std::string::npos);

        addNoteDifferences(diff, {both, both}, {both});
        QCOMPARE(noteText(diff.notes.at(0), false, true), std::string("note C7510 2 times in A, 1 in B"));
        addNoteDifferences(diff, {both}, {both});
        QVERIFY(diff.notes.empty());
        QCOMPARE(diff.summary, diffListings(listing, listing).summary);
    }

    void kernelsAreRead()
    {
        const auto facts = factsOf(m_cubin);
        QCOMPARE(facts.kernels.size(), 2U);
        const auto& scale = kernelOf(facts, "scale");
        QCOMPARE(*scale.registers, 24);
        QCOMPARE(*scale.frameBytes, 8);
        QCOMPARE(scale.sharedBytes, 1024);
        QCOMPARE(scale.barriers, 1);
        QCOMPARE(scale.parameterBytes, 12);
        QCOMPARE(scale.parameters, (std::map<int, int>{{0, 8}, {8, 4}}));
        QCOMPARE(*scale.mostThreads, (KernelFacts::Dimensions{128, 1, 1}));
        QVERIFY(!scale.requiredThreads && !scale.cluster && !scale.explicitCluster);
        const auto& widen = kernelOf(facts, "widen");
        QCOMPARE(*widen.registers, 10);
        QCOMPARE(*widen.frameBytes, 0);
        QCOMPARE(widen.sharedBytes, 0);
        QCOMPARE(widen.parameters, (std::map<int, int>{{0, 8}, {8, 4}, {16, 8}}));
        QCOMPARE(*widen.cluster, (KernelFacts::Dimensions{2, 1, 1}));
        QVERIFY(widen.explicitCluster);
        QVERIFY(!widen.mostThreads);
    }

    void dataAreRead()
    {
        const auto facts = factsOf(m_cubin);
        const auto* table = dataOf(facts, "table");
        QVERIFY(table != nullptr);
        QCOMPARE(table->space, std::string("constant"));
        QCOMPARE(table->bytes, hex("0000803f000000400000404000008040"));
        QCOMPARE(dataOf(facts, "counter")->bytes, hex("07000000"));
        QCOMPARE(dataOf(facts, "zeros")->size, 400U);
        QVERIFY(dataOf(facts, "zeros")->bytes.empty());
        QCOMPARE(dataOf(facts, "where")->addresses, (std::map<std::uint64_t, std::string>{{0, "counter"}}));
        QCOMPARE(dataOf(facts, "bank 4")->addresses.at(0x20), std::string("vprintf"));
    }

    void plantedChangesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* from, const char* to, const char* expected) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString::fromLatin1(expected);
        };
        // Entries of .nv.info and data as `readelf -x` shows them.
        row("registers", "042f08001500000018000000", "042f08001500000020000000",
            "registers of scale: 24 -> 32");
        row("local memory", "041108001500000008000000", "041108001500000010000000",
            "local memory per thread (bytes) of scale: 8 -> 16");
        row("most threads", "04050c00800000000100000001000000", "04050c00000100000100000001000000",
            ".maxntid of scale: 128x1x1 -> 256x1x1");
        row("cluster", "043d0c00020000000100000001000000", "043d0c00040000000100000001000000",
            "cluster of widen: 2x1x1 -> 4x1x1");
        row("explicit cluster", "013e0000", "01770000", ".explicitcluster of widen: yes -> no");
        row("barriers", "024c0100", "024c0200", "named barriers of scale: 1 -> 2");
        row("parameter bytes", "03191800", "03192000", "parameters (bytes) of widen: 24 -> 32");
        row("constant", "000040400000804000000000", "0000a0400000804000000000",
            "constant data table, byte 8 of 16: 0x40400000 -> 0x40a00000");
        row("text", "7363616c6564202564", "7363616c6572202564",
            "global data $str, byte 4 of 11: \"scaled %d\\n\" -> \"scaler %d\\n\"");
    }
    void plantedChangesAreNamed()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, expected);
        const auto listing = twoKernels();
        auto diff = diffListings(listing, listing);
        QVERIFY(diff.identical);
        QVERIFY(diff.summary.starts_with("Identical instructions "));
        addFactDifferences(diff, factsOf(m_cubin), factsOf(patched(m_cubin, hex(from), hex(to))));
        QVERIFY(!diff.identical);
        QVERIFY(diff.instructionsIdentical);
        QCOMPARE(diff.facts.size(), 1U);
        QCOMPARE(QString::fromStdString(factText(diff.facts[0])), expected);
        QVERIFY2(
            !QString::fromStdString(diff.summary).contains(QLatin1String("apart")), diff.summary.c_str());
        QVERIFY2(diff.summary.size() > std::string("Identical instructions.").size(), diff.summary.c_str());
        QVERIFY(QString::fromStdString(diffMarkdown(diff, listing, listing, {})).contains(expected));
    }

    void sameFactsAreIdentical()
    {
        const auto listing = twoKernels();
        auto diff = diffListings(listing, listing);
        addFactDifferences(diff, factsOf(m_cubin), factsOf(m_cubin));
        QVERIFY(diff.identical);
        QCOMPARE(diff.summary, std::string("Identical apart from names of registers and labels."));
        QCOMPARE(*diff.registersDelta, 0);
    }

    void dataOfAnotherNameAreMatchedByContent()
    {
        auto facts = factsOf(m_cubin);
        auto other = facts;
        std::ranges::find(other.data, "$str", &DataFact::name)->name = "$str$1";
        const auto listing = twoKernels();
        auto diff = diffListings(listing, listing);
        addFactDifferences(diff, facts, other);
        QVERIFY(diff.identical);
        std::erase_if(other.data, [](const DataFact& one) { return one.name == "$str$1"; });
        addFactDifferences(diff, facts, other);
        QCOMPARE(factText(diff.facts.at(0)), std::string("global data $str: 11 bytes -> none"));
        std::ranges::find(other.data, "where", &DataFact::name)->addresses[0] = "zeros";
        addFactDifferences(diff, facts, other);
        QCOMPARE(factText(diff.facts.at(0)), std::string("addresses in where: counter at 0 -> zeros at 0"));
    }

    void cutOffAnywhereIsAnErrorOrLess()
    {
        for (std::size_t size = 0; size < m_cubin.size(); ++size) {
            const auto facts = readCubinFacts(std::string_view(m_cubin).substr(0, size));
            QVERIFY(!facts || !facts->kernels.empty());
        }
        QCOMPARE(readCubinFacts("").error().code, ErrorCode::BadFormat);
        QCOMPARE(readCubinFacts("__global__ void k() {}").error().code, ErrorCode::BadFormat);
    }

    void anyByteMayBeWrong()
    {
        const auto listing = twoKernels();
        const auto facts = factsOf(m_cubin);
        for (std::size_t at = 0; at < m_cubin.size(); ++at) {
            auto bytes = m_cubin;
            bytes[at] = static_cast<char>(~bytes[at]);
            if (const auto other = readCubinFacts(bytes)) {
                auto diff = diffListings(listing, listing);
                addFactDifferences(diff, facts, *other);
                QVERIFY(!diff.summary.empty());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSassCubinFacts)
#include "tst_sass_cubin_facts.moc"
