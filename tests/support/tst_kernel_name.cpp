// SPDX-License-Identifier: Apache-2.0
#include "core/support/kernel_name.h"
#include "core/support/mangled_size.h"

#include <QTest>

using namespace ptxwb;

namespace {

/// "S_", "S0_", "S1_" ...
std::string substitution(int index)
{
    constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return index == 0 ? std::string("S_")
                      : std::string("S") + digits[static_cast<std::size_t>(index - 1)] + "_";
}

/// f(P<int, int>, P<P<int, int>, P<int, int>>, ...): each parameter is twice as long as the one before.
std::string doubling(int parameters)
{
    std::string name = "_Z1f1PIiiE";
    for (int i = 1; i < parameters; ++i) {
        const auto last = substitution(i);
        name += substitution(0) + "I" + last + last + "E";
    }
    return name;
}

} // namespace

class TestKernelName : public QObject {
    Q_OBJECT

private slots:
    void namesAreDemangled_data()
    {
        QTest::addColumn<QString>("raw");
        QTest::addColumn<QString>("written");
        const auto row = [](const char* raw, const char* written) {
            QTest::addRow("%.40s", raw) << QString::fromLatin1(raw) << QString::fromLatin1(written);
        };
        row("_Z5saxpyfPKfPf", "saxpy(float, float const*, float*)");
        row("_ZN2ns3mapINS_2OpEEEvT_Pf", "void ns::map<ns::Op>(ns::Op, float*)");
        row("$_Z6callerPf$_Z6helperf", "helper(float) in caller(float*)");
        row("$_Z6callerPf$__cuda_sm20_div_rn_f64_full", "__cuda_sm20_div_rn_f64_full in caller(float*)");
        row("_ZN36_GLOBAL__N__81f8369f_4_n_cu_2f1254c86hiddenEPf", "(anonymous namespace)::hidden(float*)");
        row("gemm_wgmma_tma", "");
        row("_Znonsense", "");
        row("_Z", "");
        row("$", "");
        row("$_Z$", "");
        row("$__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath", "");
        row("", "");
    }

    void namesAreDemangled()
    {
        QFETCH(QString, raw);
        QFETCH(QString, written);
        QCOMPARE(QString::fromStdString(demangled(raw.toStdString())), written);
        QCOMPARE(QString::fromStdString(titleOfKernel(raw.toStdString())),
            written.isEmpty() ? raw : written + QStringLiteral(" [") + raw + QLatin1Char(']'));
    }

    void aKernelIsNamedInManyWays_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<bool>("isNamed");
        const auto row = [](const char* word, bool isNamed) {
            QTest::addRow("%s", word) << QString::fromLatin1(word) << isNamed;
        };
        row("_ZN2ns4gemmIfLi2EEEvPT_PFS1_S1_E", true);
        row("void ns::gemm<float, 2>(float*, float (*)(float))", true);
        row("void ns::gemm<float, 2>", true);
        row("ns::gemm<float, 2>", true);
        row("ns::gemm", true);
        row("gemm<float, 2>", true);
        row("gemm", true);
        row("gem", false);
        row("void", false);
        row("ns", false);
        row("float", false);
        row("", false);
    }

    void aKernelIsNamedInManyWays()
    {
        QFETCH(QString, word);
        QFETCH(bool, isNamed);
        QCOMPARE(ptxwb::isNamed("_ZN2ns4gemmIfLi2EEEvPT_PFS1_S1_E", word.toStdString()), isNamed);
    }

    void operatorsAndHiddenKernelsHaveABareName()
    {
        QVERIFY(isNamed("_ZN36_GLOBAL__N__81f8369f_4_n_cu_2f1254c86hiddenEPf", "hidden"));
        QVERIFY(isNamed("_ZN2ns3mapIZ4mainEUlfE_EEvT_Pf", "map"));
        QVERIFY(isNamed("plain", "plain"));
        QVERIFY(!isNamed("plain", "plai"));
    }

    void aNameThatGrowsWithoutEndStaysRaw()
    {
        QVERIFY(demangled(doubling(4)).size() > 100);
        QVERIFY(staysReadable(doubling(8)));
        QVERIFY(!staysReadable(doubling(20)));
        QCOMPARE(demangled(doubling(36)), std::string()); // gigabytes otherwise
        QVERIFY(!staysReadable("_Z" + std::string(100'000, 'P')));
    }

    void longNamesOfTemplatesAreRead()
    {
        // As template libraries for tensor kernels have them: many references to few namespaces and types.
        const std::string name =
            "_ZN7cutlass9reference6device6kernel4GemmINS_9TensorRefINS_6half_tENS_6layout8Row"
            "MajorEEENS4_IS5_NS6_11ColumnMajorEEENS4_IfS9_EEffNS_11MatrixShapeILi4ELi4EEENS_1"
            "2multiply_addIfffEENS_16NumericConverterIffLNS_15FloatRoundStyleE2EEEEEvNS_4gemm"
            "9GemmCoordET2_T_T0_SL_T1_SO_T3_";
        QVERIFY(staysReadable(name));
        const auto written = demangled(name);
        QVERIFY(QByteArray::fromStdString(written).startsWith(
            "void cutlass::reference::device::kernel::Gemm<cutlass::TensorRef<"));
        QVERIFY(isNamed(name, "Gemm"));
        for (std::size_t end = 0; end < name.size(); ++end) { // whatever is cut off, it comes back
            QVERIFY(demangled(name.substr(0, end)).size() < 10'000);
        }
    }
};

QTEST_APPLESS_MAIN(TestKernelName)
#include "tst_kernel_name.moc"
