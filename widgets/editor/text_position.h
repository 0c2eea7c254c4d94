// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb {

/// The one place where columns (Unicode code points from 1, as diagnostics count) and byte offsets in a line
/// of UTF-8 (from 0, as Scintilla counts) are converted. Positions past the end are clamped to the end of the
/// line's text.

/// Byte offset in `lineUtf8` of the 1-based code point column.
int byteOffsetOfColumn(std::string_view lineUtf8, int column);

/// 1-based code point column of a byte offset; an offset inside a code point counts as that code point.
int columnOfByteOffset(std::string_view lineUtf8, int byteOffset);

/// `lineUtf8` without its line end.
std::string_view withoutLineEnd(std::string_view lineUtf8);

} // namespace ptxwb
