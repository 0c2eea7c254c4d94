// SPDX-License-Identifier: Apache-2.0
// The listing parser on 100,000 rows; the diff on kernels whose registers are all renamed, and on unlike
// ones.
#include "benchmark.h"
#include "core/sass/diff.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>

using namespace ptxwb;

namespace {

/// A made-up kernel in nvdisasm's format: loops of loads, tensor work, arithmetic and stores, with line
/// markers. `shift` moves every register by that much; `seed` varies the instructions.
std::string syntheticListing(int rows, int shift, unsigned seed)
{
    std::mt19937 random(seed);
    std::string text = "\t.target\tsm_90a\n\n//--------------------- .text.k --------------------------\n"
                       "\t.section\t.text.k,\"ax\",@progbits\n\t.align\t128\nk:\n.text.k:\n";
    auto out = std::back_inserter(text);
    const auto r = [&](unsigned limit) { return static_cast<int>(random() % limit) * 4 + shift; };
    int label = 0;
    int blockRows = 0;
    for (int i = 0; i < rows; ++i) {
        std::string code;
        if (blockRows == 0) {
            fmt::format_to(out, ".L_x_{}:\n", label);
            blockRows = 12 + static_cast<int>(random() % 30);
        }
        if (i % 3 == 0) {
            fmt::format_to(out,
                "\t//## File \"kernel.cu\", line {}\n\t//## File \".nv_debug_ptx_txt\", line {}\n",
                10 + i / 40, 20 + i / 3);
        }
        switch (--blockRows == 0 ? 9 : random() % 9) {
        case 0:
            code = fmt::format(
                "LDS.128 R{}, [R{}+UR{}+0x{:x}] ;", r(40), r(40), 4 + shift, (random() % 64) * 16);
            break;
        case 1:
            code = fmt::format("HMMA.16816.F32.BF16 R{0}, R{1}, R{2}, R{0} ;", r(40), r(40), r(40));
            break;
        case 2:
            code = fmt::format("IADD3 R{}, R{}, 0x{:x}, RZ ;", r(40), r(40), random() % 512);
            break;
        case 3:
            code = fmt::format(
                "LDG.E.64 R{}, desc[UR{}][R{}.64+0x{:x}] ;", r(40), 8 + shift, r(40), (random() % 64) * 8);
            break;
        case 4:
            code = fmt::format("STG.E.128 desc[UR{}][R{}.64], R{} ;", 8 + shift, r(40), r(40));
            break;
        case 5:
            code = fmt::format("ISETP.GE.AND P{}, PT, R{}, R{}, PT ;", (1 + shift) % 7, r(40), r(40));
            break;
        case 9:
            code = fmt::format("BRA `(.L_x_{}) ;", label++);
            break;
        default:
            code = fmt::format("FFMA R{0}, R{1}, R{2}, R{0} ;", r(40), r(40), r(40));
        }
        const auto guard = blockRows == 0 ? fmt::format("@P{}", (1 + shift) % 7) : std::string();
        fmt::format_to(out, "        /*{:04x}*/ {:>18} {:<50}  /* 0x{:016x} */\n{:>80}/* 0x{:016x} */\n",
            i * 16, guard, code, random(), "", 0x000fe20000000000ULL | (random() & 0xffffU));
    }
    text += "        /*fffff0*/                   EXIT ;\n";
    return text;
}

SassListing listing(std::string text)
{
    auto parsed = parseSassListing(std::move(text));
    if (!parsed) {
        fmt::print(stderr, "bench_sass: {}\n", parsed.error().message);
        std::exit(4);
    }
    return std::move(*parsed);
}

} // namespace

int main()
{
    using benchmarks::measured;
    auto rows = nlohmann::ordered_json::array();

    const auto large = syntheticListing(100000, 0, 1);
    // The caller hands its text over; copies of it are made outside the timed part.
    std::vector<std::string> copies(21, large);
    auto row = measured("parse_100000_rows", 9, 150, [&copies] {
        listing(std::move(copies.back()));
        copies.pop_back();
    });
    row["input_bytes"] = large.size();
    rows.push_back(row);

    rows.push_back(measured("parse_count_families_and_decode_100000_rows", 9, 150, [&copies] {
        const auto parsed = listing(std::move(copies.back()));
        copies.pop_back();
        int stalls = static_cast<int>(countFamilies(parsed).size());
        for (const auto& instruction : parsed.kernels[0].instructions) {
            stalls += decodeControl(instruction.encoding).stall;
        }
        if (stalls == 0) {
            std::exit(4);
        }
    }));

    const auto diffRow = [&rows](
                             const char* name, const SassListing& a, const SassListing& b, double limitMs) {
        SassDiff diff;
        auto measuredRow = measured(name, 5, limitMs, [&] { diff = diffListings(a, b); });
        measuredRow["summary"] = diff.summary;
        rows.push_back(measuredRow);
    };
    const auto a20 = listing(syntheticListing(20000, 0, 2));
    diffRow("diff_2x20000_rows_all_registers_renamed", a20, listing(syntheticListing(20000, 1, 2)), 400);
    diffRow("diff_2x20000_rows_unlike", a20, listing(syntheticListing(20000, 0, 3)), 0);
    const auto a100 = listing(large);
    diffRow("diff_2x100000_rows_all_registers_renamed", a100, listing(syntheticListing(100000, 1, 1)), 0);
    diffRow("diff_2x100000_rows_unlike", a100, listing(syntheticListing(100000, 0, 4)), 0);

    std::puts(benchmarks::document("sass", rows).dump(2).c_str());
    return 0;
}
