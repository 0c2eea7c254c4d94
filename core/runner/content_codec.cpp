// SPDX-License-Identifier: Apache-2.0
#include "core/runner/codecs.h"
#include "core/support/base64.h"

#include <nlohmann/json.hpp>

#include <cstring>

namespace ptxwb::wire {

namespace {

Json optionalReal(const std::optional<double>& value)
{
    return value ? real(*value) : Json(nullptr);
}

std::optional<double> readOptionalReal(const JsonReader& reader, const char* key)
{
    const auto value = reader.find(key);
    return value ? std::optional(value->real()) : std::nullopt;
}

std::vector<std::byte> readBytes(const JsonReader& reader)
{
    const auto text = base64Decode(reader.text());
    if (!text) {
        reader.fail(text.error().message);
    }
    std::vector<std::byte> bytes(text->size());
    std::memcpy(bytes.data(), text->data(), text->size());
    return bytes;
}

} // namespace

Json toJson(const std::vector<TensorContent>& contents)
{
    Json rows = Json::array();
    for (const TensorContent& content : contents) {
        const std::string_view bytes(
            reinterpret_cast<const char*>(content.bytes.data()), content.bytes.size());
        rows.push_back({{"name", content.name}, {"dtype", dtypeName(content.type.dtype)},
            {"shape", content.type.shape}, {"bytes", base64Encode(bytes)}, {"sha256", content.sha256},
            {"head", reals(content.head)}, {"min", optionalReal(content.min)},
            {"max", optionalReal(content.max)}, {"nan_count", content.nanCount},
            {"unwritten_count", content.unwrittenCount ? Json(*content.unwrittenCount) : Json(nullptr)},
            {"difference", optionalReal(content.difference)}});
    }
    return rows;
}

TensorContent readContent(const JsonReader& reader)
{
    TensorContent content;
    content.name = reader.at("name").text();
    const auto dtype = dtypeByName(reader.at("dtype").text());
    if (!dtype) {
        reader.at("dtype").fail("unknown dtype");
    }
    content.type = {.dtype = *dtype, .shape = reader.at("shape").integers<std::int64_t>()};
    content.bytes = readBytes(reader.at("bytes"));
    content.sha256 = reader.at("sha256").text();
    content.head = reader.at("head").reals();
    content.min = readOptionalReal(reader, "min");
    content.max = readOptionalReal(reader, "max");
    content.nanCount = reader.at("nan_count").integer<std::uint64_t>();
    if (const auto unwritten = reader.find("unwritten_count")) {
        content.unwrittenCount = unwritten->integer<std::uint64_t>();
    }
    content.difference = readOptionalReal(reader, "difference");
    return content;
}

} // namespace ptxwb::wire
