// SPDX-License-Identifier: Apache-2.0
// Lint as a whole: silence on good kernels, `allow`, editing, broken text.
#include "core/ptx/lexer.h"
#include "core/ptx/lint.h"
#include "core/ptx/outline.h"
#include "core/support/files.h"
#include "lint_kernels.h"

#include <QDirIterator>
#include <QTest>

#include <algorithm>
#include <random>

using namespace ptxwb;

namespace {

std::string textOf(const QString& path)
{
    const auto text = readFile(path.toStdString());
    return text ? *text : std::string();
}

QStringList examples()
{
    QStringList paths;
    QDirIterator files(QStringLiteral(PTXWB_SOURCE_ROOT "/tasks"), {QStringLiteral("*.ptx")}, QDir::Files,
        QDirIterator::Subdirectories);
    while (files.hasNext()) {
        paths << files.next();
    }
    paths.sort();
    return paths;
}

int linesOf(std::string_view text)
{
    int lines = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool crLf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        lines += text[i] == '\n' || (text[i] == '\r' && !crLf) ? 1 : 0;
    }
    return lines;
}

// Every finding lies in the text, and its bytes and its lines agree.
bool isWithin(const std::vector<LintFinding>& findings, std::string_view text)
{
    const int lines = linesOf(text);
    return std::all_of(findings.begin(), findings.end(), [&](const LintFinding& one) {
        bool good = one.rule != nullptr && one.offset + one.length <= text.size() && one.range.line >= 1
            && one.range.endLine <= lines && one.range.line <= one.range.endLine && one.range.column >= 1;
        for (const auto& edit : one.edits) {
            good = good && edit.range.line >= 1 && edit.range.endLine <= lines;
        }
        return good;
    });
}

std::string describeAll(const std::vector<LintFinding>& findings)
{
    std::string text;
    for (const auto& one : findings) {
        text += std::to_string(one.range.line) + ":" + std::to_string(one.range.column) + "-"
            + std::to_string(one.range.endLine) + ":" + std::to_string(one.range.endColumn) + " "
            + std::to_string(one.offset) + "+" + std::to_string(one.length) + " " + std::string(one.rule->id)
            + " " + one.message;
        for (const auto& edit : one.edits) {
            text += " {" + std::to_string(edit.range.line) + ":" + std::to_string(edit.range.column) + " "
                + edit.text + "}";
        }
        text += "\n";
    }
    return text;
}

// A name that stands nowhere in its kernel but in `.reg` lines.
bool isTrulyUnused(const LintFinding& finding, const std::string& file)
{
    if (finding.rule->id != "unused-register") {
        return false;
    }
    const auto name = file.substr(finding.offset, finding.length);
    const auto start = file.rfind(".entry", finding.offset);
    const auto text = file.substr(start, file.find(".entry", finding.offset) - start);
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const auto next = text.find_first_of(" ,;:<>[]{}|)+\n", at);
        const auto line = text.substr(text.rfind('\n', at) + 1, at - text.rfind('\n', at) - 1);
        if (next == at + name.size() && line.find(".reg") == std::string::npos
            && line.find("//") == std::string::npos) {
            return false;
        }
    }
    return true;
}

const std::string head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

std::string entry(const std::string& name, const std::string& body)
{
    return ".visible .entry " + name + "()\n{\n    .reg .b32 %a, %b; mov.b32 %b, 0;\n" + body
        + "    ret;\n}\n";
}

} // namespace

class TestLint : public QObject {
    Q_OBJECT
private slots:
    void silentOnTheExamples();
    void allowSilencesOneRuleOnItsLineAndTheNext();
    void editingOneFunctionReadsOnlyIt();
    void editsGiveWhatAFreshReadingGives();
    void truncatedAtEveryByte();
    void truncatedFixtures();
    void anyBytes();
    void undecidedIsSilent_data();
    void undecidedIsSilent();
    void brokenTextIsNotJudgedAsAWhole();
    void refusedStatementsHideOnlyWhatTheyDecide_data();
    void refusedStatementsHideOnlyWhatTheyDecide();
};

void TestLint::silentOnTheExamples()
{
    int read = 0;
    for (const auto& path : examples()) {
        const auto text = textOf(path);
        const auto found = lintPtx(text);
        QVERIFY(found);
        if (path.contains(QStringLiteral("/examples/"))) {
            for (const auto& one : *found) {
                QVERIFY2(isTrulyUnused(one, text), (path.toStdString() + "\n" + describeAll(*found)).c_str());
            }
            ++read;
        }
        // failed/ holds wrong kernels, whose mistakes lint may see; but they assemble, but for one.
        const auto errors = std::count_if(found->begin(), found->end(),
            [](const LintFinding& one) { return one.rule->severity == LintSeverity::Error; });
        QVERIFY2(errors == 0 || path.endsWith(QStringLiteral("does_not_assemble.ptx")),
            (path.toStdString() + "\n" + describeAll(*found)).c_str());
    }
    QVERIFY(read >= 9);
}

void TestLint::allowSilencesOneRuleOnItsLineAndTheNext()
{
    const auto count = [](const std::string& body) {
        const auto found = lintPtx(head + entry("k", body));
        return found ? static_cast<int>(found->size()) : -1;
    };
    const std::string wrong = "    addd.s32 %a, %b, %b;";
    QCOMPARE(count(wrong + "\n"), 1);
    QCOMPARE(count(wrong + " // ptxwb: allow unknown-instruction\n"), 0);
    QCOMPARE(count("    // ptxwb: allow unknown-instruction\n" + wrong + "\n"), 0);
    QCOMPARE(count("    /* ptxwb: allow tx-count, unknown-instruction */\n" + wrong + "\n"), 0);
    QCOMPARE(count("    // ptxwb: allow unknown-instruction\n\n" + wrong + "\n"), 1);
    QCOMPARE(count("    // ptxwb: allow unknown-modifier\n" + wrong + "\n"), 1);
    QCOMPARE(count(wrong + " // ptxwb: allow unknown-instruction\n" + wrong + "\n" + wrong + "\n"), 1);
}

void TestLint::editingOneFunctionReadsOnlyIt()
{
    auto linter = PtxLinter::create();
    QVERIFY(linter);
    const auto wrong = std::string("    addd.s32 %a, %b, %b;\n");
    const auto right = std::string("    add.s32 %a, %b, %b;\n");
    const auto text = [&](const std::string& first, const std::string& second) {
        return head + entry("one", first) + entry("two", second) + entry("three", wrong);
    };
    QCOMPARE(linter->lint(text(right, right)).size(), std::size_t{1});
    QVERIFY(!linter->lastWasIncremental());
    const auto& found = linter->lint(text(right, right + "\n" + wrong));
    QVERIFY(linter->lastWasIncremental());
    QCOMPARE(describeAll(found), describeAll(*lintPtx(text(right, right + "\n" + wrong))));
    // Outside the braces, or so that the function no longer ends where it did: everything is read.
    linter->lint(".version 8.1" + text(right, right).substr(12));
    QVERIFY(!linter->lastWasIncremental());
    linter->lint(".version 8.1" + text(right, "    /* open\n").substr(12));
    QVERIFY(!linter->lastWasIncremental());
}

void TestLint::editsGiveWhatAFreshReadingGives()
{
    auto linter = PtxLinter::create();
    QVERIFY(linter);
    const auto base =
        textOf(QStringLiteral(PTXWB_SOURCE_ROOT "/tasks/attention/mha_bwd_d128/examples/wgmma_tma.ptx"));
    QVERIFY(base.size() > 1000);
    auto text = base;
    linter->lint(text);
    std::mt19937 random(7);
    constexpr std::string_view inserts[] = {";", "\n", "}", "{", "// ptxwb: allow unused-register\n", "/*",
        "add.foo %a;\n", ".reg .b32 %q;\n", "\r\n", "\r", ",", "%r77", ".entry ", "\xc3\xa9"};
    int incremental = 0;
    for (int round = 0; round < 400; ++round) {
        if (round % 40 == 0) {
            text = base;
        }
        const auto at = random() % text.size();
        if (random() % 3 == 0) {
            text.erase(at, 1 + random() % 20);
        } else {
            text.insert(at, inserts[random() % std::size(inserts)]);
        }
        const auto& found = linter->lint(text);
        incremental += linter->lastWasIncremental() ? 1 : 0;
        QVERIFY(isWithin(found, text));
        const auto fresh = lintPtx(text);
        QVERIFY2(describeAll(found) == describeAll(*fresh),
            (std::to_string(round) + "\n" + describeAll(found) + "---\n" + describeAll(*fresh)).c_str());
    }
    QVERIFY(incremental > 50);
}

void TestLint::truncatedAtEveryByte()
{
    const auto whole =
        textOf(QStringLiteral(PTXWB_SOURCE_ROOT "/tasks/gemm/gemm_n7168_k5120/examples/tcgen05_tma.ptx"));
    QVERIFY(!whole.empty());
    auto linter = PtxLinter::create();
    QVERIFY(linter);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto text = std::string_view(whole).substr(0, length);
        const auto& found = linter->lint(text);
        QVERIFY2(isWithin(found, text), (std::to_string(length) + "\n" + describeAll(found)).c_str());
        // What is not there yet is not missing: only the broken last statement may be named.
        for (const auto& one : found) {
            QVERIFY2(one.rule->severity != LintSeverity::Warning,
                (std::to_string(length) + "\n" + describeAll(found)).c_str());
        }
    }
}

void TestLint::truncatedFixtures()
{
    auto linter = PtxLinter::create();
    QVERIFY(linter);
    int files = 0;
    for (const char* folder : {PTXWB_TEST_DATA "/ptxas", PTXWB_TEST_DATA "/sass"}) {
        QDirIterator found(
            QString::fromUtf8(folder), {QStringLiteral("*.ptx"), QStringLiteral("*.cu")}, QDir::Files);
        while (found.hasNext()) {
            const auto path = found.next();
            const auto whole = textOf(path);
            const std::size_t step = whole.size() > 8000 ? 7 : 1;
            for (std::size_t length = 0; length <= whole.size(); length += step) {
                const auto text = std::string_view(whole).substr(0, length);
                const int lines = linesOf(text);
                std::size_t lexed = 0;
                for (const auto& token : lexPtx(text)) {
                    lexed += token.length;
                    QVERIFY(static_cast<int>(token.line) <= lines);
                }
                QCOMPARE(lexed, length);
                for (const auto& function : outlinePtx(text).functions) {
                    QVERIFY(function.range.line >= 1 && function.range.endLine <= lines);
                }
                QVERIFY2(isWithin(linter->lint(text), text), qPrintable(path));
            }
            ++files;
        }
    }
    QVERIFY(files > 15);
}

void TestLint::anyBytes()
{
    std::mt19937 random(11);
    auto linter = PtxLinter::create();
    QVERIFY(linter);
    for (int round = 0; round < 300; ++round) {
        std::string text(random() % 400, ' ');
        for (auto& c : text) {
            c = static_cast<char>(random());
        }
        text = head + ".entry k(){ wgmma.mma_async " + text;
        QVERIFY(isWithin(linter->lint(text), text));
    }
    QVERIFY(linter->lint({}).empty());
    const std::string deep(200000, '{');
    QVERIFY(isWithin(linter->lint(head + ".entry k()" + deep), head + ".entry k()" + deep));
}

void TestLint::undecidedIsSilent_data()
{
    QTest::addColumn<QString>("body");
    const auto row = [](const char* name, const char* body) {
        QTest::newRow(name) << QString::fromLatin1(body);
    };
    const char* wgmma = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0,%f1,%f2,%f3}, %rd0, %rd1, "
                        "1, 1, 1, 0, 0;\n";
    QTest::newRow("fence on one path only")
        << QString::fromLatin1("@%p0 bra L;\nwgmma.fence.sync.aligned;\nL:\n") + QString::fromLatin1(wgmma)
            + QString::fromLatin1("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    QTest::newRow("wait behind a branch") << QString::fromLatin1("wgmma.fence.sync.aligned;\n")
            + QString::fromLatin1(wgmma)
            + QString::fromLatin1("wgmma.commit_group.sync.aligned;\n@%p0 bra L;\n"
                                  "wgmma.wait_group.sync.aligned 0;\nL:\nadd.f32 %f4, %f0, %f1;\n");
    row("bytes in a register of two values",
        "mov.b32 %r1, 4096;\n@%p0 mov.b32 %r1, 8192;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], "
        "%r1;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd0], 4096, [%r2];\n");
    row("copies in a loop of their own",
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 8192;\nL:\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd0], 4096, [%r2];\n"
        "@%p0 bra L;\n");
    row("bytes from the other CTA of the cluster",
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 8192;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r3], [%rd0], "
        "4096, [%r2], %h0;\n");
    row("columns from a register",
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], %r2;\n"
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, %r2;\n");
    const std::string copy =
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 64;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd0], 64, [%r2];\n";
    const auto waitFor = [](const std::string& barrier) {
        return "W:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [" + barrier
            + "], 0;\n@!%p1 bra W;\nld.shared.u32 %r5, [%r3];\n";
    };
    // In the first round alone, when nothing is in flight.
    QTest::newRow("branch past it") << QString::fromStdString("L:\n@%p1 bra S;\nadd.f32 %f4, %f0, %f1;\nS:\n"
                                                              "wgmma.fence.sync.aligned;\n"
        + std::string(wgmma)
        + "wgmma.commit_group.sync.aligned;\nsetp.lt.u32 %p2, %r1, %r2;\n@%p2 bra L;\n"
          "wgmma.wait_group.sync.aligned 0;\n");
    row("one phase, looked at in every round",
        (copy + "L:\n" + waitFor("%r2") + "setp.lt.u32 %p2, %r5, %r6;\n@%p2 bra L;\n").c_str());
    row("a barrier each round",
        ("mov.b32 %r7, 0;\nL:\nadd.u32 %r2, %r8, %r7;\n" + copy + waitFor("%r2")
            + "add.u32 %r7, %r7, 8;\nsetp.lt.u32 %p2, %r7, 32;\n@%p2 bra L;\n")
            .c_str());
    row("wait for an address from memory", ("ld.shared.u32 %r4, [%r1];\n" + copy + waitFor("%r4")).c_str());
    row("unknown jump", "ts: .branchtargets L;\nbrx.idx %r1, ts;\nL:\n");
    row("vector sink and pair", "ld.global.v2.b32 {%r1, _}, [%rd0];\nsetp.eq.s32 %p1|_, %r1, %r2;\n");
    row("wider register", "ld.global.u8 %r1, [%rd0];\ncvt.u32.u8 %r1, %r2;\nst.global.u16 [%rd0], %r1;\n");
}

void TestLint::undecidedIsSilent()
{
    QFETCH(QString, body);
    const bool blackwell = body.contains(QStringLiteral("tcgen05"));
    const auto text = std::string(".version 9.0\n.target ") + (blackwell ? "sm_100a" : "sm_90a")
        + "\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
          ".reg .pred %p<9>; .reg .b16 %h<9>;\nmov.b32 %r0, 0; mov.b64 %rd0, 0; mov.f32 %f0, 0f00000000;\n"
          "mov.b16 %h0, 0; setp.eq.u32 %p0, %r0, 0;\n"
        + test::initialised(body.toStdString()) + body.toStdString() + "ret;\n}\n";
    const auto found = lintPtx(text);
    QVERIFY(found);
    QVERIFY2(found->empty(), describeAll(*found).c_str());
}

void TestLint::brokenTextIsNotJudgedAsAWhole()
{
    // A missing ';' swallows the next line; nothing is said of what was swallowed, nor of unused registers.
    const auto found = lintPtx(head + entry("k", "    mov.b32 %a, 1\n    mov.b32 %b, 2;\n"));
    QVERIFY(found);
    QVERIFY2(found->empty(), describeAll(*found).c_str());
    // A misspelt commit is one mistake, not one and a missing commit.
    const auto misspelt = lintPtx(head
        + entry("w",
            "    .reg .f32 %f<4>; .reg .b64 %d; mov.b64 %d, 0; mov.b32 %a, 0; mov.b32 %b, %a;\n"
            "    wgmma.fence.sync.aligned;\n"
            "    wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0,%f1,%f2,%f3}, %d, %d, 1, 1, 1, 0, "
            "0;\n"
            "    wgmma.comit_group.sync.aligned;\n    wgmma.wait_group.sync.aligned 0;\n"));
    QVERIFY(misspelt);
    QVERIFY2(misspelt->size() == 1 && misspelt->front().rule->id == "unknown-instruction",
        describeAll(*misspelt).c_str());
}

void TestLint::refusedStatementsHideOnlyWhatTheyDecide_data()
{
    QTest::addColumn<QString>("other"); // beside wgmmas that nothing waits for
    QTest::addColumn<bool>("isTold");
    const auto row = [](const char* other, bool isTold) {
        QTest::newRow(other) << QString::fromLatin1(other) << isTold;
    };
    row("mbarrier.foo.b64 [%r2];", true);
    row("mbarrier.init.foo.b64 [%r2], 1;", true);
    row("fence.foo;", true);
    row("cp.async.bulk.foo.global [%rd1], 16;", true);
    row("barrier.foo 0;", true);
    row("setmaxnreg.foo 40;", true);
    row("cvt.foo.u32.u16 %r4, %h1;", true);
    row("wgmma.foo.sync.aligned 0;", false);
    row("wgmma.wait_group.foo.sync.aligned 0;", false);
    row("call.foo (%r4), f;", false);
    row("foo.sync.aligned 0;", false);
}

// What nobody understands may be what would be missed, but only in its own family.
void TestLint::refusedStatementsHideOnlyWhatTheyDecide()
{
    QFETCH(QString, other);
    QFETCH(bool, isTold);
    const auto found = lintPtx(test::kernel(
        test::fence + test::mma + test::commit + "    " + other.toStdString() + "\n" + test::sum));
    QVERIFY(found);
    const auto count = std::count_if(
        found->begin(), found->end(), [](const LintFinding& one) { return one.rule->id == "wgmma-wait"; });
    QCOMPARE(count, isTold ? 1 : 0);
}

QTEST_GUILESS_MAIN(TestLint)
#include "tst_lint.moc"
