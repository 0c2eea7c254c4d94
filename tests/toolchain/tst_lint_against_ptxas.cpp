// SPDX-License-Identifier: Apache-2.0
// ptxas is the judge of lint: what lint calls an error ptxas refuses, and where ptxas accepts, an error of
// lint is withdrawn. Mutants of our own kernels; and, named by PTXWB_LINT_CORPUS, a folder of any PTX files.
#include "core/ptx/lexer.h"
#include "core/ptx/lint.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/causes.h"
#include "core/toolchain/lint_diagnostics.h"
#include "toolchain_test.h"

#include <QDirIterator>
#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <random>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

const LintFinding* firstError(const std::vector<LintFinding>& findings)
{
    const auto found = std::find_if(findings.begin(), findings.end(),
        [](const LintFinding& one) { return one.rule->severity == LintSeverity::Error; });
    return found == findings.end() ? nullptr : &*found;
}

// Bare ptxas, for the target that the file names.
bool isAccepted(const TemporaryDirectory& work, const std::string& text)
{
    const auto source = work.path() / "mutant.ptx";
    const auto at = text.find(".target") + 7;
    const auto start = text.find_first_not_of(" \t", at);
    const auto target = text.substr(start, text.find_first_of(" ,\t\r\n", start) - start);
    if (!writeFileAtomically(source, text)) {
        return false;
    }
    const auto run = runProcess({.argv = {realToolchain().ptxas->path.string(), "-O0", "-arch=" + target,
                                     source.string(), "-o", (work.path() / "mutant.cubin").string()}});
    return run && run->succeeded();
}

struct Mutant {
    std::string text{};
    std::string what{};
};

// One mistake as people make them, at a random token.
Mutant mutate(const std::string& text, const std::vector<Token>& code, std::mt19937& random)
{
    constexpr std::string_view words[] = {".f32", ".u64", ".b16", ".sync", ".global", ".wide", ".rn", ".x4"};
    for (;;) {
        const auto i = random() % code.size();
        const auto& token = code[i];
        const auto other = code[random() % code.size()];
        const std::string word(token.text(text));
        const bool inOpcode = token.kind == TokenKind::Opcode || token.kind == TokenKind::Modifier
            || token.kind == TokenKind::Type;
        std::string made = word;
        switch (random() % 6) {
        case 0: // dropped
            made.clear();
            break;
        case 1: // twice
            made += (inOpcode ? "" : " ") + word;
            break;
        case 2: // two letters swapped
            if (word.size() < 4) {
                continue;
            }
            std::swap(made[word.size() - 1], made[word.size() - 2]);
            break;
        case 3: // another of the same kind
            if (other.kind != token.kind) {
                continue;
            }
            made = std::string(other.text(text));
            break;
        case 4: // a letter more
            made += 'q';
            break;
        default:
            if (!inOpcode) {
                continue;
            }
            made = std::string(words[random() % std::size(words)]);
        }
        if (made == word || token.kind == TokenKind::Directive) {
            continue;
        }
        auto mutant = text;
        mutant.replace(token.offset, token.length, made);
        return {std::move(mutant), fmt::format("line {}: '{}' to '{}'", token.line, word, made)};
    }
}

} // namespace

class TestLintAgainstPtxas : public QObject {
    Q_OBJECT
private slots:
    void errorsAreErrorsOfPtxas_data();
    void errorsAreErrorsOfPtxas();
    void compilerWithdraws();
    void nothingIsUndeclaredBelowASyntaxError();
    void compilerTellsWarnings();
    void compilerTellsWhetherSetmaxnregStays();
    void corpus();
};

void TestLintAgainstPtxas::errorsAreErrorsOfPtxas_data()
{
    QTest::addColumn<QString>("path");
    QDirIterator files(QStringLiteral(PTXWB_SOURCE_ROOT "/tasks"), {QStringLiteral("*.ptx")}, QDir::Files,
        QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const auto path = files.next();
        if (path.contains(QStringLiteral("/examples/")) && !path.contains(QStringLiteral("causal"))) {
            QTest::newRow(qPrintable(path.section(QLatin1Char('/'), -3))) << path;
        }
    }
}

void TestLintAgainstPtxas::errorsAreErrorsOfPtxas()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    QFETCH(QString, path);
    const auto text = readAll(path);
    auto code = lexPtx(text);
    std::erase_if(code, [](const Token& token) {
        return token.kind == TokenKind::Whitespace || token.kind == TokenKind::LineEnd
            || token.kind == TokenKind::LineComment || token.kind == TokenKind::BlockComment;
    });
    auto work = TemporaryDirectory::create("ptxwb-lint");
    QVERIFY(work);
    std::mt19937 random(4);
    constexpr int mutants = 150;
    int named = 0;
    auto linter = PtxLinter::create();
    QVERIFY(linter);
    for (int i = 0; i < mutants; ++i) {
        const auto mutant = mutate(text, code, random);
        const auto* error = firstError(linter->lint(mutant.text));
        if (error == nullptr) {
            continue;
        }
        ++named;
        QVERIFY2(!isAccepted(*work, mutant.text),
            fmt::format("{}\n[{}] {}", mutant.what, error->rule->id, error->message).c_str());
    }
    qInfo("lint names %d of %d mutants, and ptxas refuses each of these", named, mutants);
    QVERIFY(named > mutants / 5);
}

void TestLintAgainstPtxas::compilerWithdraws()
{
    const auto findings = lintPtx(".version 8.0\n.target sm_90a\n.entry k() { mvo.b32 %r1, 1; ret; }\n");
    QVERIFY(findings);
    std::vector<Diagnostic> accepted;
    addLint(accepted, *findings, "k.ptx", true);
    QVERIFY(accepted.empty());
    // The compiler's word on the same line stands alone, with the fix of lint.
    std::vector<Diagnostic> refused{{.message = "Not a name of any known instruction: 'mvo'",
        .file = "k.ptx",
        .line = 3,
        .group = 1,
        .tool = "ptxas"}};
    addLint(refused, *findings, "k.ptx", false);
    QCOMPARE(refused.size(), std::size_t{1});
    QCOMPARE(refused[0].tool, std::string("ptxas"));
    QCOMPARE(refused[0].fixes.size(), std::size_t{1});
    // A line that it did not come to is named by lint.
    refused[0].line = 1;
    refused[0].fixes.clear();
    addLint(refused, *findings, "k.ptx", false);
    QVERIFY(refused.size() > 1);
    QCOMPARE(refused[1].tool, std::string("ptxwb"));
    QCOMPARE(refused[1].group, 2);
    QVERIFY(refused[1].explanation && refused[1].explanation->find("https://") != std::string::npos);
}

void TestLintAgainstPtxas::nothingIsUndeclaredBelowASyntaxError()
{
    // The semicolon behind the first .reg is missing: what the second declares is lost to a reader.
    const std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n"
                             "mov.b32 %early, 1;\n.reg .b32 %a\n.reg .b32 %r<4>;\nmov.b32 %r1, 2;\nret;\n}\n";
    const auto findings = lintPtx(text);
    QVERIFY(findings);
    const auto linesSaid = [&](std::vector<Diagnostic> told) {
        addLint(told, *findings, "k.ptx", false);
        std::vector<int> lines;
        for (const auto& said : told) {
            if (said.code == "undeclared-register") {
                lines.push_back(said.line.value_or(0));
            }
        }
        return lines;
    };
    QVERIFY(linesSaid({}).size() >= 2);
    const Diagnostic stops{.severity = Severity::Fatal,
        .message = "Parsing error near '.reg': syntax error",
        .file = "k.ptx",
        .line = 8,
        .tool = "ptxas"};
    QCOMPARE(linesSaid({stops}), std::vector<int>{6});
}

void TestLintAgainstPtxas::compilerTellsWarnings()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    const Compiler compiler(realToolchain());
    const auto outcome = compiler.compile(
        ptxRequest(".version 8.0\n.target sm_90a\n.address_size 64\n.entry k()\n.reqntid 128\n{\n"
                   "    setmaxnreg.dec.sync.aligned.u32 40;\n    ret;\n}\n"));
    QVERIFY(outcome && outcome->ok);
    const auto found = std::find_if(outcome->diagnostics.begin(), outcome->diagnostics.end(),
        [](const Diagnostic& said) { return said.code == "setmaxnreg-entry"; });
    QVERIFY(found != outcome->diagnostics.end());
    QCOMPARE(found->severity, Severity::Warning);
    QCOMPARE(found->line.value_or(0), 7);
    QCOMPARE(found->fixes.size(), std::size_t{1});
    const auto fixed = applyFirstFixes(outcome->artefact("source")->bytes, outcome->diagnostics);
    QCOMPARE(fixed.applied, std::vector<std::string>{"add .minnctapersm 1"});
    const auto mended = compiler.compile(ptxRequest(fixed.text));
    QVERIFY(mended && mended->ok);
    QVERIFY(mended->diagnostics.empty() && mended->notes.empty());
}

// ptxas knows the registers at entry of a kernel whose size lets one CTA on an SM.
void TestLintAgainstPtxas::compilerTellsWhetherSetmaxnregStays()
{
    const auto textOf = [](const std::string& limits) {
        return ".version 8.0\n.target sm_90a\n.entry k()\n" + limits
            + "{\n    setmaxnreg.dec.sync.aligned.u32 40;\n    ret;\n}\n";
    };
    const auto codesOf = [&](const std::string& limits, bool isAccepted,
                             const std::vector<PerformanceNote>& notes = {}) {
        std::vector<Diagnostic> made;
        addLint(made, *lintPtx(textOf(limits)), "k.ptx", isAccepted, notes);
        return made.size();
    };
    QCOMPARE(codesOf(".reqntid 384\n", true), std::size_t{0});
    QCOMPARE(codesOf(".reqntid 384\n", true, {{.code = "C7508", .kernel = "k"}}), std::size_t{1});
    QCOMPARE(codesOf(".reqntid 384\n", true, {{.code = "C7508", .kernel = "other"}}), std::size_t{0});
    QCOMPARE(codesOf(".reqntid 384\n", false), std::size_t{0});
    QCOMPARE(codesOf("", false), std::size_t{1});
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    auto text = readAll(PTXWB_TEST_DATA "/../../tasks/gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx");
    const std::string limit = ".minnctapersm 1";
    QVERIFY(text.find(limit) != std::string::npos);
    text.erase(text.find(limit), limit.size());
    const auto outcome = Compiler(realToolchain()).compile(ptxRequest(text));
    QVERIFY(outcome && outcome->ok);
    QVERIFY2(outcome->diagnostics.empty(), qPrintable(shown(outcome->diagnostics).join('\n')));
}

void TestLintAgainstPtxas::corpus()
{
    const auto folder = qEnvironmentVariable("PTXWB_LINT_CORPUS");
    if (folder.isEmpty()) {
        QSKIP("PTXWB_LINT_CORPUS names no folder of PTX files");
    }
    auto work = TemporaryDirectory::create("ptxwb-lint");
    QVERIFY(work);
    QDirIterator files(folder, {QStringLiteral("*.ptx")}, QDir::Files, QDirIterator::Subdirectories);
    int read = 0;
    int warnings = 0;
    while (files.hasNext()) {
        const auto path = files.next();
        const auto text = readAll(path);
        const auto found = lintPtx(text);
        QVERIFY(found);
        ++read;
        warnings += static_cast<int>(found->size());
        for (const auto& one : *found) {
            qInfo(
                "%s:%d: [%s] %s", qPrintable(path), one.range.line, one.rule->id.data(), one.message.c_str());
        }
        const auto* error = firstError(*found);
        QVERIFY2(
            error == nullptr || !isAccepted(*work, text), error == nullptr ? "" : error->message.c_str());
    }
    qInfo("%d files, %d findings", read, warnings);
}

QTEST_GUILESS_MAIN(TestLintAgainstPtxas)
#include "tst_lint_against_ptxas.moc"
