// SPDX-License-Identifier: Apache-2.0
// What goes wrong between a text and its cubin, one row per kind: shapes of messages, names of files, lines
// that are not the culprit's, targets. Each with an input of our own, through the real ptxas.
#include "core/support/subprocess.h"
#include "core/toolchain/causes.h"
#include "core/toolchain/target_matrix.h"
#include "toolchain_test.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

std::string module(const std::string& target, const std::string& version, const std::string& body,
    const std::string& head = {})
{
    return ".version " + version + "\n.target " + target + "\n.address_size 64\n" + head
        + ".visible .entry scale(.param .u64 data)\n{\n" + body + "    ret;\n}\n";
}

const std::string fence = "    wgmma.fence.sync.aligned;\n";

} // namespace

class TestPitfalls : public QObject {
    Q_OBJECT

private slots:
    void told_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("ok");
        QTest::addColumn<int>("line"); // of the first root cause, or of the first warning; 0: none
        QTest::addColumn<QString>("words"); // of its message and explanation
        QTest::addColumn<QString>("fix"); // title of its first fix; empty: none is asked for
        const auto row = [](const char* what, const std::string& text, int line, const char* words,
                             const char* fix, bool ok = false, const char* target = "",
                             const char* name = "scale.ptx") {
            QTest::newRow(what) << QByteArray::fromStdString(text) << name << target << ok << line << words
                                << fix;
        };
        const std::string regs = "    .reg .b32 %r<4>;\n";
        row("1 error with a line", module("sm_90a", "8.0", regs + "    mov.b23 %r1, 0;\n"), 7, "Unknown", "");
        row("1 fatal with a line", module("sm_90a", "8.0", regs + "    mov.b32 %r1 = 0;\n"), 7, "'='", "");
        row("1 error without a line",
            module("sm_90a", "8.0", regs, ".extern .func away();\n.global .u64 p = away;\n"), 0, "away", "");
        row("1 fatal with its line at the end", module("sm_90a", "8.0", "    // 5 \xC3\x97 4\n"), 6,
            "non-ASCII", "Replace 1 character beyond ASCII");
        row("2 name with blanks and commas", module("sm_90a", "8.0", "    mov.b32 %q, 0;\n"), 6, "%q",
            "Declare %q as .b32", false, "", "my kernel, line 3; error.ptx");
        row("3 marker of another file", module("sm_90a", "8.0", "# 90 \"other.cu\"\n    mov.b32 %q, 0;\n"), 7,
            "%q", "");
        row("4 the line before",
            module("sm_90a", "8.0", regs + "    mov.b32 %r1, 7\n\n    mov.b32 %r2, %r1;\n"), 7,
            "';' is missing", "Insert ';' at the end of line 7");
        row("5 cascade",
            module("sm_90a", "8.0", regs + "    add.u32 %r1, %sum, 1;\n    mov.b32 %r2, %sum;\n"), 7,
            "Nothing writes it either", "Declare %sum as .b32");
        row("6 cut off", module("sm_90a", "8.0", regs + "    mov.b32 %r1, %r").substr(0, 137), 7, "", "");
        row("7 quotation marks in a comment",
            module("sm_90a", "8.0", "    // \xE2\x80\x9Cquick\xE2\x80\x9D\n"), 6, "non-ASCII",
            "Replace 2 characters beyond ASCII");
        row("8 NUL behind the end", module("sm_90a", "8.0", "") + std::string(1, '\0'), 8, "NUL",
            "Remove the NUL byte at the end");
        row("9 fence of Markdown", "~~~ptx\n" + module("sm_90a", "8.0", "") + "~~~\n", 1, "fence",
            "Remove the Markdown fence");
        row("9 nothing at all", " \n\n", 0, "nothing but blanks", "");
        row("10 no kernel", ".version 8.0\n.target sm_90a\n.address_size 64\n.global .u32 count;\n", 0,
            "kernel", "", true);
        row("14 .version above the tool's", module("sm_90a", "97.0", ""), 1, "97.0",
            "Change .version to 9.0");
        row("14 .version below the instruction's", module("sm_90a", "7.8", fence), 6, "8.0",
            "Change .version to 8.0");
        row("16 too much shared memory",
            module("sm_90a", "8.0",
                "    .shared .b8 ring[229376];\n    .shared .b8 stage[16384];\n"
                "    .reg .b32 %r<3>;\n    ld.shared.u32 %r1, [ring];\n    st.shared.u32 [stage], %r1;\n"),
            6, "ring 229376 (line 6), stage 16384 (line 7)", "");
        row("17 sm_90 and wgmma", module("sm_90", "8.0", fence), 6, "sm_90a", "Change .target to sm_90a");
        row("17 sm_90a for sm_90", module("sm_90a", "8.0", fence), 0, "sm_90", "", false, "sm_90");
        row("17 sm_90a for sm_100a", module("sm_90a", "8.0", fence), 6, "", "", false, "sm_100a");
        row("18 tcgen05 without a", module("sm_100", "8.6", "    tcgen05.wait::ld.sync.aligned;\n"), 6,
            "sm_100a", "Change .target to sm_100a");
        row("18 sm_100a for sm_103a", module("sm_100a", "8.6", "    tcgen05.wait::ld.sync.aligned;\n"), 0,
            "future", "", false, "sm_103a");
        row("20 the word in a comment", module("sm_90a", "8.0", "    // wgmma.mma_async\n"), -1, "", "",
            true);
    }

    void told()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, text);
        QFETCH(QString, name);
        QFETCH(QString, target);
        QFETCH(bool, ok);
        QFETCH(int, line);
        QFETCH(QString, words);
        QFETCH(QString, fix);
        auto request = ptxRequest(text.toStdString(), name.toStdString());
        if (!target.isEmpty()) {
            request.target = target.toStdString();
        }
        const auto outcome = m_compiler.compile(request);
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(outcome->ok == ok, qPrintable(shown(outcome->diagnostics).join('\n')));
        QCOMPARE(outcome->artefacts.empty(), !ok); // 11: a failed build leaves nothing that could be timed
        if (line < 0) {
            QVERIFY(outcome->diagnostics.empty());
            return;
        }
        const auto root = std::find_if(outcome->diagnostics.begin(), outcome->diagnostics.end(),
            [](const Diagnostic& said) { return said.rootCause; });
        QVERIFY(root != outcome->diagnostics.end());
        const auto all = shown(outcome->diagnostics).join('\n') + '\n'
            + QString::fromStdString(root->explanation.value_or(""));
        QVERIFY2(root->line.value_or(0) == line, qPrintable(all));
        QCOMPARE(QString::fromStdString(root->file), name);
        QVERIFY2(all.contains(words), qPrintable(all));
        QVERIFY2(
            fix.isEmpty() || (!root->fixes.empty() && QString::fromStdString(root->fixes[0].title) == fix),
            qPrintable(all));
        if (!fix.isEmpty()) {
            request.text = applyFix(request.text, root->fixes[0]);
            const auto mended = m_compiler.compile(request);
            QVERIFY(mended && mended->ok);
        }
    }

    // 19: what this ptxas does accept is told with the name that it does not.
    void unknownTarget()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        auto request = ptxRequest(module("sm_90a", "8.0", ""));
        request.target = "sm_107a";
        const auto outcome = m_compiler.compile(request);
        QVERIFY(!outcome);
        const auto said = QString::fromStdString(describe(outcome.error()));
        QVERIFY2(
            said.contains("sm_107a") && said.contains("sm_90a") && said.contains("sm_100"), qPrintable(said));
    }

private:
    Compiler m_compiler{realToolchain()};
};

QTEST_GUILESS_MAIN(TestPitfalls)
#include "tst_pitfalls.moc"
