// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Lexical classes of PTX text (PTX ISA 9.0, chapter 4). Every byte of the input belongs to exactly one
/// token.
enum class TokenKind : std::uint8_t {
    Whitespace, ///< blanks and tabs
    LineEnd, ///< "\n", "\r\n" or a lone "\r"
    LineComment, ///< from // to the line end
    BlockComment, ///< /* ... */, may span lines and be unterminated at the end of the text
    Directive, ///< .version, .reg, .entry ... and every word that starts with '.' outside an instruction
    Opcode, ///< the dotted mnemonic root of an instruction, e.g. `wgmma.mma_async`, `cp.async.bulk.tensor`
    Modifier, ///< .sync, .aligned, .m64n256k16 ...: a dotted word after the opcode
    Type, ///< .b32, .f32, .bf16, .pred ...
    Register, ///< %r1, %rd<9>'s name part; also named registers declared without '%' stay Identifier
    SpecialRegister, ///< %tid.x, %laneid ...
    Identifier, ///< labels, symbols, parameters
    Predicate, ///< '@' or '@!'
    Number, ///< integer, 0x.., 0f.., 0d.., decimal float
    String,
    Punctuation, ///< , ; : { } [ ] ( ) + - < > = | _ ... (one token per character)
    Preprocessor, ///< a `#` marker line
    NonAscii, ///< bytes >= 0x80 outside comments and strings
    Unknown,
};

/// A token as byte range of the lexed text. Positions count from 1; `column` is in Unicode code points (a tab
/// is one).
struct Token {
    TokenKind kind = TokenKind::Unknown;
    std::uint32_t offset = 0; ///< bytes from the start of the text
    std::uint32_t length = 0; ///< bytes
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    std::string_view text(std::string_view source) const { return source.substr(offset, length); }
};

/// Splits PTX text into tokens without loss: the tokens' texts joined are the input. Never fails; broken text
/// gives Unknown tokens. Needs no ISA table: opcode roots come from the fixed list of core/ptx/vocabulary.h,
/// which a test compares with the table. Text of 4 GiB and more is cut there.
std::vector<Token> lexPtx(std::string_view source);

/// Lexer state at the start of a line, for editors that style a range.
enum class LineState : std::uint8_t {
    Code,
    InBlockComment,
    InInstruction, ///< an instruction goes on from the line above
    InDirective, ///< a declaration goes on from the line above
    InBlockCommentOfInstruction, ///< a block comment within an instruction
};

/// Lexes from the start of a line that has `state`; offsets are relative to `source`. `endState` (may be
/// null) gets the state after the last token.
std::vector<Token> lexPtx(std::string_view source, LineState state, LineState* endState);

} // namespace ptxwb
