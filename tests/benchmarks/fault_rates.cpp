// SPDX-License-Identifier: Apache-2.0
// How often the emulator names a mistake: mutants of the wgmma + TMA GEMM (a fence, a wait or a commit left
// out, a constant of a barrier, a parity, an index off by one), under the policies early, late and random.
// Rates over all, and the misses: mutants whose output is wrong without a report.
//
//   fault_rates [COUNT [SEED]]        default: 300 1
#include "core/bench/task.h"
#include "core/emulator/emulator.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>
#include <sstream>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

using Json = nlohmann::ordered_json;

struct Kind {
    const char* name;
    const char* where; ///< of a line
    const char* what; ///< is replaced ...
    const char* by; ///< ... by this
};
constexpr Kind kinds[] = {
    {"fence left out", R"(^\s*(@!?%\w+\s+)?(wgmma\.)?fence\.[^;]*;)", R"((wgmma\.)?fence\.[^;]*;)", ""},
    {"wait left out", R"(wait_group[^;]*;)", R"((@!?%\w+\s+)?(wgmma|cp\.async\.bulk)\.wait_group[^;]*;)", ""},
    {"commit left out", R"(commit_group)", R"((@!?%\w+\s+)?(wgmma|cp\.async\.bulk)\.commit_group[^;]*;)", ""},
    {"bytes of a barrier", R"(expect_tx.*, \d+;)", R"(, (\d+)(\d);)", ", 1$1$2;"},
    {"arrivals of a barrier", R"(mbarrier\.init.*, \d+;)", R"(, (\d+);)", ", 1$1;"},
    {"parity", R"(mov\.b32\s+%parity, [01];)", R"(%parity, [01];)", "%parity, 2;"},
    {"parity not turned", R"(xor\.b32.*parity)", R"(xor\.b32[^;]*;)", ""},
    {"threads of a named barrier", R"(bar\.sync.*, \d+;)", R"(, (\d+);)", ", 64;"},
    {"index off by one", R"(add\.(u32|s32|u64|s64)\s+%\w+, %\w+, 1;)", R"(, 1;)", ", 2;"},
    {"index off by one", R"(setp\.(lt|ge|ne|eq)\.(u32|s32)\s+%\w+, %\w+, \d+;)", R"(, (\d);)", ", 1$1;"},
};

struct Mutant {
    std::string kind{};
    std::size_t line = 0; ///< from 1
    std::string text{}; ///< the whole kernel
    std::string from{};
    std::string to{};
};

std::vector<Mutant> mutantsOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    std::vector<Mutant> all;
    for (const auto& kind : kinds) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!std::regex_search(lines[i], std::regex(kind.where))) {
                continue;
            }
            Mutant mutant{.kind = kind.name,
                .line = i + 1,
                .from = lines[i],
                .to = std::regex_replace(
                    lines[i], std::regex(kind.what), kind.by, std::regex_constants::format_first_only)};
            if (mutant.to == mutant.from) {
                continue;
            }
            for (std::size_t j = 0; j < lines.size(); ++j) {
                mutant.text += (j == i ? mutant.to : lines[j]) + "\n";
            }
            all.push_back(std::move(mutant));
        }
    }
    return all;
}

struct Seen {
    bool failed = false; ///< did not parse, or a run could not be made
    bool named = false;
    bool lineNamed = false;
    std::array<std::vector<std::byte>, 3> outputs{};
};

Seen runAll(const std::string& text, const Task& task, const Workload& workload, std::size_t line)
{
    Seen seen;
    auto plan = resolveLaunchPlan(text, task, workload);
    if (!plan) {
        return {.failed = true};
    }
    plan->launches[0].grid = {2, 1, 1};
    std::size_t at = 0;
    for (const auto policy : {AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random}) {
        EmulatorRequest request;
        request.text = text;
        request.plan = *plan;
        std::mt19937 random(7);
        for (const auto& buffer : plan->buffers) {
            auto& bytes = request.buffers.emplace_back(buffer.type.bytes());
            for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) { // bfloat16 from 1 to 2
                bytes[i] = std::byte{static_cast<unsigned char>(random() & 0x7FU)} | std::byte{0x80};
                bytes[i + 1] = std::byte{0x3F};
            }
        }
        request.policy = policy;
        request.limits.stepsPerCluster = 3'000'000;
        const auto outcome = emulate(std::move(request));
        if (!outcome) {
            seen.failed = true;
            return seen;
        }
        seen.named = seen.named || !outcome->reports.empty();
        for (const auto& report : outcome->reports) {
            for (const auto& place : report.lines) {
                seen.lineNamed = seen.lineNamed || place.line == static_cast<int>(line);
            }
        }
        seen.outputs[at++] = outcome->buffers.back();
    }
    return seen;
}

struct Rates {
    int mutants = 0;
    int named = 0;
    int wrongUnnamed = 0;
    int noEffect = 0;
};

} // namespace

int main(int argc, char** argv)
{
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 300;
    const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
    const std::string directory = std::string(PTXWB_SOURCE_ROOT) + "/tasks/gemm/gemm_n7168_k5120";
    auto text = readFile(directory + "/examples/wgmma_tma.ptx");
    const auto task = loadTask(directory);
    if (!text || !task) {
        std::fprintf(stderr, "the GEMM of tasks/ is not there\n");
        return 2;
    }
    *text = std::regex_replace(*text, std::regex("%k, 5120;"), "%k, 640;"); // a tenth of the depth
    Workload workload = **task->workload("emulator");
    workload.axes["M"] = 64;
    const auto correct = runAll(*text, *task, workload, 0);
    auto mutants = mutantsOf(*text);
    std::shuffle(mutants.begin(), mutants.end(), std::mt19937(seed));
    mutants.resize(std::min(mutants.size(), static_cast<std::size_t>(std::max(wanted, 0))));
    Rates all;
    std::map<std::string, Rates> byKind;
    Json misses = Json::array();
    for (const auto& mutant : mutants) {
        const auto seen = runAll(mutant.text, *task, workload, mutant.line);
        for (auto* rates : {&all, &byKind[mutant.kind]}) {
            ++rates->mutants;
            const bool wrong = seen.outputs != correct.outputs;
            ++(seen.named || seen.failed ? rates->named : wrong ? rates->wrongUnnamed : rates->noEffect);
        }
        if (!seen.named && !seen.failed && seen.outputs != correct.outputs) {
            misses.push_back(
                {{"kind", mutant.kind}, {"line", mutant.line}, {"from", mutant.from}, {"to", mutant.to}});
        }
    }
    const auto row = [](const std::string& name, const Rates& r) {
        return Json{{"kind", name}, {"mutants", r.mutants}, {"named", r.named},
            {"wrong_without_report", r.wrongUnnamed}, {"no_effect_seen", r.noEffect}};
    };
    Json rows = Json::array({row("all", all)});
    for (const auto& [name, rates] : byKind) {
        rows.push_back(row(name, rates));
    }
    const Json document{{"schema", "ptxwb.fault_rates.v1"}, {"seed", seed},
        {"clean_without_report", !correct.named && !correct.failed}, {"rows", rows}, {"misses", misses}};
    std::printf("%s\n", document.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return 0;
}
