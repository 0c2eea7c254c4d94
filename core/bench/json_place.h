// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ptxwb {

/// Thrown by JsonNode inside a reader of this room and turned into a Result by `readPlaced`: a reader of
/// nested JSON would otherwise test for failure after every field.
struct JsonFault {
    Error error{};
};

class JsonDocument;

/// A value of a JsonDocument that knows its path (`$.launches[0].grid[1]`) and line. Valid while the document
/// lives. Every accessor throws JsonFault (BadFormat with path, line and JSON path) when the value is of
/// another kind.
class JsonNode {
public:
    JsonNode(const JsonDocument& document, const nlohmann::ordered_json& value, std::string path)
        : m_document(&document)
        , m_value(&value)
        , m_path(std::move(path))
    {
    }

    const std::string& path() const { return m_path; }
    bool isNull() const;
    bool isString() const;
    bool isNumber() const;
    bool isObject() const;

    std::string string() const;
    bool boolean() const;
    double number() const;
    std::int64_t integer() const;
    /// An integer that may need all 64 bits unsigned.
    bool isUnsignedBeyondSigned() const;
    std::uint64_t unsignedInteger() const;
    std::vector<std::string> strings() const;
    std::vector<JsonNode> items() const; ///< of an array
    std::vector<std::pair<std::string, JsonNode>> members() const; ///< of an object, in the order of the file

    bool has(std::string_view key) const;
    JsonNode at(std::string_view key) const; ///< throws when missing
    /// Throws for the first member whose key is not listed, with the key that may have been meant.
    void allowOnly(std::initializer_list<std::string_view> keys) const;

    /// An integer, or a string with an expression over `names`.
    std::int64_t evaluated(const std::map<std::string, std::int64_t>& names) const;

    [[noreturn]] void fail(std::string message, std::string hint = {}) const;
    /// The error of something below, given this place.
    [[noreturn]] void fail(Error error) const;

private:
    [[noreturn]] void failKind(std::string_view expected) const;

    const JsonDocument* m_document;
    const nlohmann::ordered_json* m_value;
    std::string m_path;
};

/// JSON text with the line of every value. Refuses nesting deeper than 64 and repeated keys.
class JsonDocument {
public:
    /// `firstLine` is the line of the text's first byte in the file `path` (path may be empty).
    /// Errors: BadFormat with path, line, and the JSON path of the last value that was still understood.
    static Result<JsonDocument> parse(std::string_view text, int firstLine = 1, std::string path = {});

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    JsonNode root() const;
    const std::string& path() const { return m_path; }
    int lineOf(const std::string& jsonPath) const;

private:
    JsonDocument();

    std::unique_ptr<nlohmann::ordered_json> m_value;
    std::unordered_map<std::string, int> m_lines{};
    std::string m_path{};
    int m_firstLine = 1;
};

/// `$.a` + "b" -> `$.a.b`; keys that are no identifiers are quoted: `$.a["b c"]`.
std::string jsonChildPath(const std::string& parent, std::string_view key);

/// Runs a reader that uses JsonNode.
template <class F> auto readPlaced(F&& reader) -> Result<std::invoke_result_t<F>>
{
    try {
        return reader();
    } catch (JsonFault& fault) {
        return std::move(fault.error);
    }
}

} // namespace ptxwb
