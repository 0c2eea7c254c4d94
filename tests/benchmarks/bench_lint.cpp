// SPDX-License-Identifier: Apache-2.0
// Lint of a PTX file of 20,000 lines: our example kernels, again and again under other names. Whole, and
// after one edited line.
#include "benchmark.h"
#include "core/ptx/lexer.h"
#include "core/ptx/lint.h"
#include "core/ptx/lint/program.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace ptxwb;
using nlohmann::ordered_json;

namespace {

constexpr int wantedLines = 20000;

[[noreturn]] void giveUp(const std::string& why)
{
    fmt::print(stderr, "bench_lint: {}\n", why);
    std::exit(3);
}

std::string kernelText(const std::string& file)
{
    auto text = readFile(std::string(PTXWB_SOURCE_ROOT) + "/tasks/" + file);
    if (!text) {
        giveUp(describe(text.error()));
    }
    return *text;
}

// The kernel alone: the module's head is written once.
std::string renamed(const std::string& text, int copy)
{
    auto body = text.substr(text.find(".visible .entry"));
    const auto name = body.find("entry ") + 6;
    body.insert(body.find_first_of("( \n", name), fmt::format("_{}", copy));
    return body;
}

std::string bigFile()
{
    const auto gemm = kernelText("gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx");
    const auto attention = kernelText("attention/mha_with_lse_d128/examples/wgmma_tma.ptx");
    std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                       ".extern .shared .align 1024 .b8 dynamicShared[];\n"
                       ".extern .shared .align 1024 .b8 sharedMemory[];\n";
    int lines = 5;
    for (int copy = 0; lines < wantedLines; ++copy) {
        const auto part = renamed(copy % 2 == 0 ? gemm : attention, copy);
        lines += static_cast<int>(std::count(part.begin(), part.end(), '\n'));
        text += part;
    }
    return text;
}

} // namespace

int main()
{
    const auto text = bigFile();
    auto linter = PtxLinter::create();
    if (!linter) {
        giveUp(describe(linter.error()));
    }
    const auto findings = linter->lint(text).size();
    constexpr int rounds = 15;
    ordered_json rows = ordered_json::array();
    rows.push_back(benchmarks::measured("lex", rounds, 0, [&] { lexPtx(text); }));
    rows.push_back(benchmarks::measured("lex and parse", rounds, 0, [&] { lint::readProgram(text); }));
    bool other = false;
    rows.push_back(benchmarks::measured("lex, parse and lint of the whole file", rounds, 60, [&] {
        other = !other; // the head differs, so that nothing of the last time serves
        linter->lint(other ? " " + text : text);
        if (linter->lastWasIncremental()) {
            giveUp("the whole was to be read");
        }
    }));
    const auto middle = text.find("bar.sync", text.size() / 2);
    int edits = 0;
    linter->lint(text);
    rows.push_back(benchmarks::measured("again after one edited line", rounds, 10, [&] {
        auto edited = text;
        edited.insert(middle, fmt::format("add.u32 %t, %t, {};\n    ", ++edits));
        linter->lint(edited);
        if (!linter->lastWasIncremental()) {
            giveUp("one kernel was to be read");
        }
    }));
    auto result = benchmarks::document("lint", rows);
    result["lines"] = std::count(text.begin(), text.end(), '\n');
    result["bytes"] = text.size();
    result["findings"] = findings;
    result["note"] = "an edit costs the reading of its kernel: a file that is one kernel is read as a whole";
    fmt::print("{}\n", result.dump(2));
}
