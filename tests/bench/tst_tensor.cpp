// SPDX-License-Identifier: Apache-2.0
#include "core/bench/small_float.h"
#include "core/bench/tensor.h"

#include <QtTest>

#include <bit>
#include <cmath>

using namespace ptxwb;

class TestTensor : public QObject {
    Q_OBJECT

private slots:
    void names()
    {
        for (const std::string& name : dtypeNames()) {
            QVERIFY(dtypeByName(name));
            QCOMPARE(dtypeName(*dtypeByName(name)), std::string_view(name));
        }
        QCOMPARE(dtypeByName("float8_e4m3"), std::optional(Dtype::Float8E4m3));
        QVERIFY(!dtypeByName("fp16"));
        QCOMPARE((TensorType{Dtype::Bfloat16, {3, 5}}.bytes()), std::uint64_t{30});
        QCOMPARE((TensorType{Dtype::Float64, {}}.elements()), std::int64_t{1});
        QCOMPARE((TensorType{Dtype::Float64, {4, 0}}.bytes()), std::uint64_t{0});
    }

    /// Every value of every small format survives the round trip, and halfway points go to even.
    void smallFormats_data()
    {
        QTest::addColumn<int>("exponent");
        QTest::addColumn<int>("mantissa");
        QTest::addColumn<bool>("infinity");
        QTest::newRow("bfloat16") << 8 << 7 << true;
        QTest::newRow("float16") << 5 << 10 << true;
        QTest::newRow("e5m2") << 5 << 2 << true;
        QTest::newRow("e4m3") << 4 << 3 << false;
    }
    void smallFormats()
    {
        QFETCH(int, exponent);
        QFETCH(int, mantissa);
        QFETCH(bool, infinity);
        const SmallFloatFormat format{exponent, mantissa, infinity};
        const std::uint32_t count = 1U << (exponent + mantissa);
        for (std::uint32_t bits = 0; bits + 1 < count; ++bits) {
            const double value = decodeSmallFloat(format, bits);
            if (std::isnan(value)) {
                QVERIFY(std::isnan(decodeSmallFloat(format, encodeSmallFloat(format, value))));
                continue;
            }
            QCOMPARE(encodeSmallFloat(format, value), bits);
            QCOMPARE(encodeSmallFloat(format, -value), bits | count);
            const double next = decodeSmallFloat(format, bits + 1);
            if (!std::isfinite(value) || !std::isfinite(next)) {
                continue;
            }
            QVERIFY(next > value);
            const double middle = (value + next) / 2;
            QCOMPARE(encodeSmallFloat(format, middle), bits + (bits & 1U));
            QCOMPARE(encodeSmallFloat(format, std::nextafter(middle, 0.0)), bits);
            QCOMPARE(encodeSmallFloat(format, std::nextafter(middle, 1e300)), bits + 1);
        }
    }

    void knownValues()
    {
        QCOMPARE(toBfloat16(1.0F), std::uint16_t{0x3F80});
        QCOMPARE(toBfloat16(3.3895314e38F), std::uint16_t{0x7F7F});
        QCOMPARE(toBfloat16(3.4e38F), std::uint16_t{0x7F80});
        QVERIFY(std::isnan(fromBfloat16(toBfloat16(std::bit_cast<float>(0x7F800001U)))));
        QCOMPARE(toFloat16(65504.0F), std::uint16_t{0x7BFF});
        QCOMPARE(toFloat16(65520.0F), std::uint16_t{0x7C00});
        QCOMPARE(toFloat16(5.9604645e-8F), std::uint16_t{1});
        QCOMPARE(fromFloat16(0x3555), 0.333251953125F);
        QCOMPARE(encodeSmallFloat(e4m3Format, 448), 0x7EU);
        QCOMPARE(encodeSmallFloat(e4m3Format, 464), 0x7EU); // tie, 448 is even
        QCOMPARE(encodeSmallFloat(e4m3Format, 465), 0x7FU); // beyond: NaN, the format has no Inf
        QCOMPARE(encodeSmallFloat(e5m2Format, 57344), 0x7BU);
        QCOMPARE(encodeSmallFloat(e5m2Format, 61440), 0x7CU);
    }

    /// The shortcut for floats gives what one rounding from double gives; a double just beside a tie is not
    /// rounded twice.
    void bfloat16FromDouble()
    {
        std::uint16_t bits = 0;
        for (std::uint32_t i = 0; i < 100000; ++i) {
            const auto value = static_cast<double>(std::bit_cast<float>(i * 42949U));
            if (std::isnan(value)) {
                continue;
            }
            fromDouble(Dtype::Bfloat16, value, &bits);
            QCOMPARE(std::uint32_t{bits}, encodeSmallFloat(bfloat16Format, value));
        }
        const double tie = 1.0 + 1.0 / 256;
        fromDouble(Dtype::Bfloat16, tie, &bits);
        QCOMPARE(bits, std::uint16_t{0x3F80});
        fromDouble(Dtype::Bfloat16, std::nextafter(tie, 2.0), &bits);
        QCOMPARE(bits, std::uint16_t{0x3F81});
    }

    void integersClamp()
    {
        std::int8_t i8 = 0;
        fromDouble(Dtype::Int8, 127.4, &i8);
        QCOMPARE(int{i8}, 127);
        fromDouble(Dtype::Int8, -1000, &i8);
        QCOMPARE(int{i8}, -128);
        std::int64_t i64 = 0;
        fromDouble(Dtype::Int64, 1e30, &i64);
        QCOMPARE(i64, std::numeric_limits<std::int64_t>::max());
        fromDouble(Dtype::Int64, std::nan(""), &i64);
        QCOMPARE(i64, std::int64_t{0});
        std::uint8_t b = 0;
        fromDouble(Dtype::Bool, 3, &b);
        QCOMPARE(toDouble(Dtype::Bool, &b), 1.0);
        const float f = -2.5F;
        QCOMPARE(toDouble(Dtype::Float32, &f), -2.5);
    }
};

QTEST_APPLESS_MAIN(TestTensor)
#include "tst_tensor.moc"
