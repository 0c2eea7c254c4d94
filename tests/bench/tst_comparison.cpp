// SPDX-License-Identifier: Apache-2.0
#include "core/bench/comparison.h"
#include "core/bench/host_input.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace ptxwb;

namespace {

OutputComparison compared(
    const std::vector<float>& got, const std::vector<double>& expected, Tolerance tolerance = {})
{
    return compareOnHost(
        "C", Dtype::Float32, reinterpret_cast<const std::byte*>(got.data()), expected, tolerance);
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT

private slots:
    /// An element fails only when it is beyond both limits.
    void elementRule_data()
    {
        QTest::addColumn<float>("got");
        QTest::addColumn<double>("expected");
        QTest::addColumn<bool>("matches");
        const float up = 1.0F + std::numeric_limits<float>::epsilon();
        QTest::newRow("equal") << 1.0F << 1.0 << true;
        QTest::newRow("small, beyond rtol, within atol") << 0.02F << 0.011 << true;
        QTest::newRow("large, beyond atol, within rtol") << 101.0F << 100.5 << true;
        QTest::newRow("beyond both") << 1.0F << 1.02 << false;
        // 1/128 and 1/64 are exact: with atol = rtol = 1/128 the limit itself still matches.
        QTest::newRow("at the absolute limit") << 0.0078125F << 0.0 << true;
        QTest::newRow("just above the absolute limit") << 0.0078125F * up << 0.0 << false;
        QTest::newRow("zero reference, far") << 0.5F << 0.0 << false;
        QTest::newRow("just within the relative limit") << 1.0078124F << 1.0 << true;
        QTest::newRow("just above the relative limit") << 1.0078127F << 1.0 << false;
        QTest::newRow("sign") << -1.0F << 1.0 << false;
    }
    void elementRule()
    {
        QFETCH(float, got);
        QFETCH(double, expected);
        QFETCH(bool, matches);
        Tolerance tolerance;
        if (QByteArray(QTest::currentDataTag()).contains("limit")) {
            tolerance.atol = tolerance.rtol = 1.0 / 128;
        }
        const OutputComparison c = compared({got}, {expected}, tolerance);
        QCOMPARE(c.mismatched, matches ? std::uint64_t{0} : std::uint64_t{1});
        QCOMPARE(passesPaperRule(c, tolerance), matches);
        QCOMPARE(c.firstMismatch.has_value(), !matches);
    }

    void matchedRatioAtItsLimit()
    {
        std::vector<double> expected(1000, 1.0);
        std::vector<float> got(1000, 1.0F);
        Tolerance tolerance;
        tolerance.matchedRatio = 0.995;
        for (std::size_t i = 0; i < 5; ++i) {
            got[i * 7 + 3] = 2.0F;
        }
        const OutputComparison at = compared(got, expected, tolerance);
        QCOMPARE(at.mismatched, std::uint64_t{5});
        QCOMPARE(at.firstMismatch, std::optional<std::uint64_t>(3));
        QCOMPARE(at.firstMismatchGot, 2.0);
        QCOMPARE(at.firstMismatchExpected, 1.0);
        QVERIFY(passesPaperRule(at, tolerance));
        got[999] = 2.0F;
        QVERIFY(!passesPaperRule(compared(got, expected, tolerance), tolerance));
        QVERIFY(!passesPaperRule(at, Tolerance{}));
    }

    void emptyOutputPasses()
    {
        const OutputComparison c = compared({}, {});
        QVERIFY(passesPaperRule(c, Tolerance{}));
        QVERIFY(!c.allZero);
        QCOMPARE(c.matchedRatio(), 1.0);
    }

    void notFinite()
    {
        const float inf = std::numeric_limits<float>::infinity();
        const float nan = std::numeric_limits<float>::quiet_NaN();
        OutputComparison c = compared({nan, 1.0F, inf, -inf}, {1.0, 1.0, 1.0, 1.0});
        QCOMPARE(c.nanCount, std::uint64_t{1});
        QCOMPARE(c.infCount, std::uint64_t{2});
        QCOMPARE(c.mismatched, std::uint64_t{3});
        QVERIFY(!passesPaperRule(c, Tolerance{0.01, 0.01, 0.0, 1}));
        QVERIFY(std::isfinite(c.maxAbsError) && std::isfinite(c.normwiseRelError));

        c = compared({nan, inf, -inf}, {std::nan(""), INFINITY, -INFINITY});
        QVERIFY(passesPaperRule(c, Tolerance{}));
        QCOMPARE(passesStrictRule(c, StrictRule{{{"", 1e-3}}}), std::optional(true));

        QCOMPARE(compared({-inf}, {INFINITY}).infCount, std::uint64_t{1});
        QCOMPARE(compared({1.0F}, {std::nan("")}).mismatched, std::uint64_t{1}); // NaN is no wildcard
    }

    void norms()
    {
        const OutputComparison c = compared({3.0F, 0.0F}, {3.0, 4.0});
        QCOMPARE(c.normwiseRelError, 4.0 / 5.0);
        QCOMPARE(c.maxAbsError, 4.0);
        QVERIFY(std::isinf(compared({1.0F}, {0.0}).normwiseRelError));
        QCOMPARE(compared({0.0F}, {0.0}).normwiseRelError, 0.0);
    }

    void strictBounds()
    {
        const StrictRule rule{{{"O", 4e-3}, {"LSE", 1e-5}}};
        OutputComparison c;
        c.output = "O";
        c.normwiseRelError = 4e-3;
        QCOMPARE(passesStrictRule(c, rule), std::optional(true));
        c.normwiseRelError = std::nextafter(4e-3, 1.0);
        QCOMPARE(passesStrictRule(c, rule), std::optional(false));
        c.normwiseRelError = std::nan("");
        QCOMPARE(passesStrictRule(c, rule), std::optional(false));
        c.output = "other";
        QCOMPARE(passesStrictRule(c, rule), std::optional<bool>());
        QCOMPARE((StrictRule{{{"", 0.5}, {"O", 0.1}}}.boundFor("x")), std::optional(0.5));
    }

    void zerosAndPoisonAreSeen_data()
    {
        QTest::addColumn<int>("dtype");
        for (const Dtype dtype :
            {Dtype::Float64, Dtype::Float32, Dtype::Float16, Dtype::Bfloat16, Dtype::Float8E4m3}) {
            QTest::newRow(std::string(dtypeName(dtype)).c_str()) << int(dtype);
        }
    }
    void zerosAndPoisonAreSeen()
    {
        QFETCH(int, dtype);
        const auto type = static_cast<Dtype>(dtype);
        const auto width = static_cast<std::size_t>(dtypeBytes(type));
        std::vector<std::byte> bytes(4 * width);
        const std::vector<double> expected(4, 1.0);
        QVERIFY(compareOnHost("C", type, bytes.data(), expected, {}).allZero);
        fillWithPoison(type, bytes.data(), bytes.size());
        fromDouble(type, 1.0, bytes.data() + width);
        const OutputComparison c = compareOnHost("C", type, bytes.data(), expected, {});
        QCOMPARE(c.poisonCount, std::uint64_t{3});
        QCOMPARE(c.nanCount, std::uint64_t{3});
        QVERIFY(!c.allZero);
        // A NaN that arithmetic makes is no poison.
        fromDouble(type, std::nan(""), bytes.data());
        QCOMPARE(compareOnHost("C", type, bytes.data(), expected, {}).poisonCount, std::uint64_t{2});
    }
};

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_comparison.moc"
