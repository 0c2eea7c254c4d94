// SPDX-License-Identifier: Apache-2.0
#include "core/records/trajectory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <regex>

namespace ptxwb::records {

namespace {

using Json = nlohmann::json;

// Copies of the provider's whole answers make most of a trajectory's bytes; what is in them stands in
// `content` already.
bool isBallast(const std::string& key)
{
    constexpr std::array<std::string_view, 6> keys{
        "choices", "reasoning_content", "reasoning", "reasoning_details", "output", "traces"};
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

Result<Json> parse(std::string_view text, const std::string& path)
{
    const auto filter = [](int depth, Json::parse_event_t event, Json& value) {
        return event != Json::parse_event_t::key || depth < 3 || !isBallast(value.get_ref<std::string&>());
    };
    try {
        return Json::parse(text, filter);
    } catch (const Json::parse_error& failure) {
        const auto upTo = text.substr(0, std::min(text.size(), failure.byte));
        std::string why = failure.what();
        const auto colon = why.find(": ");
        return Error{.code = ErrorCode::BadFormat,
            .message = "this is not JSON: " + (colon == std::string::npos ? why : why.substr(colon + 2)),
            .hint = "is the file whole?",
            .path = path,
            .line = static_cast<int>(std::count(upTo.begin(), upTo.end(), '\n')) + 1};
    }
}

const Json* member(const Json& object, std::string_view key)
{
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> stringIn(const Json& object, std::initializer_list<std::string_view> keys)
{
    for (const auto key : keys) {
        if (const auto* value = member(object, key); value != nullptr && value->is_string()) {
            return value->get<std::string>();
        }
    }
    return std::nullopt;
}

// A message's text: a string, or an array of parts.
std::string contentOf(const Json& message)
{
    const auto* content = member(message, "content");
    if (content == nullptr) {
        return {};
    }
    if (content->is_string()) {
        return content->get<std::string>();
    }
    std::string text;
    if (content->is_array()) {
        for (const auto& part : *content) {
            text += part.is_string() ? part.get<std::string>() : stringIn(part, {"text"}).value_or("");
        }
    }
    return text;
}

std::string roleOf(const Json& message)
{
    return stringIn(message, {"role"}).value_or("");
}

std::optional<std::string> modelOf(const Json& document)
{
    if (auto named = stringIn(document, {"model", "model_name"})) {
        return named;
    }
    const auto* info = member(document, "info");
    const auto* config = info == nullptr ? nullptr : member(*info, "config");
    const auto* model = config == nullptr ? nullptr : member(*config, "model");
    if (model == nullptr) {
        return std::nullopt;
    }
    return model->is_string() ? std::optional(model->get<std::string>())
                              : stringIn(*model, {"model_name", "name", "model"});
}

// The task's JSON stands in the first user message, its name first.
std::optional<std::string> taskInPrompt(const std::string& prompt)
{
    static const std::regex name(R"re("name"\s*:\s*"([A-Za-z0-9_.\-]{1,200})")re");
    std::smatch match;
    return std::regex_search(prompt, match, name) ? std::optional(match[1].str()) : std::nullopt;
}

Recorded recordedOf(const Json& observation)
{
    Recorded said{.paperClass = std::string(paperClassOf(contentOf(observation)))};
    const auto* extra = member(observation, "extra");
    if (extra == nullptr) {
        return said;
    }
    said.event = stringIn(*extra, {"event"});
    if (const auto* passed = member(*extra, "all_passed"); passed != nullptr && passed->is_boolean()) {
        said.allPassed = passed->get<bool>();
    }
    if (const auto* speedup = member(*extra, "min_speedup"); speedup != nullptr && speedup->is_number()) {
        said.minSpeedup = speedup->get<double>();
    }
    if (const auto* code = member(*extra, "returncode"); code != nullptr && code->is_number_integer()) {
        said.returnCode = code->get<int>();
    }
    return said;
}

void addConversation(const Json& document, const Answer& base, std::vector<Answer>& answers)
{
    const auto& messages = document.at("messages");
    auto task = base.task;
    int turn = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const auto role = roleOf(messages[i]);
        if (role == "user" && !task && turn == 0) {
            task = taskInPrompt(contentOf(messages[i]));
        }
        if (role != "assistant") {
            continue;
        }
        Answer answer = base;
        answer.task = task;
        answer.turn = turn++;
        answer.text = contentOf(messages[i]);
        if (i + 1 < messages.size() && roleOf(messages[i + 1]) == "user") {
            answer.recorded = recordedOf(messages[i + 1]);
        }
        answers.push_back(std::move(answer));
    }
}

// Whether the document holds answers at all.
bool addAnswers(const Json& document, Answer base, std::vector<Answer>& answers)
{
    base.model = modelOf(document);
    base.task = stringIn(document, {"task", "definition", "problem"});
    if (const auto* messages = member(document, "messages"); messages != nullptr && messages->is_array()) {
        addConversation(document, base, answers);
        return true;
    }
    if (auto text = stringIn(document, {"answer", "response", "completion"})) {
        base.text = *std::move(text);
        if (const auto* turn = member(document, "turn"); turn != nullptr && turn->is_number_integer()) {
            base.turn = turn->get<int>();
        }
        answers.push_back(std::move(base));
        return true;
    }
    return false;
}

} // namespace

Result<std::vector<Answer>> answersOfJson(std::string_view text, const std::string& path)
{
    auto document = parse(text, path);
    if (!document) {
        return document.error();
    }
    std::vector<Answer> answers;
    if (!document->is_array()) {
        addAnswers(*document, {.path = path}, answers);
        return answers;
    }
    int number = 0;
    for (const auto& element : *document) {
        addAnswers(element, {.path = fmt::format("{}[{}]", path, number++)}, answers);
    }
    return answers;
}

std::vector<Answer> answersOfJsonLines(std::string_view text, const std::string& path)
{
    std::vector<Answer> answers;
    int number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, end - at);
        at = end + 1;
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        Answer base{.path = path, .line = number};
        const auto before = answers.size();
        auto document = parse(line, path);
        if (!document) {
            base.problem = document.error();
            base.problem->line = number;
            answers.push_back(std::move(base));
        } else if (!addAnswers(*document, base, answers)) {
            base.problem = Error{.code = ErrorCode::BadFormat,
                .message = "no answer is in this line",
                .hint = "wanted: an object with \"answer\" or \"messages\"",
                .path = path,
                .line = number};
            answers.push_back(std::move(base));
        } else if (answers.size() == before) {
            base.problem = Error{.code = ErrorCode::BadFormat,
                .message = "no answer is in this line: none of its messages is the assistant's",
                .path = path,
                .line = number};
            answers.push_back(std::move(base));
        }
    }
    return answers;
}

std::vector<std::string> definitionsOfPlan(std::string_view text)
{
    constexpr std::size_t most = 1'000'000;
    std::vector<std::string> definitions;
    const auto document = Json::parse(text, nullptr, false);
    const auto* plan = member(document, "plan");
    if (plan == nullptr || !plan->is_array()) {
        return definitions;
    }
    for (const auto& entry : *plan) {
        const auto* index = member(entry, "exp_index");
        const auto definition = stringIn(entry, {"definition"});
        if (index == nullptr || !index->is_number_unsigned() || !definition
            || index->get<std::size_t>() >= most) {
            continue;
        }
        definitions.resize(std::max(definitions.size(), index->get<std::size_t>() + 1));
        definitions[index->get<std::size_t>()] = *definition;
    }
    return definitions;
}

std::string_view paperClassOf(std::string_view observation)
{
    const auto has = [&](std::string_view words) {
        return observation.find(words) != std::string_view::npos;
    };
    static const std::regex sanitizeWait(R"(Timed out after \d+(\.\d+)?s waiting for sanitize)");
    static const std::regex timeoutMark(R"(\]\s+TIMEOUT\b)");
    const auto matches = [&](const std::regex& words) {
        return std::regex_search(observation.begin(), observation.end(), words);
    };
    if (has("PASSED")) {
        return "Correct";
    }
    if (has("INCORRECT_NUMERICAL") || has("Result is incorrect")) {
        return "Numerical error";
    }
    if (has("Failed to compile kernel")) {
        return "Compilation error";
    }
    if (has("Timed out after") && matches(sanitizeWait)) {
        return "Sanitize Timeout";
    }
    if (has("returncode 137")) {
        return "Profiling Service Timeout";
    }
    if (has("Kernel execution timed out") || has("Evaluation timeout after") || has("memcheck timed out")
        || (has("TIMEOUT") && matches(timeoutMark))) {
        return "Kernel Execution Timeout";
    }
    if (has("Could not extract")) {
        return "Extraction error";
    }
    if (has("RUNTIME_ERROR") || has("CUDA error") || has("CU error")) {
        return "Runtime error";
    }
    return "Other error";
}

} // namespace ptxwb::records
