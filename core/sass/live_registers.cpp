// SPDX-License-Identifier: Apache-2.0
#include "core/sass/live_registers.h"

#include "core/sass/row_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

constexpr std::string_view tableMark = "// |";
constexpr std::string_view sectionMark = ".section\t.text.";

/// The first column of the table is the number of live general registers; blank where there is none.
std::optional<int> countIn(std::string_view line)
{
    const auto at = line.rfind(tableMark);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto cell = trimmed(line.substr(at + tableMark.size()));
    int count = 0;
    const auto [end, failed] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
    return failed == std::errc() && end != cell.data() ? count : 0;
}

std::optional<std::uint64_t> addressOf(std::string_view line)
{
    const auto open = line.find("/*");
    const auto close = line.find("*/", open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos
        || !trimmed(line.substr(0, open)).empty()) {
        return std::nullopt;
    }
    const auto digits = line.substr(open + 2, close - open - 2);
    std::uint64_t address = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
    return failed == std::errc() && end == digits.data() + digits.size() ? std::optional(address)
                                                                         : std::nullopt;
}

std::string_view kernelOf(std::string_view sectionLine)
{
    const auto name = sectionLine.substr(sectionLine.find(sectionMark) + sectionMark.size());
    return name.substr(0, name.find_first_of(",\""));
}

} // namespace

Result<int> joinLiveRegisters(SassListing& listing, std::string_view text)
{
    SassKernel* kernel = nullptr;
    std::size_t row = 0;
    int filled = 0;
    bool hasTable = false;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.find(sectionMark) != std::string_view::npos) {
            const auto name = kernelOf(line);
            const auto found = std::find_if(listing.kernels.begin(), listing.kernels.end(),
                [name](const SassKernel& k) { return k.name == name; });
            kernel = found == listing.kernels.end() ? nullptr : &*found;
            row = 0;
            continue;
        }
        const auto count = countIn(line);
        hasTable = hasTable || count.has_value();
        const auto address = count && kernel != nullptr ? addressOf(line) : std::nullopt;
        if (!address) {
            continue;
        }
        // Both passes list rows in the order of their addresses.
        auto& rows = kernel->instructions;
        while (row < rows.size() && rows[row].address < *address) {
            ++row;
        }
        if (row < rows.size() && rows[row].address == *address) {
            rows[row].liveRegisters = *count;
            ++filled;
        }
    }
    if (!hasTable) {
        return Error{.code = ErrorCode::BadFormat,
            .message = "the disassembler printed no table of live registers",
            .hint = "nvdisasm of CUDA 12 or newer prints it with -plr"};
    }
    return filled;
}

std::optional<int> mostLiveRegisters(const SassKernel& kernel)
{
    int most = -1;
    for (const auto& instruction : kernel.instructions) {
        most = std::max(most, instruction.liveRegisters);
    }
    return most < 0 ? std::nullopt : std::optional(most);
}

std::optional<std::string> liveRegistersTakeLong(const SassListing& listing)
{
    constexpr double quickRows = 6000; // of one kernel: a second and a half
    double squares = 0;
    std::size_t most = 0;
    for (const auto& kernel : listing.kernels) {
        const auto rows = kernel.instructions.size();
        squares += static_cast<double>(rows) * static_cast<double>(rows);
        most = std::max(most, rows);
    }
    if (squares <= quickRows * quickRows) {
        return {};
    }
    const auto number = [](double value) { return fmt::format("{:.0f}", std::max(value, 2.0)); };
    return fmt::format(
        "left out: for a kernel of {} rows nvdisasm would take about {} s", most, number(squares * 45e-9));
}

} // namespace ptxwb
