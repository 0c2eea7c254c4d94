// SPDX-License-Identifier: Apache-2.0
#include "core/llm/openai_codec.h"

#include "core/llm/prompt_composer.h"

#include <nlohmann/json.hpp>

#include <array>

namespace ptxwb::llm {

namespace {

using nlohmann::json;

constexpr std::size_t shownBytes = 500;

std::string stringAt(const json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::int64_t> countAt(const json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) {
        return std::nullopt;
    }
    return found->get<std::int64_t>();
}

std::optional<std::string> errorText(const json& document)
{
    if (!document.is_object()) {
        return std::nullopt;
    }
    const auto error = document.find("error");
    if (error != document.end() && !error->is_null()) {
        if (error->is_string()) {
            return error->get<std::string>();
        }
        if (error->is_object()) {
            const auto message = stringAt(*error, "message");
            return message.empty() ? error->dump() : message;
        }
        return error->dump();
    }
    for (const char* key : {"detail", "message"}) {
        const auto found = document.find(key);
        if (found != document.end() && !found->is_null() && !document.contains("choices")) {
            return found->is_string() ? found->get<std::string>() : found->dump();
        }
    }
    return std::nullopt;
}

void addText(json& messages, std::string_view role, std::string text)
{
    if (text.empty()) {
        return;
    }
    if (!messages.empty() && messages.back()["role"] == role) {
        messages.back()["content"] = messages.back()["content"].get<std::string>() + "\n\n" + text;
    } else {
        messages.push_back({{"role", role}, {"content", std::move(text)}});
    }
}

// Content is a string, or a list of parts of which the text ones count.
std::string textOf(const json& content)
{
    if (content.is_string()) {
        return content.get<std::string>();
    }
    std::string text;
    if (content.is_array()) {
        for (const auto& part : content) {
            if (part.is_object()) {
                text += stringAt(part, "text");
            }
        }
    }
    return text;
}

} // namespace

std::string encodeChatRequest(const Conversation& conversation, const RequestOptions& options)
{
    json messages = json::array();
    const Conversation sent = withoutUnansweredTurns(conversation);
    for (std::size_t i = 0; i < sent.messages.size(); ++i) {
        addText(messages, roleName(sent.messages[i].role), renderForModel(sent, i));
    }
    json request{{"messages", std::move(messages)}, {"stream", true}};
    if (!options.model.empty()) {
        request["model"] = options.model;
    }
    if (options.temperature) {
        request["temperature"] = *options.temperature;
    }
    if (options.maxTokens) {
        request["max_tokens"] = *options.maxTokens;
    }
    if (options.askForUsage) {
        request["stream_options"] = {{"include_usage", true}};
    }
    return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::vector<Delta>> StreamDecoder::decode(std::string_view data)
{
    std::vector<Delta> deltas;
    if (data == "[DONE]") {
        m_done = true;
        deltas.emplace_back(DoneDelta{});
        return deltas;
    }
    if (data.empty()) {
        return deltas;
    }
    const auto document = json::parse(shieldInvalidUtf8(data), nullptr, false);
    if (!document.is_object()) {
        return Error{.code = ErrorCode::Protocol,
            .message =
                "the server sent an event that is not JSON: " + std::string(utf8Prefix(data, shownBytes)),
            .hint = "the address may belong to another kind of server"};
    }
    if (auto message = errorText(document)) {
        deltas.emplace_back(ErrorDelta{unshieldBytes(*message)});
        return deltas;
    }
    if (auto model = stringAt(document, "model"); !model.empty() && model != m_model) {
        m_model = model;
        deltas.emplace_back(ModelDelta{unshieldBytes(model)});
    }
    if (const auto choices = document.find("choices"); choices != document.end() && choices->is_array()) {
        for (const auto& choice : *choices) {
            if (choice.is_object() && countAt(choice, "index").value_or(0) == 0) {
                decodeChoice(choice, deltas);
            }
        }
    }
    if (const auto usage = document.find("usage"); usage != document.end() && usage->is_object()) {
        deltas.emplace_back(UsageDelta{{.promptTokens = countAt(*usage, "prompt_tokens"),
            .completionTokens = countAt(*usage, "completion_tokens")}});
    }
    return deltas;
}

void StreamDecoder::decodeChoice(const json& choice, std::vector<Delta>& deltas)
{
    auto delta = choice.find("delta");
    if (delta == choice.end() || !delta->is_object()) {
        delta = choice.find("message");
    }
    if (delta != choice.end() && delta->is_object()) {
        for (const char* key : {"reasoning_content", "reasoning"}) {
            if (const auto reasoning = stringAt(*delta, key); !reasoning.empty()) {
                m_splitter.reasoningCameSeparately();
                if (auto text = m_reasoning.feed(unshieldBytes(reasoning)); !text.empty()) {
                    deltas.emplace_back(ReasoningDelta{std::move(text)});
                }
                break; // some servers send the same text under both names
            }
        }
        if (const auto content = delta->find("content"); content != delta->end()) {
            addContent(textOf(*content), deltas);
        }
    }
    if (auto reason = stringAt(choice, "finish_reason"); !reason.empty()) {
        m_finishReason = reason;
        deltas.emplace_back(FinishDelta{std::move(reason)});
    }
}

void StreamDecoder::addContent(const std::string& text, std::vector<Delta>& deltas)
{
    for (auto& delta : m_splitter.feed(m_content.feed(unshieldBytes(text)))) {
        deltas.push_back(std::move(delta));
    }
}

std::vector<Delta> StreamDecoder::finish()
{
    std::vector<Delta> deltas;
    if (auto rest = m_reasoning.finish(); !rest.empty()) {
        deltas.emplace_back(ReasoningDelta{std::move(rest)});
    }
    for (auto& delta : m_splitter.feed(m_content.finish())) {
        deltas.push_back(std::move(delta));
    }
    for (auto& delta : m_splitter.finish()) {
        deltas.push_back(std::move(delta));
    }
    return deltas;
}

std::optional<std::string> errorTextOf(std::string_view body)
{
    const auto document = json::parse(shieldInvalidUtf8(body), nullptr, false);
    auto text = errorText(document.is_array() && !document.empty() ? document.front() : document);
    if (text) {
        *text = unshieldBytes(*text);
    }
    return text;
}

Result<std::vector<std::string>> decodeModelList(std::string_view body)
{
    const auto document = json::parse(shieldInvalidUtf8(body), nullptr, false);
    const json* list = nullptr;
    if (document.is_array()) {
        list = &document;
    } else if (document.is_object()) {
        const auto data = document.find("data");
        if (data != document.end() && data->is_array()) {
            list = &*data;
        }
    }
    if (list == nullptr) {
        return Error{.code = ErrorCode::Protocol, .message = "the answer is no list of models"};
    }
    std::vector<std::string> ids;
    for (const auto& entry : *list) {
        if (entry.is_object()) {
            if (auto id = stringAt(entry, "id"); !id.empty()) {
                ids.push_back(std::move(id));
            }
        }
    }
    return ids;
}

} // namespace ptxwb::llm
