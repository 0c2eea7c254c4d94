// SPDX-License-Identifier: Apache-2.0
// `ptxwb compile --json` of a small PTX file beside bare ptxas, and the matrix of all targets beside its own
// ptxas runs one after the other, in one run of this program. Nothing comes from a cache.
//
//   bench_compile [ptxwb [FILE.ptx]]
#include "benchmark.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/target_matrix.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace ptxwb;
using nlohmann::ordered_json;

namespace {

[[noreturn]] void giveUp(const std::string& why)
{
    fmt::print(stderr, "bench_compile: {}\n", why);
    std::exit(3);
}

/// Another text of the same code each time, so that no cache knows it.
std::string edited(const std::string& text, int round)
{
    const auto end = text.rfind("ret;");
    return text.substr(0, end) + fmt::format("nanosleep.u32 {};\n    ", round) + text.substr(end);
}

void write(const std::filesystem::path& path, const std::string& text)
{
    if (!writeFileAtomically(path, text)) {
        giveUp("cannot write " + path.string());
    }
}

void run(std::vector<std::string> argv, const std::map<std::string, std::string>& environment = {})
{
    const auto outcome = runProcess({.argv = std::move(argv), .environment = environment});
    if (!outcome) {
        giveUp(describe(outcome.error()));
    }
}

/// Of this process and of those that it waited for.
double cpuSeconds()
{
    double sum = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        struct rusage used { };
        ::getrusage(who, &used);
        for (const auto& time : {used.ru_utime, used.ru_stime}) {
            sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
        }
    }
    return sum;
}

double medianOf(const ordered_json& row)
{
    return row.at("median_ms").get<double>();
}

} // namespace

int main(int argc, char** argv)
{
    const auto program = argc > 1 ? std::filesystem::path(argv[1])
                                  : std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ptxwb";
    const std::string file = argc > 2
        ? argv[2]
        : std::string(PTXWB_SOURCE_ROOT) + "/tasks/gemm/gemm_n7168_k5120/examples/plain.ptx";
    const auto text = readFile(file);
    auto work = TemporaryDirectory::create("ptxwb-bench");
    if (!text || !work) {
        giveUp(!text ? describe(text.error()) : describe(work.error()));
    }
    const auto toolchain = findToolchain();
    if (!toolchain.ptxas || !std::filesystem::exists(program)) {
        giveUp("ptxas and ptxwb are needed");
    }
    const auto& ptxas = toolchain.ptxas->path;
    const auto source = work->path() / "bench.ptx";
    const auto cubin = work->path() / "bench.cubin";
    int round = 0;
    constexpr int rounds = 9;
    constexpr int matrixRounds = 3;

    ordered_json rows = ordered_json::array();
    rows.push_back(benchmarks::measured("bare ptxas", rounds, 0, [&] {
        write(source, edited(*text, ++round));
        run({ptxas, "-arch=sm_90a", "-v", "-lineinfo", "-o", cubin, source});
    }));
    rows.push_back(benchmarks::measured("ptxwb compile --json", rounds, 0, [&] {
        write(source, edited(*text, ++round));
        run({program, "compile", source, "--target", "sm_90a", "--json"},
            {{"PTXWB_CACHE_DIR", work->path() / "cache"}});
    }));

    // As many runs as the matrix makes: the file as written, and a copy for each target but its own.
    int runs = 0;
    const auto before = cpuSeconds();
    rows.push_back(benchmarks::measured("the matrix's ptxas runs, one after the other", matrixRounds, 0, [&] {
        runs = 0;
        const auto now = edited(*text, ++round);
        for (const auto& target : toolchain.targets) {
            write(source, now);
            run({ptxas, "-arch=" + target, "-v", "-lineinfo", "-o", cubin, source});
            const auto copy = retargetedPtx(now, target);
            runs += copy == now ? 1 : 2;
            if (copy != now) {
                write(source, copy);
                run({ptxas, "-arch=" + target, "-v", "-lineinfo", "-o", cubin, source});
            }
        }
    }));
    rows.back()["ptxas_runs"] = runs;
    const auto between = cpuSeconds();
    rows.push_back(benchmarks::measured("matrix of all targets", matrixRounds, 0, [&] {
        const Compiler compiler(toolchain, work->path() / "build" / std::to_string(++round));
        const auto made =
            compileForAllTargets(compiler, {.displayName = "bench.ptx", .text = edited(*text, round)});
        if (!made) {
            giveUp(describe(made.error()));
        }
    }));

    const auto after = cpuSeconds();

    auto result = benchmarks::document("compile", rows);
    result["compile_added_ms"] = medianOf(rows[1]) - medianOf(rows[0]);
    result["compile_added_limit_ms"] = 25;
    constexpr int cores = 2;
    result["matrix_ratio"] = medianOf(rows[3]) / (medianOf(rows[2]) / cores);
    result["matrix_ratio_limit"] = 1.3;
    result["matrix_cpu_ratio"] = (after - between) / (between - before); // for a machine with other work
    fmt::print("{}\n", result.dump(2));
}
