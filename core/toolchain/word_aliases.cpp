// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/word_aliases.h"

#include "core/ptx/vocabulary.h"

#include <algorithm>
#include <array>
#include <string>

namespace ptxwb::detail {

namespace {

struct Alias {
    std::string_view written{};
    std::string_view ptx{};
};

constexpr std::array<Alias, 26> instructions{{
    {"branch", "bra"},
    {"breakpoint", "brkpt"},
    {"br", "bra"},
    {"b", "bra"},
    {"copy", "mov"},
    {"goto", "bra"},
    {"imul", "mul"},
    {"jmp", "bra"},
    {"jump", "bra"},
    {"load", "ld"},
    {"move", "mov"},
    {"mult", "mul"},
    {"multiply", "mul"},
    {"return", "ret"},
    {"select", "selp"},
    {"sel", "selp"},
    {"shuffle", "shfl"},
    {"store", "st"},
    {"subtract", "sub"},
    {"convert", "cvt"},
    {"sll", "shl"},
    {"lsl", "shl"},
    {"lsr", "shr"},
    {"asr", "shr"},
    {"fmad", "fma"},
    {"halt", "exit"},
}};

constexpr std::array<Alias, 38> modifiers{{
    {".acq", ".acquire"},
    {".bfloat16", ".bf16"},
    {".block", ".cta"},
    {".bool", ".pred"},
    {".char", ".s8"},
    {".constant", ".const"},
    {".device", ".gpu"},
    {".double", ".f64"},
    {".float", ".f32"},
    {".float16", ".f16"},
    {".float32", ".f32"},
    {".float64", ".f64"},
    {".fp16", ".f16"},
    {".fp32", ".f32"},
    {".fp64", ".f64"},
    {".gmem", ".global"},
    {".gte", ".ge"},
    {".half", ".f16"},
    {".high", ".hi"},
    {".i16", ".s16"},
    {".i32", ".s32"},
    {".i64", ".s64"},
    {".i8", ".s8"},
    {".int", ".s32"},
    {".int32", ".s32"},
    {".int64", ".s64"},
    {".int8", ".s8"},
    {".long", ".s64"},
    {".low", ".lo"},
    {".lte", ".le"},
    {".neq", ".ne"},
    {".rel", ".release"},
    {".short", ".s16"},
    {".smem", ".shared"},
    {".system", ".sys"},
    {".uint", ".u32"},
    {".uint32", ".u32"},
    {".uint64", ".u64"},
}};

constexpr std::array<Alias, 12> registers{{
    {"blockdim", "%ntid"},
    {"blockidx", "%ctaid"},
    {"blockid", "%ctaid"},
    {"cta_id", "%ctaid"},
    {"griddim", "%nctaid"},
    {"lane", "%laneid"},
    {"lane_id", "%laneid"},
    {"threadid", "%tid"},
    {"threadidx", "%tid"},
    {"thread_id", "%tid"},
    {"warp_id", "%warpid"},
    {"warpsize", "WARP_SZ"},
}};

template <std::size_t N> std::string_view find(const std::array<Alias, N>& aliases, std::string_view written)
{
    const auto found = std::find_if(
        aliases.begin(), aliases.end(), [&](const Alias& one) { return one.written == written; });
    return found == aliases.end() ? std::string_view{} : found->ptx;
}

std::string lower(std::string_view text)
{
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return made;
}

} // namespace

std::string_view aliasOfInstruction(std::string_view name)
{
    return find(instructions, lower(name));
}

std::string_view aliasOfModifier(std::string_view dotted)
{
    return find(modifiers, lower(dotted));
}

std::string_view aliasOfSpecialRegister(std::string_view name)
{
    const auto bare = lower(name.starts_with('%') ? name.substr(1) : name);
    if (const auto alias = find(registers, bare); !alias.empty()) {
        return alias;
    }
    return specialRegisterNamed(bare);
}

} // namespace ptxwb::detail
