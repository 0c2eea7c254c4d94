// SPDX-License-Identifier: Apache-2.0
// What lint says only because of an error is folded under it; the rest stays a cause of its own.
#include "core/toolchain/lint_consequences.h"
#include "core/toolchain/lint_diagnostics.h"
#include "toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;
using detail::foldLintConsequences;

namespace {

const std::string text = "one\ntwo\nthree\n";

Diagnostic error(int group, int line, std::vector<Fix> fixes)
{
    return {.message = "wrong",
        .file = "k.ptx",
        .line = line,
        .group = group,
        .fixes = std::move(fixes),
        .tool = "ptxas"};
}

Diagnostic warning(int group, int line, const std::string& message = "nothing writes '%r1' before line 3")
{
    return {.severity = Severity::Warning,
        .code = "uninitialised-register",
        .message = message,
        .file = "k.ptx",
        .line = line,
        .group = group,
        .tool = "ptxwb"};
}

LintFinding finding(int line, const std::string& message = "nothing writes '%r1' before line 3")
{
    LintFinding made;
    made.rule = findLintRule("uninitialised-register");
    made.range.line = line;
    made.message = message;
    return made;
}

Fix writes(const std::string& word, int line = 1)
{
    return {.title = "Write " + word,
        .edits = {{.line = line, .startColumn = 1, .endLine = line, .endColumn = 4, .text = word}}};
}

} // namespace

class TestLintConsequences : public QObject {
    Q_OBJECT

private slots:
    void foldsWhatTheFixSilences()
    {
        std::vector<Diagnostic> all{error(1, 1, {writes("ONE")}), warning(2, 2), warning(3, 3)};
        std::vector<std::string> asked;
        foldLintConsequences(all, text, "k.ptx", [&](const std::string& fixed) {
            asked.push_back(fixed);
            return std::optional(std::vector{finding(3)});
        });
        QCOMPARE(asked, std::vector<std::string>{"ONE\ntwo\nthree\n"});
        QVERIFY(all[0].rootCause);
        QVERIFY(!all[1].rootCause);
        QCOMPARE(all[1].group, 1);
        QVERIFY(all[2].rootCause); // still said
        QCOMPARE(all[2].group, 3);
    }

    // Each under its own error: the second fix silences what the first does not.
    void foldsUnderTheErrorItFollowsFrom()
    {
        std::vector<Diagnostic> all{error(1, 1, {writes("ONE")}), error(2, 2, {writes("TWO", 2)}),
            warning(3, 1, "a"), warning(4, 2, "b")};
        foldLintConsequences(all, text, "k.ptx", [&](const std::string& fixed) {
            const bool isFirst = fixed.starts_with("ONE");
            return std::optional(std::vector{isFirst ? finding(2, "b") : finding(1, "a")});
        });
        QCOMPARE(all[2].group, 1);
        QCOMPARE(all[3].group, 2);
        QVERIFY(!all[2].rootCause && !all[3].rootCause);
    }

    // What lacks one target is one cause, and goes with it where that follows from another.
    void groupsWhatOneTargetLacks()
    {
        const auto lacks = [](int line, const std::string& words) {
            auto made = finding(line, "'wgmma.fence' does not exist on " + words);
            made.rule = findLintRule("needs-target");
            return made;
        };
        std::vector<Diagnostic> all{error(1, 1, {writes("ONE")})};
        addLint(all,
            {lacks(2, "sm_90; targets that have it: sm_90a"), lacks(3, "sm_90; targets that have it: sm_90a"),
                lacks(4, "sm_90; targets that have it: sm_100a"), finding(5), finding(6)},
            "k.ptx", false, {});
        QCOMPARE(all.size(), std::size_t{6});
        QVERIFY(all[1].rootCause && !all[2].rootCause && all[3].rootCause);
        QCOMPARE(all[1].group, 2);
        QCOMPARE(all[2].group, 2);
        QCOMPARE(all[3].group, 3);
        QVERIFY(all[4].rootCause && all[5].rootCause && all[4].group != all[5].group);
        foldLintConsequences(all, text, "k.ptx", [&](const std::string&) {
            return std::optional(std::vector{lacks(4, "sm_90; targets that have it: sm_100a"), finding(5)});
        });
        QVERIFY(!all[1].rootCause && !all[2].rootCause);
        QCOMPARE(all[1].group, 1);
        QCOMPARE(all[2].group, 1);
    }

    // A fix that adds a line moves what stands below it, and the numbers in the words.
    void knowsAMovedFinding()
    {
        std::vector<Diagnostic> all{error(1, 1, {writes("one\nmore")}), warning(2, 2)};
        foldLintConsequences(all, text, "k.ptx", [&](const std::string&) {
            return std::optional(std::vector{finding(3, "nothing writes '%r1' before line 4")});
        });
        QVERIFY(all[1].rootCause);
        QCOMPARE(all[1].group, 2);
    }

    void leavesAlone_data()
    {
        QTest::addColumn<int>("change");
        QTest::newRow("the error has no fix") << 0;
        QTest::newRow("the error is of another file") << 1;
        QTest::newRow("the error follows from another") << 2;
        QTest::newRow("the warning is the compiler's") << 3;
        QTest::newRow("the warning is of another file") << 4;
        QTest::newRow("there is no lint") << 5;
    }

    void leavesAlone()
    {
        QFETCH(int, change);
        std::vector<Diagnostic> all{error(1, 1, {writes("ONE")}), warning(2, 2)};
        if (change == 0) {
            all[0].fixes.clear();
        } else if (change == 1 || change == 4) {
            all[change == 1 ? 0 : 1].file = "other.ptx";
        } else if (change == 2) {
            all[0].rootCause = false;
        } else if (change == 3) {
            all[1].tool = "ptxas";
        }
        foldLintConsequences(all, text, "k.ptx", [&](const std::string&) {
            return change == 5 ? std::nullopt : std::optional(std::vector<LintFinding>());
        });
        QVERIFY(all[1].rootCause);
        QCOMPARE(all[1].group, 2);
    }

    // Each error costs a lint of the whole text.
    void asksAboutTheFirstFourOnly()
    {
        std::vector<Diagnostic> all;
        for (int group = 1; group <= 6; ++group) {
            all.push_back(error(group, 1, {writes("ONE")}));
        }
        all.push_back(warning(7, 2));
        int asked = 0;
        foldLintConsequences(all, text, "k.ptx", [&](const std::string&) {
            ++asked;
            return std::optional(std::vector{finding(2)});
        });
        QCOMPARE(asked, 4);
        QVERIFY(all.back().rootCause);
    }

    // The whole way: a list that lacks %s3 leaves it unwritten; nothing writes %never either way.
    void ofARealText_data()
    {
        QTest::addColumn<QByteArray>("read");
        QTest::addColumn<bool>("isRoot");
        QTest::newRow("follows") << QByteArray("%s3") << false;
        QTest::newRow("does not follow") << QByteArray("%never") << true;
    }

    void ofARealText()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, read);
        QFETCH(bool, isRoot);
        const Compiler compiler(realToolchain());
        const auto outcome = compiler.compile(
            ptxRequest(kernelAround(".reg .b32 %s<4>, %never, %t;\nmov.b32 %t, 0;\nld.param.u64 %rd1, [a];\n"
                                    "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%s0, %s1, %s2}, [%t];\n"
                                    "tcgen05.wait::ld.sync.aligned;\nst.global.u32 [%rd1], "
                    + read.toStdString() + ";\n",
                ".version 8.6\n.target sm_100a\n.address_size 64\n")));
        QVERIFY(outcome && !outcome->ok);
        int found = 0;
        int groupOfError = 0;
        for (const auto& said : outcome->diagnostics) {
            if (said.tool == "ptxas" && said.line == 14) {
                QVERIFY(said.rootCause && !said.fixes.empty());
                QCOMPARE(said.fixes[0].title, std::string("Insert %s3"));
                QVERIFY(said.fixes[0].tried);
                groupOfError = said.group;
            }
            if (said.code == "uninitialised-register") {
                ++found;
                QVERIFY2(said.message.find(read.toStdString()) != std::string::npos, said.message.c_str());
                QCOMPARE(said.rootCause, isRoot);
                QCOMPARE(said.group == groupOfError, !isRoot);
            }
        }
        QCOMPARE(found, 1);
    }
};

QTEST_GUILESS_MAIN(TestLintConsequences)
#include "tst_lint_consequences.moc"
