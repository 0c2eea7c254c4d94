// SPDX-License-Identifier: Apache-2.0
#include "core/records/triage_run.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace ptxwb::records {

namespace {

using Json = nlohmann::ordered_json;

// The words of a message without what differs from answer to answer: quoted names and numbers.
std::string withoutNames(std::string_view message)
{
    std::string words;
    char quote = '\0';
    for (const char c : message) {
        if (quote != '\0') {
            if (c == quote) {
                words += "...";
                words += c;
                quote = '\0';
            }
        } else {
            words += c;
            quote = c == '\'' || c == '"' ? c : '\0';
        }
    }
    return words;
}

int countOf(const std::vector<TriageRow>& rows, TriageResult result)
{
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [&](const TriageRow& row) { return row.result == result; }));
}

} // namespace

std::vector<CauseCount> countCauses(const std::vector<TriageRow>& rows)
{
    std::map<CauseClass, CauseCount> classes;
    std::map<CauseClass, std::map<std::string, int>> messages;
    for (const auto& row : rows) {
        if (!row.cause) {
            continue;
        }
        auto& counted = classes[row.cause->cause];
        counted.cause = row.cause->cause;
        if (counted.answers++ == 0) {
            counted.example = answerTitle(row.path, row.fileLine, row.turn);
        }
        ++messages[row.cause->cause][withoutNames(row.cause->message)];
    }
    std::vector<CauseCount> counts;
    for (auto& [cause, counted] : classes) {
        const auto& said = messages[cause];
        counted.commonMessage = std::max_element(said.begin(), said.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        })->first;
        counts.push_back(std::move(counted));
    }
    std::stable_sort(
        counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.answers > b.answers; });
    return counts;
}

std::string toJson(const TriageRun& run)
{
    Json rows = Json::array();
    for (const auto& row : run.rows) {
        rows.push_back(rowJson(row));
    }
    Json causes = Json::array();
    for (const auto& counted : countCauses(run.rows)) {
        causes.push_back({{"class", causeClassName(counted.cause)}, {"title", causeClassTitle(counted.cause)},
            {"answers", counted.answers}, {"common_message", counted.commonMessage},
            {"example", counted.example}});
    }
    const Json document{{"schema", "ptxwb.triage.v1"}, {"stopped", run.stopped}, {"sandboxed", run.sandboxed},
        {"answers", run.rows.size()}, {"compile", countOf(run.rows, TriageResult::Compiles)},
        {"do_not_compile", countOf(run.rows, TriageResult::DoesNotCompile)},
        {"no_code", countOf(run.rows, TriageResult::NoCode)},
        {"not_compiled", countOf(run.rows, TriageResult::NotCompiled)}, {"causes", causes},
        {"passed_over",
            {{"other_files", run.files.otherFiles}, {"linked_folders", run.files.linkedFolders},
                {"copies", run.files.copies}}},
        {"rows", rows}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ptxwb::records
