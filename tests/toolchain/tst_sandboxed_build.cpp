// SPDX-License-Identifier: Apache-2.0
// A stranger's text compiles behind walls like any other, but reaches no file that the user did not name.
#include "core/support/files.h"
#include "core/support/sandbox.h"
#include "core/support/temporary_directory.h"
#include "toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

const char* plainPtx = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() { ret; }\n";

Result<CompileOutcome> compile(CompileRequest request, bool sandboxed)
{
    request.sandboxed = sandboxed;
    request.target = "sm_90a";
    return Compiler(realToolchain()).compile(request);
}

bool says(const CompileOutcome& outcome, std::string_view words)
{
    return outcome.rawOutput.find(words) != std::string::npos;
}

} // namespace

class TestSandboxedBuild : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void ptxCompilesToTheSameCode();
    void cudaReachesNamedFoldersOnly();
    void theFolderOfTheFileIsNotReached();
    void anErrorKeepsItsLine();
};

void TestSandboxedBuild::initTestCase()
{
    if (const auto available = sandboxAvailable(); !available) {
        QSKIP(available.error().message.c_str());
    }
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
}

void TestSandboxedBuild::ptxCompilesToTheSameCode()
{
    const auto open = compile(ptxRequest(plainPtx), false);
    const auto walled = compile(ptxRequest(plainPtx), true);
    QVERIFY(open && walled && walled->ok);
    QCOMPARE(walled->artefact("cubin")->sha256, open->artefact("cubin")->sha256);
    QCOMPARE(QString::fromStdString(walled->command.front()), QString::fromStdString(open->command.front()));
}

void TestSandboxedBuild::cudaReachesNamedFoldersOnly()
{
    if (!realToolchain().nvcc) {
        QSKIP("no nvcc here");
    }
    const auto folder = TemporaryDirectory::create("ptxwb-test").value();
    QVERIFY(writeFileAtomically(folder.path() / "part.h", "#define PART 7\n"));
    auto request = cudaRequest("#include <part.h>\n__global__ void k(int* p) { *p = PART; }\n");
    request.options = {"-I", folder.path().string()};
    const auto named = compile(request, true);
    QVERIFY(named);
    QVERIFY2(named->ok, named->rawOutput.c_str());

    auto nosy = cudaRequest("#include \"" + (folder.path() / "part.h").string()
        + "\"\n__global__ void k(int* p) { *p = PART; }\n");
    const auto open = compile(nosy, false);
    QVERIFY(open && open->ok);
    const auto walled = compile(nosy, true);
    QVERIFY(walled && !walled->ok);
    QVERIFY(says(*walled, "No such file"));

    auto comment = cudaRequest("// @build -I " + folder.path().string()
        + "\n#include <part.h>\n__global__ void k(int* p) { *p = PART; }\n");
    const auto byComment = compile(comment, true);
    QVERIFY(byComment && !byComment->ok);
}

void TestSandboxedBuild::theFolderOfTheFileIsNotReached()
{
    if (!realToolchain().nvcc) {
        QSKIP("no nvcc here");
    }
    const auto folder = TemporaryDirectory::create("ptxwb-test").value();
    QVERIFY(writeFileAtomically(folder.path() / "near.h", "#define PART 7\n"));
    auto request = cudaRequest("#include \"near.h\"\n__global__ void k(int* p) { *p = PART; }\n");
    request.directory = folder.path();
    QVERIFY(compile(request, false)->ok);
    QVERIFY(!compile(request, true)->ok);
}

void TestSandboxedBuild::anErrorKeepsItsLine()
{
    auto text = std::string(plainPtx);
    text.replace(text.find("ret;"), 4, "\nadd.u32 %a, %b, 1;\nret;");
    const auto walled = compile(ptxRequest(text), true);
    const auto open = compile(ptxRequest(text), false);
    QVERIFY(walled && open && !walled->ok);
    QCOMPARE(shown(walled->diagnostics), shown(open->diagnostics));
}

QTEST_GUILESS_MAIN(TestSandboxedBuild)
#include "tst_sandboxed_build.moc"
