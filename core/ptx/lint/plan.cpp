// SPDX-License-Identifier: Apache-2.0
// What the launch plan in the file's own comment decides about its tensor maps.
#include "core/ptx/lint/rules.h"

#include <nlohmann/json.hpp>

namespace ptxwb::lint {

namespace {

using Json = nlohmann::json;

// A number, or the name of a constant; 0 for what depends on an axis.
std::uint64_t valueOf(const Json& value, const Json& constants)
{
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>();
    }
    if (value.is_string()) {
        const auto named = constants.find(value.get_ref<const std::string&>());
        if (named != constants.end() && named->is_number_unsigned()) {
            return named->get<std::uint64_t>();
        }
        return static_cast<std::uint64_t>(
            std::max<std::int64_t>(literalValue(value.get_ref<const std::string&>()).value_or(0), 0));
    }
    return 0;
}

int bytesOfType(std::string_view type)
{
    for (const auto& [ending, bytes] : {std::pair<std::string_view, int>{"64", 8}, {"32", 4}, {"16", 2}}) {
        if (type.ends_with(ending)) {
            return bytes;
        }
    }
    return type.find("8") != std::string_view::npos ? 1 : 0;
}

TensorMapFacts mapOf(const Json& map, const Json& constants, const Json& tensors)
{
    TensorMapFacts made;
    const auto box = map.find("box");
    if (box != map.end() && box->is_array() && !box->empty()) {
        made.innerElements = valueOf(box->front(), constants);
        made.elements = 1;
        for (const auto& side : *box) {
            const auto elements = valueOf(side, constants);
            made.elements = elements <= 256 ? made.elements * elements : 0; // the hardware's limit
        }
    }
    const auto text = [&](const Json& object, const char* key) {
        const auto found = object.is_object() ? object.find(key) : object.end();
        return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>()
                                                                                 : std::string();
    };
    const auto swizzle = text(map, "swizzle");
    made.swizzleBytes = swizzle == "128B" ? 128 : (swizzle == "64B" ? 64 : (swizzle == "32B" ? 32 : 0));
    const auto tensor = text(map, "tensor");
    if (tensors.is_object() && tensors.contains(tensor)) {
        made.elementBytes = bytesOfType(text(tensors.at(tensor), "dtype"));
    }
    return made;
}

} // namespace

PlanFacts readPlan(const std::string& json)
{
    PlanFacts facts;
    const auto plan = Json::parse(json, nullptr, false);
    if (!plan.is_object()) {
        return facts;
    }
    try {
        const auto constants = plan.value("constants", Json::object());
        const auto tensors = plan.value("tensors", Json::object());
        const auto maps = plan.value("tensor_maps", Json::object());
        for (const auto& launch : plan.value("launches", Json::array())) {
            auto& ofKernel = facts[launch.value("kernel", std::string())];
            std::size_t index = 0;
            for (const auto& argument : launch.value("args", Json::array())) {
                const auto name = argument.value("tensor_map", std::string());
                if (!name.empty() && maps.contains(name)) {
                    ofKernel[index] = mapOf(maps.at(name), constants, tensors);
                }
                ++index;
            }
        }
    } catch (const Json::exception&) {
        facts.clear(); // the launch plan's own reader says what is wrong with it
    }
    return facts;
}

std::string plannedBlock(const std::string& json, std::string_view kernel)
{
    const auto plan = Json::parse(json, nullptr, false);
    if (!plan.is_object()) {
        return {};
    }
    std::string text;
    try {
        const auto constants = plan.value("constants", Json::object());
        for (const auto& launch : plan.value("launches", Json::array())) {
            if (launch.value("kernel", std::string()) != kernel) {
                continue;
            }
            for (const auto& side : launch.value("block", Json::array())) {
                const auto threads = valueOf(side, constants);
                if (threads == 0) {
                    return {};
                }
                text += (text.empty() ? "" : ", ") + std::to_string(threads);
            }
            return text;
        }
    } catch (const Json::exception&) {
        return {};
    }
    return {};
}

} // namespace ptxwb::lint
