// SPDX-License-Identifier: Apache-2.0
#include "app/cli/debug_number.h"
#include "app/cli/debug_session.h"

#include <fmt/format.h>

namespace ptxwb::cli {

using namespace emulator;

namespace {

constexpr std::uint32_t columnsPrinted = 16;

/// "64x16"
bool takeSize(const std::string& word, MatrixQuery& query)
{
    const auto cross = word.find('x');
    const auto rows = numberOf<std::uint32_t>(word.substr(0, cross));
    const auto columns = cross == std::string::npos || cross == 0
        ? std::nullopt
        : numberOf<std::uint32_t>(word.substr(cross + 1));
    if (!rows || !columns) {
        return false;
    }
    query.rows = *rows;
    query.columns = *columns;
    return true;
}

bool takeWord(const std::string& word, MatrixQuery& query)
{
    if (word == "32B" || word == "64B" || word == "128B") {
        query.swizzle = word == "32B" ? Swizzle::B32 : word == "64B" ? Swizzle::B64 : Swizzle::B128;
        return true;
    }
    if (word == "k" || word == "mn") {
        query.layout = word == "k" ? MatrixLayout::DescriptorK : MatrixLayout::DescriptorMn;
        return true;
    }
    if (const auto dtype = dtypeByName(word)) {
        query.dtype = *dtype;
        return true;
    }
    return takeSize(word, query);
}

} // namespace

std::string DebugSession::matrix(const Words& words) const
{
    constexpr std::string_view usage =
        "matrix WHERE ROWSxCOLUMNS [TYPE] [32B|64B|128B], or matrix %DESCRIPTOR ROWSxCOLUMNS [TYPE] [k|mn]\n";
    if (words.size() < 3) {
        return std::string(usage);
    }
    MatrixQuery query{.from = words[1]};
    if (query.from.starts_with('%') || query.from.size() > std::string_view("0x12345678").size()) {
        query.layout = query.from.starts_with('%') || query.from.starts_with("0x") ? MatrixLayout::DescriptorK
                                                                                   : MatrixLayout::Rows;
    }
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (!takeWord(words[i], query)) {
            return fmt::format("'{}' is not understood. {}", words[i], usage);
        }
    }
    const auto view = m_debugger->matrix(query);
    if (!view) {
        return describe(view.error()) + '\n';
    }
    const auto width = static_cast<std::size_t>(dtypeBytes(view->dtype));
    std::string text = view->title + '\n';
    for (std::uint32_t r = 0; r < view->rows; ++r) {
        text += fmt::format("{:>4}:", r);
        for (std::uint32_t c = 0; c < std::min(view->columns, columnsPrinted); ++c) {
            const auto* element = view->bytes.data() + (std::size_t{r} * view->columns + c) * width;
            text += fmt::format(" {:>9.4g}", toDouble(view->dtype, element));
        }
        text += view->columns > columnsPrinted ? " ...\n" : "\n";
    }
    return text;
}

} // namespace ptxwb::cli
