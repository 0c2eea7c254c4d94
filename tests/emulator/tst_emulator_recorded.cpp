// SPDX-License-Identifier: Apache-2.0
// What an H200 gave (tests/data/emulator/h200_differential.bin, written by differential/record.cu) against
// what the emulator gives, from the same bits; docs/emulator-differential.md is the table of it. With
// PTXWB_WRITE_DOCS=1 in the environment the table is written anew. PTXWB_DIFFERENTIAL_RECORDING names a
// recording of another seed (record.cu), which is then compared instead.
#include "core/support/files.h"
#include "tests/emulator/differential/forms.h"
#include "tests/emulator/differential/probe_run.h"

#include <fmt/format.h>

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <regex>

using namespace ptxwb;
using namespace ptxwb::differential;

namespace {

/// Of an approximate instruction: how far PTX ISA 9.0 lets the result be from the exact one; the GPU and the
/// emulator may be so far apart together.
struct Bound {
    const char* prefix;
    double relative;
    double absolute;
    const char* inside; ///< where the bound holds; elsewhere the result is not compared
};
constexpr Bound bounds[] = {
    {"div.approx", 0x1p-22, 0, ""},
    {"div.full", 0x1p-22, 0, ""},
    {"rcp.approx.ftz.f64", 0x1p-19, 0, ""},
    {"rcp.approx", 0x1p-22, 0, ""},
    {"sqrt.approx", 0x1p-21, 0, ""},
    {"rsqrt.approx.ftz.f64", 0x1p-19, 0, ""},
    {"rsqrt.approx.f64", 0x1p-50, 0, ""},
    {"rsqrt.approx", 0x1p-21, 0, ""},
    {"ex2.approx.f16", 0x1p-9, 0, ""},
    {"ex2.approx.ftz.bf16", 0x1p-6, 0, ""},
    {"ex2.approx", 0x1p-21, 0, ""},
    {"lg2.approx", 0x1p-21, 0x1p-21, ""},
    {"sin.approx", 0, 0x1p-19, "pi"},
    {"cos.approx", 0, 0x1p-19, "pi"},
    {"tanh.approx.f16", 0, 0x1p-10, ""},
    {"tanh.approx.bf16", 0x1p-7, 0, ""},
    {"tanh.approx.f32", 0x1p-10, 0, ""},
};

/// Differences that are known, with the reason.
const std::map<std::string, std::string>& knownForms()
{
    static const std::map<std::string, std::string> known{};
    return known;
}
bool isOfAnotherSeed()
{
    return qEnvironmentVariableIsSet("PTXWB_DIFFERENTIAL_RECORDING");
}

const Recording& recording()
{
    static const auto read =
        readRecording(isOfAnotherSeed() ? qEnvironmentVariable("PTXWB_DIFFERENTIAL_RECORDING").toStdString()
                                        : PTXWB_TEST_DATA "/emulator/h200_differential.bin");
    static const Recording none;
    return read ? *read : none;
}

const Bound* boundOf(const Form& form)
{
    const auto found = std::find_if(std::begin(bounds), std::end(bounds),
        [&](const Bound& b) { return form.opcode.rfind(b.prefix, 0) == 0; });
    return found == std::end(bounds) ? nullptr : found;
}

double halfValue(std::uint32_t bits)
{
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const auto fraction = static_cast<double>(bits & 1023U);
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    if (exponent == 31) {
        return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    }
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

double valueOf(char kind, std::uint64_t bits, unsigned part)
{
    const auto half = static_cast<std::uint32_t>(bits >> (16 * part) & 0xFFFFU);
    switch (kind) {
    case 'd':
        return std::bit_cast<double>(bits);
    case 'h':
    case 'g':
        return halfValue(half);
    case 'B':
    case 'C':
        return static_cast<double>(std::bit_cast<float>(half << 16U));
    default:
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
}

/// Steps between two floats of the result's type; -1 for what has no distance.
double stepsBetween(char kind, std::uint64_t got, std::uint64_t want, unsigned part)
{
    const double a = valueOf(kind, got, part);
    const double b = valueOf(kind, want, part);
    if (!std::isfinite(a) || !std::isfinite(b)) {
        return -1;
    }
    const int digits = kind == 'd' ? 52 : kind == 'f' ? 23 : kind == 'h' || kind == 'g' ? 10 : 7;
    const double larger = std::max(std::fabs(a), std::fabs(b));
    return larger == 0 ? 0 : std::fabs(a - b) / std::ldexp(1.0, std::ilogb(larger) - digits);
}

/// Results among the subnormal numbers of their type may be a step apart.
bool within(const Bound& bound, double got, double want, bool half)
{
    if (std::isnan(want) || std::isinf(want)) {
        return std::isnan(want) ? std::isnan(got) : got == want;
    }
    return std::fabs(got - want)
        <= bound.absolute + bound.relative * std::fabs(want) + (half ? 0x1p-24 : 0x1p-126);
}

struct FormResult {
    std::size_t different = 0; ///< lanes whose bits differ
    std::size_t outside = 0; ///< of the bound, or with no bound at all
    double steps = 0; ///< the most
    double absolute = 0; ///< the greatest difference
    std::string example{};
};

FormResult compare(
    const Form& form, const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& want)
{
    FormResult result;
    const auto size = resultBytes(form);
    const auto inputs = inputsOf(form);
    const Bound* bound = boundOf(form);
    const char kind = form.operands[0];
    const unsigned parts = kind == 'g' || kind == 'C' ? 2 : 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::uint64_t a = 0;
        std::uint64_t b = 0;
        std::memcpy(&a, got.data() + lane * 8, size);
        std::memcpy(&b, want.data() + lane * size, size);
        if (a == b) {
            continue;
        }
        ++result.different;
        bool fine = bound != nullptr;
        for (unsigned part = 0; fine && part < parts; ++part) {
            const double x = valueOf(kind, a, part);
            const double y = valueOf(kind, b, part);
            const bool beyond = std::string(bound->inside) == "pi"
                && !(std::fabs(valueOf('f', inputs[lane * 3], 0)) <= 3.14159265);
            fine = beyond || within(*bound, x, y, kind == 'h' || kind == 'g');
            if (!beyond) {
                result.absolute = std::max(result.absolute, std::isfinite(x - y) ? std::fabs(x - y) : 0.0);
                result.steps = std::max(result.steps, stepsBetween(kind, a, b, part));
            }
        }
        if (!fine && ++result.outside == 1) {
            result.example = QString::asprintf("%llx %llx %llx: %llx, the GPU %llx",
                static_cast<unsigned long long>(inputs[lane * 3]),
                static_cast<unsigned long long>(inputs[lane * 3 + 1]),
                static_cast<unsigned long long>(inputs[lane * 3 + 2]), static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b))
                                 .toStdString();
        }
    }
    return result;
}

Probe probeOf(const Form& form)
{
    Probe probe;
    probe.name = form.label;
    probe.text = moduleHeader() + kernelOf(form, "k");
    probe.threads = lanes;
    const auto inputs = inputsOf(form);
    probe.input.resize(inputs.size() * 8);
    std::memcpy(probe.input.data(), inputs.data(), probe.input.size());
    probe.output.resize(std::size_t{lanes} * 8);
    return probe;
}

bool isRecorded(const Probe& probe)
{
    return recording().outputs.count(probe.name) != 0 || recording().hashes.count(probe.name) != 0;
}

bool agrees(const Probe& probe, const std::vector<std::uint8_t>& output)
{
    if (const auto raw = recording().outputs.find(probe.name); raw != recording().outputs.end()) {
        return raw->second == output;
    }
    const auto hash = recording().hashes.find(probe.name);
    return hash != recording().hashes.end() && hash->second == hashOf(output.data(), output.size());
}

std::string firstDifference(const Probe& probe, const std::vector<std::uint8_t>& got)
{
    const auto want = recording().outputs.find(probe.name);
    if (want == recording().outputs.end()) {
        return ": of the output only a hash was kept";
    }
    std::string text;
    for (std::size_t at = 0; at + 4 <= got.size() && text.size() < 100; at += 4) {
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        std::memcpy(&a, got.data() + at, 4);
        std::memcpy(&b, want->second.data() + at, 4);
        if (a != b) {
            text += fmt::format("; word {}: {:x}, the GPU {:x}", at / 4, a, b);
        }
    }
    return text;
}

std::string familyOf(const Probe& probe)
{
    const auto starts = [&](const char* with) { return probe.name.rfind(with, 0) == 0; };
    return starts("mma")    ? "`mma.sync`, every shape and type of sm_90a"
        : starts("wgmma")   ? "`wgmma`, types, widths, sources, layouts, swizzles"
        : starts("tensor")  ? "tensor-map copies, stores and reductions"
        : starts("bulk")    ? "bulk copies and reductions"
        : starts("program") ? "random programs of 64 threads"
        : starts("atom")    ? "atomics"
        : starts("map")     ? "tensor maps that the kernel changes"
        : starts("pair")    ? "carries, pairs of halves, 128 bits"
        : starts("cluster") ? "clusters: distributed shared memory, multicast"
                            : "`ldmatrix`, `stmatrix`, `movmatrix`";
}

/// `measured`: the numbers follow this machine's mathematical library, and are not compared.
void checkDocument(const std::string& begin, const std::string& end, const std::string& made, bool measured)
{
    const auto plain = [&](const std::string& text) {
        return measured ? std::regex_replace(text, std::regex("[0-9^.-]+"), "N") : text;
    };
    const std::string path = PTXWB_SOURCE_ROOT "/docs/emulator-differential.md";
    auto text = readFile(path);
    QVERIFY2(text, path.c_str());
    const auto from = text->find(begin);
    const auto to = text->find(end);
    QVERIFY2(from != std::string::npos && to != std::string::npos, "the marks of the table are missing");
    const std::string wanted = begin + "\n" + made;
    if (plain(text->substr(from, to - from)) != plain(wanted)) {
        if (qEnvironmentVariableIsSet("PTXWB_WRITE_DOCS")) {
            text->replace(from, to - from, wanted);
            QVERIFY(writeFileAtomically(path, *text));
            return;
        }
        QFAIL(("docs/emulator-differential.md says something else; PTXWB_WRITE_DOCS=1 writes\n" + wanted)
                  .c_str());
    }
}

} // namespace

class TestEmulatorRecorded : public QObject {
    Q_OBJECT
private slots:
    void forms();
    void probes();
    void anotherSeed();
};

void TestEmulatorRecorded::forms()
{
    if (isOfAnotherSeed()) {
        QSKIP("the recording of another seed is compared");
    }
    QVERIFY(!recording().outputs.empty());
    std::size_t exact = 0;
    std::size_t count = 0;
    std::map<std::string, std::pair<double, double>> apart;
    std::string known;
    std::string waiting;
    for (const Form& form : allForms()) {
        ++count;
        const auto want = recording().outputs.find(form.label);
        const auto got = emulated(probeOf(form));
        QVERIFY2(got, (form.label + ": " + (got ? "" : describe(got.error()))).c_str());
        if (want == recording().outputs.end()) { // younger than the recording
            --count;
            waiting += (waiting.empty() ? "`" : ", `") + form.label + "`";
            continue;
        }
        const auto result = compare(form, *got, want->second);
        if (knownForms().count(form.label) != 0) {
            QVERIFY2(result.outside != 0, (form.label + " agrees now").c_str());
            known += "- `" + form.label + "`: " + knownForms().at(form.label) + "\n";
            continue;
        }
        QVERIFY2(result.outside == 0, (form.label + " of " + result.example).c_str());
        exact += result.different == 0 ? 1 : 0;
        if (const Bound* bound = boundOf(form)) {
            auto& [steps, absolute] = apart[bound->prefix];
            steps = std::max(steps, result.steps);
            absolute = std::max(absolute, result.absolute);
        }
    }
    std::string text =
        fmt::format("{} forms of one instruction, {} results: {} forms agree in every bit. How far "
                    "apart the two are at most in approximate ones: units in the last place, or, "
                    "where the bound is absolute, the difference:\n\n| instruction | apart |\n"
                    "| --- | --- |\n",
            count, count * lanes, exact);
    for (const auto& bound : bounds) {
        const auto& [steps, absolute] = apart[bound.prefix];
        const bool grid = std::string(bound.prefix).find("ftz.f64") != std::string::npos; // high words alone
        text += bound.absolute != 0 ? fmt::format("| `{}` | 2^{:.1f} |\n", bound.prefix, std::log2(absolute))
            : grid ? fmt::format("| `{}` | {:.0f} of the high word |\n", bound.prefix, steps / 0x1p32)
                   : fmt::format("| `{}` | {:.0f} |\n", bound.prefix, steps);
    }
    checkDocument("<!-- forms -->", "<!-- forms end -->",
        "\n" + recording().device + ".\n\n" + text + "\nKnown differences:\n\n"
            + (known.empty() ? "none.\n" : known)
            + (waiting.empty() ? "" : "\nNot recorded yet: " + waiting + ".\n") + "\n",
        true);
}

void TestEmulatorRecorded::probes()
{
    if (isOfAnotherSeed()) {
        QSKIP("the recording of another seed is compared");
    }
    struct Count {
        std::size_t all = 0;
        std::size_t agree = 0;
        std::size_t refused = 0; ///< the GPU stopped, and the emulator reports it
        std::size_t waiting = 0; ///< younger than the recording
    };
    std::map<std::string, Count> counts;
    for (const Probe& probe : allProbes()) {
        auto& count = counts[familyOf(probe)];
        ++count.all;
        const auto got = emulated(probe);
        if (recording().errors.count(probe.name) != 0) {
            QVERIFY2(!got, (probe.name + ": the GPU stops here").c_str());
            ++count.refused;
            continue;
        }
        QVERIFY2(got, (probe.name + ": " + (got ? "" : describe(got.error()))).c_str());
        if (!isRecorded(probe)) {
            ++count.waiting;
            continue;
        }
        QVERIFY2(agrees(probe, *got), (probe.name + firstDifference(probe, *got)).c_str());
        ++count.agree;
    }
    std::string table = "\n| what | cases | agree in every bit | both stop | not recorded yet |\n"
                        "| --- | --- | --- | --- | --- |\n";
    for (const auto& [name, count] : counts) {
        table += "| " + name + " | " + std::to_string(count.all) + " | " + std::to_string(count.agree) + " | "
            + std::to_string(count.refused) + " | " + std::to_string(count.waiting) + " |\n";
    }
    checkDocument("<!-- probes -->", "<!-- probes end -->", table + "\n", false);
}

/// Every difference is listed: they are to be explained, not counted.
void TestEmulatorRecorded::anotherSeed()
{
    if (!isOfAnotherSeed()) {
        QSKIP("PTXWB_DIFFERENTIAL_RECORDING names no recording of another seed");
    }
    QVERIFY(!recording().outputs.empty());
    std::size_t compared = 0;
    std::vector<std::string> different;
    for (const Form& form : allForms()) {
        const auto want = recording().outputs.find(form.label);
        const auto got = emulated(probeOf(form));
        ++compared;
        if (!got || want == recording().outputs.end()) {
            different.push_back(form.label + ": " + (got ? "not recorded" : describe(got.error())));
        } else if (const auto result = compare(form, *got, want->second); result.outside != 0) {
            different.push_back(form.label + " of " + result.example);
        }
    }
    for (const Probe& probe : allProbes()) {
        const auto got = emulated(probe);
        const auto stopped = recording().errors.find(probe.name);
        ++compared;
        if (stopped != recording().errors.end()) {
            if (got) {
                different.push_back(probe.name + ": the GPU stops here: " + stopped->second);
            }
        } else if (!got) {
            different.push_back(probe.name + ": " + describe(got.error()));
        } else if (!agrees(probe, *got)) {
            different.push_back(probe.name + firstDifference(probe, *got));
        }
    }
    for (const std::string& line : different) {
        qWarning("%s", line.c_str());
    }
    qInfo("%zu cases compared, %zu differ", compared, different.size());
    QCOMPARE(different.size(), std::size_t{0});
}

QTEST_APPLESS_MAIN(TestEmulatorRecorded)
#include "tst_emulator_recorded.moc"
