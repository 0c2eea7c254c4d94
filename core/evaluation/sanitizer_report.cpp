// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/sanitizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

constexpr std::string_view prefix = "=========";

std::string_view trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

struct Location {
    std::string kernel;
    int line = 0; ///< 0: unknown
};

// "product+0x3a0 in candidate.ptx:57", parameters of a C++ kernel before the plus.
std::optional<Location> locationIn(std::string_view text, const CodeLines& lines)
{
    const auto plus = text.find("+0x");
    const auto at = text.rfind(" at ", plus);
    if (plus == std::string_view::npos || text.find("Host Frame") != std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view name =
        at == std::string_view::npos ? text.substr(0, plus) : text.substr(at + 4, plus - at - 4);
    name = trimmed(name.starts_with("at ") ? name.substr(3) : name);
    Location location{.kernel = std::string(name.substr(0, name.find('('))), .line = 0};
    const auto in = text.find(" in ", plus);
    if (in == std::string_view::npos) {
        std::uint64_t offset = 0;
        constexpr int hexadecimal = 16;
        std::from_chars(text.data() + plus + 3, text.data() + text.size(), offset, hexadecimal);
        if (const auto kernel = lines.find(location.kernel); kernel != lines.end()) {
            const auto found = kernel->second.find(offset);
            location.line = found == kernel->second.end() ? 0 : found->second;
        }
        return location;
    }
    std::string_view file = text.substr(in + 4);
    file = trimmed(file.substr(0, file.find(" [")));
    if (const auto colon = file.rfind(':'); colon != std::string_view::npos) {
        const char* const end = file.data() + file.size();
        std::from_chars(file.data() + colon + 1, end, location.line);
    }
    return location;
}

std::optional<emulator::RuleId> ruleOf(std::string_view title, SanitizerTool tool)
{
    const auto says = [title](std::string_view words) { return title.find(words) != std::string_view::npos; };
    if (says("Race reported") || says("hazard detected")) {
        return emulator::RuleId::Race;
    }
    if (says("isaligned")) {
        return emulator::RuleId::Misaligned;
    }
    if (says("Uninitialized")) {
        return emulator::RuleId::UninitialisedRead;
    }
    if (says("Barrier error") || tool == SanitizerTool::Synccheck) {
        return emulator::RuleId::BarrierMisuse;
    }
    if (says("Invalid __") || says("out of bounds")) {
        return emulator::RuleId::OutOfBounds;
    }
    return std::nullopt;
}

bool isTitle(std::string_view line)
{
    constexpr std::string_view beginnings[]{"Invalid ", "Error: Race reported", "Warning: Race reported",
        "Error: Potential", "Warning: Potential", "Uninitialized ", "Barrier error"};
    return std::any_of(std::begin(beginnings), std::end(beginnings),
        [line](std::string_view beginning) { return line.starts_with(beginning); });
}

// Keeps one report per place: a thousand threads meet the same fault.
void keep(std::vector<emulator::Report>& reports, emulator::Report report)
{
    if (report.kernel.empty()) {
        return; // an error of the CUDA API, no finding in device code
    }
    const auto same = std::find_if(reports.begin(), reports.end(), [&](const emulator::Report& known) {
        return known.rule == report.rule && known.kernel == report.kernel && known.lines == report.lines;
    });
    if (same != reports.end()) {
        ++same->occurrences;
        return;
    }
    reports.push_back(std::move(report));
}

} // namespace

bool hasSanitizerSummary(std::string_view text)
{
    return text.find("ERROR SUMMARY") != std::string_view::npos
        || text.find("RACECHECK SUMMARY") != std::string_view::npos;
}

std::vector<emulator::Report> parseSanitizerReport(
    std::string_view text, SanitizerTool tool, std::string_view sourceName, const CodeLines& lines)
{
    std::vector<emulator::Report> reports;
    std::optional<emulator::Report> open;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with(prefix)) {
            continue;
        }
        line = trimmed(line.substr(prefix.size()));
        if (isTitle(line)) {
            if (open) {
                keep(reports, *std::move(open));
            }
            open.reset();
            if (const auto rule = ruleOf(line, tool)) {
                open.emplace();
                open->rule = *rule;
                open->bySanitizer = true;
                open->severity = line.starts_with("Warning") ? emulator::ReportSeverity::Warning
                                                             : emulator::ReportSeverity::Error;
                open->message = std::string(line);
            }
        } else if (open && line.empty()) {
            keep(reports, *std::move(open));
            open.reset();
            continue;
        }
        if (!open) {
            continue;
        }
        if (const auto location = locationIn(line, lines)) {
            // Racecheck names both accesses; other tools one, then the backtrace.
            if (open->kernel.empty() || (open->rule == emulator::RuleId::Race && open->lines.size() < 2)) {
                open->kernel = location->kernel;
                if (location->line > 0) {
                    open->lines.push_back({.file = std::string(sourceName), .line = location->line});
                }
            }
        }
        if (line.starts_with("by thread")) {
            open->warp = std::string(line.substr(3));
        }
        const bool tells =
            line.starts_with("and ") || line.starts_with("Access ") || line.starts_with("Address ");
        if (tells && line.find("backtrace") == std::string_view::npos) {
            open->message += fmt::format("; {}", line);
        }
    }
    if (open) {
        keep(reports, *std::move(open));
    }
    return reports;
}

} // namespace ptxwb
