// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/compiler.h"

#include "core/support/files.h"
#include "core/toolchain/crash_report.h"
#include "tests/toolchain/toolchain_test.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <mutex>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::test;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// With tools that hang, crash and lie.
class TestCompilerHostile : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void noTool();
    void aToolThatIsThereButDoesNotRun();
    void theToolWentAway();
    void hangs();
    void tellsWhatItWaitsFor();
    void cancelled();
    void printsWithoutEnd_data();
    void printsWithoutEnd();
    void printsOneHugeLine();
    void aStopIsObeyedWhileItPrints();
    void listsCausesBeforeWhatFollows();
    void crashes();
    void crashesWhereNothingCanBeKept();
    void nvccReportsACrash();
    void failsWithoutAWord();
    void failsWithUnknownWords();
    void writesNothing_data();
    void writesNothing();
    void diskFull();
    void noTemporaryDirectory();
    void badTextNeedsNoTool();
    void misuse();

private:
    Compiler withPtxas(const std::string& body);
    std::unique_ptr<QTemporaryDir> m_directory;
    fs::path m_root;
};

namespace {
const std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() { ret; }\n";

Result<CompileOutcome> compile(const Compiler& compiler)
{
    auto request = ptxRequest(text);
    request.timeout = std::chrono::seconds(20);
    return compiler.compile(request);
}
} // namespace

void TestCompilerHostile::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    m_root = m_directory->path().toStdString();
    qputenv("PTXWB_CACHE_DIR", m_directory->filePath("cache").toUtf8());
    qputenv("TMPDIR", m_directory->path().toUtf8());
}

void TestCompilerHostile::cleanup()
{
    QCOMPARE(QDir(m_directory->path()).entryList({"ptxwb-*"}, QDir::AllEntries), QStringList());
    qunsetenv("TMPDIR");
}

Compiler TestCompilerHostile::withPtxas(const std::string& body)
{
    writeFakePtxas(m_root / "cuda/bin/ptxas", body);
    return Compiler(
        findToolchain({.cudaHomes = {m_root / "cuda"}, .usePath = false}), m_root / "cache/build");
}

void TestCompilerHostile::noTool()
{
    const Compiler compiler{Toolchain()};
    const auto outcome = compile(compiler);
    QVERIFY(!outcome);
    QVERIFY(outcome.error().code == ErrorCode::MissingTool);
    QVERIFY(outcome.error().hint.find("packaging/run") != std::string::npos);
    const auto cuda = compiler.compile(cudaRequest("__global__ void k() {}"));
    QVERIFY(!cuda && cuda.error().message.find("nvcc") != std::string::npos);
}

void TestCompilerHostile::aToolThatIsThereButDoesNotRun()
{
    writeScript(m_root / "cuda/bin/ptxas", "echo 'cannot execute: libx missing' >&2; exit 127");
    const Compiler compiler(findToolchain({.cudaHomes = {m_root / "cuda"}, .usePath = false}));
    const auto outcome = compile(compiler);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::MissingTool);
    QVERIFY2(
        outcome.error().message.find("libx missing") != std::string::npos, outcome.error().message.c_str());
}

void TestCompilerHostile::theToolWentAway()
{
    const auto compiler = withPtxas("exit 0");
    fs::remove(m_root / "cuda/bin/ptxas");
    const auto outcome = compile(compiler);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::MissingTool);
    QVERIFY(!outcome.error().hint.empty());
}

void TestCompilerHostile::hangs()
{
    const auto compiler = withPtxas("sleep 300 & echo $! > " + (m_root / "pid").string() + "; wait");
    auto request = ptxRequest(text);
    request.timeout = 1s;
    const auto outcome = compiler.compile(request);
    QVERIFY(!outcome);
    QVERIFY(outcome.error().code == ErrorCode::TimedOut);
    QVERIFY2(outcome.error().message.find("1 s") != std::string::npos, outcome.error().message.c_str());
    const int grandchild = std::stoi(readAll(m_directory->filePath("pid")));
    for (int i = 0; i < 200 && ::kill(grandchild, 0) == 0; ++i) {
        std::this_thread::sleep_for(10ms);
    }
    const auto status = readAll(QString("/proc/%1/stat").arg(grandchild));
    QVERIFY(status.empty() || status.find(") Z") != std::string::npos);
}

void TestCompilerHostile::tellsWhatItWaitsFor()
{
    const auto compiler = withPtxas("sleep 300");
    auto request = ptxRequest(text);
    request.timeout = 6s;
    std::mutex mutex;
    std::vector<std::string> told;
    request.onWaiting = [&](std::string_view words) {
        const std::lock_guard lock(mutex);
        told.emplace_back(words);
    };
    const auto outcome = compiler.compile(request);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::TimedOut);
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told[0], std::string("waiting for ptxas 13.0.88: 5 s so far, it is stopped after 6 s"));
}

void TestCompilerHostile::cancelled()
{
    const auto compiler = withPtxas("sleep 300");
    std::stop_source stop;
    std::jthread canceller([&] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    const auto outcome = compiler.compile(ptxRequest(text), stop.get_token());
    QVERIFY(!outcome && outcome.error().code == ErrorCode::Cancelled);
}

void TestCompilerHostile::printsWithoutEnd_data()
{
    QTest::addColumn<QString>("script");
    QTest::newRow("one line on stdout") << "head -c 1200000000 /dev/zero | tr '\\0' x";
    QTest::newRow("lines on stderr") << "yes 'ptxas source.ptx, line 1; error   : no' >&2";
}

void TestCompilerHostile::printsWithoutEnd()
{
    QFETCH(QString, script);
    auto request = ptxRequest(text);
    request.timeout = 60s;
    const auto outcome = withPtxas(script.toStdString()).compile(request);
    QVERIFY(!outcome);
    QVERIFY2(outcome.error().code == ErrorCode::ToolFailed, describe(outcome.error()).c_str());
    QVERIFY2(outcome.error().message.find("printed more than 64 MiB") != std::string::npos,
        outcome.error().message.c_str());
    QVERIFY(outcome.error().message.size() < 300);
}

void TestCompilerHostile::printsOneHugeLine()
{
    const auto outcome =
        compile(withPtxas("head -c 30000000 /dev/zero | tr '\\0' x; echo; echo last; exit 1"));
    QVERIFY(outcome && !outcome->ok);
    QVERIFY(outcome->rawOutput.size() < 20'000);
    QVERIFY(outcome->rawOutput.find("bytes of this line left out]\nlast\n") != std::string::npos);
}

void TestCompilerHostile::aStopIsObeyedWhileItPrints()
{
    // Slowly enough that the limit is far.
    const auto compiler = withPtxas("while :; do echo x; done");
    std::stop_source stop;
    std::jthread canceller([&] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    const auto outcome = compiler.compile(ptxRequest(text), stop.get_token());
    QVERIFY(!outcome && outcome.error().code == ErrorCode::Cancelled);
}

void TestCompilerHostile::listsCausesBeforeWhatFollows()
{
    // ptxas tells all mismatches first, and what they come from in its last pass.
    const auto outcome = compile(withPtxas(
        "i=0; while [ $i -lt 2000 ]; do i=$((i+1));"
        " echo \"ptxas source.ptx, line $i; error   : Arguments mismatch for instruction 'add'\"; done >&2\n"
        "i=0; while [ $i -lt 600 ]; do i=$((i+1));"
        " echo \"ptxas source.ptx, line $i; error   : Unknown symbol 'u$i'\"; done >&2\nexit 255"));
    QVERIFY(outcome && !outcome->ok);
    QCOMPARE(outcome->diagnosticsLeftOut, 1600);
    const auto symbols = std::count_if(outcome->diagnostics.begin(), outcome->diagnostics.end(),
        [](const Diagnostic& said) { return said.message.starts_with("Unknown symbol") && said.rootCause; });
    QCOMPARE(symbols, 600);
}

void TestCompilerHostile::crashes()
{
    const auto compiler = withPtxas("echo 'half a word' >&2; kill -SEGV $$");
    const auto outcome = compile(compiler);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::ToolCrashed);
    QVERIFY2(outcome.error().message.find("signal 11") != std::string::npos, outcome.error().message.c_str());

    const auto bundle = crashBundleOf(outcome.error());
    QVERIFY(bundle && outcome.error().message.find(*bundle) != std::string::npos);
    const auto kept = [&](const char* name) { return readFile(fs::path(*bundle) / name).value_or(""); };
    QVERIFY(kept("source.ptx").find(".visible .entry k()") != std::string::npos);
    QVERIFY(kept("command.txt").find("-arch=sm_90a -v") != std::string::npos);
    QVERIFY(kept("output.txt").find("half a word") != std::string::npos);
    QVERIFY(kept("output.txt").find("ended with signal 11") != std::string::npos);
    QVERIFY(kept("versions.txt").find((m_root / "cuda/bin/ptxas").string()) != std::string::npos);

    // The same crash is kept once, others up to a bound.
    QCOMPARE(crashBundleOf(compile(compiler).error()), bundle);
    for (int i = 0; i < 25; ++i) {
        const auto other = compiler.compile(ptxRequest(text + "// " + std::to_string(i) + "\n"));
        QVERIFY(!other && crashBundleOf(other.error()));
        QVERIFY(fs::exists(*crashBundleOf(other.error())));
    }
    const auto all = QDir(m_directory->filePath("cache/crashes"))
                         .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    QCOMPARE(all.size(), 20);
    QVERIFY(!fs::exists(*bundle));
}

void TestCompilerHostile::crashesWhereNothingCanBeKept()
{
    const auto compiler = withPtxas("kill -SEGV $$");
    writeScript(m_root / "file", "exit 0");
    qputenv("PTXWB_CACHE_DIR", m_directory->filePath("file/cache").toUtf8());
    const auto outcome = compile(compiler);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::ToolCrashed);
    QVERIFY(!crashBundleOf(outcome.error()));
    QVERIFY2(outcome.error().message.find("could not be kept") != std::string::npos,
        outcome.error().message.c_str());
}

void TestCompilerHostile::nvccReportsACrash()
{
    writeScript(m_root / "cuda/bin/nvcc",
        "[ \"$1\" = --version ] && echo 'Cuda compilation tools, release 13.0, V13.0.88' && exit 0\n"
        "echo \"nvcc error   : 'ptxas' died due to signal 11 (Invalid memory reference)\" >&2; exit 139");
    const Compiler compiler(findToolchain({.cudaHomes = {m_root / "cuda"}, .usePath = false}));
    const auto outcome = compiler.compile(cudaRequest("__global__ void k() {}\n"));
    QVERIFY(!outcome && outcome.error().code == ErrorCode::ToolCrashed);
    QVERIFY2(
        outcome.error().message.find("'ptxas' died") != std::string::npos, outcome.error().message.c_str());
}

void TestCompilerHostile::failsWithoutAWord()
{
    const auto outcome = compile(withPtxas("exit 3"));
    QVERIFY(outcome && !outcome->ok);
    QCOMPARE(shown(outcome->diagnostics), QStringList{"fatal 0:0 the compiler failed and said nothing"});
}

void TestCompilerHostile::failsWithUnknownWords()
{
    const auto outcome = compile(withPtxas("echo first; echo 'a licence is missing' >&2; exit 3"));
    QVERIFY(outcome && !outcome->ok);
    QCOMPARE(shown(outcome->diagnostics),
        (QStringList{"info 0:0 first", "info 0:0 a licence is missing",
            "fatal 0:0 the compiler failed; its last words: a licence is missing"}));
    QVERIFY(outcome->rawOutput.find("first") != std::string::npos);
}

void TestCompilerHostile::writesNothing_data()
{
    QTest::addColumn<QString>("script");
    QTest::newRow("no file") << "exit 0";
    QTest::newRow("empty file") << ": > out.cubin";
    QTest::newRow("no ELF") << "echo hello > out.cubin";
    QTest::newRow("cut ELF")
        << "printf '\\177ELF\\2\\1\\1' > out.cubin; head -c 60 /dev/zero >> out.cubin;"
           " printf '\\377\\377' | dd of=out.cubin bs=1 seek=40 conv=notrunc 2>/dev/null";
}

void TestCompilerHostile::writesNothing()
{
    QFETCH(QString, script);
    const auto outcome = compile(withPtxas(script.toStdString() + "\nexit 0"));
    QVERIFY(!outcome);
    QVERIFY(outcome.error().code == ErrorCode::ToolFailed || outcome.error().code == ErrorCode::DiskFull);
    QVERIFY(!outcome.error().hint.empty());
}

void TestCompilerHostile::diskFull()
{
    const auto outcome =
        compile(withPtxas("echo 'ptxas fatal   : write: No space left on device' >&2; exit 255"));
    QVERIFY(!outcome && outcome.error().code == ErrorCode::DiskFull);
    QVERIFY(outcome.error().hint.find("TMPDIR") != std::string::npos);
}

void TestCompilerHostile::noTemporaryDirectory()
{
    const auto compiler = withPtxas("exit 0");
    qputenv("TMPDIR", "/nowhere/to/be/found");
    const auto outcome = compile(compiler);
    QVERIFY(!outcome);
    QVERIFY(outcome.error().hint.find("TMPDIR") != std::string::npos);
}

void TestCompilerHostile::badTextNeedsNoTool()
{
    const Compiler compiler{Toolchain()};
    for (const std::string& bad : {std::string(), std::string("\xFF\xFE.\0", 4), std::string("a\0b", 3)}) {
        const auto outcome = compiler.compile(ptxRequest(bad));
        QVERIFY(outcome && !outcome->ok);
        QCOMPARE(outcome->diagnostics.size(), std::size_t{1});
        QVERIFY(outcome->diagnostics[0].severity == Severity::Fatal);
    }
}

void TestCompilerHostile::misuse()
{
    const Compiler compiler{Toolchain()};
    auto cubin = ptxRequest("x");
    cubin.language = Language::Cubin;
    auto host = ptxRequest(text);
    host.hostContract = true;
    for (const auto& request : {cubin, host}) {
        const auto outcome = compiler.compile(request);
        QVERIFY(!outcome && outcome.error().code == ErrorCode::InvalidArgument);
        QVERIFY(!outcome.error().hint.empty());
    }
}

QTEST_APPLESS_MAIN(TestCompilerHostile)
#include "tst_compiler_hostile.moc"
