// SPDX-License-Identifier: Apache-2.0
// From an edited PTX text to a parsed listing, beside the bare tools on the same text in the same run; and
// the same text again, from the cache.
#include "benchmark.h"
#include "core/sass/listing.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/compiler.h"
#include "core/toolchain/disassembler.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

using namespace ptxwb;
using nlohmann::ordered_json;

namespace {

[[noreturn]] void giveUp(const std::string& why)
{
    fmt::print(stderr, "bench_edit_loop: {}\n", why);
    std::exit(3);
}

// An edit that changes the code, so that neither cache knows it: another immediate in an instruction that
// stays.
std::string edited(const std::string& text, int round)
{
    const auto end = text.rfind("ret;");
    return text.substr(0, end) + fmt::format("nanosleep.u32 {};\n    ", round) + text.substr(end);
}

void run(std::vector<std::string> argv)
{
    const auto outcome = runProcess({.argv = std::move(argv)});
    if (!outcome || !outcome->succeeded()) {
        giveUp(outcome ? outcome->standardError : describe(outcome.error()));
    }
}

std::size_t listingRows(const Compiler& compiler, const std::filesystem::path& cache, std::string text)
{
    auto built = compiler.compile({.displayName = "kernel.ptx", .text = std::move(text)});
    if (!built || !built->ok) {
        giveUp(built ? built->rawOutput : describe(built.error()));
    }
    auto disassembly =
        disassembleCubin(compiler.toolchain(), built->artefact("cubin")->bytes, cache / "sass");
    if (!disassembly) {
        giveUp(describe(disassembly.error()));
    }
    const auto listing = parseSassListing(std::move(disassembly->text));
    if (!listing || listing->kernels.empty()) {
        giveUp("no kernel in the listing");
    }
    return listing->kernels.front().instructions.size();
}

double medianOf(const ordered_json& row)
{
    return row.at("median_ms").get<double>();
}

} // namespace

int main(int argc, char** argv)
{
    const std::string file = argc > 1
        ? argv[1]
        : std::string(PTXWB_SOURCE_ROOT) + "/tasks/gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx";
    const auto text = readFile(file);
    auto work = TemporaryDirectory::create("ptxwb-bench");
    if (!text || !work) {
        giveUp(!text ? describe(text.error()) : describe(work.error()));
    }
    const auto toolchain = findToolchain();
    if (!toolchain.ptxas || !toolchain.nvdisasm) {
        giveUp("ptxas and nvdisasm are needed");
    }
    const Compiler compiler(toolchain, work->path() / "build");
    const auto source = work->path() / "bare.ptx";
    const auto cubin = work->path() / "bare.cubin";
    constexpr int rounds = 9;

    int round = 0;
    ordered_json rows = ordered_json::array();
    rows.push_back(benchmarks::measured("bare ptxas + nvdisasm", rounds, 0, [&] {
        if (!writeFileAtomically(source, edited(*text, ++round))) {
            giveUp("cannot write");
        }
        run({toolchain.ptxas->path, "-arch=sm_90a", "-v", "-lineinfo", "-o", cubin, source});
        run({toolchain.nvdisasm->path, "-c", "-hex", "-gi", "-gp", cubin});
    }));
    rows.push_back(benchmarks::measured("edited text to parsed listing", rounds, 0,
        [&] { listingRows(compiler, work->path(), edited(*text, ++round)); }));
    rows.push_back(benchmarks::measured(
        "unchanged text, from the cache", rounds, 0, [&] { listingRows(compiler, work->path(), *text); }));
    auto result = benchmarks::document("edit_loop", rows);
    result["ratio_to_bare_tools"] = medianOf(rows[1]) / medianOf(rows[0]);
    result["added_ms"] = medianOf(rows[1]) - medianOf(rows[0]);
    result["added_limit_ms"] = 30;
    result["cached_limit_ms"] = 20;
    fmt::print("{}\n", result.dump(2));
}
