// SPDX-License-Identifier: Apache-2.0
// One instruction each, on edges and random values: every form is emulated, and rounds as this processor
// does. What a GPU gave: tst_emulator_recorded.cpp.
#include "tests/emulator/differential/forms.h"
#include "tests/emulator/harness.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <map>
#include <optional>

using namespace ptxwb;
using namespace ptxwb::emulator;
using namespace ptxwb::differential;

namespace {

/// The results of all lanes, or nothing and why.
std::optional<std::vector<std::uint64_t>> emulated(const Form& form, std::string& why)
{
    KernelRun kernel(moduleHeader() + kernelOf(form, "k"));
    kernel.block(lanes).buffer("in", inputsOf(form)).buffer("out", std::vector<std::uint64_t>(lanes));
    const auto outcome = kernel.run();
    if (!outcome) {
        why = outcome.error().message;
        return std::nullopt;
    }
    if (outcome->end != EmulatorEnd::Completed) {
        why = summaryOf(*outcome);
        return std::nullopt;
    }
    return contentOf<std::uint64_t>(*outcome, 1);
}

bool has(const Form& form, const std::string& suffix)
{
    return (form.opcode + ".").find(suffix + ".") != std::string::npos;
}

template <class T> using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T> T flushed(T x, bool ftz)
{
    return ftz && std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T(0), x) : x;
}

/// What IEEE 754 asks for, by the processor that runs the test.
template <class T> Bits<T> exact(const Form& form, const std::uint64_t* inputs)
{
    const bool ftz = has(form, ".ftz");
    volatile T v[3]{}; // so that nothing is computed before the rounding mode is set
    for (std::size_t i = 0; i < 3; ++i) {
        v[i] = flushed(std::bit_cast<T>(static_cast<Bits<T>>(inputs[i])), ftz);
    }
    const std::string op = form.opcode.substr(0, form.opcode.find('.'));
    std::fesetround(has(form, ".rz") ? FE_TOWARDZERO
            : has(form, ".rm")       ? FE_DOWNWARD
            : has(form, ".rp")       ? FE_UPWARD
                                     : FE_TONEAREST);
    volatile T result = op == "add" ? v[0] + v[1]
        : op == "sub"               ? v[0] - v[1]
        : op == "mul"               ? v[0] * v[1]
        : op == "div"               ? v[0] / v[1]
        : op == "rcp"               ? T(1) / v[0]
        : op == "sqrt"              ? std::sqrt(v[0])
                                    : std::fma(v[0], v[1], v[2]);
    // With .ftz a result is flushed that is tiny with an exponent of any width.
    const bool scales = ftz && sizeof(T) == 4 && (op == "mul" || op == "fma" || op == "div");
    const bool first = op == "div" || std::fabs(v[0]) < std::fabs(v[1]);
    volatile T wide[3] = {
        first ? v[0] * T(0x1p24) : T(v[0]), first ? T(v[1]) : v[1] * T(0x1p24), v[2] * T(0x1p24)};
    volatile T scaled = op == "mul" ? wide[0] * wide[1]
        : op == "div"               ? wide[0] / wide[1]
                                    : std::fma(wide[0], wide[1], wide[2]);
    std::fesetround(FE_TONEAREST);
    const bool isTiny = scales && std::fabs(result) == T(0x1p-126) && std::fabs(scaled) < T(0x1p-102);
    T value = isTiny ? std::copysign(T(0), T(result)) : flushed(T(result), ftz);
    if (has(form, ".sat")) {
        value = value > T(0) ? std::min(value, T(1)) : T(0); // NaN and -0 become +0
    }
    if (std::isnan(value)) {
        return sizeof(T) == 8 ? static_cast<Bits<T>>(0xFFF8000000000000ULL)
                              : static_cast<Bits<T>>(0x7FFFFFFFU);
    }
    return std::bit_cast<Bits<T>>(value);
}

bool isRounded(const Form& form)
{
    const std::string op = form.opcode.substr(0, form.opcode.find('.'));
    static const std::vector<std::string> ops{"add", "sub", "mul", "div", "rcp", "sqrt", "fma"};
    return std::find(ops.begin(), ops.end(), op) != ops.end() && (has(form, ".f32") || has(form, ".f64"))
        && (has(form, ".rn") || has(form, ".rz") || has(form, ".rm") || has(form, ".rp"));
}

bool isNan(std::uint64_t bits, bool wide)
{
    return wide ? std::isnan(std::bit_cast<double>(bits))
                : std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

} // namespace

class TestEmulatorDifferential : public QObject {
    Q_OBJECT
private slots:
    void everyFormRuns();
    void roundingIsThatOfTheProcessor();
    void ftzAtTheLeastNormalNumber_data();
    void ftzAtTheLeastNormalNumber();
};

void TestEmulatorDifferential::everyFormRuns()
{
    std::size_t count = 0;
    std::vector<std::string> refused;
    for (const Form& form : allForms()) {
        std::string why;
        ++count;
        if (!emulated(form, why)) {
            refused.push_back(form.name + ": " + why);
        }
    }
    for (const std::string& line : refused) {
        qWarning("%s", line.c_str());
    }
    qInfo("%zu forms, %zu not emulated", count, refused.size());
    QCOMPARE(refused.size(), std::size_t{0});
}

void TestEmulatorDifferential::roundingIsThatOfTheProcessor()
{
    std::size_t count = 0;
    std::size_t different = 0;
    for (const Form& form : allForms()) {
        if (!isRounded(form)) {
            continue;
        }
        const bool wide = has(form, ".f64");
        std::string why;
        const auto results = emulated(form, why);
        QVERIFY2(results, (form.name + ": " + why).c_str());
        const auto inputs = inputsOf(form);
        std::size_t here = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::uint64_t* in = inputs.data() + lane * 3;
            const std::uint64_t want = wide ? exact<double>(form, in) : exact<float>(form, in);
            const std::uint64_t got = (*results)[lane];
            ++count;
            if (got != want && !(wide && isNan(got, true) && isNan(want, true))) {
                ++different;
                if (++here <= 3) {
                    qWarning("%s of %llx %llx %llx: %llx, not %llx", form.name.c_str(),
                        static_cast<unsigned long long>(in[0]), static_cast<unsigned long long>(in[1]),
                        static_cast<unsigned long long>(in[2]), static_cast<unsigned long long>(got),
                        static_cast<unsigned long long>(want));
                }
            }
        }
    }
    qInfo("%zu results compared, %zu differ", count, different);
    QVERIFY(count > 5000);
    QCOMPARE(different, std::size_t{0});
}

// What an H200 gave: a result near the least normal number is flushed when it is below it with an
// exponent of any width, not when that rounding makes it normal.
void TestEmulatorDifferential::ftzAtTheLeastNormalNumber_data()
{
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QList<quint32>>("gave");
    QTest::newRow("mul.rn") << QByteArray("mul.rn") << QList<quint32>{0, 0x80000000, 0x800000, 0x80800000};
    QTest::newRow("mul.rz") << QByteArray("mul.rz") << QList<quint32>{0, 0x80000000, 0, 0x80000000};
    QTest::newRow("mul.rm") << QByteArray("mul.rm") << QList<quint32>{0, 0x80000000, 0, 0x80800000};
    QTest::newRow("mul.rp") << QByteArray("mul.rp") << QList<quint32>{0, 0x80000000, 0x800000, 0x80000000};
    QTest::newRow("fma.rn") << QByteArray("fma.rn") << QList<quint32>{0, 0x80000000, 0x800000, 0x80800000};
    QTest::newRow("fma.rm") << QByteArray("fma.rm") << QList<quint32>{0, 0x80000000, 0, 0x80800000};
    QTest::newRow("div.rn") << QByteArray("div.rn") << QList<quint32>{0, 0x80000000, 0, 0x80000000};
    QTest::newRow("div.rm") << QByteArray("div.rm") << QList<quint32>{0, 0x80000000, 0, 0x80000000};
    QTest::newRow("div.rp") << QByteArray("div.rp") << QList<quint32>{0, 0x80000000, 0, 0x80000000};
}

void TestEmulatorDifferential::ftzAtTheLeastNormalNumber()
{
    QFETCH(QByteArray, op);
    QFETCH(QList<quint32>, gave);
    const std::vector<std::uint32_t> products{
        0x3F7FFFFF, 0x00800000, 0x3F7FFFFF, 0x80800000, 0x3F7FFFFE, 0x00800001, 0x3F7FFFFE, 0x80800001};
    const std::vector<std::uint32_t> quotients{
        0x00800000, 0x3F800001, 0x80800000, 0x3F800001, 0x00FFFFFF, 0x40000000, 0x00FFFFFF, 0xC0000000};
    const std::string third = op.startsWith("fma") ? ", 0f00000000" : "";
    const std::string text = ".version 8.3\n.target sm_90a\n.address_size 64\n"
                             ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .f32 %a<3>;\n"
                             ".reg .b32 %t;\n.reg .b64 %x<4>;\nld.param.u64 %x0, [in];\n"
                             "ld.param.u64 %x1, [out];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %x2, %t, 8;\n"
                             "mul.wide.u32 %x3, %t, 4;\nadd.s64 %x0, %x0, %x2;\nadd.s64 %x1, %x1, %x3;\n"
                             "ld.global.f32 %a0, [%x0];\nld.global.f32 %a1, [%x0+4];\n"
        + op.toStdString() + ".ftz.f32 %a2, %a0, %a1" + third + ";\nst.global.f32 [%x1], %a2;\nret;\n}\n";
    const auto outcome = KernelRun(text)
                             .block(4)
                             .buffer("in", op.startsWith("div") ? quotients : products)
                             .buffer("out", std::vector<std::uint32_t>(4))
                             .run();
    QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
    const auto got = contentOf<std::uint32_t>(*outcome, 1);
    QCOMPARE(QList<quint32>(got.begin(), got.end()), gave);
}

QTEST_APPLESS_MAIN(TestEmulatorDifferential)
#include "tst_emulator_differential.moc"
