// SPDX-License-Identifier: Apache-2.0
// C and CUDA C++ in PTX: declarations, conditions, loops, calls, assignments, the address of a name.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

Fix replacement(const CodeText& code, std::size_t first, std::size_t end, const std::string& text)
{
    return {
        .title = text.empty() ? fmt::format("Remove '{}'", code.text(first)) : fmt::format("Write {}", text),
        .edits = {code.replaceTokens(first, end, text)}};
}

bool isNameLike(const CodeText& code, std::size_t i)
{
    const auto kind = code[i].kind;
    return kind == TokenKind::Register || kind == TokenKind::Identifier || kind == TokenKind::Opcode;
}

// `if (!p) goto L`, `if (p) bra L`, with or without the braces of C around it
std::optional<Remedy> condition(const CodeText& code, std::size_t i)
{
    auto at = i;
    while (at > 0 && code.text(at) != "if" && i - at < 4) {
        --at;
    }
    if (code.text(at) != "if" || code.text(at + 1) != "(") {
        return std::nullopt;
    }
    auto name = at + 2;
    const bool isNot = code.text(name) == "!";
    name += isNot ? 1 : 0;
    if (name + 3 >= code.size() || !isNameLike(code, name) || code.text(name + 1) != ")") {
        return std::nullopt;
    }
    const auto guard = fmt::format("@{}{}", isNot ? "!" : "", code.text(name));
    const auto verb = code.text(name + 2);
    const bool jumps = verb == "goto" || verb == "jump" || verb == "branch" || verb == "bra";
    const bool leaves = verb == "return";
    if (!jumps && !leaves) {
        return std::nullopt;
    }
    const auto text = fmt::format("{} {}", guard, jumps ? "bra" : "ret");
    return Remedy{.explanation = "PTX has no if: a predicate before an instruction says whether it runs.",
        .fixes = {replacement(code, at, name + 3, text)}};
}

struct CType {
    std::string_view name;
    std::string_view ptx;
    int bytes;
};

constexpr std::array<CType, 16> cTypes{
    {{"uint64_t", ".b64", 8}, {"int64_t", ".b64", 8}, {"size_t", ".b64", 8}, {"uint32_t", ".b32", 4},
        {"int32_t", ".b32", 4}, {"unsigned", ".b32", 4}, {"int", ".b32", 4}, {"float", ".f32", 4},
        {"double", ".f64", 8}, {"half", ".b16", 2}, {"__half", ".b16", 2}, {"__nv_bfloat16", ".b16", 2},
        {"uint16_t", ".b16", 2}, {"uint8_t", ".b8", 1}, {"int8_t", ".b8", 1}, {"char", ".b8", 1}}};

// `__shared__ float tile[128];`
std::optional<Remedy> sharedOfC(const CodeText& code, std::size_t i)
{
    auto first = i;
    while (first > 0 && code.text(first) != "__shared__" && code.line(first - 1) == code.line(i)) {
        --first;
    }
    if (code.text(first) != "__shared__") {
        return std::nullopt;
    }
    Remedy made{.explanation = "__shared__ is CUDA C++: PTX declares .shared .align 8 .b64 name[2]."};
    auto at = first + 1;
    std::string alignment;
    const bool hasAlignment = (code.text(at) == "__align__" || code.text(at) == "alignas")
        && code.text(at + 1) == "(" && code.text(at + 3) == ")";
    if (hasAlignment) {
        alignment = std::string(code.text(at + 2));
        at += 4;
    }
    const auto type = std::find_if(
        cTypes.begin(), cTypes.end(), [&](const CType& one) { return one.name == code.text(at); });
    if (type == cTypes.end()) {
        return made;
    }
    const auto name = code.text(at + 1);
    if (at + 2 >= code.size() || !isNameLike(code, at + 1)) {
        return made;
    }
    alignment = alignment.empty() ? fmt::format("{}", type->bytes) : alignment;
    made.fixes.push_back(
        replacement(code, first, at + 2, fmt::format(".shared .align {} {} {}", alignment, type->ptx, name)));
    return made;
}

// `%r1 = ld.param.u32 [n];`
std::optional<Remedy> assignment(const CodeText& code, std::size_t i)
{
    if (code.text(i) != "=" || i == 0 || i + 2 >= code.size() || !isNameLike(code, i - 1)
        || !isNameLike(code, i + 1) || code.line(i + 1) != code.line(i)) {
        return std::nullopt;
    }
    auto last = i + 1; // of the opcode, which stands where ptxas expects a name
    while (last + 1 < code.size() && code[last].offset + code[last].length == code[last + 1].offset
        && code.text(last + 1).starts_with('.')) {
        ++last;
    }
    if (last == i + 1) {
        return std::nullopt;
    }
    const auto from = code[i + 1].offset;
    const auto opcode = code.source().substr(from, code[last].offset + code[last].length - from);
    const auto result = code.text(i - 1);
    return Remedy{.explanation = "PTX has no '=': the result is the first operand of the instruction.",
        .fixes = {{.title = fmt::format("Write {} {}", opcode, result),
            .edits = {code.replaceTokens(i - 1, last + 1, fmt::format("{} {},", opcode, result))}}}};
}

struct Intrinsic {
    std::string_view name;
    std::string_view ptx; ///< a whole instruction or operand; empty: words only
    std::string_view words;
};

constexpr std::array<Intrinsic, 12> intrinsics{{
    {"__syncwarp", "bar.warp.sync 0xffffffff", "bar.warp.sync"},
    {"__threadfence", "membar.gl", "membar.gl"},
    {"__threadfence_block", "membar.cta", "membar.cta"},
    {"__threadfence_system", "membar.sys", "membar.sys"},
    {"clock", "%clock", "the register %clock"},
    {"clock64", "%clock64", "the register %clock64"},
    {"__cvta_generic_to_shared", "", "cvta.to.shared.u64; the name of a shared array is its address already"},
    {"__shfl_sync", "", "shfl.sync.idx.b32"},
    {"__shfl_xor_sync", "", "shfl.sync.bfly.b32"},
    {"__shfl_down_sync", "", "shfl.sync.down.b32"},
    {"__float2bfloat16", "", "cvt.rn.bf16.f32"},
    {"exp2f", "", "ex2.approx.f32"},
}};

// `__syncwarp();`, `mov.u32 %r1, clock();`
std::optional<Remedy> callOfC(const CodeText& code, std::size_t i)
{
    auto open = i;
    while (open > 0 && code.text(open) != "(" && i - open < 6) {
        --open;
    }
    if (code.text(open) != "(" || open == 0) {
        return std::nullopt;
    }
    const auto name = code.text(open - 1);
    const auto known = std::find_if(
        intrinsics.begin(), intrinsics.end(), [&](const Intrinsic& one) { return one.name == name; });
    if (known == intrinsics.end()) {
        return name.starts_with("__") && name != "__syncthreads" ? std::optional(Remedy{
                   .explanation = fmt::format(
                       "{} is CUDA C++, which PTX does not call: it has an instruction in its place.", name)})
                                                                 : std::nullopt;
    }
    Remedy made{.explanation = fmt::format("{}() is CUDA C++: in PTX it is {}.", name, known->words)};
    if (!known->ptx.empty() && code.text(open + 1) == ")") {
        made.fixes.push_back(replacement(code, open - 1, open + 2, std::string(known->ptx)));
    }
    return made;
}

// `for (int i = 0; ...) {`
std::optional<Remedy> loopOfC(const CodeText& code, std::size_t i)
{
    auto at = i;
    while (at > 0 && code.line(at - 1) == code.line(i)) {
        --at;
    }
    const auto word = code.text(at);
    if ((word != "for" && word != "while" && word != "do" && word != "else" && word != "if")
        || (code.text(at + 1) != "(" && code.text(at + 1) != "{")) {
        return std::nullopt;
    }
    return Remedy{.explanation =
                      fmt::format("PTX has no {}: a label, setp and @%p bra make loops and branches.", word)};
}

// `&bar`
std::optional<Remedy> addressOf(const CodeText& code, std::size_t i)
{
    if (code.text(i) != "&" || i + 1 >= code.size() || !isNameLike(code, i + 1)) {
        return std::nullopt;
    }
    return Remedy{.explanation = "PTX has no &: the name of a variable is its address.",
        .fixes = {replacement(code, i, i + 1, "")}};
}

} // namespace

std::optional<Remedy> remedyOfC(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!message.starts_with("Parsing error near ") || !cause.root->line || context.code.size() == 0) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const auto near = quotedText(message);
    constexpr std::size_t mostPlaces = 64;
    std::size_t places = 0;
    for (auto i = std::max<std::size_t>(code.firstOnLine(*cause.root->line), 1);
         i < code.size() && code.line(i) == *cause.root->line && places < mostPlaces; ++i) {
        if (code.text(i) != near) {
            continue;
        }
        ++places;
        constexpr std::array makers{condition, sharedOfC, addressOf, assignment, callOfC, loopOfC};
        for (const auto maker : makers) {
            if (auto remedy = maker(code, i)) {
                return remedy;
            }
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
