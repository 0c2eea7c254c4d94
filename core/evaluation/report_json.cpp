// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/report_json.h"

#include <nlohmann/json.hpp>

namespace ptxwb {

using Json = nlohmann::ordered_json;

Json schedulesJson(const std::optional<emulator::Schedules>& schedules)
{
    if (!schedules) {
        return nullptr;
    }
    return {{"policies", schedules->policies}, {"seeds", schedules->seeds}, {"runs", schedules->runs},
        {"found", schedules->found}, {"completed", schedules->completed}};
}

Json reportsJson(const std::vector<emulator::Report>& reports)
{
    Json rows = Json::array();
    for (const auto& report : reports) {
        Json lines = Json::array();
        for (const auto& line : report.lines) {
            lines.push_back({{"file", line.file}, {"line", line.line}});
        }
        Json address = nullptr;
        if (report.address) {
            address = {{"space", report.address->space}, {"symbol", report.address->symbol},
                {"offset", report.address->offset}};
        }
        rows.push_back({{"rule", emulator::ruleName(report.rule)},
            {"severity", report.severity == emulator::ReportSeverity::Error ? "error" : "warning"},
            {"by", report.bySanitizer ? "sanitizer" : "emulator"}, {"message", report.message},
            {"lines", lines}, {"kernel", report.kernel}, {"warp", report.warp}, {"agent", report.agent},
            {"address", address}, {"policy", report.policy}, {"seed", report.seed}, {"step", report.step},
            {"fix", report.fix}, {"occurrences", report.occurrences},
            {"occurrences_at_least", report.atLeast}});
    }
    return rows;
}

} // namespace ptxwb
