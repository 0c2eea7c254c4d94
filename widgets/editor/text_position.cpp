// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/text_position.h"

#include <algorithm>

namespace ptxwb {

namespace {

bool isContinuationByte(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

} // namespace

std::string_view withoutLineEnd(std::string_view lineUtf8)
{
    while (!lineUtf8.empty() && (lineUtf8.back() == '\n' || lineUtf8.back() == '\r')) {
        lineUtf8.remove_suffix(1);
    }
    return lineUtf8;
}

int byteOffsetOfColumn(std::string_view lineUtf8, int column)
{
    const std::string_view text = withoutLineEnd(lineUtf8);
    std::size_t at = 0;
    for (int seen = 1; seen < column && at < text.size(); ++seen) {
        ++at;
        while (at < text.size() && isContinuationByte(text[at])) {
            ++at;
        }
    }
    return static_cast<int>(at);
}

int columnOfByteOffset(std::string_view lineUtf8, int byteOffset)
{
    const std::size_t end = std::min(lineUtf8.size(), static_cast<std::size_t>(std::max(byteOffset, 0)));
    int column = 1;
    for (std::size_t at = 1; at <= end; ++at) {
        if (at == lineUtf8.size() || !isContinuationByte(lineUtf8[at])) {
            ++column;
        }
    }
    return column;
}

} // namespace ptxwb
