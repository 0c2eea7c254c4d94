// SPDX-License-Identifier: Apache-2.0
// Mistakes that public issues tell of, in small kernels: the correct kernel gives no report, the wrong one a
// report of the right rule at the right line. docs/emulator-faults.md lists them; with PTXWB_WRITE_DOCS=1 in
// the environment the list is written anew.
#include "core/support/files.h"
#include "tests/emulator/harness.h"
#include "tests/emulator/public_faults.h"

#include <fmt/format.h>

#include <QTest>

#include <algorithm>
#include <array>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

std::vector<Report> reportsOf(const PublicFault& fault, const std::string& text, std::string& summary)
{
    std::vector<Report> all;
    for (const auto policy : {AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random}) {
        const auto outcome = KernelRun(text)
                                 .grid(fault.ctas)
                                 .cluster(fault.ctas)
                                 .block(fault.threads)
                                 .limit(200'000)
                                 .buffer("in", std::vector<std::uint32_t>(512, 0))
                                 .buffer("out", std::vector<std::uint32_t>(512, 7))
                                 .run(policy);
        if (!outcome) {
            summary += describe(outcome.error());
            continue;
        }
        summary += summaryOf(*outcome) + "\n";
        all.insert(all.end(), outcome->reports.begin(), outcome->reports.end());
    }
    return all;
}

std::string lineOf(const std::string& text, int line)
{
    std::size_t at = 0;
    for (int i = 1; i < line; ++i) {
        at = text.find('\n', at) + 1;
    }
    return text.substr(at, text.find('\n', at) - at);
}

std::vector<std::string> alternativesOf(std::string_view text)
{
    std::vector<std::string> all;
    for (;;) {
        const auto bar = text.find('|');
        all.emplace_back(text.substr(0, bar));
        if (bar == std::string_view::npos) {
            return all;
        }
        text.remove_prefix(bar + 1);
    }
}

bool isNamed(const PublicFault& fault, const Report& report, const std::string& text)
{
    const auto wanted = alternativesOf(fault.at);
    return report.rule == fault.rule && !report.fix.empty()
        && std::any_of(report.lines.begin(), report.lines.end(), [&](const auto& place) {
               return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
                   return lineOf(text, place.line).find(part) != std::string::npos;
               });
           });
}

std::string withFault(const PublicFault& fault)
{
    auto text = publicKernel(fault.body);
    const auto at = text.find(fault.find);
    return at == std::string::npos ? text : text.replace(at, fault.find.size(), fault.replacement);
}

void addRows()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < publicFaults().size(); ++i) {
        QTest::newRow(publicFaults()[i].name) << static_cast<int>(i);
    }
}

std::string table()
{
    std::string text =
        "<!-- public -->\n\n| mistake | told of in | rule | line named |\n| --- | --- | --- | --- |\n";
    for (const auto& fault : publicFaults()) {
        text += fmt::format("| {} | [{}](https://github.com/{}) | `{}` | `{}` |\n", fault.name, fault.source,
            fault.source, ruleName(fault.rule), fmt::join(alternativesOf(fault.at), "` or `"));
    }
    return text + fmt::format("\n{} mistakes.\n\n<!-- public end -->", publicFaults().size());
}

} // namespace

class TestEmulatorPublic : public QObject {
    Q_OBJECT

private slots:
    void correctKernels_data() { addRows(); }
    void correctKernels()
    {
        QFETCH(int, index);
        const auto& fault = publicFaults()[static_cast<std::size_t>(index)];
        std::string summary;
        const auto reports = reportsOf(fault, publicKernel(fault.body), summary);
        QVERIFY2(reports.empty(), summary.c_str());
        QCOMPARE(summary, std::string("completed\ncompleted\ncompleted\n"));
    }

    void mistakesAreNamed_data() { addRows(); }
    void mistakesAreNamed()
    {
        QFETCH(int, index);
        const auto& fault = publicFaults()[static_cast<std::size_t>(index)];
        const auto text = withFault(fault);
        QVERIFY2(text != publicKernel(fault.body), "the replacement changes nothing");
        std::string summary;
        const auto reports = reportsOf(fault, text, summary);
        const bool named = std::any_of(
            reports.begin(), reports.end(), [&](const Report& r) { return isNamed(fault, r, text); });
        QVERIFY2(named,
            (std::string(ruleName(fault.rule)) + " expected at: " + fault.at + "\n" + summary).c_str());
    }

    void theDocumentListsThem()
    {
        const std::string path = std::string(PTXWB_SOURCE_ROOT) + "/docs/emulator-faults.md";
        auto text = readFile(path);
        QVERIFY2(text, path.c_str());
        const auto from = text->find("<!-- public -->");
        const std::string last = "<!-- public end -->";
        const auto to = text->find(last);
        QVERIFY(from != std::string::npos && to != std::string::npos);
        if (text->substr(from, to + last.size() - from) != table()) {
            QVERIFY2(qEnvironmentVariableIsSet("PTXWB_WRITE_DOCS"), "PTXWB_WRITE_DOCS=1 writes the table");
            text->replace(from, to + last.size() - from, table());
            QVERIFY(writeFileAtomically(path, *text));
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorPublic)
#include "tst_emulator_public.moc"
