// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/compiler.h"
#include "core/toolchain/header_search.h"

#include "tests/toolchain/toolchain_test.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;
namespace fs = std::filesystem;

namespace {

const std::string goodCuda = "#include \"value.h\"\n"
                             "__global__ void k(float* x)\n{\n  x[threadIdx.x] = VALUE;\n}\n";

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(bytes);
}

QStringList artefactKinds(const CompileOutcome& outcome)
{
    QStringList kinds;
    for (const auto& artefact : outcome.artefacts) {
        kinds << QString::fromStdString(artefact.kind);
    }
    return kinds;
}

} // namespace

/// With the nvcc of this machine.
class TestCudaCompiler : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void strangeNames_data();
    void strangeNames();
    void isReproducible();
    void cuda();
    void cudaIncludesAreInTheKey();
    void aHeaderThatComesToShadowAnotherIsAMiss_data();
    void aHeaderThatComesToShadowAnotherIsAMiss();
    void aHeaderAskedForThatComesToBeIsAMiss();
    void namesAskedForAreFound();
    void cudaErrorsStandOnTheUsersLine();
    void inlinePtxErrorsStandOnTheUsersLine();
    void cudaNotesStandOnTheUsersLine();
    void cudaOptions();
    void ptxOfCuda();
    void hostContract();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<Compiler> m_compiler;
};

void TestCudaCompiler::initTestCase()
{
    if (!realToolchain().nvcc) {
        QSKIP("no nvcc on this machine");
    }
}

void TestCudaCompiler::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("TMPDIR", m_directory->path().toUtf8());
    m_compiler =
        std::make_unique<Compiler>(realToolchain(), fs::path(m_directory->filePath("cache").toStdString()));
}

void TestCudaCompiler::cleanup()
{
    // Every build took its temporary directory away, nvcc's own files included.
    QCOMPARE(QDir(m_directory->path()).entryList({"ptxwb-*", "tmpxft*"}, QDir::AllEntries), QStringList());
    qunsetenv("TMPDIR");
}

void TestCudaCompiler::strangeNames_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"it's a \"b\" $HOME.cu", "-o, x;y\\z.cu", "<stdin>"}) {
        QTest::newRow(name) << name;
    }
}

void TestCudaCompiler::strangeNames()
{
    QFETCH(QString, name);
    auto cuda = cudaRequest(goodCuda, name.toStdString());
    QDir(m_directory->path()).mkpath("it's a \"dir\", $x");
    cuda.directory = m_directory->filePath("it's a \"dir\", $x").toStdString();
    writeFile(m_directory->filePath("it's a \"dir\", $x/value.h"), "#define VALUE 1.0f\n");
    const auto goodBuild = m_compiler->compile(cuda);
    QVERIFY2(
        goodBuild && goodBuild->ok, goodBuild ? qPrintable(shown(goodBuild->diagnostics).join('\n')) : "");
    cuda.text += "__global__ void bad() { undefinedThing; }\n";
    const auto badBuild = m_compiler->compile(cuda);
    QVERIFY(badBuild && !badBuild->ok);
    QCOMPARE(
        shown(badBuild->diagnostics), QStringList{"error 6:25 identifier \"undefinedThing\" is undefined"});
    QCOMPARE(badBuild->diagnostics[0].file, cuda.displayName);
}

void TestCudaCompiler::isReproducible()
{
    const Compiler compiler(realToolchain());
    const auto request =
        cudaRequest("static __device__ int t[4]; __global__ void k(int* x) { *x = t[*x]; }\n");
    const auto one = compiler.compile(request);
    const auto two = compiler.compile(request);
    QCOMPARE(two->artefact("cubin")->sha256, one->artefact("cubin")->sha256);
    QCOMPARE(two->artefact("ptx")->sha256, one->artefact("ptx")->sha256);
}

void TestCudaCompiler::cuda()
{
    const auto outcome =
        m_compiler->compile(cudaRequest("extern \"C\" __global__ void k(float* x) { *x = 1; }\n"));
    QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
    QVERIFY2(outcome->ok, qPrintable(shown(outcome->diagnostics).join('\n')));
    QCOMPARE(artefactKinds(*outcome), (QStringList{"source", "cubin", "ptx"}));
    QVERIFY(outcome->artefact("ptx")->bytes.find(".target sm_90a") != std::string::npos);
    QCOMPARE(outcome->kernels[0].name, std::string("k"));
    const auto command = QString::fromStdString([&] {
        std::string all;
        for (const auto& word : outcome->command) {
            all += word + ' ';
        }
        return all;
    }());
    QVERIFY(command.contains("-gencode arch=compute_90a,code=sm_90a"));
    QVERIFY(!command.contains("-arch="));
    QVERIFY(command.endsWith("kernel.cu "));
    QVERIFY(outcome->tools.front().kind == ToolKind::Nvcc);
}

void TestCudaCompiler::cudaIncludesAreInTheKey()
{
    auto request = cudaRequest(goodCuda);
    request.directory = m_directory->path().toStdString();
    const auto header = m_directory->filePath("value.h");
    QVERIFY(!m_compiler->compile(request)->ok); // missing: not remembered
    writeFile(header, "#define VALUE 1.0f\n");
    QTest::qWait(50); // a header as old as the build itself is not trusted
    const auto first = m_compiler->compile(request);
    QVERIFY(first && first->ok && !first->fromCache);
    const auto again = m_compiler->compile(request);
    QVERIFY(again->fromCache);
    QCOMPARE(again->artefact("cubin")->sha256, first->artefact("cubin")->sha256);
    writeFile(header, "#define VALUE 1.0f\n"); // touched, but the same
    QVERIFY(m_compiler->compile(request)->fromCache);
    writeFile(header, "#define VALUE 2.0f\n");
    const auto changed = m_compiler->compile(request);
    QVERIFY(changed && changed->ok && !changed->fromCache);
    QVERIFY(changed->artefact("cubin")->sha256 != first->artefact("cubin")->sha256);
    QVERIFY(QFile::remove(header));
    QVERIFY(!m_compiler->compile(request)->ok);
}

void TestCudaCompiler::aHeaderThatComesToShadowAnotherIsAMiss_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("shadow");
    QTest::newRow("an earlier -I") << "#include <v.h>"
                                   << "i0/v.h";
    QTest::newRow("an earlier -I that is not there yet") << "#include <v.h>"
                                                         << "later/v.h";
    QTest::newRow("the source's own folder") << "#include \"v.h\""
                                             << "v.h";
    QTest::newRow("a folder in the name") << "#include <sub/w.h>"
                                          << "i0/sub/w.h";
    QTest::newRow("dots in the name") << "#include <sub/../v.h>"
                                      << "i0/sub/../v.h";
    QTest::newRow("beside the file that includes it") << "#include <sub/nested.h>"
                                                      << "i2/sub/v.h";
    QTest::newRow("of the system") << "#include <v.h>\n#include <cstring>"
                                   << "i0/cstring";
}

void TestCudaCompiler::aHeaderThatComesToShadowAnotherIsAMiss()
{
    QFETCH(QString, source);
    QFETCH(QString, shadow);
    QDir(m_directory->path()).mkpath("i0/sub");
    QDir(m_directory->path()).mkpath("i2/sub");
    writeFile(m_directory->filePath("i2/v.h"), "#define V 222\n");
    writeFile(m_directory->filePath("i2/sub/w.h"), "#define V 222\n");
    writeFile(m_directory->filePath("i2/sub/nested.h"), "#include \"v.h\"\n");
    auto request = cudaRequest(source.toStdString() + "\n__global__ void k(int* p) { *p = V; }\n");
    request.directory = m_directory->path().toStdString();
    request.emitPtxOnly = true;
    for (const char* name : {"i0", "later", "i2"}) {
        request.options.insert(request.options.end(), {"-I", m_directory->filePath(name).toStdString()});
    }
    QTest::qWait(50);
    const auto first = m_compiler->compile(request);
    QVERIFY2(first && first->ok, first ? qPrintable(shown(first->diagnostics).join('\n')) : "");
    QVERIFY(first->artefact("ptx")->bytes.find("222") != std::string::npos);
    QVERIFY(m_compiler->compile(request)->fromCache);
    const auto target = m_directory->filePath(shadow);
    QDir().mkpath(QFileInfo(target).path());
    writeFile(target, "#undef V\n#define V 333\n");
    const auto changed = m_compiler->compile(request);
    QVERIFY(changed && changed->ok);
    QVERIFY(!changed->fromCache);
    QVERIFY(changed->artefact("ptx")->bytes.find("333") != std::string::npos);
}

void TestCudaCompiler::aHeaderAskedForThatComesToBeIsAMiss()
{
    auto request = cudaRequest("#if __has_include(\"maybe.h\")\n#define V 333\n#else\n#define V 222\n#endif\n"
                               "__global__ void k(int* p) { *p = V; }\n");
    request.directory = m_directory->path().toStdString();
    request.emitPtxOnly = true;
    QVERIFY(m_compiler->compile(request)->ok);
    QVERIFY(m_compiler->compile(request)->fromCache);
    writeFile(m_directory->filePath("maybe.h"), "");
    const auto there = m_compiler->compile(request);
    QVERIFY(there && there->ok && !there->fromCache);
    QVERIFY(there->artefact("ptx")->bytes.find("333") != std::string::npos);
    QVERIFY(QFile::remove(m_directory->filePath("maybe.h")));
    const auto gone = m_compiler->compile(request);
    QVERIFY(gone->artefact("ptx")->bytes.find("222") != std::string::npos);
    // A name that only the preprocessor knows: never remembered.
    request.text = "#define NAME \"maybe.h\"\n#if __has_include(NAME)\n#endif\n__global__ void k() {}\n";
    QVERIFY(m_compiler->compile(request)->ok);
    QVERIFY(!m_compiler->compile(request)->fromCache);
}

void TestCudaCompiler::namesAskedForAreFound()
{
    using Names = std::vector<std::string>;
    using detail::askedHeaders;
    QCOMPARE(
        askedHeaders("#if __has_include(<a/b.h>) && __has_include ( \"c.h\" )\n"), (Names{"a/b.h", "c.h"}));
    QCOMPARE(askedHeaders("# if __has_include_next(<x.h>)"), Names{"x.h"});
    QCOMPARE(askedHeaders("#ifdef __has_include\n#if defined(__has_include)\n"), Names{});
    QCOMPARE(
        askedHeaders("#define MY_HAS_INCLUDE(X) __has_include(X)\n#if MY_HAS_INCLUDE(<x.h>)"), Names{"x.h"});
    QCOMPARE(askedHeaders("#  define __has_include(X) 0"), Names{});
    QVERIFY(!askedHeaders("#if __has_include(NAME)"));
    QVERIFY(!askedHeaders("#define THERE(x) __has_include(x)"));
    QVERIFY(!askedHeaders("#if __has_include(\\\n<x.h>)"));
}

void TestCudaCompiler::cudaErrorsStandOnTheUsersLine()
{
    auto request = cudaRequest(
        "#include \"bad.h\"\n\n__global__ void k(float* x)\n{\n\tint ü; /* Größe */ x[0] = oops;\n}\n");
    request.directory = m_directory->path().toStdString();
    writeFile(m_directory->filePath("bad.h"), "inline int f() { return gone; }\n");
    const auto outcome = m_compiler->compile(request);
    QVERIFY(outcome && !outcome->ok);
    QVERIFY(outcome->artefacts.empty());
    const auto errors = shown(outcome->diagnostics).filter("error");
    QCOMPARE(errors.size(), 2);
    QVERIFY(errors[0].startsWith("error 1:"));
    QVERIFY(outcome->diagnostics[0].file.ends_with("/bad.h"));
    QCOMPARE(errors[1], QString("error 5:28 identifier \"oops\" is undefined"));
    QCOMPARE(outcome->diagnostics[1].file, std::string("kernel.cu"));
}

void TestCudaCompiler::inlinePtxErrorsStandOnTheUsersLine()
{
    const auto outcome = m_compiler->compile(cudaRequest("__global__ void k(int* x)\n{\n"
                                                         "  int n;\n"
                                                         "  asm volatile(\"bogus.u32 %0;\" : \"=r\"(n));\n"
                                                         "  x[0] = n;\n}\n"));
    QVERIFY(outcome && !outcome->ok);
    const auto& said = outcome->diagnostics.front();
    QCOMPARE(shown({said}), QStringList{"error 4:17 Not a name of any known instruction: 'bogus'"});
    QCOMPARE(said.file, std::string("kernel.cu"));
    QVERIFY(said.explanation.value_or("").find("of the PTX that nvcc made") != std::string::npos);
}

void TestCudaCompiler::cudaNotesStandOnTheUsersLine()
{
    if (!realToolchain().nvcc->version.starts_with("13.0.")) {
        QSKIP("the notes are those of CUDA 13.0");
    }
    const auto serial = m_compiler->compile(cudaRequest(dataFile("30_wgmma_serial.cu")));
    QVERIFY(serial && serial->ok);
    QVERIFY(serial->notes.size() > 5);
    for (const auto& note : serial->notes) {
        QVERIFY(note.line.has_value());
        QVERIFY(*note.line >= 2 && *note.line <= 14); // lines of the .cu, not of the PTX
        QCOMPARE(note.lineBy, std::string(note.code == "C7511" ? "kernel" : "ours"));
    }
    const auto divergent = m_compiler->compile(cudaRequest(dataFile("39_wgmma_divergent.cu")));
    QCOMPARE(divergent->notes.size(), std::size_t{1});
    QCOMPARE(divergent->notes[0].code, std::string("C7520"));
}

void TestCudaCompiler::cudaOptions()
{
    QDir(m_directory->path()).mkpath("in c,l");
    writeFile(m_directory->filePath("in c,l/value.h"), "#define VALUE FACTOR\n");
    auto request = cudaRequest(
        "// @build -DFACTOR=2.0f\n#include <value.h>\n__global__ void k(float* x) { *x = VALUE; }\n"
        "static_assert(__cplusplus == 202002L);\n");
    request.options = {"-I", m_directory->filePath("in c,l").toStdString(), "-std=c++20", "-maxrregcount=64"};
    const auto outcome = m_compiler->compile(request);
    QVERIFY2(outcome && outcome->ok, outcome ? qPrintable(shown(outcome->diagnostics).join('\n')) : "");
    request.options = {"-arch=sm_90a"};
    const auto refused = m_compiler->compile(request);
    QVERIFY(!refused && refused.error().hint == "use --target");
}

void TestCudaCompiler::ptxOfCuda()
{
    auto request = cudaRequest("__global__ void k(float* x) { *x = 1; }\n");
    request.emitPtxOnly = true;
    const auto outcome = m_compiler->compile(request);
    QVERIFY(outcome && outcome->ok);
    QCOMPARE(artefactKinds(*outcome), (QStringList{"source", "ptx"}));
    const auto assembled = m_compiler->compile(ptxRequest(outcome->artefact("ptx")->bytes));
    QVERIFY(assembled && assembled->ok);
    auto ptx = ptxRequest(".version 8.0\n.target sm_90a\n");
    ptx.emitPtxOnly = true;
    QVERIFY(!m_compiler->compile(ptx));
}

void TestCudaCompiler::hostContract()
{
    auto request = cudaRequest(
        "#include <tvm/ffi/tvm_ffi.h>\n"
        "__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }\n"
        "void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)\n{\n"
        "  twice<<<1, 32>>>(static_cast<const float*>(x.data_ptr()), static_cast<float*>(y.data_ptr()));\n}\n"
        "TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);\n");
    request.hostContract = true;
    if (realToolchain().tvmFfiInclude.empty()) {
        const auto outcome = m_compiler->compile(request);
        QVERIFY(!outcome && outcome.error().code == ErrorCode::MissingTool);
        QSKIP("no apache-tvm-ffi wheel on this machine");
    }
    const auto outcome = m_compiler->compile(request);
    QVERIFY2(outcome && outcome->ok, outcome ? qPrintable(shown(outcome->diagnostics).join('\n')) : "");
    QCOMPARE(artefactKinds(*outcome), (QStringList{"source", "cubin", "ptx", "so"}));
    QVERIFY(outcome->artefact("so")->bytes.find("__tvm_ffi_run") != std::string::npos);
    QCOMPARE(outcome->kernels.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(TestCudaCompiler)
#include "tst_cuda_compiler.moc"
