// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/mutants.h"

#include "core/bench/host_input.h"
#include "core/bench/task.h"
#include "core/emulator/run_plan.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

namespace ptxwb::emulator {

namespace {

struct Kind {
    const char* name;
    const char* where; ///< of a line
    const char* what; ///< is replaced ...
    const char* by; ///< ... by this
};
constexpr Kind kinds[] = {
    {"fence left out", R"(^\s*(@!?%\w+\s+)?(wgmma\.)?(fence|membar)\.[^;]*;)",
        R"((wgmma\.)?(fence|membar)\.[^;]*;)", ""},
    {"wait left out", R"((wait_group|wait_all)[^;]*;)",
        R"((@!?%\w+\s+)?(wgmma|cp\.async(\.bulk)?)\.wait_(group|all)[^;]*;)", ""},
    {"wait for one group less", R"(wait_group[^;]*0;)", R"( 0;)", " 1;"},
    {"wait for a phase left out", R"(mbarrier\.try_wait[^;]*;)", R"(mbarrier\.try_wait\S*\s+(%?\w+),[^;]*;)",
        "setp.eq.u32 $1, 0, 0;"},
    {"commit left out", R"(commit_group)", R"((@!?%\w+\s+)?(wgmma|cp\.async(\.bulk)?)\.commit_group[^;]*;)",
        ""},
    {"barrier left out", R"((bar|barrier)(\.cluster)?\.(sync|arrive|wait|warp)[^;]*;)",
        R"((bar|barrier)(\.cluster)?\.(sync|arrive|wait|warp)[^;]*;)", ""},
    {"arrival left out", R"(mbarrier\.arrive\.(shared|release)[^;]*;)",
        R"((@!?%\w+\s+)?mbarrier\.arrive\.[^;]*;)", ""},
    {"bytes of a barrier", R"(expect_tx.*, \d+;)", R"(, (\d+)(\d);)", ", 1$1$2;"},
    {"arrivals of a barrier", R"(mbarrier\.init.*, \d+;)", R"(, (\d+);)", ", 1$1;"},
    {"parity", R"(mov\.b32\s+%parity\w*, 0;)", R"(, 0;)", ", 1;"},
    {"parity", R"(mov\.b32\s+%parity\w*, 1;)", R"(, 1;)", ", 0;"},
    {"parity", R"(try_wait\.parity.*, 0;)", R"(, 0;)", ", 1;"},
    {"parity", R"(bfe\.u32\s+%parity\w*, %\w+, \d, 1;)", R"(, (\d), 1;)", ", 1$1, 1;"},
    {"parity not turned", R"(xor\.b32.*parity)", R"(xor\.b32[^;]*;)", ""},
    {"threads of a named barrier", R"(bar\.(sync|arrive).*, \d+;)", R"(, (\d+);)", ", 64;"},
    {"index off by one", R"(add\.(u32|s32|u64|s64)\s+%\w+, %\w+, 1;)", R"(, 1;)", ", 2;"},
    {"index off by one", R"(setp\.(lt|ge|ne|eq)\.(u32|s32)\s+%\w+, %\w+, \d+;)", R"(, (\d);)", ", 1$1;"},
    {"address off by one", R"(^\s*(ld|st)\.(shared|global)\S*\.[bfsu]32\s.*\[%\w+\])", R"(\[(%\w+)\])",
        "[$1+4]"},
};

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

Result<MutantSource> ofTask(const std::string& directory, const std::string& example, std::int64_t rows,
    const char* axis, std::uint64_t onlyClusters)
{
    const std::string root = std::string(PTXWB_SOURCE_ROOT) + "/tasks/" + directory;
    auto task = loadTask(root);
    if (!task) {
        return task.error();
    }
    auto text = readFile(root + "/examples/" + example);
    if (!text) {
        return text.error();
    }
    MutantSource source{.name = directory.substr(directory.find('/') + 1), .onlyClusters = onlyClusters};
    source.text =
        std::regex_replace(*text, std::regex("%k, 5120;"), "%k, 640;"); // GEMM: an eighth of the depth
    auto workload = **task->workload("emulator");
    workload.axes[axis] = rows;
    auto plan = resolveLaunchPlan(source.text, *task, workload);
    if (!plan) {
        return plan.error();
    }
    source.plan = *std::move(plan);
    for (std::size_t b = 0; b < source.plan.buffers.size(); ++b) {
        auto spec = source.plan.buffers[b];
        spec.init = spec.init == BufferInit::Derived ? BufferInit::Random : spec.init;
        auto& bytes = source.buffers.emplace_back(spec.type.bytes());
        if (auto filled = fillOnHost(spec, 1, static_cast<std::uint32_t>(b), bytes.data()); !filled) {
            return filled.error();
        }
    }
    return source;
}

Result<MutantSource> ofCorpus(const std::string& name)
{
    auto text = readFile(std::string(PTXWB_SOURCE_ROOT) + "/tests/data/emulator/corpus/" + name + ".ptx");
    if (!text) {
        return text.error();
    }
    MutantSource source{.name = name, .text = *std::move(text)};
    auto declared = resolveDeclaredPlan(source.text);
    if (!declared) {
        return declared.error();
    }
    auto buffers = makePlanBuffers(*declared, 1, {});
    if (!buffers) {
        return buffers.error();
    }
    source.plan = declared->plan;
    source.buffers = *std::move(buffers);
    return source;
}

} // namespace

Result<std::vector<MutantSource>> mutantSources()
{
    std::vector<Result<MutantSource>> made;
    made.push_back(ofTask("gemm/gemm_n7168_k5120", "wgmma_tma.ptx", 64, "M", 2));
    for (const char* name : {"attention/mha_with_lse_d128", "attention/mha_with_lse_d128_causal",
             "attention/mha_bwd_d128", "attention/mha_bwd_d128_causal"}) {
        made.push_back(ofTask(name, "wgmma_tma.ptx", 256, "S", 1));
    }
    for (const char* name : {"gemm_wgmma_tma", "gemm_mma_sync", "cp_async_pipeline", "bulk_barrier",
             "cluster_reduce", "reduction", "tree_reduction", "scan", "scan_lookback", "histogram",
             "bitonic_sort", "transpose", "layernorm", "softmax", "matmul_tiled", "stencil", "atomics"}) {
        made.push_back(ofCorpus(name));
    }
    std::vector<MutantSource> all;
    for (auto& one : made) {
        if (!one) {
            return one.error();
        }
        all.push_back(*std::move(one));
    }
    return all;
}

std::vector<Mutant> mutantsOf(const std::string& text)
{
    const auto lines = linesOf(text);
    std::vector<Mutant> all;
    for (const auto& kind : kinds) {
        const std::regex where(kind.where);
        const std::regex what(kind.what);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!std::regex_search(lines[i], where)) {
                continue;
            }
            Mutant mutant{.kind = kind.name,
                .line = static_cast<int>(i) + 1,
                .from = lines[i],
                .to = std::regex_replace(lines[i], what, kind.by, std::regex_constants::format_first_only)};
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

} // namespace ptxwb::emulator
