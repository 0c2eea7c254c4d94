// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/content_json.h"

#include "core/support/version.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <ctime>

namespace ptxwb {

using Json = nlohmann::ordered_json;

namespace {

template <class T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json number(const std::optional<double>& value, Dtype dtype)
{
    if (!value) {
        return nullptr;
    }
    if (std::isnan(*value)) {
        return "NaN";
    }
    if (std::isinf(*value)) {
        return *value > 0 ? "Inf" : "-Inf";
    }
    constexpr double exact = 9007199254740992.0; // 2^53
    switch (dtype) {
    case Dtype::Int64:
    case Dtype::Int32:
    case Dtype::Int16:
    case Dtype::Int8:
    case Dtype::Uint8:
        return std::abs(*value) <= exact ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
    case Dtype::Bool:
        return *value != 0;
    default:
        return *value;
    }
}

} // namespace

Json contentJson(const TensorContent& output, const std::string& among)
{
    const auto dtype = output.type.dtype;
    Json head = Json::array();
    for (const double value : output.head) {
        head.push_back(number(value, dtype));
    }
    Json json{{"dtype", dtypeName(dtype)}, {"shape", output.type.shape}, {"sha256", output.sha256},
        {"head", head}, {"min", number(output.min, dtype)}, {"max", number(output.max, dtype)},
        {"nan_count", output.nanCount},
        {"unwritten_count", output.unwrittenCount ? Json(*output.unwrittenCount) : Json(nullptr)}};
    if (!output.unwrittenCount) {
        json["unwritten_count_reason"] = "only floats that start as poison show what was not written";
    }
    const std::string key =
        among == "between schedules" ? "differs_between_schedules" : "differs_between_calls";
    json[key] = number(output.difference, Dtype::Float64);
    if (!output.difference) {
        json[key + "_reason"] = among == "between schedules"
            ? "the bits were the same under every schedule that ended"
            : "the bits were the same, or one call was made only";
    }
    return json;
}

Json deviceJson(const std::optional<DeviceInfo>& device)
{
    if (!device) {
        return nullptr;
    }
    return {{"name", device->name}, {"cc", device->computeCapability}, {"target", device->target},
        {"driver", device->driver}, {"memory_bytes", device->memoryBytes}, {"l2_bytes", device->l2Bytes},
        {"multiprocessors", device->multiprocessors}, {"sm_clock_mhz", orNull(device->smClockMhz)},
        {"max_sm_clock_mhz", orNull(device->maxSmClockMhz)}, {"throttle", device->throttleReasons}};
}

Json timesJson(const std::vector<double>& samplesUs)
{
    const auto summary = summarise(samplesUs);
    if (!summary) {
        return nullptr;
    }
    return {{"median_us", summary->median}, {"p10_us", summary->p10}, {"p90_us", summary->p90},
        {"ci95_us", summary->ci95}, {"calls", summary->samples}, {"samples_us", samplesUs}};
}

Json madeJson(const std::vector<Tool>& tools)
{
    Json rows = Json::array();
    for (const Tool& tool : tools) {
        rows.push_back({{"name", toolName(tool.kind)}, {"version", tool.version}});
    }
    return {{"utc", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
        {"ptxwb", productVersion()}, {"tools", rows}};
}

} // namespace ptxwb
