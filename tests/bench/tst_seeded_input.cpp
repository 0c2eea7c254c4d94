// SPDX-License-Identifier: Apache-2.0
#include "core/bench/host_input.h"
#include "core/bench/poison.h"
#include "core/bench/seeded_input.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <set>

using namespace ptxwb;

namespace {

std::vector<std::byte> filled(Dtype dtype, BufferInit init, std::int64_t count, std::uint64_t seed = 1)
{
    BufferSpec buffer;
    buffer.type = {dtype, {count}};
    buffer.init = init;
    buffer.scalar = 2.5;
    std::vector<std::byte> bytes(buffer.type.bytes());
    if (!fillOnHost(buffer, seed, 0, bytes.data())) {
        bytes.clear();
    }
    return bytes;
}

} // namespace

class TestSeededInput : public QObject {
    Q_OBJECT

private slots:
    /// Recorded once; the same words come out of the GPU (tests/gpu) and of every compiler.
    void recordedBits()
    {
        const std::uint32_t expected[] = {0xbe3c7178U, 0xbf3351e2U, 0x3f030023U, 0x3fb8187bU};
        for (std::uint32_t i = 0; i < 4; ++i) {
            QCOMPARE(std::bit_cast<std::uint32_t>(randomNormal(1, 0, i)), expected[i]);
        }
    }

    void extremesAreFinite()
    {
        const float largest = normalFromBits(0);
        QVERIFY(largest > 9.0F && largest < 9.2F);
        QCOMPARE(normalFromBits(1), -largest);
        QVERIFY(std::fabs(normalFromBits(~std::uint64_t{0})) < 1e-6F);
        QVERIFY(std::fabs(normalFromBits(std::uint64_t{1} << 63) - 0.67448975F) < 1e-6F); // quartile
    }

    /// Against the error function: P(Z > z) of the value made for a tail probability is that probability.
    void isTheInverseNormal()
    {
        for (int exponent = 1; exponent <= 61; ++exponent) {
            for (const std::uint64_t mantissa : {4ULL, 5ULL, 6ULL, 7ULL}) {
                const std::uint64_t k = mantissa << (61 - exponent);
                const double tail = std::ldexp(static_cast<double>(k), -64);
                const auto z = static_cast<double>(normalFromBits(k << 1));
                const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
                const double error = std::fabs(std::erfc(z / std::sqrt(2.0)) / 2 - tail) / density;
                QVERIFY2(error < 2e-5, qPrintable(QStringLiteral("z %1: off by %2").arg(z).arg(error)));
            }
        }
    }

    void moments()
    {
        constexpr int count = 2'000'000;
        double sum = 0;
        double squares = 0;
        double cubes = 0;
        double fourths = 0;
        double neighbours = 0;
        double last = 0;
        int beyond2 = 0;
        int beyond3 = 0;
        int beyond4 = 0;
        for (int i = 0; i < count; ++i) {
            const auto v = static_cast<double>(randomNormal(20260517, 3, static_cast<std::uint64_t>(i)));
            sum += v;
            squares += v * v;
            cubes += v * v * v;
            fourths += v * v * v * v;
            neighbours += v * last;
            last = v;
            const double a = std::fabs(v);
            beyond2 += a > 2;
            beyond3 += a > 3;
            beyond4 += a > 4;
        }
        // Bounds of 4 standard errors.
        QVERIFY(std::fabs(sum / count) < 4 / std::sqrt(count));
        QVERIFY(std::fabs(squares / count - 1) < 4 * std::sqrt(2.0 / count));
        QVERIFY(std::fabs(cubes / count) < 4 * std::sqrt(15.0 / count));
        QVERIFY(std::fabs(fourths / count - 3) < 4 * std::sqrt(96.0 / count));
        QVERIFY(std::fabs(neighbours / count) < 4 / std::sqrt(count));
        QVERIFY(std::fabs(beyond2 - count * 0.0455003) < 4 * std::sqrt(count * 0.0455));
        QVERIFY(std::fabs(beyond3 - count * 0.0026998) < 4 * std::sqrt(count * 0.0027));
        QVERIFY(std::fabs(beyond4 - count * 6.3342e-5) < 4 * std::sqrt(count * 6.3342e-5));
    }

    void seedsTensorsAndIndicesDiffer()
    {
        std::set<std::uint64_t> seen;
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            for (std::uint32_t tensor = 0; tensor < 8; ++tensor) {
                for (std::uint64_t index = 0; index < 500; ++index) {
                    seen.insert(mixedBits(seed, tensor, index));
                }
            }
        }
        QCOMPARE(seen.size(), std::size_t{8 * 8 * 500});
        QCOMPARE(filled(Dtype::Bfloat16, BufferInit::Random, 100, 5),
            filled(Dtype::Bfloat16, BufferInit::Random, 100, 5));
        QVERIFY(filled(Dtype::Bfloat16, BufferInit::Random, 100, 5)
            != filled(Dtype::Bfloat16, BufferInit::Random, 100, 6));
    }

    void ranges_data()
    {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("int8") << int(Dtype::Int8) << -128.0 << 127.0;
        QTest::newRow("uint8") << int(Dtype::Uint8) << 0.0 << 255.0;
        QTest::newRow("int32") << int(Dtype::Int32) << -1024.0 << 1023.0;
        QTest::newRow("bool") << int(Dtype::Bool) << 0.0 << 1.0;
        QTest::newRow("e4m3") << int(Dtype::Float8E4m3) << -2.0 << 2.0;
        QTest::newRow("e5m2") << int(Dtype::Float8E5m2) << -2.0 << 2.0;
    }
    void ranges()
    {
        QFETCH(int, dtype);
        QFETCH(double, least);
        QFETCH(double, most);
        const auto type = static_cast<Dtype>(dtype);
        double smallest = 1e9;
        double largest = -1e9;
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const double v = randomElement(type, 9, 1, i);
            smallest = std::min(smallest, v);
            largest = std::max(largest, v);
        }
        QCOMPARE(smallest, least);
        QCOMPARE(largest, most);
    }

    void otherInits()
    {
        const auto iota = filled(Dtype::Float32, BufferInit::Iota, 4);
        QCOMPARE(toDouble(Dtype::Float32, iota.data() + 12), 3.0);
        const auto scalar = filled(Dtype::Float16, BufferInit::Scalar, 2);
        QCOMPARE(toDouble(Dtype::Float16, scalar.data() + 2), 2.5);
        const auto zero = filled(Dtype::Int64, BufferInit::Zero, 3);
        QCOMPARE(zero, std::vector<std::byte>(24));
        QVERIFY(filled(Dtype::Float32, BufferInit::Derived, 1).empty());
        for (const Dtype dtype : {Dtype::Float64, Dtype::Float32, Dtype::Float16, Dtype::Bfloat16,
                 Dtype::Float8E4m3, Dtype::Float8E5m2}) {
            const auto poison = filled(dtype, BufferInit::Poison, 5);
            for (int i = 0; i < 5; ++i) {
                QVERIFY(std::isnan(toDouble(dtype, poison.data() + i * dtypeBytes(dtype))));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSeededInput)
#include "tst_seeded_input.moc"
