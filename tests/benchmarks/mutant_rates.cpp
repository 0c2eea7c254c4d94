// SPDX-License-Identifier: Apache-2.0
// How often a diagnostic finds the place of a mistake: mutants of the example kernels, each with one mistake
// at a line that is known, go through the compiler as a user's file does. Rates over all that ptxas refuses,
// and the misses.
//
//   mutant_rates [COUNT [SEED]]        default: 300 1
#include "core/ptx/lexer.h"
#include "core/support/files.h"
#include "core/toolchain/causes.h"
#include "core/toolchain/compiler.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

using namespace ptxwb;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kernels[] = {
    "gemm/gemm_n7168_k5120/examples/plain.ptx",
    "gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx",
    "gemm/gemm_n7168_k5120/examples/tcgen05_tma.ptx",
    "attention/mha_with_lse_d128/examples/plain.ptx",
    "attention/mha_with_lse_d128/examples/wgmma_tma.ptx",
    "attention/mha_bwd_d128/examples/wgmma_tma.ptx",
};

struct Mutant {
    std::string text{};
    std::string kind{};
    std::string what{};
    int line = 0;
};

struct Source {
    std::string name{};
    std::string text{};
    std::vector<Token> code{}; ///< of the body: no comments, blanks, directives
};

Result<Source> load(const std::string& name)
{
    auto text = readFile(std::string(PTXWB_SOURCE_ROOT) + "/tasks/" + name);
    if (!text) {
        return text.error();
    }
    Source source{.name = name, .text = *std::move(text)};
    for (const auto& token : lexPtx(source.text)) {
        switch (token.kind) {
        case TokenKind::Opcode:
        case TokenKind::Modifier:
        case TokenKind::Type:
        case TokenKind::Register:
        case TokenKind::Number:
        case TokenKind::Punctuation:
        case TokenKind::Identifier:
            source.code.push_back(token);
            break;
        default:
            break;
        }
    }
    return source;
}

Mutant replaced(const Source& source, const Token& token, const std::string& made, std::string kind)
{
    Mutant mutant{.text = source.text,
        .kind = std::move(kind),
        .what = fmt::format("'{}' to '{}'", token.text(source.text), made),
        .line = static_cast<int>(token.line)};
    mutant.text.replace(token.offset, token.length, made);
    return mutant;
}

/// One mistake at a random place; nothing when this kind has no way to be made there.
std::optional<Mutant> mutate(const Source& source, std::mt19937& random)
{
    const auto& token = source.code[random() % source.code.size()];
    const auto& other = source.code[random() % source.code.size()];
    const std::string word(token.text(source.text));
    switch (random() % 5) {
    case 0:
        return replaced(source, token, "", "dropped");
    case 1:
        return token.kind == TokenKind::Punctuation
            ? std::nullopt
            : std::optional(replaced(source, token, word + " " + word, "twice"));
    case 2:
        if (word.size() < 4) {
            return std::nullopt;
        }
        return replaced(source, token, word.substr(0, word.size() - 2) + word.back() + word[word.size() - 2],
            "letters swapped");
    case 3:
        if (token.kind != TokenKind::Type || other.kind != TokenKind::Type
            || other.text(source.text) == word) {
            return std::nullopt;
        }
        return replaced(source, token, std::string(other.text(source.text)), "another type");
    default:
        if (token.kind == TokenKind::Register) {
            return replaced(source, token, word + "77", "register off");
        }
        if (token.kind == TokenKind::Number) {
            return replaced(source, token, "3000000000000", "number too large");
        }
        return std::nullopt;
    }
}

const Diagnostic* rootOf(const CompileOutcome& outcome)
{
    const auto& all = outcome.diagnostics;
    const auto found = std::find_if(all.begin(), all.end(),
        [](const Diagnostic& d) { return d.rootCause && d.severity <= Severity::Error; });
    return found == all.end() ? nullptr : &*found;
}

struct Rates {
    int mutants = 0;
    int accepted = 0; ///< by ptxas: no mistake in its eyes
    int refused = 0;
    int rightLine = 0;
    int withFix = 0;
    int fixCompiles = 0;
};

Json rateJson(const std::string& name, const Rates& rates)
{
    return {{"kind", name}, {"mutants", rates.mutants}, {"accepted_by_ptxas", rates.accepted},
        {"refused", rates.refused}, {"right_line", rates.rightLine}, {"with_fix", rates.withFix},
        {"fix_compiles", rates.fixCompiles}};
}

void judge(const Compiler& compiler, const Mutant& mutant, std::initializer_list<Rates*> rates, Json& misses,
    Json& unmended, const std::string& kernel)
{
    const auto compile = [&](const std::string& text) {
        return compiler.compile({.displayName = "mutant.ptx", .text = text, .options = {"-O0"}});
    };
    const auto outcome = compile(mutant.text);
    if (!outcome) {
        std::fprintf(stderr, "%s\n", outcome.error().message.c_str());
        std::exit(3);
    }
    const auto count = [&](int Rates::*member) {
        for (auto* one : rates) {
            ++(one->*member);
        }
    };
    count(&Rates::mutants);
    if (outcome->ok) {
        count(&Rates::accepted);
        return;
    }
    count(&Rates::refused);
    const auto* root = rootOf(*outcome);
    if (root != nullptr && root->line.value_or(0) == mutant.line) {
        count(&Rates::rightLine);
    } else {
        misses.push_back(
            {{"kernel", kernel}, {"kind", mutant.kind}, {"line", mutant.line}, {"what", mutant.what},
                {"named_line", root == nullptr || !root->line ? Json(nullptr) : Json(*root->line)},
                {"message", root == nullptr ? Json(nullptr) : Json(root->message)}});
    }
    bool isMended = false;
    if (root != nullptr && !root->fixes.empty()) {
        count(&Rates::withFix);
        const auto again = compile(applyFix(mutant.text, root->fixes.front()));
        isMended = again && again->ok;
        if (isMended) {
            count(&Rates::fixCompiles);
        }
    }
    if (!isMended) {
        unmended.push_back({{"kernel", kernel}, {"kind", mutant.kind}, {"line", mutant.line},
            {"what", mutant.what}, {"message", root == nullptr ? Json(nullptr) : Json(root->message)},
            {"fix",
                root == nullptr || root->fixes.empty() ? Json(nullptr) : Json(root->fixes.front().title)}});
    }
}

} // namespace

int main(int argc, char** argv)
{
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 300;
    const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
    std::vector<Source> sources;
    for (const char* name : kernels) {
        auto source = load(name);
        if (!source) {
            std::fprintf(stderr, "%s: %s\n", name, source.error().message.c_str());
            return 2;
        }
        sources.push_back(*std::move(source));
    }
    const Compiler compiler(findToolchain());
    std::mt19937 random(seed);
    Rates all;
    std::map<std::string, Rates> byKind;
    Json misses = Json::array();
    Json unmended = Json::array(); // without a fix that compiles
    while (all.refused < wanted) {
        const auto& source = sources[random() % sources.size()];
        if (const auto mutant = mutate(source, random)) {
            judge(compiler, *mutant, {&all, &byKind[mutant->kind]}, misses, unmended, source.name);
        }
    }
    Json rows = Json::array({rateJson("all", all)});
    for (const auto& [kind, rates] : byKind) {
        rows.push_back(rateJson(kind, rates));
    }
    const Json document{{"schema", "ptxwb.mutant_rates.v1"}, {"seed", seed}, {"rows", rows},
        {"misses", misses}, {"unmended", unmended}};
    std::printf("%s\n", document.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return 0;
}
