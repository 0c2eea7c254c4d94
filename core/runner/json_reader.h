// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptxwb::wire {

using Json = nlohmann::json;

/// Thrown while a line is decoded, caught by decodeEvent / decodeRequest; never leaves this room.
struct DecodeFailure {
    std::string path; ///< "$.plan.buffers[2].dtype"
    std::string message;
};

/// A value of the document together with the place where it stands, so that every complaint names its field.
class JsonReader {
public:
    JsonReader(const Json& value, std::string path)
        : m_value(value)
        , m_path(std::move(path))
    {
    }

    [[noreturn]] void fail(const std::string& message) const { throw DecodeFailure{m_path, message}; }

    /// The member `key`; a missing one is a failure.
    JsonReader at(const char* key) const;
    /// The member `key`, or nothing when it is missing or null.
    std::optional<JsonReader> find(const char* key) const;

    std::string text() const;
    bool boolean() const;
    double real() const; ///< "NaN", "Inf" and "-Inf" too
    template <std::integral T> T integer() const;

    std::vector<JsonReader> elements() const;
    std::vector<std::pair<std::string, JsonReader>> members() const;

    /// `read(element)` over an array.
    template <class F> auto list(F&& read) const
    {
        std::vector<decltype(read(*this))> values;
        for (const JsonReader& element : elements()) {
            values.push_back(read(element));
        }
        return values;
    }
    std::vector<std::string> texts() const
    {
        return list([](const JsonReader& element) { return element.text(); });
    }
    std::vector<double> reals() const
    {
        return list([](const JsonReader& element) { return element.real(); });
    }
    template <std::integral T> std::vector<T> integers() const
    {
        return list([](const JsonReader& element) { return element.integer<T>(); });
    }

private:
    /// A whole number as JSON has it: below zero, or not.
    struct WholeNumber {
        bool negative = false;
        std::int64_t belowZero = 0;
        std::uint64_t notNegative = 0;
    };
    WholeNumber wholeNumber() const;

    const Json& m_value;
    std::string m_path;
};

template <std::integral T> T JsonReader::integer() const
{
    const WholeNumber whole = wholeNumber();
    if (whole.negative ? !std::in_range<T>(whole.belowZero) : !std::in_range<T>(whole.notNegative)) {
        fail("the number is out of range");
    }
    return whole.negative ? static_cast<T>(whole.belowZero) : static_cast<T>(whole.notNegative);
}

/// A number, or "NaN", "Inf", "-Inf".
Json real(double value);
Json reals(const std::vector<double>& values);

/// Enumerators by name, in the order of their values.
template <class E, std::size_t N> E enumerator(const JsonReader& reader, const char* const (&names)[N])
{
    const std::string name = reader.text();
    std::string known;
    for (std::size_t i = 0; i < N; ++i) {
        if (name == names[i]) {
            return static_cast<E>(i);
        }
        known += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    reader.fail("'" + name + "' is none of " + known);
}
template <class E, std::size_t N> const char* nameOf(E value, const char* const (&names)[N])
{
    return names[static_cast<std::size_t>(value) < N ? static_cast<std::size_t>(value) : 0];
}

} // namespace ptxwb::wire
