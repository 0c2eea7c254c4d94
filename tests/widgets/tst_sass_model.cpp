// SPDX-License-Identifier: Apache-2.0
#include "../sass/sass_test_data.h"
#include "widgets/sass/sass_filter_model.h"
#include "widgets/sass/sass_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::testing;

class TestSassModel : public QObject {
    Q_OBJECT

    static QString cell(const SassModel& model, std::uint64_t address, int column)
    {
        return model.index(static_cast<int>(address / 16), column).data().toString();
    }

private slots:
    void obeysTheModelContract()
    {
        SassModel model;
        SassFilterModel filter;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester filterTester(
            &filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filter.setSourceModel(&model);
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        model.setKernel(listing, 0);
        filter.setFamilies(familiesOf("LDG"));
        model.setKernel(listing, 1);
        model.markPtxLine(52);
        model.setKernel(listing, 7); // no such kernel: empty
        QCOMPARE(model.rowCount(), 0);
        model.setKernel({}, 0);
        QCOMPARE(model.rowCount(), 0);
    }

    void showsTheRow()
    {
        SassModel model;
        model.setKernel(sassListing("pipeline.sm_90a.nvdisasm.txt"), 0);
        QCOMPARE(model.rowCount(), 0x400 / 16);
        QCOMPARE(cell(model, 0x190, SassModel::AddressColumn), QStringLiteral("0190 .L_x_1"));
        QCOMPARE(cell(model, 0x2f0, SassModel::PredicateColumn), QStringLiteral("@!P1"));
        QCOMPARE(cell(model, 0x290, SassModel::OpcodeColumn), QStringLiteral("│ HGMMA.64x8x16.F32.BF16"));
        QCOMPARE(cell(model, 0x290, SassModel::OperandsColumn), QStringLiteral("R24, gdesc[UR4], R24"));
        QCOMPARE(cell(model, 0x290, SassModel::FamiliesColumn), QStringLiteral("wgmma"));
        QCOMPARE(cell(model, 0x290, SassModel::PtxLineColumn), QString()); // the tool has no entry for it
        QCOMPARE(cell(model, 0x320, SassModel::PtxLineColumn), QStringLiteral("61"));
        QCOMPARE(cell(model, 0x320, SassModel::SourceColumn), QString());
        QCOMPARE(model.index(0x2f0 / 16, 0).data(SassModel::TargetRowRole).toInt(), 0x190 / 16);
        QCOMPARE(model.rowText(0x300 / 16), QStringLiteral("/*0300*/  LDC.64 R2, c[0x0][0x2c0]"));
        for (int column = 0; column < SassModel::ColumnCount; ++column) {
            QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        }
    }

    void saysWhatARowDoesAndWhomItWaitsFor()
    {
        SassModel model;
        model.setKernel(sassListing("pipeline.sm_90a.nvdisasm.txt"), 0);
        const auto tip = [&](std::uint64_t address, int column) {
            return model.index(static_cast<int>(address / 16), column).data(Qt::ToolTipRole).toString();
        };
        QVERIFY(tip(0x290, SassModel::OpcodeColumn)
                    .contains(
                        QStringLiteral("HGMMA 64x8x16, A and B from shared, bf16 inputs, fp32 accumulate")));
        QVERIFY(tip(0xb0, SassModel::WaitColumn).contains(QStringLiteral("S2UR UR12, SR_CgaCtaId")));
        QVERIFY(tip(0x10, SassModel::WaitColumn).isEmpty());
    }

    void showsControlCodes()
    {
        SassModel model;
        const auto listing = sassListing("saxpy.sm_90a.nvdisasm.txt");
        model.setKernel(listing, 1);
        const auto code = decodeControl(rowAt(listing.kernels[1], 0x110).encoding);
        QVERIFY(code.writeBarrier >= 0);
        QCOMPARE(cell(model, 0x110, SassModel::SetColumn), QStringLiteral("W%1").arg(code.writeBarrier));
        QVERIFY(cell(model, 0x140, SassModel::WaitColumn).contains(QString::number(code.writeBarrier)));
        QVERIFY(model.hasControlCodes());
        // Without encodings nothing is claimed.
        model.setKernel(parsed("\t.section\t.text.k,\"ax\"\n  /*0000*/ EXIT ;\n"), 0);
        QVERIFY(!model.hasControlCodes());
        QCOMPARE(cell(model, 0, SassModel::StallColumn), QString());
        QCOMPARE(cell(model, 0, SassModel::WaitColumn), QString());
    }

    void marksLines()
    {
        SassModel model;
        model.setKernel(sassListing("saxpy.sm_90a.nvdisasm.txt"), 1);
        SassColours colours;
        colours.linkedRow = Qt::yellow;
        model.setColours(colours);
        const auto isMarked = [&model](std::uint64_t address) {
            return model.index(static_cast<int>(address / 16), 0).data(Qt::BackgroundRole).isValid();
        };
        QCOMPARE(model.markPtxLine(55), 0x110 / 16);
        QVERIFY(isMarked(0x110));
        QVERIFY(!isMarked(0x100));
        QCOMPARE(model.markPtxLine(9999), -1);
        QVERIFY(!isMarked(0x110));
        // Line 3 was inlined at line 9: both find the row.
        QCOMPARE(model.markSourceLine(3, QStringLiteral("/somewhere/saxpy.cu")), 0xc0 / 16);
        QVERIFY(isMarked(0x140));
        model.markSourceLine(9, {});
        QVERIFY(isMarked(0x140));
        QVERIFY(isMarked(0x150));
        QCOMPARE(model.markSourceLine(9, QStringLiteral("other.cu")), -1);
        QCOMPARE(model.markPtxLine(0), -1);
    }

    void theUsersLineComesFirst()
    {
        const auto listing =
            parsed("\t.target\tsm_90a\n\t.section\t.text.k,\"ax\"\n.text.k:\n"
                   "\t//## File \"/cuda/half.hpp\", line 3 inlined at \"/home/k.cu\", line 7\n"
                   "\t//## File \"/home/k.cu\", line 7 inlined at \"/home/k.cu\", line 9\n"
                   "\t//## File \"/home/k.cu\", line 9\n"
                   "        /*0000*/  HADD2 R0, R0, R1 ;\n"
                   "\t//## File \"/home/k.cu\", line 11\n"
                   "        /*0010*/  EXIT ;\n");
        SassModel model;
        model.setKernel(listing, 0);
        QCOMPARE(cell(model, 0, SassModel::SourceColumn), QStringLiteral("k.cu:7"));
        QCOMPARE(model.index(0, SassModel::SourceColumn).data(Qt::ToolTipRole).toString(),
            QStringLiteral("code of half.hpp:3, inlined here\ninlined at k.cu:9"));
        QCOMPARE(model.index(0, 0).data(SassModel::SourceLineRole).toInt(), 7);
        QCOMPARE(cell(model, 0x10, SassModel::SourceColumn), QStringLiteral("k.cu:11"));
        QCOMPARE(model.index(1, SassModel::SourceColumn).data(Qt::ToolTipRole).toString(), QString());
        QCOMPARE(model.markSourceLine(3, QStringLiteral("half.hpp")), 0); // still found by each of its frames
    }

    void filterHidesButDropsNothing()
    {
        SassModel model;
        SassFilterModel filter;
        filter.setSourceModel(&model);
        model.setKernel(sassListing("pipeline.sm_90a.nvdisasm.txt"), 0);
        QCOMPARE(filter.hiddenRows(), 0);
        filter.setFamilies(familiesOf("HGMMA") | familiesOf("UTMALDG"));
        QCOMPARE(filter.rowCount(), 3);
        QCOMPARE(filter.hiddenRows(), model.rowCount() - 3);
        filter.setFamilies(0);
        QCOMPARE(filter.rowCount(), model.rowCount());
    }

    void inkIsReadable_data()
    {
        QTest::addColumn<QColor>("base");
        QTest::newRow("light") << QColor(Qt::white);
        QTest::newRow("grey") << QColor(0xf0, 0xf0, 0xf0);
        QTest::newRow("dark") << QColor(0x1e, 0x1f, 0x22);
        QTest::newRow("black") << QColor(Qt::black);
    }
    void inkIsReadable()
    {
        QFETCH(QColor, base);
        QPalette palette;
        palette.setColor(QPalette::Base, base);
        const bool dark = base.lightnessF() < 0.5;
        palette.setColor(QPalette::Text, dark ? Qt::white : Qt::black);
        const auto colours = sassColours(palette);
        QCOMPARE(colours.dark, dark);
        const auto luminance = [](const QColor& colour) {
            const auto channel = [](double c) {
                return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF())
                + 0.0722 * channel(colour.blueF());
        };
        const auto contrast = [&](const QColor& a, const QColor& b) {
            const auto x = luminance(a) + 0.05;
            const auto y = luminance(b) + 0.05;
            return x > y ? x / y : y / x;
        };
        for (const auto& ink : {colours.text, colours.faint, colours.tensor, colours.tcgen05, colours.copy,
                 colours.sync, colours.setmaxnreg, colours.memory, colours.branch, colours.unknown}) {
            QVERIFY2(contrast(ink, base) >= 4.5, qPrintable(ink.name()));
            for (const auto& fill :
                {colours.linkedRow, colours.added, colours.removed, colours.changed, colours.moved}) {
                QVERIFY2(contrast(ink, fill) >= 4.0, qPrintable(ink.name() + QLatin1Char(' ') + fill.name()));
            }
        }
    }
};

QTEST_MAIN(TestSassModel)
#include "tst_sass_model.moc"
