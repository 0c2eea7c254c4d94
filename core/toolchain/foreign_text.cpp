// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/foreign_text.h"

#include "core/ptx/lexer.h"

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

struct Sign {
    std::string_view words{};
    bool startsText = false; ///< else anywhere
    bool startsLine = false;
    ForeignText text{};
};

constexpr ForeignText cuda{"CUDA C++", "name the file .cu and compile it again"};
constexpr ForeignText llvm{"LLVM IR", "translate it first: llc -march=nvptx64 -mcpu=sm_90a makes PTX of it"};
constexpr ForeignText python{"Python", "the kernel is what the program compiles or prints, not the program"};
constexpr ForeignText html{"a web page", "what was fetched is the page that shows the file, not the file"};
constexpr ForeignText sass{
    "SASS, the disassembly of a finished kernel", "no assembler takes it back; ptxwb sass shows it"};
constexpr ForeignText patch{"a patch", "apply it to the kernel that it changes, and compile that"};

constexpr std::array<Sign, 20> signs{{
    {"<!DOCTYPE", true, true, html},
    {"<!doctype", true, true, html},
    {"<html", true, true, html},
    {"<?xml", true, true, {"XML", "name a PTX file"}},
    {"diff --git", true, true, patch},
    {"--- ", true, true, patch},
    {"__global__", false, false, cuda},
    {"__device__", false, false, cuda},
    {"#include", false, true, cuda},
    {"#pragma once", false, true, cuda},
    {"target triple", false, true, llvm},
    {"define void @", false, true, llvm},
    {"module {", false, true, {"MLIR", "lower it to PTX first"}},
    {"tt.func", false, false, {"MLIR of Triton", "lower it to PTX first; Triton keeps that beside it"}},
    {"/*0000*/", false, false, sass},
    {".headerflags", false, false, sass},
    {"import ", false, true, python},
    {"from ", true, true, python},
    {"def ", false, true, python},
    {"#!", true, true, {"a script", "name a PTX file"}},
}};

std::string_view withoutIndent(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool isAt(std::string_view text, const Sign& sign)
{
    if (sign.startsText) {
        return withoutIndent(text).starts_with(sign.words);
    }
    for (auto at = text.find(sign.words); at != std::string_view::npos; at = text.find(sign.words, at + 1)) {
        const auto lineStart = text.rfind('\n', at);
        const auto before = text.substr(lineStart + 1, at - (lineStart + 1)); // npos + 1 is 0
        if (!sign.startsLine || withoutIndent(before).empty()) {
            return true;
        }
    }
    return false;
}

// A directive that no text but PTX has.
bool hasDirective(std::string_view text)
{
    constexpr std::array<std::string_view, 9> words{
        ".entry", ".func", ".reg", ".visible", ".extern", ".shared", ".global", ".target", ".address_size"};
    const auto tokens = lexPtx(text);
    return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
        return token.kind == TokenKind::Directive
            && std::find(words.begin(), words.end(), token.text(text)) != words.end();
    });
}

} // namespace

ForeignText foreignTextOf(std::string_view source)
{
    constexpr std::size_t most = 1U << 20U;
    const auto text = source.substr(0, most);
    for (const auto& sign : signs) {
        if (sign.startsText && isAt(text, sign)) {
            return sign.text;
        }
    }
    if (hasDirective(text)) {
        return {};
    }
    for (const auto& sign : signs) {
        if (isAt(text, sign)) {
            return sign.text;
        }
    }
    const auto start = withoutIndent(text);
    if ((start.starts_with('{') || start.starts_with('[')) && start.find('"') < 16) {
        return {"JSON", "the kernel may be the value of one of its keys"};
    }
    if (text.find(';') == std::string_view::npos) {
        return {"prose: no statement ends with ';'",
            "if the kernel is elsewhere in the answer, take it from there"};
    }
    return {"no PTX: it declares no kernel, function, register or variable", "name a PTX file"};
}

} // namespace ptxwb::detail
