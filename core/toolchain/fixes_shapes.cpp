// SPDX-License-Identifier: Apache-2.0
// "Illegal matrix shape": the depth that the type of A asks for.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxwb::detail {

namespace {

struct Element {
    std::string_view type;
    int bits;
};

constexpr std::array<Element, 12> elements{{{".f16", 16}, {".bf16", 16}, {".tf32", 32}, {".e4m3", 8},
    {".e5m2", 8}, {".s8", 8}, {".u8", 8}, {".s4", 4}, {".u4", 4}, {".b1", 1}, {".f64", 64}, {".e2m1", 4}}};

// The bits of one element of A: the type behind that of D.
int bitsOfA(std::string_view opcode)
{
    int types = 0;
    for (std::size_t at = 0; at < opcode.size();) {
        const auto end = std::min(opcode.find('.', at + 1), opcode.size());
        const auto part = opcode.substr(at, end - at);
        const auto found = std::find_if(
            elements.begin(), elements.end(), [&](const Element& one) { return one.type == part; });
        const bool isType = found != elements.end() || part == ".f32" || part == ".s32";
        types += isType ? 1 : 0;
        if (types == 2) {
            return found == elements.end() ? 0 : found->bits;
        }
        at = end;
    }
    return 0;
}

struct Shape {
    int m = 0;
    int n = 0;
    int k = 0;
};

std::optional<Shape> shapeOf(std::string_view word)
{
    Shape made;
    const auto number = [&](char letter, int& into) {
        const auto at = word.find(letter);
        return at != std::string_view::npos
            && std::from_chars(word.data() + at + 1, word.data() + word.size(), into).ec == std::errc{};
    };
    return number('m', made.m) && number('n', made.n) && number('k', made.k) ? std::optional(made)
                                                                             : std::nullopt;
}

// Registers of 32 bits that A's list holds; 0 where A is no list.
int registersOfA(const CodeText& code, const PtxStatement& statement)
{
    if (statement.operands.size() < 2) {
        return 0;
    }
    const auto [first, end] = statement.operands[1];
    return code.text(first) == "{" ? static_cast<int>(end - first) / 2 : 0;
}

// "Illegal vector size: 8": `.x8` with eight registers in the braces.
std::optional<Remedy> matrixCount(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const int line = cause.root->line.value_or(0);
    for (auto i = code.firstOnLine(line); line > 0 && i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        const bool isMatrix = statement
            && (statement->opcode.starts_with("ldmatrix.") || statement->opcode.starts_with("stmatrix."));
        constexpr std::array<std::string_view, 5> counts{".x8", ".x16", ".x32", ".x64", ".x128"};
        for (auto at = i; isMatrix && at < statement->operands.front().first; ++at) {
            if (std::find(counts.begin(), counts.end(), code.text(at)) == counts.end()) {
                continue;
            }
            const auto name = statement->opcode.substr(0, statement->opcode.find('.'));
            return Remedy{.explanation = fmt::format(
                              "Found by the workbench: one {} moves 1, 2 or 4 matrices, with as many "
                              "registers in the braces. For more write several, each with an address of "
                              "its own.",
                              name),
                .betterRoot = ownError(
                    context, fmt::format("{} has .x1, .x2 and .x4, no {}", name, code.text(at)), at)};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfShape(const Cause& cause, const FixContext& context)
{
    const auto& said = *cause.root;
    if (said.message.starts_with("Illegal vector size")) {
        return matrixCount(cause, context);
    }
    const bool isOfTypes = said.message.starts_with("Illegal instruction types")
        && said.message.find("with shape") != std::string::npos;
    const bool isUnknown = said.message.starts_with("Unknown modifier '.m");
    if (!(isOfTypes || isUnknown || said.message.starts_with("Illegal matrix shape")) || !said.line) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const auto word = quotedText(said.message, isOfTypes ? 1 : 0);
    const auto shape = shapeOf(word);
    for (auto i = code.firstOnLine(*said.line); shape && i < code.size() && code.line(i) == *said.line; ++i) {
        const auto statement = code.text(i) == word ? code.statementAt(i) : std::nullopt;
        const int bits = statement ? bitsOfA(statement->opcode) : 0;
        if (bits == 0) {
            continue;
        }
        Remedy made;
        int wanted = 0;
        if (statement->opcode.starts_with("wgmma.")) {
            wanted = 256 / bits; // 32 bytes of K
            made.explanation = fmt::format(
                "One wgmma takes 32 bytes of K: with elements of {} bits that is k{}. m is 64, "
                "and n a multiple of 8 from 8 to 256.{}",
                bits, wanted,
                shape->m != 64 ? fmt::format(" Here m is {}.", shape->m)
                    : shape->n % 8 != 0 || shape->n > 256 || shape->n == 0 ? fmt::format(
                          " Here n is {}; D, with n / 2 registers of .f32 in each thread, and the tile of B "
                          "change with it.",
                          shape->n)
                                                                           : std::string());
        } else if (statement->opcode.starts_with("mma.")) {
            const int registers = registersOfA(code, *statement); // of 32 lanes, 32 bits each
            wanted = registers == 0 || shape->m == 0 ? 0 : registers * 32 * 32 / (shape->m * bits);
            made.explanation =
                fmt::format("A of {} x K elements of {} bits, in {} registers of each lane, has K {}.",
                    shape->m, bits, registers, wanted);
        }
        if (wanted == 0) {
            return std::nullopt;
        }
        const bool restFits = !statement->opcode.starts_with("wgmma.")
            || (shape->m == 64 && shape->n % 8 == 0 && shape->n <= 256);
        if (wanted != shape->k && restFits) {
            const auto better = fmt::format(".m{}n{}k{}", shape->m, shape->n, wanted);
            made.fixes.push_back({.title = fmt::format("Change {} to {}", word, better),
                .edits = {code.replaceTokens(i, i + 1, better)}});
        }
        return made;
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
