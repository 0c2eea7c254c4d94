// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/causes.h"
#include "core/toolchain/compiler.h"

#include "core/toolchain/compile_target.h"
#include "tests/toolchain/toolchain_test.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::test;
namespace fs = std::filesystem;

namespace {

const std::string goodPtx =
    ".version 8.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n{\n  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [p];\n  ret;\n}\n";

QStringList artefactKinds(const CompileOutcome& outcome)
{
    QStringList kinds;
    for (const auto& artefact : outcome.artefacts) {
        kinds << QString::fromStdString(artefact.kind);
    }
    return kinds;
}

} // namespace

/// With the ptxas of this machine.
class TestCompiler : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void ptx();
    void sameErrorsAsTheTranscript_data();
    void sameErrorsAsTheTranscript();
    void permittedTargetsAreThoseOfPtxas();
    void virtualTargetOfTheFile();
    void strangeNames_data();
    void strangeNames();
    void strangeTextsCompile_data();
    void strangeTextsCompile();
    void loneCarriageReturnsAreNoLineEnds();
    void aModuleWithoutAKernelIsAWarning();
    void optionsReachPtxas();
    void unchangedFilesComeFromTheCache();
    void everyInputIsInTheKey();
    void anUnwritableCacheFailsNoBuild();
    void ptxNotesStandAtTheirSetmaxnreg();
    void buildsAreReproducible();
    void manyThreads();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<Compiler> m_compiler;
    QStringList m_scratchBefore;
};

void TestCompiler::initTestCase()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas on this machine");
    }
}

void TestCompiler::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("TMPDIR", m_directory->path().toUtf8());
    m_compiler =
        std::make_unique<Compiler>(realToolchain(), fs::path(m_directory->filePath("cache").toStdString()));
}

void TestCompiler::cleanup()
{
    // Every build took its temporary directory away.
    QCOMPARE(QDir(m_directory->path()).entryList({"ptxwb-*"}, QDir::AllEntries), QStringList());
    qunsetenv("TMPDIR");
}

void TestCompiler::ptx()
{
    const auto outcome = m_compiler->compile(ptxRequest(goodPtx));
    QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
    QVERIFY(outcome->ok);
    QCOMPARE(outcome->target, std::string("sm_90a"));
    QVERIFY(!outcome->targetReason.empty());
    QCOMPARE(shown(outcome->diagnostics), QStringList());
    QCOMPARE(artefactKinds(*outcome), (QStringList{"source", "cubin"}));
    QVERIFY(outcome->artefact("cubin")->bytes.starts_with("\x7F"
                                                          "ELF"));
    QCOMPARE(outcome->artefact("cubin")->sha256.size(), std::size_t{64});
    QCOMPARE(outcome->artefact("source")->bytes, goodPtx);
    QVERIFY(outcome->artefact("so") == nullptr);
    QCOMPARE(outcome->kernels.size(), std::size_t{1});
    QCOMPARE(outcome->kernels[0].name, std::string("k"));
    QVERIFY(outcome->kernels[0].registers.value_or(0) > 0);
    QCOMPARE(outcome->kernels[0].sharedBytes.value_or(-1), 0);
    QCOMPARE(outcome->command.back(), std::string("kernel.ptx"));
    QVERIFY(std::count(outcome->command.begin(), outcome->command.end(), "-lineinfo") == 1);
    QVERIFY(!outcome->fromCache);
}

void TestCompiler::sameErrorsAsTheTranscript_data()
{
    if (!realToolchain().ptxas->version.starts_with("13.0.")) {
        QSKIP("the transcript is of ptxas 13.0");
    }
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("errors");
    QStringList errors;
    QString target;
    QString file;
    for (const auto& line : QString::fromStdString(dataFile("TRANSCRIPT.txt")).split('\n')) {
        if (line.startsWith("$ ")) {
            const auto words = line.split('\'');
            target = line.startsWith("$ ptxas") ? words.value(1).mid(6) : QString();
            file = words.value(3);
            errors.clear();
        } else if (line.startsWith("ptxas ") && line.contains(" : ") && !line.contains("info")) {
            errors << line.mid(line.indexOf(" : ") + 3);
        } else if (line.startsWith("[rc=") && !target.isEmpty() && file != "12_empty.ptx") {
            QTest::newRow(qPrintable(file + " for " + target)) << target << file << errors;
            target.clear();
        }
    }
}

void TestCompiler::sameErrorsAsTheTranscript()
{
    QFETCH(QString, target);
    QFETCH(QString, file);
    QFETCH(QStringList, errors);
    auto request = ptxRequest(dataFile(file), file.toStdString());
    request.target = target.toStdString();
    const auto outcome = m_compiler->compile(request);
    QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
    QStringList said;
    for (const auto& diagnostic : outcome->diagnostics) {
        if (diagnostic.tool == "ptxas") {
            said << QString::fromStdString(diagnostic.message);
        }
    }
    QCOMPARE(said, errors);
    QCOMPARE(outcome->ok, errors.isEmpty());
    QCOMPARE(outcome->artefacts.empty(), !outcome->ok);
}

void TestCompiler::permittedTargetsAreThoseOfPtxas()
{
    const auto& known = realToolchain().targets;
    for (const std::string file :
        {"sm_80", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_103f", "sm_120f"}) {
        if (std::find(known.begin(), known.end(), file) == known.end()) {
            continue;
        }
        for (const std::string target :
            {"sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103", "sm_103a", "sm_110a", "sm_121a"}) {
            if (std::find(known.begin(), known.end(), target) == known.end()) {
                continue;
            }
            auto request = ptxRequest(
                ".version 9.0\n.target " + file + "\n.address_size 64\n.visible .entry k() { ret; }\n");
            request.target = target;
            const auto outcome = m_compiler->compile(request);
            QVERIFY(outcome);
            QVERIFY2(outcome->ok == targetPermits(file, target),
                qPrintable(QString::fromStdString(file + " for " + target)));
        }
    }
}

// ptxas takes the name in the file, and writes no file where -arch says it too.
void TestCompiler::virtualTargetOfTheFile()
{
    const auto outcome = m_compiler->compile(
        ptxRequest(".version 8.6\n.target compute_90a\n.address_size 64\n.visible .entry k() { ret; }\n"));
    QVERIFY(outcome);
    QVERIFY(outcome->ok);
    QCOMPARE(QString::fromStdString(outcome->target), QStringLiteral("sm_90a"));
    QCOMPARE(outcome->diagnostics.size(), std::size_t{1});
    const auto& said = outcome->diagnostics.front();
    QVERIFY(said.severity == Severity::Warning);
    QCOMPARE(said.line.value_or(0), 2);
    QCOMPARE(said.column.value_or(0), 9);
    QCOMPARE(said.endColumn.value_or(0), 20);
    QCOMPARE(said.fixes.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(said.fixes.front().edits.front().text), QStringLiteral("sm_90a"));
}

void TestCompiler::strangeNames_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"a b.ptx", "it's.ptx", "$HOME.ptx", "a\"b\".ptx", "-o.ptx", "a,b;c.ptx", "ü.ptx",
             "a\\b.ptx", "/abs/path/k.ptx", "<stdin>", "x, line 3; error : y.ptx", "source.ptx"}) {
        QTest::newRow(name) << name;
    }
}

void TestCompiler::strangeNames()
{
    QFETCH(QString, name);
    const auto good = m_compiler->compile(ptxRequest(goodPtx, name.toStdString()));
    QVERIFY(good && good->ok);
    const auto bad = m_compiler->compile(ptxRequest(goodPtx + "\nwrong", name.toStdString()));
    QVERIFY(bad && !bad->ok);
    QCOMPARE(bad->diagnostics[0].file, name.toStdString());
}

void TestCompiler::strangeTextsCompile_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto text = QByteArray::fromStdString(goodPtx);
    QTest::newRow("CRLF") << QByteArray(text).replace("\n", "\r\n");
    QTest::newRow("no newline at the end") << text.chopped(1);
    QByteArray huge;
    while (huge.size() < 5'000'000) {
        huge += "mov.b64 %rd1, %rd1; ";
    }
    QTest::newRow("5 MB line") << QByteArray(text).replace("  ret;", huge + "ret;");
    QTest::newRow("5 MB comment") << "/*" + QByteArray(5'000'000, 'x') + "*/" + text;
}

void TestCompiler::strangeTextsCompile()
{
    QFETCH(QByteArray, text);
    const auto outcome = m_compiler->compile(ptxRequest(text.toStdString()));
    QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
    QVERIFY2(outcome->ok, qPrintable(shown(outcome->diagnostics).join('\n')));
    QCOMPARE(outcome->kernels.size(), std::size_t{1});
}

void TestCompiler::loneCarriageReturnsAreNoLineEnds()
{
    // The rest of the text is comment for ptxas.
    const auto text = QByteArray::fromStdString("// head\n" + goodPtx).replace("\n", "\r").toStdString();
    const auto refused = m_compiler->compile(ptxRequest(text));
    QVERIFY(refused && !refused->ok);
    const auto& said = refused->diagnostics.front();
    QCOMPARE(said.line.value_or(0), 1);
    QVERIFY(said.rootCause && said.fixes.size() == 1 && said.fixes.front().tried);
    QCOMPARE(std::count_if(refused->diagnostics.begin(), refused->diagnostics.end(),
                 [](const Diagnostic& one) { return one.rootCause; }),
        1);
    const auto mended = m_compiler->compile(ptxRequest(applyFix(text, said.fixes.front())));
    QVERIFY(mended && mended->ok);
    QVERIFY(mended->diagnostics.empty());

    // ptxas takes it and passes over a statement.
    auto taken = QByteArray::fromStdString(goodPtx).replace("  ret;", "// end\r  ret;\n  ret;");
    const auto warned = m_compiler->compile(ptxRequest(taken.toStdString()));
    QVERIFY(warned && warned->ok);
    QCOMPARE(warned->diagnostics.front().severity, Severity::Warning);
    const auto noted =
        m_compiler->compile(ptxRequest(QByteArray::fromStdString(goodPtx).replace("\n", "\r").toStdString()));
    QVERIFY(noted && noted->ok);
    QCOMPARE(noted->diagnostics.front().severity, Severity::Info);
}

void TestCompiler::aModuleWithoutAKernelIsAWarning()
{
    const auto outcome = m_compiler->compile(ptxRequest(dataFile("15_no_entry.ptx")));
    QVERIFY(outcome && outcome->ok);
    QCOMPARE(
        shown(outcome->diagnostics), QStringList{"warning 0:0 assembled, but the module holds no kernel"});
    QVERIFY(outcome->artefact("cubin") != nullptr);
}

void TestCompiler::optionsReachPtxas()
{
    auto request = ptxRequest("// @build -maxrregcount=40\n" + goodPtx);
    request.options = {"-O1", "-Xptxas", "-dlcm=cg"};
    const auto outcome = m_compiler->compile(request);
    QVERIFY(outcome && outcome->ok);
    const auto& command = outcome->command;
    for (const char* option : {"-maxrregcount=40", "-O1", "-dlcm=cg"}) {
        QVERIFY2(std::count(command.begin(), command.end(), option) == 1, option);
    }
    QCOMPARE(outcome->options, (std::vector<std::string>{"-maxrregcount=40", "-O1", "-Xptxas", "-dlcm=cg"}));
    request.options = {"-std=c++17"};
    const auto refused = m_compiler->compile(request);
    QVERIFY(!refused && refused.error().code == ErrorCode::InvalidArgument);
    request.options = {"--no-such-option"};
    const auto unknown = m_compiler->compile(request);
    QVERIFY(unknown && !unknown->ok);
    QVERIFY(unknown->diagnostics[0].message.find("no-such-option") != std::string::npos);
    request.text = "ret;\n// @build -ccbin evil\n";
    const auto comment = m_compiler->compile(request);
    QVERIFY(!comment);
    QCOMPARE(comment.error().path, std::string("kernel.ptx"));
    QCOMPARE(comment.error().line.value_or(0), 2);
    request = ptxRequest(goodPtx);
    request.target = "sm_42";
    QVERIFY(!m_compiler->compile(request));
}

void TestCompiler::unchangedFilesComeFromTheCache()
{
    for (const auto& text : {goodPtx, goodPtx + "wrong"}) {
        const auto first = m_compiler->compile(ptxRequest(text));
        const auto second = m_compiler->compile(ptxRequest(text));
        QVERIFY(first && second);
        QVERIFY(!first->fromCache);
        QVERIFY(second->fromCache);
        QCOMPARE(second->ok, first->ok);
        QCOMPARE(shown(second->diagnostics), shown(first->diagnostics));
        QCOMPARE(second->rawOutput, first->rawOutput);
        QCOMPARE(second->command, first->command);
        QCOMPARE(artefactKinds(*second), artefactKinds(*first));
        if (first->ok) {
            QCOMPARE(second->artefact("cubin")->sha256, first->artefact("cubin")->sha256);
            QCOMPARE(second->kernels[0].registers, first->kernels[0].registers);
        }
    }
}

void TestCompiler::everyInputIsInTheKey()
{
    QVERIFY(m_compiler->compile(ptxRequest(goodPtx)));
    auto options = ptxRequest(goodPtx);
    options.options = {"-O1"};
    auto target = ptxRequest(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n");
    QVERIFY(!m_compiler->compile(options)->fromCache);
    QVERIFY(!m_compiler->compile(target)->fromCache);
    target.target = "sm_90";
    QVERIFY(!m_compiler->compile(target)->fromCache);
    auto toolchain = realToolchain();
    toolchain.ptxas->version += ".1";
    QVERIFY(!Compiler(toolchain, m_directory->filePath("cache").toStdString())
                 .compile(ptxRequest(goodPtx))
                 ->fromCache);
    QVERIFY(!Compiler(realToolchain()).compile(ptxRequest(goodPtx))->fromCache); // no cache at all
}

void TestCompiler::anUnwritableCacheFailsNoBuild()
{
    for (const char* directory : {"/proc/nowhere", "/dev/full"}) {
        const Compiler compiler(realToolchain(), directory);
        for (int i = 0; i < 2; ++i) {
            const auto outcome = compiler.compile(ptxRequest(goodPtx));
            QVERIFY(outcome && outcome->ok && !outcome->fromCache);
        }
    }
}

void TestCompiler::ptxNotesStandAtTheirSetmaxnreg()
{
    const auto outcome =
        m_compiler->compile(ptxRequest(".version 8.0\n.target sm_90a\n.address_size 64\n\n"
                                       ".visible .entry k()\n{\n"
                                       "  setmaxnreg.dec.sync.aligned.u32 24;\n  ret;\n}\n"));
    QVERIFY(outcome && outcome->ok);
    QCOMPARE(outcome->notes.size(), std::size_t{1});
    QCOMPARE(outcome->notes[0].code, std::string("C7508"));
    QCOMPARE(outcome->notes[0].line.value_or(0), 7);
    QCOMPARE(outcome->notes[0].lineBy, std::string("setmaxnreg"));
}

void TestCompiler::buildsAreReproducible()
{
    const Compiler compiler(realToolchain());
    const auto first = compiler.compile(ptxRequest(goodPtx));
    const auto second = compiler.compile(ptxRequest(goodPtx, "another name.ptx"));
    QCOMPARE(second->artefact("cubin")->sha256, first->artefact("cubin")->sha256);
}

void TestCompiler::manyThreads()
{
    std::atomic<int> good = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&, i] {
                for (int k = 0; k < 3; ++k) {
                    const auto outcome =
                        m_compiler->compile(ptxRequest(goodPtx + "// " + std::to_string((i + k) % 3) + "\n"));
                    good += outcome && outcome->ok && outcome->artefact("cubin") != nullptr ? 1 : 0;
                }
            });
        }
    }
    QCOMPARE(good.load(), 12);
}

QTEST_APPLESS_MAIN(TestCompiler)
#include "tst_compiler.moc"
