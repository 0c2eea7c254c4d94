// SPDX-License-Identifier: Apache-2.0
#include "app/cli/triage_report.h"

#include "app/cli/text_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ptxwb::cli {

namespace {

using namespace records;

constexpr auto wide = std::string::npos;

// What a stranger's file names, on one line of a terminal and without its control characters.
std::string shown(std::string_view text, std::size_t most)
{
    std::string line;
    for (const char c : text) {
        line += static_cast<unsigned char>(c) < 0x20 || c == '\x7f' ? ' ' : c;
    }
    if (line.size() <= most) {
        return line;
    }
    auto end = most - 3;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return line.substr(0, end) + "...";
}

std::string_view resultWord(TriageResult result)
{
    switch (result) {
    case TriageResult::Compiles:
        return "compiles";
    case TriageResult::DoesNotCompile:
        return "fails";
    case TriageResult::NoCode:
        return "no code";
    case TriageResult::NotCompiled:
        break;
    }
    return "not tried";
}

std::string placeText(const TriageRow& row)
{
    if (!row.cause || !row.cause->line) {
        return "-";
    }
    return std::to_string(row.cause->answerLine.value_or(*row.cause->line));
}

std::string causeText(const TriageRow& row)
{
    if (!row.cause) {
        return row.askedNotPresent.empty()
            ? "-"
            : fmt::format("SASS lacks {}", fmt::join(row.askedNotPresent, ", "));
    }
    return shown(row.cause->message, wide); // fitted later
}

// The families that the paper's tasks ask for; --json has all.
std::string askedText(const FamilyTable& asked)
{
    constexpr std::array<std::string_view, 6> main{
        "wgmma", "tcgen05", "tma", "bulk_copy", "cp_async", "mma_sync"};
    std::vector<std::string> parts;
    for (const auto family : main) {
        if (const auto found = asked.find(std::string(family)); found != asked.end()) {
            parts.push_back(fmt::format("{} {}", family, found->second));
        }
    }
    return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string presentText(const TriageRow& row)
{
    if (!row.present) {
        return row.result == TriageResult::Compiles ? "not read" : "-";
    }
    std::vector<std::string> parts;
    const auto add = [&](std::string_view name, int sites) {
        if (sites > 0) {
            parts.push_back(fmt::format("{} {}", name, sites));
        }
    };
    add("GMMA", row.present->gmma);
    add("TMA", row.present->tma);
    add("TCGEN", row.present->tcgen);
    for (const auto* family : {"mma", "cp_async"}) { // beside the paper's account
        if (const auto found = row.present->families.find(family); found != row.present->families.end()) {
            add(found->first, found->second);
        }
    }
    return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string saidText(const TriageRow& row)
{
    if (!row.recorded) {
        return "-";
    }
    return row.recorded->minSpeedup
        ? fmt::format("{}, {:.3g}x", row.recorded->paperClass, *row.recorded->minSpeedup)
        : row.recorded->paperClass;
}

// Where one rule finds nothing, the rule's name says so already.
bool isDisputed(const TriageRow& row)
{
    return row.rulesDiffer && row.reference && row.commonMark;
}

// What the file says of an answer and what this compiler says.
bool isRefusedByFile(const TriageRow& row)
{
    return row.recorded && row.recorded->paperClass == "Compilation error";
}

bool isTakenByFile(const TriageRow& row)
{
    return row.recorded
        && (row.recorded->paperClass == "Correct" || row.recorded->paperClass == "Numerical error");
}

std::string disagreements(const std::vector<TriageRow>& rows)
{
    const auto count = [&](TriageResult result, bool (*saidByFile)(const TriageRow&)) {
        return std::count_if(rows.begin(), rows.end(),
            [&](const TriageRow& row) { return row.result == result && saidByFile(row); });
    };
    std::string text;
    if (const auto here = count(TriageResult::Compiles, isRefusedByFile); here > 0) {
        text += fmt::format("{} compile here, but the file says that they did not\n", here);
    }
    if (const auto there = count(TriageResult::DoesNotCompile, isTakenByFile); there > 0) {
        text += fmt::format("{} do not compile here, but the file says that they ran\n", there);
    }
    return text;
}

std::size_t widestOf(const std::vector<std::vector<std::string>>& cells, std::size_t column)
{
    std::size_t widest = 0;
    for (const auto& row : cells) {
        widest = std::max(widest, row[column].size());
    }
    return widest;
}

// The end of a path says more than its beginning.
std::string shownEnd(const std::string& text, std::size_t most)
{
    if (text.size() <= most) {
        return text;
    }
    auto begin = text.size() - most + 3;
    while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) {
        ++begin;
    }
    return "..." + text.substr(begin);
}

/// Columns that say nothing leave; then the cause and the answer give way, and the families after them.
void fitTo(std::size_t width, std::vector<std::vector<std::string>>& cells)
{
    for (auto column = cells.front().size(); column-- > 5;) {
        const bool silent = std::all_of(
            cells.begin() + 1, cells.end(), [column](const auto& row) { return row[column] == "-"; });
        if (silent) {
            for (auto& row : cells) {
                row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
            }
        }
    }
    std::vector<std::size_t> widths;
    std::size_t sum = 2 * (cells.front().size() - 1);
    for (std::size_t column = 0; column < cells.front().size(); ++column) {
        widths.push_back(widestOf(cells, column));
        sum += widths.back();
    }
    constexpr std::size_t answer = 0;
    constexpr std::size_t cause = 4;
    const auto shrink = [&](std::size_t column, std::size_t least) {
        const auto over = sum > width ? sum - width : 0;
        const auto given = std::min(over, widths[column] - std::min(widths[column], least));
        widths[column] -= given;
        sum -= given;
    };
    shrink(cause, 40);
    shrink(answer, 24);
    shrink(cause, 20);
    for (auto column = widths.size(); column-- > cause + 1;) {
        shrink(column, 10);
    }
    for (auto row = cells.begin() + 1; row != cells.end(); ++row) {
        (*row)[answer] = shownEnd((*row)[answer], widths[answer]);
        for (auto column = cause; column < widths.size(); ++column) {
            (*row)[column] = shown((*row)[column], widths[column]);
        }
    }
}

std::string rowsText(const std::vector<TriageRow>& rows, std::size_t width)
{
    const bool recorded =
        std::any_of(rows.begin(), rows.end(), [](const TriageRow& row) { return row.recorded.has_value(); });
    std::vector<std::vector<std::string>> cells{
        {"answer", "rule", "result", "line", "cause", "asks for", "in SASS"}};
    if (recorded) {
        cells.front().emplace_back("said by the file");
    }
    for (const auto& row : rows) {
        cells.push_back({shown(answerTitle(row.path, row.fileLine, row.turn), wide),
            isDisputed(row) ? row.rule + "*" : row.rule, std::string(resultWord(row.result)), placeText(row),
            causeText(row), askedText(row.asked), presentText(row)});
        if (recorded) {
            cells.back().push_back(saidText(row));
        }
    }
    fitTo(width, cells);
    auto text = table(cells);
    if (std::any_of(rows.begin(), rows.end(), isDisputed)) {
        text +=
            "* the reference's rule (the last ```cpp block that fits) and CommonMark find different code\n";
    }
    return text;
}

std::string causesText(const std::vector<TriageRow>& rows, bool cut)
{
    constexpr int widest = 8;
    const auto counts = countCauses(rows);
    if (counts.empty()) {
        return {};
    }
    std::vector<std::vector<std::string>> cells;
    for (const auto& counted : counts) {
        const int length = std::max(1, counted.answers * widest / counts.front().answers);
        cells.push_back({std::string(causeClassTitle(counted.cause)),
            fmt::format("{:4} {:3.0f} %", counted.answers,
                100.0 * counted.answers / static_cast<double>(rows.size())),
            std::string(static_cast<std::size_t>(length), '#'), shown(counted.commonMessage, cut ? 24 : wide),
            shownEnd(shown(counted.example, wide), cut ? 16 : wide)});
    }
    return "\ncauses (share of all answers; the commonest message; the first answer)\n" + table(cells, "  ");
}

std::string passedOver(const AnswerFiles& files)
{
    std::vector<std::string> parts;
    if (files.otherFiles > 0) {
        parts.push_back(fmt::format("{} files without answers", files.otherFiles));
    }
    if (files.copies > 0) {
        parts.push_back(fmt::format("{} kernels that a trajectory has already", files.copies));
    }
    if (files.linkedFolders > 0) {
        parts.push_back(fmt::format("{} links to folders", files.linkedFolders));
    }
    return parts.empty() ? "" : fmt::format("passed over: {}\n", fmt::join(parts, ", "));
}

} // namespace

std::string triageReport(const TriageRun& run, std::optional<std::size_t> columns)
{
    const auto count = [&](TriageResult result) {
        return std::count_if(
            run.rows.begin(), run.rows.end(), [&](const TriageRow& row) { return row.result == result; });
    };
    auto text = rowsText(run.rows, columns.value_or(wide)) + causesText(run.rows, columns.has_value());
    text += fmt::format("\n{} answers: {} compile, {} do not, {} without code, {} not compiled\n",
        run.rows.size(), count(TriageResult::Compiles), count(TriageResult::DoesNotCompile),
        count(TriageResult::NoCode), count(TriageResult::NotCompiled));
    if (const auto lacking = std::count_if(run.rows.begin(), run.rows.end(),
            [](const TriageRow& row) { return !row.askedNotPresent.empty(); });
        lacking > 0) {
        text += fmt::format("{} of those that compile ask{} for instructions that {} SASS does not have\n",
            lacking, lacking == 1 ? "s" : "", lacking == 1 ? "its" : "their");
    }
    text += disagreements(run.rows) + passedOver(run.files);
    if (run.stopped) {
        text += "stopped before the end: these are the answers that were ready\n";
    }
    return text;
}

} // namespace ptxwb::cli
