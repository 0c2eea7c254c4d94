// SPDX-License-Identifier: Apache-2.0
// How long the user waits: from the start of the program to its first paint, and from an edit to parsed SASS,
// beside what the bare tools take for the same text in the same run.
#include "benchmark.h"

#include "app/build.h"
#include "app/main_window.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

#include <QApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>

using namespace ptxwb;
using benchmarks::measured;

namespace {

const std::string kernelFile = PTXWB_SOURCE_ROOT "/tasks/gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx";

/// Says so on stdout when the window has been painted, and ends the program.
class FirstPaint : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && !m_painted) {
            m_painted = true;
            QTimer::singleShot(0, this, [] {
                std::puts("painted");
                std::fflush(stdout);
                QCoreApplication::exit(0);
            });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    bool m_painted = false;
};

int paintOnceAndEnd(int argc, char** argv)
{
    QApplication application(argc, argv);
    Settings settings;
    WindowOptions options;
    options.file = QString::fromStdString(kernelFile);
    options.fresh = true;
    MainWindow window(options, settings);
    FirstPaint firstPaint;
    window.installEventFilter(&firstPaint);
    window.show();
    return QApplication::exec();
}

/// Wall clock from the start of the program to the line that it writes after its first paint.
double firstPaintMs()
{
    const auto start = std::chrono::steady_clock::now();
    QProcess program;
    program.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--paint-once")});
    if (!program.waitForReadyRead(30'000)) {
        std::fputs("the window did not paint\n", stderr);
        std::exit(4);
    }
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    program.waitForFinished();
    return ms;
}

double middleOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::string renamed(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

void run(const std::vector<std::string>& argv, const std::filesystem::path& directory)
{
    ProcessRequest request;
    request.argv = argv;
    request.workingDirectory = directory;
    const Result<ProcessOutcome> outcome = runProcess(request);
    if (!outcome || !outcome->succeeded()) {
        std::fprintf(stderr, "%s failed\n", argv.front().c_str());
        std::exit(3);
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && std::string(argv[1]) == "--paint-once") {
        return paintOnceAndEnd(argc, argv);
    }
    QCoreApplication application(argc, argv);
    QTemporaryDir scratch;
    qputenv("PTXWB_DATA_DIR", scratch.path().toUtf8());
    qputenv("PTXWB_CONFIG_DIR", scratch.path().toUtf8());
    qputenv("PTXWB_CACHE_DIR", scratch.filePath(QStringLiteral("cache")).toUtf8());
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    std::vector<double> paints;
    for (int round = 0; round < 7; ++round) {
        paints.push_back(firstPaintMs());
    }
    nlohmann::ordered_json paint;
    paint["name"] = "program_start_to_first_paint";
    paint["rounds"] = paints.size();
    paint["median_ms"] = middleOf(paints);
    paint["limit_ms"] = 1000;
    paint["within_limit"] = middleOf(paints) <= 1000;
    rows.push_back(paint);

    const Toolchain toolchain = findToolchain();
    const Result<std::string> text = readFile(kernelFile);
    Result<TemporaryDirectory> directory = TemporaryDirectory::create();
    if (!toolchain.ptxas || !toolchain.nvdisasm || !text || !directory) {
        std::fputs("ptxas and nvdisasm are needed to time an edit\n", stderr);
        return 3;
    }
    const std::filesystem::path cache = std::filesystem::path(scratch.path().toStdString()) / "cache";
    const Compiler compiler(toolchain, cache / "build");
    int edit = 0;
    std::vector<double> differences;
    BuildRequest request;
    const auto build = [&] {
        const Build built = makeBuild(compiler, request, cache, {});
        if (!built.listing) {
            std::fputs("the kernel does not build\n", stderr);
            std::exit(3);
        }
    };
    request.compile.displayName = "wgmma_tma.ptx";
    const auto now = [] { return std::chrono::steady_clock::now(); };
    std::vector<double> bareTimes;
    std::vector<double> editTimes;
    for (int round = 0; round < 9; ++round) {
        // Another name of the kernel: the cubin changes too, so that nothing of an earlier round is in the
        // cache.
        request.compile.text = renamed(*text, "gemm_wgmma_tma", "gemm_" + std::to_string(++edit));
        (void)writeFileAtomically(directory->path() / "k.ptx", request.compile.text);
        auto start = now();
        run({toolchain.ptxas->path.string(), "-arch", "sm_90a", "-v", "-lineinfo", "-o", "k.cubin", "k.ptx"},
            directory->path());
        run({toolchain.nvdisasm->path.string(), "-c", "-hex", "-gi", "-gp", "k.cubin"}, directory->path());
        bareTimes.push_back(std::chrono::duration<double, std::milli>(now() - start).count());
        start = now();
        build();
        editTimes.push_back(std::chrono::duration<double, std::milli>(now() - start).count());
        differences.push_back(editTimes.back() - bareTimes.back());
    }
    nlohmann::ordered_json row;
    row["name"] = "edit_to_parsed_sass_of_wgmma_gemm";
    row["rounds"] = differences.size();
    row["median_ms"] = middleOf(editTimes);
    row["bare_tools_median_ms"] = middleOf(bareTimes);
    row["paired_difference_median_ms"] = middleOf(differences);
    row["limit_ms_over_bare_tools"] = 30;
    row["within_limit"] = middleOf(differences) <= 30;
    rows.push_back(row);
    rows.push_back(measured("unchanged_text_from_the_cache", 9, 20, build));
    std::puts(benchmarks::document("window", rows).dump(2).c_str());
    return 0;
}
