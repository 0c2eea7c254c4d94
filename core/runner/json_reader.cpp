// SPDX-License-Identifier: Apache-2.0
#include "core/runner/json_reader.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace ptxwb::wire {

JsonReader JsonReader::at(const char* key) const
{
    if (!m_value.is_object()) {
        fail("expected an object");
    }
    const auto found = m_value.find(key);
    if (found == m_value.end()) {
        throw DecodeFailure{m_path + "." + key, "the field is missing"};
    }
    return {*found, m_path + "." + key};
}

std::optional<JsonReader> JsonReader::find(const char* key) const
{
    if (!m_value.is_object()) {
        fail("expected an object");
    }
    const auto found = m_value.find(key);
    if (found == m_value.end() || found->is_null()) {
        return std::nullopt;
    }
    return JsonReader(*found, m_path + "." + key);
}

std::string JsonReader::text() const
{
    if (!m_value.is_string()) {
        fail("expected a string");
    }
    return m_value.get<std::string>();
}

bool JsonReader::boolean() const
{
    if (!m_value.is_boolean()) {
        fail("expected true or false");
    }
    return m_value.get<bool>();
}

JsonReader::WholeNumber JsonReader::wholeNumber() const
{
    if (m_value.is_number_unsigned()) {
        return {.notNegative = m_value.get<std::uint64_t>()};
    }
    if (m_value.is_number_integer()) {
        const auto value = m_value.get<std::int64_t>();
        return value < 0 ? WholeNumber{.negative = true, .belowZero = value}
                         : WholeNumber{.notNegative = static_cast<std::uint64_t>(value)};
    }
    fail("expected an integer");
}

double JsonReader::real() const
{
    if (m_value.is_number()) {
        return m_value.get<double>();
    }
    if (m_value.is_string()) {
        const auto name = m_value.get<std::string>();
        if (name == "NaN") {
            return std::numeric_limits<double>::quiet_NaN();
        }
        if (name == "Inf") {
            return std::numeric_limits<double>::infinity();
        }
        if (name == "-Inf") {
            return -std::numeric_limits<double>::infinity();
        }
    }
    fail("expected a number, \"NaN\", \"Inf\" or \"-Inf\"");
}

std::vector<JsonReader> JsonReader::elements() const
{
    if (!m_value.is_array()) {
        fail("expected an array");
    }
    std::vector<JsonReader> result;
    result.reserve(m_value.size());
    for (std::size_t i = 0; i < m_value.size(); ++i) {
        result.emplace_back(m_value[i], m_path + "[" + std::to_string(i) + "]");
    }
    return result;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const
{
    if (!m_value.is_object()) {
        fail("expected an object");
    }
    std::vector<std::pair<std::string, JsonReader>> result;
    for (const auto& [key, value] : m_value.items()) {
        result.emplace_back(key, JsonReader(value, m_path + "." + key));
    }
    return result;
}

Json real(double value)
{
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "Inf" : "-Inf";
    }
    return value;
}

Json reals(const std::vector<double>& values)
{
    Json array = Json::array();
    for (const double value : values) {
        array.push_back(real(value));
    }
    return array;
}

} // namespace ptxwb::wire
