// SPDX-License-Identifier: Apache-2.0
#include "core/bench/json_place.h"

#include "core/bench/expression.h"
#include "core/bench/json_place_index.h"
#include "core/bench/suggestion.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace ptxwb {

namespace {

int lineAt(std::string_view text, std::size_t offset, int firstLine)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    return firstLine + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

std::size_t columnAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t lineEnd = before.rfind('\n');
    return before.size() - (lineEnd == std::string_view::npos ? 0 : lineEnd + 1) + 1;
}

/// What nlohmann says, without its prefix and its own position.
std::string parserReason(std::string_view what)
{
    const std::size_t dash = what.find(" - ");
    if (dash != std::string_view::npos) {
        return std::string(what.substr(dash + 3));
    }
    const std::size_t bracket = what.find("] ");
    return std::string(bracket == std::string_view::npos ? what : what.substr(bracket + 2));
}

bool isIdentifier(std::string_view key)
{
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !key.empty() && std::isdigit(static_cast<unsigned char>(key.front())) == 0
        && std::all_of(key.begin(), key.end(), isPart);
}

} // namespace

std::string jsonChildPath(const std::string& parent, std::string_view key)
{
    return isIdentifier(key) ? fmt::format("{}.{}", parent, key) : fmt::format("{}[\"{}\"]", parent, key);
}

JsonDocument::JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::parse(std::string_view text, int firstLine, std::string path)
{
    const auto errorAt = [&](std::size_t offset, std::string jsonPath, std::string message,
                             std::string hint = {}) {
        Error error;
        error.code = ErrorCode::BadFormat;
        error.message = std::move(message);
        error.hint = std::move(hint);
        error.path = path;
        error.line = lineAt(text, offset, firstLine);
        error.jsonPath = std::move(jsonPath);
        return error;
    };

    JsonPlaceIndex index = indexJsonPlaces(text);
    if (index.tooDeep) {
        return errorAt(
            index.tooDeep->offset, "$", fmt::format("JSON nested deeper than {} levels", deepestJson));
    }
    JsonDocument document;
    try {
        document.m_value =
            std::make_unique<nlohmann::ordered_json>(nlohmann::ordered_json::parse(text.begin(), text.end()));
    } catch (const nlohmann::json::parse_error& fault) {
        const std::size_t offset = fault.byte == 0 ? 0 : fault.byte - 1;
        std::string last = "$";
        for (const JsonPlace& place : index.places) {
            if (place.offset <= offset) {
                last = place.path;
            }
        }
        return errorAt(offset, last,
            fmt::format(
                "not valid JSON at column {}: {}", columnAt(text, offset), parserReason(fault.what())));
    } catch (const nlohmann::json::exception& fault) {
        return errorAt(0, "$", fmt::format("not valid JSON: {}", parserReason(fault.what())));
    }
    if (index.repeatedKey) {
        return errorAt(index.repeatedKey->offset, index.repeatedKey->path, "this key is given twice",
            "keep one of them");
    }
    std::size_t offset = 0;
    int line = firstLine;
    for (JsonPlace& place : index.places) {
        const std::string_view between = text.substr(offset, place.offset - offset);
        line += static_cast<int>(std::count(between.begin(), between.end(), '\n'));
        offset = place.offset;
        document.m_lines.emplace(std::move(place.path), line);
    }
    document.m_path = std::move(path);
    document.m_firstLine = firstLine;
    return document;
}

JsonNode JsonDocument::root() const
{
    return {*this, *m_value, "$"};
}

int JsonDocument::lineOf(const std::string& jsonPath) const
{
    const auto found = m_lines.find(jsonPath);
    return found == m_lines.end() ? m_firstLine : found->second;
}

bool JsonNode::isNull() const
{
    return m_value->is_null();
}

bool JsonNode::isString() const
{
    return m_value->is_string();
}

bool JsonNode::isNumber() const
{
    return m_value->is_number();
}

bool JsonNode::isObject() const
{
    return m_value->is_object();
}

std::string JsonNode::string() const
{
    if (!m_value->is_string()) {
        failKind("a string");
    }
    return m_value->get<std::string>();
}

bool JsonNode::boolean() const
{
    if (!m_value->is_boolean()) {
        failKind("true or false");
    }
    return m_value->get<bool>();
}

double JsonNode::number() const
{
    if (!m_value->is_number()) {
        failKind("a number");
    }
    return m_value->get<double>();
}

std::int64_t JsonNode::integer() const
{
    if (!m_value->is_number_integer()) {
        failKind("an integer");
    }
    if (isUnsignedBeyondSigned()) {
        fail("number beyond 64 bits signed");
    }
    return m_value->get<std::int64_t>();
}

bool JsonNode::isUnsignedBeyondSigned() const
{
    return m_value->is_number_unsigned()
        && m_value->get<std::uint64_t>()
        > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

std::uint64_t JsonNode::unsignedInteger() const
{
    if (!m_value->is_number_unsigned()) {
        failKind("an integer of at least 0");
    }
    return m_value->get<std::uint64_t>();
}

std::vector<std::string> JsonNode::strings() const
{
    std::vector<std::string> values;
    for (const JsonNode& item : items()) {
        values.push_back(item.string());
    }
    return values;
}

std::vector<JsonNode> JsonNode::items() const
{
    if (!m_value->is_array()) {
        failKind("an array");
    }
    std::vector<JsonNode> nodes;
    nodes.reserve(m_value->size());
    for (std::size_t i = 0; i < m_value->size(); ++i) {
        nodes.emplace_back(*m_document, (*m_value)[i], fmt::format("{}[{}]", m_path, i));
    }
    return nodes;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const
{
    if (!m_value->is_object()) {
        failKind("an object");
    }
    std::vector<std::pair<std::string, JsonNode>> nodes;
    for (auto it = m_value->begin(); it != m_value->end(); ++it) {
        nodes.emplace_back(it.key(), JsonNode(*m_document, it.value(), jsonChildPath(m_path, it.key())));
    }
    return nodes;
}

bool JsonNode::has(std::string_view key) const
{
    return m_value->is_object() && m_value->find(std::string(key)) != m_value->end();
}

JsonNode JsonNode::at(std::string_view key) const
{
    if (!m_value->is_object()) {
        failKind("an object");
    }
    const auto found = m_value->find(std::string(key));
    if (found == m_value->end()) {
        fail(fmt::format("`{}` is missing", key));
    }
    return {*m_document, *found, jsonChildPath(m_path, key)};
}

void JsonNode::allowOnly(std::initializer_list<std::string_view> keys) const
{
    for (const auto& [key, node] : members()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
            node.fail(fmt::format("unknown key `{}`", key), suggestionFor(key, {keys.begin(), keys.end()}));
        }
    }
}

std::int64_t JsonNode::evaluated(const std::map<std::string, std::int64_t>& names) const
{
    if (!m_value->is_string()) {
        if (!m_value->is_number_integer()) {
            failKind("an integer or an expression in quotes");
        }
        return integer();
    }
    Result<std::int64_t> value = evaluateExpression(m_value->get_ref<const std::string&>(), names);
    if (!value) {
        fail(value.error());
    }
    return *value;
}

void JsonNode::fail(std::string message, std::string hint) const
{
    Error error;
    error.code = ErrorCode::BadFormat;
    error.message = std::move(message);
    error.hint = std::move(hint);
    fail(std::move(error));
}

void JsonNode::fail(Error error) const
{
    error.path = m_document->path();
    error.line = m_document->lineOf(m_path);
    error.jsonPath = m_path;
    throw JsonFault{std::move(error)};
}

void JsonNode::failKind(std::string_view expected) const
{
    const std::string found = m_value->is_number() ? m_value->dump() : std::string(m_value->type_name());
    fail(fmt::format("expected {}, found {}", expected, found));
}

} // namespace ptxwb
