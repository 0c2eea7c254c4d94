// SPDX-License-Identifier: Apache-2.0
// Mistakes as models make them, planted in the example kernels: the line that is named, by whom, and whether
// the first fix gives a text that compiles. Prints the rates.
#include "core/toolchain/causes.h"
#include "planted_mistakes.h"
#include "toolchain_test.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

struct Judged {
    int wantedLine = 0;
    std::optional<int> line{};
    std::string rule{};
    std::string said{};
    bool hasFix = false;
    bool fixCompiles = false;
    bool isGone = false; ///< the rule no longer speaks of the mended text
    std::string error{};
};

int lineOf(const std::string& text, std::size_t at)
{
    return 1
        + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

// The first root cause; of a text that compiles, the first finding of the rule.
const Diagnostic* namedIn(const CompileOutcome& outcome, const std::string& rule)
{
    const auto found =
        std::find_if(outcome.diagnostics.begin(), outcome.diagnostics.end(), [&](const Diagnostic& one) {
            return one.rootCause && (rule.empty() ? isError(one) : one.code.value_or("") == rule);
        });
    return found == outcome.diagnostics.end() ? nullptr : &*found;
}

Judged judge(const Compiler& compiler, const Planted& row)
{
    Judged made;
    auto text = readAll(QStringLiteral(PTXWB_SOURCE_ROOT "/tasks/") + QString::fromLatin1(row.kernel));
    const auto place = text.find(row.from);
    if (place == std::string::npos
        || (!row.from.empty() && text.find(row.from, place + 1) != std::string::npos)) {
        made.error = "what to change does not stand once in the kernel";
        return made;
    }
    text.replace(place, row.from.size(), row.to);
    const auto at = text.find(row.at);
    if (at == std::string::npos || text.find(row.at, at + 1) != std::string::npos) {
        made.error = "the line to name does not stand once in the kernel";
        return made;
    }
    made.wantedLine = lineOf(text, at) + row.below;
    const auto outcome = compiler.compile(ptxRequest(text));
    if (!outcome) {
        made.error = describe(outcome.error());
        return made;
    }
    const auto* named = namedIn(*outcome, row.rule);
    if (named == nullptr) {
        made.error = "nothing is named; " + shown(outcome->diagnostics).join("; ").toStdString();
        return made;
    }
    made.line = named->line;
    made.rule = named->code.value_or("");
    made.said = named->message + "\n" + named->explanation.value_or("");
    made.hasFix = !named->fixes.empty();
    if (made.hasFix) {
        const auto mended = compiler.compile(ptxRequest(applyFix(text, named->fixes.front())));
        made.fixCompiles = mended && mended->ok;
        made.isGone = mended && namedIn(*mended, row.rule) == nullptr;
    }
    return made;
}

} // namespace

class TestPlantedMistakes : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const Compiler compiler(realToolchain());
        std::vector<std::future<void>> running;
        m_judged.resize(plantedMistakes().size());
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (auto i = next++; i < plantedMistakes().size(); i = next++) {
                m_judged[i] = judge(compiler, plantedMistakes()[i]);
            }
        };
        const auto threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8);
        for (std::size_t i = 0; i < threads; ++i) {
            running.push_back(std::async(std::launch::async, work));
        }
        for (auto& one : running) {
            one.get();
        }
    }

    void isNamed_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < plantedMistakes().size(); ++i) {
            QTest::newRow(plantedMistakes()[i].name) << static_cast<int>(i);
        }
    }

    void isNamed()
    {
        QFETCH(int, row);
        const auto& wanted = plantedMistakes()[static_cast<std::size_t>(row)];
        const auto& found = m_judged[static_cast<std::size_t>(row)];
        QVERIFY2(found.error.empty(), found.error.c_str());
        QVERIFY2(found.line == found.wantedLine,
            qPrintable(QStringLiteral("line %1 instead of %2: %3")
                           .arg(found.line.value_or(0))
                           .arg(found.wantedLine)
                           .arg(QString::fromStdString(found.said))));
        QVERIFY2(QString::fromStdString(found.said).contains(QString::fromStdString(wanted.words)),
            found.said.c_str());
        QCOMPARE(found.fixCompiles && found.isGone, wanted.isMended);
    }

    void rates()
    {
        const auto count = [&](auto&& holds) {
            return std::count_if(m_judged.begin(), m_judged.end(), holds);
        };
        const auto right = count([](const Judged& one) { return one.line == one.wantedLine; });
        const auto fixes = count([](const Judged& one) { return one.hasFix; });
        const auto mended = count([](const Judged& one) { return one.fixCompiles && one.isGone; });
        qInfo("%d planted mistakes: line right %d, with a fix %d, mended by it %d",
            static_cast<int>(m_judged.size()), static_cast<int>(right), static_cast<int>(fixes),
            static_cast<int>(mended));
        QVERIFY(m_judged.size() >= 30);
        QVERIFY(mended >= 20);
    }

private:
    std::vector<Judged> m_judged;
};

QTEST_GUILESS_MAIN(TestPlantedMistakes)
#include "tst_planted_mistakes.moc"
