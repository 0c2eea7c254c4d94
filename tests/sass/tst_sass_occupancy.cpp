// SPDX-License-Identifier: Apache-2.0
#include "core/sass/occupancy.h"

#include <QTest>

using namespace ptxwb;

namespace {

KernelFacts kernelOf(int registers, int threads, int sharedBytes, int barriers = 0)
{
    KernelFacts kernel{.name = "k", .registers = registers, .barriers = barriers, .sharedBytes = sharedBytes};
    kernel.requiredThreads = {threads, 1, 1};
    return kernel;
}

Occupancy of(const KernelFacts& kernel, std::string_view target)
{
    return occupancyOf(kernel, target).value_or(Occupancy());
}

} // namespace

class TestSassOccupancy : public QObject {
    Q_OBJECT

private slots:
    /// The numbers are what cudaOccMaxActiveBlocksPerMultiprocessor answers.
    void ctasOfAMultiprocessor_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("shared");
        QTest::addColumn<int>("barriers");
        QTest::addColumn<int>("ctas");
        QTest::addColumn<QByteArray>("by");
        const auto row = [](const char* target, int registers, int threads, int shared, int barriers,
                             int ctas, const char* by) {
            QTest::addRow("%s %d %d %d %d", target, registers, threads, shared, barriers)
                << QByteArray(target) << registers << threads << shared << barriers << ctas << QByteArray(by);
        };
        row("sm_90a", 32, 256, 0, 0, 8, "registers");
        row("sm_90a", 33, 256, 0, 1, 6, "registers");
        row("sm_90a", 168, 384, 0, 1, 1, "registers");
        row("sm_90a", 255, 256, 1024, 2, 1, "registers");
        row("sm_90a", 128, 1024, 0, 0, 0, "registers");
        row("sm_90a", 40, 128, 40000, 1, 5, "shared memory");
        row("sm_90a", 16, 64, 0, 16, 4, "named barriers");
        row("sm_90a", 65, 1024, 0, 0, 0, "registers");
        row("sm_100a", 90, 192, 16384, 1, 3, "registers");
        row("sm_100a", 32, 96, 5000, 3, 21, "registers");
        row("sm_103a", 24, 32, 0, 1, 32, "CTAs");
        row("sm_80", 24, 160, 49152, 3, 3, "shared memory");
        row("sm_86", 32, 256, 0, 16, 6, "threads");
        row("sm_120a", 32, 128, 0, 2, 12, "threads");
        row("sm_120a", 32, 512, 40000, 1, 2, "shared memory");
        row("sm_90a", 129, 512, 0, 1, 0, "registers");
    }
    void ctasOfAMultiprocessor()
    {
        QFETCH(QByteArray, target);
        QFETCH(int, registers);
        QFETCH(int, threads);
        QFETCH(int, shared);
        QFETCH(int, barriers);
        QFETCH(QByteArray, by);
        const auto occupancy = of(kernelOf(registers, threads, shared, barriers), target.constData());
        QTEST(occupancy.ctas.value_or(-1), "ctas");
        QCOMPARE(occupancy.warps.value_or(-1), *occupancy.ctas * ((threads + 31) / 32));
        QCOMPARE(std::string(occupancy.limits.front().by), by.toStdString());
    }

    void registersAloneLimitWarps()
    {
        KernelFacts kernel{.name = "k", .registers = 33};
        const auto unknown = of(kernel, "sm_90a");
        QCOMPARE(unknown.warpsByRegisters, 48); // 1280 for each, 12 in a quarter
        QVERIFY(!unknown.ctas && !unknown.threads && unknown.limits.empty());
        QVERIFY(occupancyText(kernel, unknown).front().find("not known") != std::string::npos);
        kernel.registers = 0;
        QCOMPARE(of(kernel, "sm_90a").warpsByRegisters, 64);
        kernel.registers = 255;
        QCOMPARE(of(kernel, "sm_100a").warpsByRegisters, 8);
    }

    void whatIsNotKnownIsNotTold()
    {
        QVERIFY(!occupancyOf(kernelOf(32, 128, 0), "sm_75"));
        QVERIFY(!occupancyOf(kernelOf(32, 128, 0), "sm_999"));
        QVERIFY(!occupancyOf(kernelOf(32, 128, 0), ""));
        KernelFacts kernel{.name = "k"};
        QVERIFY(!occupancyOf(kernel, "sm_90a"));
    }

    void theSentenceNamesWhatLimits()
    {
        auto kernel = kernelOf(32, 256, 40 << 10, 1);
        const auto text = occupancyText(kernel, of(kernel, "sm_90a"));
        QCOMPARE(text.size(), 2U);
        QCOMPARE(text[0],
            std::string(
                "at most 5 CTAs of 256 threads on a multiprocessor: 40 of 64 warps; limited by shared "
                "memory"));
        QVERIFY(text[1].find("5 (40960 bytes of static shared memory), 8 (32 registers a thread)")
            != std::string::npos);
        QVERIFY(text[1].find("dynamic shared memory, given at launch, is not counted") != std::string::npos);
        kernel.mostThreads = kernel.requiredThreads;
        kernel.requiredThreads.reset();
        QVERIFY(occupancyText(kernel, of(kernel, "sm_90a"))[0].find("a launch may have fewer")
            != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestSassOccupancy)
#include "tst_sass_occupancy.moc"
