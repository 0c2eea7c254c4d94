// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/line_links.h"

#include <QTest>

using namespace ptxwb;

namespace {

constexpr auto listingText = "\t.target\tsm_90a\n\t.section\t.text.k,\"ax\",@progbits\nk:\n.text.k:\n"
                             "\t//## File \"k.cu\", line 35\n"
                             "\t//## File \".nv_debug_ptx_txt\", line 9\n"
                             "        /*0000*/                   WARPGROUP.ARRIVE ;\n"
                             "        /*0010*/                   HGMMA.64x64x16.F32 R24, gdesc[UR8], R24 ;\n"
                             "        /*0020*/                   HGMMA.64x64x16.F32 R24, gdesc[UR8], R24 ;\n"
                             "        /*0030*/                   EXIT ;\n";

constexpr std::string_view mma = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, "
                                 "%rd1, %rd2, 1, 1, 1, 0, 0;\n";

std::string generated(bool withLocations)
{
    const std::string call = withLocations ? ".loc 1 37 5\n" : "\n";
    const std::string inlined =
        withLocations ? ".loc 2 21 3, function_name $L__info0, inlined_at 1 37 5\n" : "\n";
    std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n";
    text += call + inlined + std::string(mma) + call + inlined + std::string(mma) + "ret;\n}\n";
    if (withLocations) {
        text += ".file 1 \"k.cu\"\n.file 2 \"mma.cuh\"\n";
    }
    return text;
}

SassListing parsed()
{
    auto listing = parseSassListing(listingText);
    return listing ? *std::move(listing) : SassListing{};
}

} // namespace

class TestLineLinks : public QObject {
    Q_OBJECT

private slots:
    void givesWgmmaOfGeneratedPtxItsPlaces()
    {
        auto listing = parsed();
        QCOMPARE(listing.kernels.size(), 1U);
        linkWgmmaLines(listing, generated(true));
        const auto copy = listing; // names of files are not lost with the first one
        listing = {};
        const auto& rows = copy.kernels.at(0).instructions;
        for (const std::size_t at : {1U, 2U}) {
            const auto& row = rows.at(at);
            QVERIFY(row.lineInferred);
            QCOMPARE(row.ptxLine, at == 1 ? 8 : 11);
            QCOMPARE(row.sourceLine, 21);
            QCOMPARE(
                std::string(copy.files.at(static_cast<std::size_t>(row.sourceFile))), std::string("mma.cuh"));
            QCOMPARE(row.callerCount, 1);
            const auto own = ownPlace(copy, row);
            QCOMPARE(own.line, 37);
            QCOMPARE(std::string(copy.files.at(static_cast<std::size_t>(own.file))), std::string("k.cu"));
        }
        QVERIFY(!rows.at(0).lineInferred);
        QCOMPARE(rows.at(0).sourceLine, 35);
        QCOMPARE(copy.files.size(), 2U);
    }

    void withoutLocationsThereIsNoPlace()
    {
        auto listing = parsed();
        linkWgmmaLines(listing, generated(false));
        const auto& row = listing.kernels.at(0).instructions.at(1);
        QCOMPARE(row.ptxLine, 8);
        QCOMPARE(row.sourceLine, 0);
        QCOMPARE(row.sourceFile, -1);
    }
};

QTEST_APPLESS_MAIN(TestLineLinks)
#include "tst_line_links.moc"
