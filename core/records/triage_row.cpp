// SPDX-License-Identifier: Apache-2.0
#include "core/records/triage_row.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace ptxwb::records {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> results{"compiles", "does_not_compile", "no_code", "not_compiled"};

template <class T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json orNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json ruleJson(const std::optional<RuleOutcome>& rule)
{
    return rule ? Json{{"choice", rule->choice}, {"language", rule->language}, {"sha256", rule->sha256},
               {"first_line", rule->firstLine}}
                : Json(nullptr);
}

Json recordedJson(const std::optional<Recorded>& said)
{
    return said ? Json{{"event", orNull(said->event)}, {"all_passed", orNull(said->allPassed)},
               {"min_speedup", orNull(said->minSpeedup)}, {"returncode", orNull(said->returnCode)},
               {"paper_class", said->paperClass}}
                : Json(nullptr);
}

Json causeJson(const std::optional<TriageCause>& cause)
{
    if (!cause) {
        return nullptr;
    }
    return {{"class", causeClassName(cause->cause)}, {"message", cause->message},
        {"tool", orNull(cause->tool)}, {"line", orNull(cause->line)},
        {"answer_line", orNull(cause->answerLine)}, {"explanation", orNull(cause->explanation)},
        {"fixes", cause->fixes}, {"other_causes", cause->others}};
}

// Readers: a key that is absent or null leaves the value as it is.
template <class T> void take(const Json& json, const char* key, T& value)
{
    if (const auto found = json.find(key); found != json.end() && !found->is_null()) {
        value = found->get<T>();
    }
}

template <class T> void take(const Json& json, const char* key, std::optional<T>& value)
{
    if (const auto found = json.find(key); found != json.end() && !found->is_null()) {
        value = found->get<T>();
    }
}

const Json* objectAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() || !found->is_object() ? nullptr : &*found;
}

std::optional<RuleOutcome> ruleFrom(const Json& rules, const char* key)
{
    const auto* json = objectAt(rules, key);
    if (json == nullptr) {
        return std::nullopt;
    }
    RuleOutcome rule;
    take(*json, "choice", rule.choice);
    take(*json, "language", rule.language);
    take(*json, "sha256", rule.sha256);
    take(*json, "first_line", rule.firstLine);
    return rule;
}

void takeParts(const Json& json, TriageRow& row)
{
    if (const auto* said = objectAt(json, "said_by_file")) {
        row.recorded.emplace();
        take(*said, "event", row.recorded->event);
        take(*said, "all_passed", row.recorded->allPassed);
        take(*said, "min_speedup", row.recorded->minSpeedup);
        take(*said, "returncode", row.recorded->returnCode);
        take(*said, "paper_class", row.recorded->paperClass);
    }
    if (const auto* rules = objectAt(json, "rules")) {
        row.reference = ruleFrom(*rules, "reference");
        row.commonMark = ruleFrom(*rules, "commonmark");
        take(*rules, "differ", row.rulesDiffer);
    }
    if (const auto* cause = objectAt(json, "cause")) {
        row.cause.emplace();
        std::string name;
        take(*cause, "class", name);
        row.cause->cause = causeClassByName(name);
        take(*cause, "message", row.cause->message);
        take(*cause, "tool", row.cause->tool);
        take(*cause, "line", row.cause->line);
        take(*cause, "answer_line", row.cause->answerLine);
        take(*cause, "explanation", row.cause->explanation);
        take(*cause, "fixes", row.cause->fixes);
        take(*cause, "other_causes", row.cause->others);
    }
    if (const auto* present = objectAt(json, "families_present")) {
        row.present.emplace();
        take(*present, "families", row.present->families);
        if (const auto* account = objectAt(*present, "paper_account")) {
            take(*account, "GMMA", row.present->gmma);
            take(*account, "TMA", row.present->tma);
            take(*account, "TCGEN", row.present->tcgen);
        }
    }
}

} // namespace

std::string_view triageResultName(TriageResult result)
{
    return results[static_cast<std::size_t>(result)];
}

Json rowJson(const TriageRow& row)
{
    Json json{{"key", row.key}, {"path", row.path}, {"file_line", orNull(row.fileLine)},
        {"turn", orNull(row.turn)}, {"model", orNull(row.model)}, {"task", orNull(row.task)},
        {"said_by_file", recordedJson(row.recorded)}, {"answer_sha256", orNull(row.answerSha256)},
        {"rule", row.rule},
        {"rules",
            {{"reference", ruleJson(row.reference)}, {"commonmark", ruleJson(row.commonMark)},
                {"differ", row.rulesDiffer}}},
        {"block_closed", row.closed}, {"elisions", row.elisions}, {"language", orNull(row.language)},
        {"contract", orNull(row.contract)}, {"code_sha256", orNull(row.codeSha256)},
        {"result", triageResultName(row.result)}, {"target", orNull(row.target)},
        {"cause", causeJson(row.cause)}, {"families_asked", row.asked}};
    if (row.present) {
        json["families_present"] = {{"families", row.present->families},
            {"paper_account",
                {{"GMMA", row.present->gmma}, {"TMA", row.present->tma}, {"TCGEN", row.present->tcgen}}}};
        json["asked_not_present"] = row.askedNotPresent;
    } else {
        json["families_present"] = nullptr;
        json["families_present_reason"] = row.presentReason;
        json["asked_not_present"] = nullptr;
        json["asked_not_present_reason"] = row.presentReason;
    }
    return json;
}

std::optional<TriageRow> rowFromJson(const Json& json)
{
    TriageRow row;
    try {
        std::string result;
        take(json, "key", row.key);
        take(json, "path", row.path);
        take(json, "file_line", row.fileLine);
        take(json, "turn", row.turn);
        take(json, "model", row.model);
        take(json, "task", row.task);
        take(json, "answer_sha256", row.answerSha256);
        take(json, "rule", row.rule);
        take(json, "block_closed", row.closed);
        take(json, "elisions", row.elisions);
        take(json, "language", row.language);
        take(json, "contract", row.contract);
        take(json, "code_sha256", row.codeSha256);
        take(json, "target", row.target);
        take(json, "families_asked", row.asked);
        take(json, "families_present_reason", row.presentReason);
        take(json, "asked_not_present", row.askedNotPresent);
        take(json, "result", result);
        takeParts(json, row);
        const auto known = std::find(results.begin(), results.end(), result);
        if (row.key.empty() || known == results.end()) {
            return std::nullopt;
        }
        row.result = static_cast<TriageResult>(known - results.begin());
    } catch (const Json::exception&) {
        return std::nullopt;
    }
    return row;
}

} // namespace ptxwb::records
