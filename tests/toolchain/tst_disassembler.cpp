// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/disassembler.h"

#include "core/support/subprocess.h"
#include "tests/toolchain/toolchain_test.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;
namespace fs = std::filesystem;

class TestDisassembler : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void bothLineMaps();
    void theSecondTimeFromTheCache();
    void fallsBackToCuobjdump();
    void saysWhatIsMissing();
    void refusesWhatIsNoCubin_data();
    void refusesWhatIsNoCubin();
    void fakeToolsFailAsTyped();
    void cubinsOfAnExecutable();
    void nothingToExtract();

private:
    std::string cubin(const CompileRequest& request);
    std::unique_ptr<QTemporaryDir> m_directory;
    fs::path m_cache;
};

void TestDisassembler::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    m_cache = m_directory->filePath("cache").toStdString();
    qputenv("TMPDIR", m_directory->path().toUtf8());
}

void TestDisassembler::cleanup()
{
    QCOMPARE(QDir(m_directory->path()).entryList({"ptxwb-*"}, QDir::AllEntries), QStringList());
    qunsetenv("TMPDIR");
}

std::string TestDisassembler::cubin(const CompileRequest& request)
{
    const auto outcome = Compiler(realToolchain()).compile(request);
    return outcome && outcome->ok ? outcome->artefact("cubin")->bytes : std::string();
}

void TestDisassembler::bothLineMaps()
{
    if (!realToolchain().nvcc || !realToolchain().nvdisasm) {
        QSKIP("no nvcc or no nvdisasm on this machine");
    }
    auto request = cudaRequest("\n__device__ __forceinline__ float twice(float x) { return x + x * x; }\n"
                               "__global__ void k(float* x) { x[threadIdx.x] = twice(x[0]); }\n",
        "my kernel.cu");
    request.directory = "/home/someone";
    const auto made = disassembleCubin(realToolchain(), cubin(request), m_cache);
    QVERIFY2(made, made ? "" : describe(made.error()).c_str());
    QVERIFY(made->text.find("//## File \"/home/someone/my kernel.cu\", line 3") != std::string::npos);
    QVERIFY(made->text.find("line 2 inlined at \"/home/someone/my kernel.cu\", line 3") != std::string::npos);
    QVERIFY(made->text.find("//## File \".nv_debug_ptx_txt\", line") != std::string::npos);
    QVERIFY(made->text.find("/*0000*/") != std::string::npos);
    QVERIFY(made->tool.kind == ToolKind::Nvdisasm);
    QVERIFY(!made->fromCache);
}

void TestDisassembler::theSecondTimeFromTheCache()
{
    if (!realToolchain().ptxas || !realToolchain().nvdisasm) {
        QSKIP("no ptxas or no nvdisasm on this machine");
    }
    const auto bytes = cubin(ptxRequest(dataFile("02_ok_wgmma_sm90a.ptx")));
    const auto first = disassembleCubin(realToolchain(), bytes, m_cache);
    const auto second = disassembleCubin(realToolchain(), bytes, m_cache);
    QVERIFY(first && second);
    QVERIFY(!first->fromCache && second->fromCache);
    QCOMPARE(second->text, first->text);
    const auto other =
        disassembleCubin(realToolchain(), cubin(ptxRequest(dataFile("13_crlf_ok.ptx"))), m_cache);
    QVERIFY(other && !other->fromCache);
    const auto uncached = disassembleCubin(realToolchain(), bytes, {});
    QVERIFY(uncached && !uncached->fromCache);
}

void TestDisassembler::fallsBackToCuobjdump()
{
    if (!realToolchain().ptxas || !realToolchain().cuobjdump) {
        QSKIP("no ptxas or no cuobjdump on this machine");
    }
    auto toolchain = realToolchain();
    toolchain.nvdisasm.reset();
    const auto made =
        disassembleCubin(toolchain, cubin(ptxRequest(dataFile("02_ok_wgmma_sm90a.ptx"))), m_cache);
    QVERIFY2(made, made ? "" : describe(made.error()).c_str());
    QVERIFY(made->tool.kind == ToolKind::Cuobjdump);
    QVERIFY(made->text.find("Function : k") != std::string::npos);
}

void TestDisassembler::saysWhatIsMissing()
{
    const auto made = disassembleCubin(Toolchain(), "x", {});
    QVERIFY(!made && made.error().code == ErrorCode::MissingTool);
    QVERIFY(made.error().hint.find("nvidia-cuda-nvdisasm") != std::string::npos);
    const auto extracted = extractCubins(Toolchain(), "/bin/sh");
    QVERIFY(!extracted && extracted.error().code == ErrorCode::MissingTool);
}

void TestDisassembler::refusesWhatIsNoCubin_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << QByteArray("hello");
    QTest::newRow("head only") << QByteArray("\x7F"
                                             "ELF\2\1\1\0",
        8);
    QTest::newRow("zeros") << QByteArray(1000, '\0');
    QTest::newRow("empty") << QByteArray();
}

void TestDisassembler::refusesWhatIsNoCubin()
{
    QFETCH(QByteArray, bytes);
    if (!realToolchain().nvdisasm) {
        QSKIP("no nvdisasm on this machine");
    }
    const auto made = disassembleCubin(realToolchain(), bytes.toStdString(), m_cache);
    QVERIFY(!made);
    QVERIFY(!made.error().message.empty());
}

void TestDisassembler::fakeToolsFailAsTyped()
{
    const auto path = fs::path(m_directory->filePath("nvdisasm").toStdString());
    Toolchain toolchain;
    toolchain.nvdisasm = Tool{.kind = ToolKind::Nvdisasm, .path = path, .version = "13.0.1"};
    writeScript(path, "echo 'Value SM04 is not defined' >&2; exit 1");
    const auto failed = disassembleCubin(toolchain, "x", m_cache);
    QVERIFY(!failed && failed.error().code == ErrorCode::ToolFailed);
    QVERIFY(failed.error().message.find("SM04") != std::string::npos);
    writeScript(path, "kill -SEGV $$");
    const auto crashed = disassembleCubin(toolchain, "x", m_cache);
    QVERIFY(!crashed && crashed.error().code == ErrorCode::ToolCrashed);
    writeScript(path, "sleep 300");
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = disassembleCubin(toolchain, "x", m_cache, stop.get_token());
    QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
}

void TestDisassembler::cubinsOfAnExecutable()
{
    if (!realToolchain().nvcc || !realToolchain().cuobjdump) {
        QSKIP("no nvcc or no cuobjdump on this machine");
    }
    const auto source = m_directory->filePath("a.cu").toStdString();
    const auto program = m_directory->filePath("it's a $program").toStdString();
    QFile file(QString::fromStdString(source));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("__global__ void k(int* x) { *x = 1; }\nint main() { k<<<1, 1>>>(nullptr); }\n");
    file.close();
    const auto plain = m_directory->filePath("out").toStdString();
    const auto built =
        runProcess({.argv = {realToolchain().nvcc->path.string(), "-gencode", "arch=compute_80,code=sm_80",
                        "-gencode", "arch=compute_90a,code=sm_90a", "-o", plain, source}});
    QVERIFY2(built && built->succeeded(), built ? built->standardError.c_str() : "");
    fs::rename(plain, program);
    const auto cubins = extractCubins(realToolchain(), program);
    QVERIFY2(cubins, cubins ? "" : describe(cubins.error()).c_str());
    QStringList targets;
    for (const auto& one : *cubins) {
        targets << QString::fromStdString(one.target);
        QVERIFY(!one.name.empty());
        if (realToolchain().nvdisasm) {
            QVERIFY(disassembleCubin(realToolchain(), one.bytes, m_cache));
        }
    }
    QVERIFY(targets.contains("sm_80"));
    QVERIFY(targets.contains("sm_90a"));
}

void TestDisassembler::nothingToExtract()
{
    if (!realToolchain().cuobjdump) {
        QSKIP("no cuobjdump on this machine");
    }
    for (const char* name : {"/bin/sh", "/nowhere/to/be/found", "/tmp", "/etc/passwd"}) {
        const auto cubins = extractCubins(realToolchain(), name);
        QVERIFY2(!cubins, name);
        QCOMPARE(cubins.error().path, std::string(name));
        QVERIFY(!cubins.error().hint.empty());
    }
}

QTEST_APPLESS_MAIN(TestDisassembler)
#include "tst_disassembler.moc"
