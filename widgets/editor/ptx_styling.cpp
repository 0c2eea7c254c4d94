// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/ptx_styling.h"

#include "core/ptx/isa_table.h"

#include <algorithm>
#include <cstring>

namespace ptxwb {

namespace {

void fill(unsigned char* styles, std::size_t offset, std::size_t length, PtxStyle style)
{
    std::memset(styles + offset, static_cast<int>(style), length);
}

PtxStyle styleOfFamily(PtxFamily family)
{
    switch (family) {
    case PtxFamily::Wgmma:
    case PtxFamily::MmaSync:
    case PtxFamily::MatrixMove:
        return PtxStyle::OpcodeTensor;
    case PtxFamily::Tma:
    case PtxFamily::BulkCopy:
    case PtxFamily::CpAsync:
        return PtxStyle::OpcodeCopy;
    case PtxFamily::Mbarrier:
    case PtxFamily::Fence:
    case PtxFamily::Cluster:
        return PtxStyle::OpcodeSync;
    case PtxFamily::Tcgen05:
        return PtxStyle::OpcodeTcgen05;
    case PtxFamily::Setmaxnreg:
        return PtxStyle::OpcodeSetmaxnreg;
    case PtxFamily::Ordinary:
        return PtxStyle::Opcode;
    }
    return PtxStyle::Opcode;
}

PtxStyle styleOfKind(TokenKind kind)
{
    switch (kind) {
    case TokenKind::Whitespace:
    case TokenKind::LineEnd:
        return PtxStyle::Plain;
    case TokenKind::LineComment:
    case TokenKind::BlockComment:
        return PtxStyle::Comment;
    case TokenKind::Directive:
        return PtxStyle::Directive;
    case TokenKind::Opcode:
        return PtxStyle::Opcode;
    case TokenKind::Modifier:
        return PtxStyle::Modifier;
    case TokenKind::Type:
        return PtxStyle::Type;
    case TokenKind::Register:
        return PtxStyle::Register;
    case TokenKind::SpecialRegister:
        return PtxStyle::SpecialRegister;
    case TokenKind::Identifier:
        return PtxStyle::Identifier;
    case TokenKind::Predicate:
        return PtxStyle::Predicate;
    case TokenKind::Number:
        return PtxStyle::Number;
    case TokenKind::String:
        return PtxStyle::String;
    case TokenKind::Punctuation:
        return PtxStyle::Punctuation;
    case TokenKind::Preprocessor:
        return PtxStyle::Preprocessor;
    case TokenKind::NonAscii:
    case TokenKind::Unknown:
        return PtxStyle::Invalid;
    }
    return PtxStyle::Plain;
}

/// The launch plan is JSON: strings before ':' are keys, other strings and numbers are values.
void styleLaunchPlan(std::string_view text, unsigned char* styles)
{
    fill(styles, 0, text.size(), PtxStyle::LaunchText);
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            std::size_t end = at + 1;
            while (end < text.size() && text[end] != '"') {
                end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
            }
            end = std::min(end + 1, text.size());
            std::size_t next = end;
            while (next < text.size() && (text[next] == ' ' || text[next] == '\t')) {
                ++next;
            }
            const bool isKey = next < text.size() && text[next] == ':';
            fill(styles, at, end - at, isKey ? PtxStyle::LaunchKey : PtxStyle::LaunchValue);
            at = end;
        } else if (c >= '0' && c <= '9') {
            std::size_t end = at;
            while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.')) {
                ++end;
            }
            fill(styles, at, end - at, PtxStyle::LaunchValue);
            at = end;
        } else {
            ++at;
        }
    }
}

/// Styles a block comment's part on this line, its launch plan included.
void styleBlockComment(std::string_view text, unsigned char* styles, bool& inLaunchPlan)
{
    std::size_t planStart = inLaunchPlan ? 0 : text.find("@launch");
    fill(styles, 0, text.size(), PtxStyle::Comment);
    if (planStart == std::string_view::npos) {
        return;
    }
    if (!inLaunchPlan) {
        fill(styles, planStart, 7, PtxStyle::Directive);
        planStart += 7;
        inLaunchPlan = true;
    }
    std::string_view plan = text.substr(planStart);
    if (plan.ends_with("*/")) {
        plan.remove_suffix(2);
    }
    styleLaunchPlan(plan, styles + planStart);
}

bool endsInBlockComment(LineState state)
{
    return state == LineState::InBlockComment || state == LineState::InBlockCommentOfInstruction;
}

/// The opcode with its modifiers, as far as it is written without a blank.
std::string_view dottedWordAt(std::string_view line, std::size_t offset)
{
    return line.substr(offset, line.find_first_of(" \t\r\n;", offset) - offset);
}

/// An identifier that ':' follows is a label.
bool isLabel(const std::vector<Token>& tokens, std::size_t at, std::string_view line)
{
    for (std::size_t next = at + 1; next < tokens.size(); ++next) {
        if (tokens[next].kind == TokenKind::Whitespace) {
            continue;
        }
        return tokens[next].kind == TokenKind::Punctuation && tokens[next].text(line) == ":";
    }
    return false;
}

} // namespace

StylingState StylingState::unpacked(int value)
{
    return {static_cast<LineState>(value & 0xFF), (value & 0x100) != 0};
}

StyledLine stylePtxLine(std::string_view line, StylingState before, unsigned char* styles)
{
    StyledLine result;
    result.after = before;
    if (line.size() > longestStyledLineBytes) {
        std::size_t drawn = std::min(line.size(), longestDrawnLineBytes);
        while (drawn < line.size() && (static_cast<unsigned char>(line[drawn]) & 0xC0U) == 0x80U) {
            ++drawn;
        }
        fill(styles, 0, drawn, PtxStyle::LongLine);
        fill(styles, drawn, line.size() - drawn, PtxStyle::LongLineRest);
        return result;
    }
    const std::vector<Token> tokens = lexPtx(line, before.lexer, &result.after.lexer);
    result.isBlank = true;
    bool inLaunchPlan = before.inLaunchPlan;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const std::string_view text = token.text(line);
        result.isBlank =
            result.isBlank && (token.kind == TokenKind::Whitespace || token.kind == TokenKind::LineEnd);
        if (token.kind == TokenKind::BlockComment) {
            styleBlockComment(text, styles + token.offset, inLaunchPlan);
            inLaunchPlan = inLaunchPlan && i + 1 == tokens.size();
            continue;
        }
        PtxStyle style = styleOfKind(token.kind);
        if (token.kind == TokenKind::Opcode) {
            style = styleOfFamily(ptxFamilyOf(dottedWordAt(line, token.offset)));
        } else if (token.kind == TokenKind::Identifier && isLabel(tokens, i, line)) {
            style = PtxStyle::Label;
        } else if (token.kind == TokenKind::Punctuation) {
            result.braceDelta += text == "{" ? 1 : text == "}" ? -1 : 0;
        }
        fill(styles, token.offset, token.length, style);
    }
    result.after.inLaunchPlan = inLaunchPlan && endsInBlockComment(result.after.lexer);
    return result;
}

} // namespace ptxwb
