// SPDX-License-Identifier: Apache-2.0
// How often the emulator names a mistake: mutants of the wgmma kernels of tasks/ and of kernels that nvcc
// made (a fence, a wait, a barrier or a commit left out, a constant of a barrier, a parity, an index off by
// one), under the policies early, late and random. Rates over all, and the misses: mutants whose output is
// wrong without a report.
//
//   fault_rates [COUNT [SEED]]        default: 300 1; as many of each kernel as there are
//
// PTXWB_WRITE_DOCS=1: writes the tables of docs/emulator-faults.md too.
#include "core/bench/tensor_content.h"
#include "core/emulator/emulator.h"
#include "core/support/files.h"
#include "tests/benchmarks/mutants.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

using Json = nlohmann::ordered_json;

struct Seen {
    bool refused = false; ///< it does not parse
    bool named = false;
    bool lineNamed = false;
    std::string rules{};
    double difference = 0; ///< of the outputs from those of the correct kernel, normwise
    std::array<std::vector<std::vector<std::byte>>, 3> buffers{};
};

double differenceOfOutputs(const ResolvedPlan& plan, const std::vector<std::vector<std::byte>>& a,
    const std::vector<std::vector<std::byte>>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (plan.buffers[i].role == BufferRole::Output && a[i] != b[i]) {
            const auto one = differenceOf(describeContent(plan.buffers[i], a[i]), b[i]);
            most = std::max(most, one - toleratedDifference(plan.buffers[i].type.dtype));
        }
    }
    return most;
}

Seen runAll(const MutantSource& source, const std::string& text, int line, const Seen* correct)
{
    Seen seen;
    for (std::size_t at = 0; at < seen.buffers.size(); ++at) {
        EmulatorRequest request;
        request.text = text;
        request.plan = source.plan;
        request.buffers = source.buffers;
        request.policy = static_cast<AsyncPolicy>(at);
        request.onlyClusters = source.onlyClusters;
        request.limits.stepsPerCluster = 1'000'000;
        request.limits.repetitions = 20;
        auto outcome = emulate(std::move(request));
        if (!outcome) {
            seen.refused = true;
            return seen;
        }
        seen.named = seen.named || !outcome->reports.empty();
        for (const auto& report : outcome->reports) {
            const std::string rule(ruleName(report.rule));
            seen.rules += seen.rules.find(rule) == std::string::npos ? rule + " " : "";
            for (const auto& place : report.lines) {
                seen.lineNamed = seen.lineNamed || std::abs(place.line - line) <= 1;
            }
        }
        if (correct == nullptr) {
            seen.buffers[at] = std::move(outcome->buffers);
        } else if (outcome->end == EmulatorEnd::Completed) {
            seen.difference = std::max(
                seen.difference, differenceOfOutputs(source.plan, correct->buffers[at], outcome->buffers));
        }
        if (outcome->end != EmulatorEnd::Completed) {
            break;
        }
    }
    return seen;
}

struct Rates {
    int mutants = 0;
    int named = 0;
    int wrongUnnamed = 0;
    int noEffect = 0;
};

Json row(const std::string& name, const Rates& r)
{
    return {{"kind", name}, {"mutants", r.mutants}, {"named", r.named},
        {"wrong_without_report", r.wrongUnnamed}, {"no_effect_seen", r.noEffect}};
}

/// As many of each kernel as there are, up to `wanted`; at random.
std::vector<std::pair<std::size_t, Mutant>> chosen(
    const std::vector<MutantSource>& sources, int wanted, std::mt19937& random)
{
    std::vector<std::vector<Mutant>> bySource;
    for (const auto& source : sources) {
        bySource.push_back(mutantsOf(source.text));
        std::shuffle(bySource.back().begin(), bySource.back().end(), random);
    }
    std::vector<std::pair<std::size_t, Mutant>> all;
    for (bool more = true; more && static_cast<int>(all.size()) < wanted;) {
        more = false;
        for (std::size_t s = 0; s < bySource.size() && static_cast<int>(all.size()) < wanted; ++s) {
            if (!bySource[s].empty()) {
                all.emplace_back(s, std::move(bySource[s].back()));
                bySource[s].pop_back();
                more = true;
            }
        }
    }
    return all;
}

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t");
    auto line = first == std::string::npos ? std::string() : text.substr(first);
    line = line.substr(0, line.find("//"));
    return line.substr(0, line.find_last_not_of(" \t") + 1);
}

std::string tables(const Json& document)
{
    std::string text =
        fmt::format("Of {} mutants of {} kernels (seed {}) {} are named, {} give a wrong output without "
                    "a report, {} show no effect (outputs and reports are as without them).\n\n",
            document["rows"][0]["mutants"].get<int>(), document["kernels"].get<int>(),
            document["seed"].get<unsigned>(), document["rows"][0]["named"].get<int>(),
            document["rows"][0]["wrong_without_report"].get<int>(),
            document["rows"][0]["no_effect_seen"].get<int>());
    text += "| kind | mutants | named | wrong without a report | no effect seen |\n| --- | --- | --- | --- | "
            "--- |\n";
    for (const auto& r : document["rows"]) {
        text +=
            fmt::format("| {} | {} | {} | {} | {} |\n", r["kind"].get<std::string>(), r["mutants"].get<int>(),
                r["named"].get<int>(), r["wrong_without_report"].get<int>(), r["no_effect_seen"].get<int>());
    }
    text += "\nWrong without a report (a task's oracle would say so; the emulator alone does not):\n\n";
    for (const auto& m : document["misses"]) {
        text += fmt::format("- {}, line {}, {}: `{}` became `{}`\n", m["kernel"].get<std::string>(),
            m["line"].get<int>(), m["kind"].get<std::string>(), trimmed(m["from"].get<std::string>()),
            trimmed(m["to"].get<std::string>()));
    }
    return text;
}

void writeTables(const Json& document)
{
    const std::string path = std::string(PTXWB_SOURCE_ROOT) + "/docs/emulator-faults.md";
    auto text = readFile(path);
    const std::string first = "<!-- mutants -->\n";
    const std::string last = "<!-- mutants end -->";
    if (!text || text->find(first) == std::string::npos || text->find(last) == std::string::npos) {
        std::fprintf(stderr, "docs/emulator-faults.md has no place for the tables\n");
        return;
    }
    const auto from = text->find(first) + first.size();
    text->replace(from, text->find(last) - from, "\n" + tables(document) + "\n");
    if (!writeFileAtomically(path, *text)) {
        std::fprintf(stderr, "docs/emulator-faults.md cannot be written\n");
    }
}

} // namespace

int main(int argc, char** argv)
{
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 300;
    const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
    const auto sources = mutantSources();
    if (!sources) {
        std::fprintf(stderr, "%s\n", describe(sources.error()).c_str());
        return 2;
    }
    std::mt19937 random(seed);
    const auto mutants = chosen(*sources, wanted, random);
    std::vector<Seen> correct;
    Json unclean = Json::array();
    for (const auto& source : *sources) {
        correct.push_back(runAll(source, source.text, 0, nullptr));
        if (correct.back().named || correct.back().refused) {
            unclean.push_back({{"kernel", source.name}, {"rules", correct.back().rules}});
        }
    }
    Rates all;
    int lineNamed = 0;
    std::map<std::string, Rates> byKind;
    std::map<std::string, Rates> byKernel;
    Json misses = Json::array();
    Json silent = Json::array();
    for (const auto& [s, mutant] : mutants) {
        const auto& source = (*sources)[s];
        const auto seen = runAll(source, mutant.text, mutant.line, &correct[s]);
        const bool wrong = seen.difference > 0;
        lineNamed += seen.lineNamed ? 1 : 0;
        for (auto* rates : {&all, &byKind[mutant.kind], &byKernel[source.name]}) {
            ++rates->mutants;
            ++(seen.named || seen.refused ? rates->named : wrong ? rates->wrongUnnamed : rates->noEffect);
        }
        if (!seen.named && !seen.refused) {
            (wrong ? misses : silent)
                .push_back({{"kernel", source.name}, {"kind", mutant.kind}, {"line", mutant.line},
                    {"from", mutant.from}, {"to", mutant.to}});
        }
    }
    Json rows = Json::array({row("all", all)});
    for (const auto& [name, rates] : byKind) {
        rows.push_back(row(name, rates));
    }
    Json kernels = Json::array();
    for (const auto& [name, rates] : byKernel) {
        kernels.push_back(row(name, rates));
    }
    const Json document{{"schema", "ptxwb.fault_rates.v2"}, {"seed", seed}, {"kernels", sources->size()},
        {"reports_on_correct_kernels", unclean}, {"own_line_named", lineNamed}, {"rows", rows},
        {"by_kernel", kernels}, {"misses", misses}, {"no_effect_seen", silent}};
    if (std::getenv("PTXWB_WRITE_DOCS") != nullptr) {
        writeTables(document);
    }
    std::printf("%s\n", document.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return 0;
}
