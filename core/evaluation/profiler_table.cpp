// SPDX-License-Identifier: Apache-2.0
// What Nsight Compute's source page says, as CSV.
#include "core/evaluation/profiler.h"

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

/// "@P0 HGMMA.64x256x16.F32.BF16 R24, ..." -> "HGMMA.64x256x16.F32.BF16".
std::string_view opcodeOf(std::string_view row)
{
    const auto word = [&] {
        row.remove_prefix(std::min(row.find_first_not_of(' '), row.size()));
        const auto end = std::min(row.find_first_of(" ;,"), row.size());
        const auto found = row.substr(0, end);
        row.remove_prefix(end);
        return found;
    };
    const auto first = word();
    return first.starts_with('@') ? word() : first;
}

/// The columns of one table, by their names.
struct Columns {
    std::optional<std::size_t> source{};
    std::optional<std::size_t> executed{};
    std::optional<std::size_t> samples{};
    std::vector<std::pair<std::size_t, std::string>> stalls{};
};

std::optional<Columns> columnsOf(const std::vector<std::string>& cells)
{
    Columns columns;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string& name = cells[i];
        if (name == "Source") {
            columns.source = i;
        } else if (name == "Instructions Executed") {
            columns.executed = i;
        } else if (name == "# Samples" || name == "Warp Stall Sampling (All Samples)"
            || name == "Warp Stall Sampling (All Cycles)") {
            columns.samples = i;
        } else if (name.starts_with("stall_") && !name.ends_with("(Not Issued)")
            && !name.ends_with("_not_issued")) {
            columns.stalls.emplace_back(i, name);
        }
    }
    return columns.executed && columns.source ? std::optional(columns) : std::nullopt;
}

std::optional<std::int64_t> numberOf(const std::string& cell)
{
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    return failure == std::errc{} ? std::optional(number) : std::nullopt;
}

} // namespace

std::vector<std::string> quotedCells(std::string_view line)
{
    std::vector<std::string> cells;
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] != '"') {
            ++at;
            continue;
        }
        std::string cell;
        for (++at; at < line.size(); ++at) {
            if (line[at] == '"' && at + 1 < line.size() && line[at + 1] == '"') {
                ++at;
            } else if (line[at] == '"') {
                break;
            }
            cell += line[at];
        }
        ++at;
        cells.push_back(std::move(cell));
    }
    return cells;
}

std::vector<ProfiledRow> parseProfiledRows(std::string_view csv)
{
    std::vector<ProfiledRow> rows;
    std::optional<Columns> columns;
    std::string kernel;
    while (!csv.empty()) {
        const auto end = std::min(csv.find('\n'), csv.size());
        const auto cells = quotedCells(csv.substr(0, end));
        csv.remove_prefix(std::min(end + 1, csv.size()));
        if (cells.size() == 2 && cells[0] == "Kernel Name") {
            kernel = cells[1];
            continue;
        }
        if (auto heading = columnsOf(cells)) {
            columns = std::move(heading);
            continue;
        }
        if (!columns || cells.size() <= std::max(*columns->source, *columns->executed)) {
            continue;
        }
        const auto executed = numberOf(cells[*columns->executed]);
        if (!executed) {
            continue;
        }
        ProfiledRow row{.kernel = kernel, .sass = cells[*columns->source], .executed = *executed};
        if (columns->samples && *columns->samples < cells.size()) {
            row.samples = numberOf(cells[*columns->samples]).value_or(0);
        }
        for (const auto& [place, name] : columns->stalls) {
            const auto count = place < cells.size() ? numberOf(cells[place]).value_or(0) : 0;
            if (count > 0) {
                row.stalls[name] = count;
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ProfiledRow> rowsOf(std::vector<ProfiledRow> rows, const std::vector<std::string>& kernels)
{
    const auto isWanted = [&](const std::string& shown) {
        // "void scale<float>(float*)" is _Z5scaleIfEvPT_: the function's own name stands in both.
        auto bare = shown.substr(0, shown.find_first_of("(<"));
        bare = bare.substr(bare.find_last_of(" :") + 1);
        return shown.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& kernel) {
            return kernel == shown
                || (kernel.starts_with("_Z")
                    && kernel.find(std::to_string(bare.size()) + bare) != std::string::npos);
        });
    };
    std::erase_if(rows, [&](const ProfiledRow& row) { return !isWanted(row.kernel); });
    return rows;
}

ExecutedCounts countsOf(const std::vector<ProfiledRow>& rows)
{
    ExecutedCounts counts;
    for (const auto& row : rows) {
        const auto families = familiesOf(opcodeOf(row.sass));
        for (const auto family : allSassFamilies()) {
            if (contains(families, family)) {
                counts[family] += row.executed;
            }
        }
    }
    return counts;
}

std::optional<ExecutedCounts> parseExecutedCounts(std::string_view csv)
{
    const auto rows = parseProfiledRows(csv);
    return rows.empty() ? std::nullopt : std::optional(countsOf(rows));
}

} // namespace ptxwb
