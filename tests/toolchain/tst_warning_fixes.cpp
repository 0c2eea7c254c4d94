// SPDX-License-Identifier: Apache-2.0
// Fixes of warnings are tried with ptxas; one that breaks the text is not offered.
#include "core/toolchain/warning_fixes.h"

#include "core/toolchain/causes.h"
#include "toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;
using detail::tryWarningFixes;

namespace {

Fix writes(const std::string& word, int line)
{
    return {.title = "Write " + word,
        .edits = {{.line = line, .startColumn = 1, .endLine = line, .endColumn = 4, .text = word}}};
}

Diagnostic said(Severity severity, int line, std::vector<Fix> fixes)
{
    return {.severity = severity,
        .message = "said",
        .file = "k.ptx",
        .line = line,
        .group = line,
        .fixes = std::move(fixes),
        .tool = "ptxwb"};
}

// Lines "bad" are errors.
std::optional<std::vector<Diagnostic>> errorsOf(const std::string& text)
{
    std::vector<Diagnostic> errors;
    for (auto at = text.find("bad"); at != std::string::npos; at = text.find("bad", at + 1)) {
        errors.push_back({.message = "bad", .line = 1, .tool = "ptxas"});
    }
    return errors;
}

const std::string text = "one\ntwo\ntri\n";

} // namespace

class TestWarningFixes : public QObject {
    Q_OBJECT

private slots:
    void triesAllAtOnce()
    {
        std::vector<Diagnostic> all{said(Severity::Warning, 1, {writes("uno", 1), writes("eins", 1)}),
            said(Severity::Info, 2, {writes("due", 2)})};
        int asked = 0;
        tryWarningFixes(all, text, "k.ptx", [&](const std::string& fixed) {
            ++asked;
            return errorsOf(fixed);
        });
        QCOMPARE(asked, 1);
        QVERIFY(all[0].fixes[0].tried && all[1].fixes[0].tried);
        QVERIFY(!all[0].fixes[1].tried); // the second was not asked about
    }

    void takesAwayWhatBreaksTheText()
    {
        std::vector<Diagnostic> all{said(Severity::Warning, 1, {writes("bad", 1), writes("uno", 1)}),
            said(Severity::Warning, 2, {writes("bad", 2)}), said(Severity::Warning, 3, {writes("tre", 3)})};
        tryWarningFixes(all, text, "k.ptx", errorsOf);
        QCOMPARE(all[0].fixes.size(), std::size_t{1});
        QCOMPARE(all[0].fixes[0].title, std::string("Write uno"));
        QVERIFY(all[0].fixes[0].tried);
        QVERIFY(all[1].fixes.empty());
        QVERIFY(all[2].fixes[0].tried);
    }

    // With the errors' own fixes first; what is left wrong is no fault of a warning's fix.
    void overWhatIsWrongAnyway()
    {
        std::vector<Diagnostic> all{
            said(Severity::Error, 1, {writes("uno", 1)}), said(Severity::Warning, 3, {writes("tre", 3)})};
        tryWarningFixes(all, "bad\nbad\ntri\n", "k.ptx", errorsOf);
        QVERIFY(all[1].fixes[0].tried);
        QVERIFY(!all[0].fixes[0].tried); // not asked here
    }

    void notTriedWhereNobodyAnswers()
    {
        std::vector<Diagnostic> all{said(Severity::Warning, 1, {writes("uno", 1)})};
        tryWarningFixes(all, text, "k.ptx", [](const std::string&) { return std::nullopt; });
        QCOMPARE(all[0].fixes.size(), std::size_t{1});
        QVERIFY(!all[0].fixes[0].tried);
        tryWarningFixes(all, text, "other.ptx", errorsOf);
        QVERIFY(!all[0].fixes[0].tried);
    }

    // ptxas says it and compiles; --fix mends it.
    void sharedMemoryWithoutBrackets()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const Compiler compiler(realToolchain());
        const auto source = kernelAround("mov.u32 %r1, dyn;\nst.shared.u32 [%r1], %r2;\n",
            kernelHead + ".extern .shared .align 16 .b8 dyn;\n");
        const auto outcome = compiler.compile(ptxRequest(source));
        QVERIFY(outcome && outcome->ok);
        const auto fixed = applyFirstFixes(source, outcome->diagnostics);
        QVERIFY(fixed.text.find("dyn[];") != std::string::npos);
        for (const auto& one : outcome->diagnostics) {
            QVERIFY2(one.fixes.empty() || one.fixes.front().tried, one.message.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestWarningFixes)
#include "tst_warning_fixes.moc"
