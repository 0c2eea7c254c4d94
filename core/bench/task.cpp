// SPDX-License-Identifier: Apache-2.0
#include "core/bench/task.h"

#include "core/bench/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb {

namespace {

/// Larger than the memory of any device; keeps every later product within 64 bits.
constexpr std::int64_t largestTensorBytes = std::int64_t{1} << 50;

Error invalid(std::string message)
{
    Error error;
    error.code = ErrorCode::InvalidArgument;
    error.message = std::move(message);
    return error;
}

} // namespace

bool Workload::hasTag(std::string_view tag) const
{
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

std::string Workload::name() const
{
    if (hasTag("paper")) {
        return "paper";
    }
    return tags.empty() ? uuid : tags.front();
}

Result<std::map<std::string, std::int64_t>> Task::axisValues(const Workload& workload) const
{
    std::map<std::string, std::int64_t> values;
    for (const Axis& axis : axes) {
        const auto given = workload.axes.find(axis.name);
        if (axis.constant) {
            values.emplace(axis.name, *axis.constant);
        } else if (given != workload.axes.end()) {
            values.emplace(axis.name, given->second);
        } else {
            return invalid(
                fmt::format("workload {} of {} gives no value for axis {}", workload.uuid, name, axis.name));
        }
    }
    return values;
}

Result<TensorType> Task::typeOf(const TensorSpec& spec, const Workload& workload) const
{
    const auto values = axisValues(workload);
    if (!values) {
        return values.error();
    }
    TensorType type;
    type.dtype = spec.dtype;
    std::int64_t size = dtypeBytes(spec.dtype);
    for (const std::string& axis : spec.shape) {
        const auto value = values->find(axis);
        if (value == values->end()) {
            return invalid(
                fmt::format("{} of {} has an axis {}, which is not declared", spec.name, name, axis));
        }
        type.shape.push_back(value->second);
        if (__builtin_mul_overflow(size, value->second, &size) || size > largestTensorBytes) {
            return invalid(fmt::format("{} of {} would have more than 2^50 bytes", spec.name, name));
        }
    }
    return type;
}

Result<const Workload*> Task::workload(std::string_view uuidOrTag) const
{
    constexpr std::size_t shortestPrefix = 8;
    const auto firstWhere = [this](auto&& matches) -> const Workload* {
        const auto found = std::find_if(workloads.begin(), workloads.end(), matches);
        return found == workloads.end() ? nullptr : &*found;
    };
    const Workload* found = firstWhere([&](const Workload& w) { return w.uuid == uuidOrTag; });
    if (found == nullptr) {
        found = firstWhere([&](const Workload& w) { return w.hasTag(uuidOrTag); });
    }
    if (found == nullptr && uuidOrTag.size() >= shortestPrefix) {
        found = firstWhere([&](const Workload& w) { return w.uuid.starts_with(uuidOrTag); });
    }
    if (found != nullptr) {
        return found;
    }
    std::vector<std::string> known;
    for (const Workload& w : workloads) {
        known.push_back(w.tags.empty() ? w.uuid : fmt::format("{} ({})", fmt::join(w.tags, ", "), w.uuid));
    }
    Error error;
    error.code = ErrorCode::NotFound;
    error.message = fmt::format("{} has no workload \"{}\"", name, uuidOrTag);
    error.hint =
        known.empty() ? std::string("it has none") : fmt::format("it has: {}", fmt::join(known, "; "));
    return error;
}

} // namespace ptxwb
