// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/toolchain.h"

#include "core/toolchain/tool_facts.h"
#include "tests/toolchain/toolchain_test.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace ptxwb;
using namespace ptxwb::test;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// A tool that tells its version and counts its starts in "<path>.starts".
fs::path writeTool(const fs::path& path, const std::string& version)
{
    return writeScript(path,
        "echo x >> \"$0.starts\"\n"
        "[ \"$1\" = --help ] && echo \"'sm_90','sm_90a','sm_100f','sm_103a','compute_90','sm_9x'\" && exit "
        "0\n"
        "echo 'Cuda compilation tools, release "
            + version.substr(0, 4) + ", V" + version + "'");
}

int starts(const fs::path& tool)
{
    return static_cast<int>(
        QString::fromStdString(readAll(QString::fromStdString(tool.string() + ".starts"))).count('x'));
}

QStringList paths(const std::vector<Tool>& tools, const fs::path& root)
{
    QStringList list;
    for (const auto& tool : tools) {
        list << QString::fromStdString(fs::relative(tool.path, root).string());
    }
    return list;
}

} // namespace

class TestToolchain : public QObject {
    Q_OBJECT
private slots:
    void init();
    void nothingAnywhere();
    void listsAllAndChoosesInOrder();
    void theSameFileIsListedOnce();
    void compilersComeFromOneToolkit();
    void aDisassemblerMustBeNewEnough();
    void namedToolsWin();
    void aNamedToolThatDoesNotRunIsNotReplaced();
    void wheels();
    void toolsThatDoNotRunAreListed_data();
    void toolsThatDoNotRunAreListed();
    void aHangingToolIsGivenUp();
    void asksOnlyOnce();
    void anUnwritableCacheIsNoProblem();
    void environment();
    void factsOfText();
    void realTools();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    fs::path m_root;
};

void TestToolchain::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    m_root = m_directory->path().toStdString();
    qputenv("PTXWB_CACHE_DIR", m_directory->filePath("cache").toUtf8());
}

void TestToolchain::nothingAnywhere()
{
    const auto found = findToolchain({.cudaHomes = {m_root / "nowhere"}, .usePath = false});
    QVERIFY(found.all.empty());
    QVERIFY(!found.ptxas && !found.nvcc && !found.nvdisasm && !found.cuobjdump);
    QVERIFY(found.targets.empty());
    for (const auto kind : {ToolKind::Ptxas, ToolKind::Nvcc, ToolKind::Nvdisasm, ToolKind::Cuobjdump}) {
        QVERIFY(howToGet(kind).find("packaging/run") != std::string::npos);
    }
}

void TestToolchain::listsAllAndChoosesInOrder()
{
    writeTool(m_root / "first/bin/ptxas", "12.8.61");
    writeTool(m_root / "path/ptxas", "12.9.1");
    writeTool(m_root / "standard/bin/ptxas", "13.0.88");
    const auto before = qgetenv("PATH");
    qputenv("PATH", QByteArray::fromStdString((m_root / "path").string()) + ":" + before);
    const auto found =
        findToolchain({.cudaHomes = {m_root / "first"}, .standardHomes = {m_root / "standard"}});
    qputenv("PATH", before);
    std::vector<Tool> ptxas;
    std::copy_if(found.all.begin(), found.all.end(), std::back_inserter(ptxas),
        [&](const Tool& tool) { return tool.path.string().starts_with(m_root.string()); });
    QCOMPARE(paths(ptxas, m_root), (QStringList{"first/bin/ptxas", "path/ptxas", "standard/bin/ptxas"}));
    QCOMPARE(found.ptxas->version, std::string("12.8.61"));
    QCOMPARE(found.ptxas->origin, "toolkit " + (m_root / "first").string());
    QCOMPARE(ptxas[1].origin, std::string("PATH"));
    QCOMPARE(found.targets, (std::vector<std::string>{"sm_90", "sm_90a", "sm_100f", "sm_103a"}));
}

void TestToolchain::theSameFileIsListedOnce()
{
    writeTool(m_root / "cuda-13.0/bin/ptxas", "13.0.88");
    fs::create_directory_symlink(m_root / "cuda-13.0", m_root / "cuda");
    const auto found =
        findToolchain({.usePath = false, .standardHomes = {m_root / "cuda", m_root / "cuda-13.0"}});
    QCOMPARE(paths(found.all, m_root).size(), 1);
}

void TestToolchain::compilersComeFromOneToolkit()
{
    writeTool(m_root / "a/bin/nvcc", "12.0.1"); // a toolkit without ptxas
    writeTool(m_root / "b/bin/nvcc", "13.0.88");
    writeTool(m_root / "b/bin/ptxas", "13.0.88");
    const auto found = findToolchain({.cudaHomes = {m_root / "a", m_root / "b"}, .usePath = false});
    QCOMPARE(paths({*found.ptxas, *found.nvcc}, m_root), (QStringList{"b/bin/ptxas", "b/bin/nvcc"}));
}

void TestToolchain::aDisassemblerMustBeNewEnough()
{
    writeTool(m_root / "a/bin/ptxas", "13.0.88");
    writeTool(m_root / "b/bin/nvdisasm", "12.8.61");
    writeTool(m_root / "c/bin/nvdisasm", "13.2.86");
    const ToolchainSearch search{.cudaHomes = {m_root / "a", m_root / "b", m_root / "c"}, .usePath = false};
    QCOMPARE(findToolchain(search).nvdisasm->version, std::string("13.2.86"));
    fs::remove(m_root / "c/bin/nvdisasm");
    QCOMPARE(findToolchain(search).nvdisasm->version, std::string("12.8.61")); // better than none
}

void TestToolchain::namedToolsWin()
{
    writeTool(m_root / "a/bin/ptxas", "13.0.88");
    writeTool(m_root / "mine/ptxas-new", "13.1.2");
    const auto found = findToolchain({.namedTools = {{ToolKind::Ptxas, m_root / "mine/ptxas-new"},
                                          {ToolKind::Nvdisasm, m_root / "mine/missing"}},
        .cudaHomes = {m_root / "a"},
        .usePath = false});
    QCOMPARE(found.ptxas->version, std::string("13.1.2"));
    QCOMPARE(found.ptxas->origin, std::string("PTXWB_PTXAS"));
    QVERIFY(!found.nvdisasm);
    QCOMPARE(found.all.size(), std::size_t{3}); // the missing one is listed with its problem
    QCOMPARE(found.all[1].problem.value_or(""), std::string("no such file"));
}

void TestToolchain::aNamedToolThatDoesNotRunIsNotReplaced()
{
    writeTool(m_root / "a/bin/ptxas", "13.0.88");
    writeScript(m_root / "mine/ptxas", "exit 3");
    const auto found = findToolchain({.namedTools = {{ToolKind::Ptxas, m_root / "mine/ptxas"}},
        .cudaHomes = {m_root / "a"},
        .usePath = false});
    QVERIFY(!found.ptxas);
    QCOMPARE(found.all.size(), std::size_t{2});
    QVERIFY(found.all[0].problem.has_value());
}

void TestToolchain::wheels()
{
    const auto packages = m_root / "venv/lib/python3.11/site-packages";
    writeTool(packages / "nvidia/cu13/bin/ptxas", "13.0.88");
    writeTool(packages / "nvidia/cu13/bin/nvdisasm", "13.2.86");
    fs::create_directories(packages / "tvm_ffi/include/tvm/ffi");
    fs::create_directories(packages / "tvm_ffi/lib");
    for (const auto* name : {"tvm_ffi/include/tvm/ffi/tvm_ffi.h", "tvm_ffi/lib/libtvm_ffi.so"}) {
        QFile file(QString::fromStdString((packages / name).string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    const auto found = findToolchain({.usePath = false, .venvs = {m_root / "nowhere", m_root / "venv"}});
    QVERIFY(found.ptxas && found.nvdisasm);
    QVERIFY(found.ptxas->origin.starts_with("wheel"));
    QCOMPARE(found.tvmFfiInclude, packages / "tvm_ffi/include");
    QCOMPARE(found.tvmFfiLibrary, packages / "tvm_ffi/lib/libtvm_ffi.so");
}

void TestToolchain::toolsThatDoNotRunAreListed_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("problem");
    QTest::newRow("fails") << "echo 'libfoo.so: cannot open' >&2; exit 127"
                           << "libfoo.so";
    QTest::newRow("crashes") << "kill -SEGV $$"
                             << "signal 11";
    QTest::newRow("is something else") << "echo GNU thing 1.0"
                                       << "GNU thing";
    QTest::newRow("says nothing") << "true"
                                  << "no ptxas of NVIDIA";
}

void TestToolchain::toolsThatDoNotRunAreListed()
{
    QFETCH(QString, script);
    QFETCH(QString, problem);
    writeScript(m_root / "bad/bin/ptxas", script.toStdString());
    writeTool(m_root / "good/bin/ptxas", "13.0.88");
    const auto found = findToolchain({.cudaHomes = {m_root / "bad", m_root / "good"}, .usePath = false});
    QCOMPARE(found.all.size(), std::size_t{2});
    QVERIFY2(QString::fromStdString(found.all[0].problem.value_or("")).contains(problem),
        found.all[0].problem.value_or("none").c_str());
    QCOMPARE(paths({*found.ptxas}, m_root), QStringList{"good/bin/ptxas"});
}

void TestToolchain::aHangingToolIsGivenUp()
{
    writeScript(m_root / "bad/bin/ptxas", "sleep 300");
    const ToolchainSearch search{.cudaHomes = {m_root / "bad"}, .usePath = false, .queryTimeout = 200ms};
    const auto found = findToolchain(search);
    QVERIFY(!found.ptxas);
    QVERIFY(found.all[0].problem.value_or("").find("does not answer") != std::string::npos);
}

void TestToolchain::asksOnlyOnce()
{
    const auto tool = writeTool(m_root / "a/bin/ptxas", "13.0.88");
    const ToolchainSearch search{.cudaHomes = {m_root / "a"}, .usePath = false};
    QVERIFY(findToolchain(search).ptxas);
    const int asked = starts(tool);
    QVERIFY(asked > 0);
    for (int i = 0; i < 3; ++i) {
        const auto again = findToolchain(search);
        QCOMPARE(again.ptxas->version, std::string("13.0.88"));
        QCOMPARE(again.targets.size(), std::size_t{4});
    }
    QCOMPARE(starts(tool), asked);
    writeTool(tool, "13.1.80"); // another program under the same name
    QCOMPARE(findToolchain(search).ptxas->version, std::string("13.1.80"));
    QVERIFY(starts(tool) > asked);
    QFile cache(m_directory->filePath("cache/tools.json"));
    QVERIFY(cache.open(QIODevice::WriteOnly | QIODevice::Truncate));
    cache.write("{\"format\":1,\"tools\":{\"ptxas x\":3}}");
    cache.close();
    QCOMPARE(findToolchain(search).ptxas->version, std::string("13.1.80"));
}

void TestToolchain::anUnwritableCacheIsNoProblem()
{
    qputenv("PTXWB_CACHE_DIR", "/proc/nowhere");
    writeTool(m_root / "a/bin/ptxas", "13.0.88");
    QVERIFY(findToolchain({.cudaHomes = {m_root / "a"}, .usePath = false}).ptxas);
}

void TestToolchain::environment()
{
    qputenv("PTXWB_CUDA_HOME", "/one");
    qputenv("CUDA_HOME", "/two");
    qputenv("CUDA_PATH", "/two");
    qputenv("PTXWB_NVDISASM", "/three/nvdisasm");
    qputenv("PTXWB_VENV", "/venv");
    const auto search = ToolchainSearch::fromEnvironment();
    for (const char* name : {"PTXWB_CUDA_HOME", "CUDA_HOME", "CUDA_PATH", "PTXWB_NVDISASM", "PTXWB_VENV"}) {
        qunsetenv(name);
    }
    QCOMPARE(search.cudaHomes, (std::vector<fs::path>{"/one", "/two"}));
    QCOMPARE(search.namedTools.at(ToolKind::Nvdisasm), fs::path("/three/nvdisasm"));
    QCOMPARE(search.venvs.front(), fs::path("/venv"));
    QCOMPARE(search.venvs[1], m_root / "cache/venv");
    QCOMPARE(search.standardHomes.front(), fs::path("/usr/local/cuda"));
    QVERIFY(search.usePath);
}

void TestToolchain::factsOfText()
{
    QCOMPARE(detail::versionInText("Cuda compilation tools, release 13.0, V13.0.88\nBuild cuda_13.0"),
        std::string("13.0.88"));
    QCOMPARE(detail::versionInText("V"), std::string());
    QCOMPARE(detail::versionInText("GNU Version 3"), std::string());
    QCOMPARE(detail::targetsInHelp("'sm_100','sm_90a','sm_90','sm_90','lto_90','compute_90','sm_'"),
        (std::vector<std::string>{"sm_90", "sm_90a", "sm_100"}));
    QVERIFY(detail::targetsInHelp("'sm_90").empty());
}

void TestToolchain::realTools()
{
    const auto found = findToolchain();
    if (!found.ptxas) {
        QSKIP("no ptxas on this machine");
    }
    QVERIFY(!found.ptxas->version.empty());
    QVERIFY(std::count(found.targets.begin(), found.targets.end(), "sm_90a") == 1);
}

QTEST_APPLESS_MAIN(TestToolchain)
#include "tst_toolchain.moc"
