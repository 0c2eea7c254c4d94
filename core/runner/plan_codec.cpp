// SPDX-License-Identifier: Apache-2.0
#include "core/runner/codecs.h"

#include <nlohmann/json.hpp>

namespace ptxwb::wire {

namespace {

constexpr const char* roleNames[]{"input", "output", "workspace"};
constexpr const char* initNames[]{"random", "zero", "iota", "poison", "scalar", "derived"};
constexpr const char* swizzleNames[]{"none", "32B", "64B", "128B"};
constexpr const char* fillNames[]{"zero", "nan"};
constexpr const char* l2Names[]{"none", "64B", "128B", "256B"};
constexpr const char* argumentNames[]{
    "tensor", "tensor_map", "workspace", "i32", "u32", "i64", "u64", "f32", "f64"};

Dtype readDtype(const JsonReader& reader)
{
    const std::string name = reader.text();
    if (const auto dtype = dtypeByName(name)) {
        return *dtype;
    }
    reader.fail("unknown element type '" + name + "'");
}

Json toJson(const BufferSpec& buffer)
{
    return {{"name", buffer.name}, {"dtype", dtypeName(buffer.type.dtype)}, {"shape", buffer.type.shape},
        {"role", nameOf(buffer.role, roleNames)}, {"init", nameOf(buffer.init, initNames)},
        {"scalar", real(buffer.scalar)}};
}

BufferSpec readBuffer(const JsonReader& reader)
{
    return {.name = reader.at("name").text(),
        .type = {.dtype = readDtype(reader.at("dtype")),
            .shape = reader.at("shape").integers<std::int64_t>()},
        .role = enumerator<BufferRole>(reader.at("role"), roleNames),
        .init = enumerator<BufferInit>(reader.at("init"), initNames),
        .scalar = reader.at("scalar").real()};
}

Json toJson(const TensorMapSpec& map)
{
    return {{"name", map.name}, {"buffer", map.buffer}, {"dtype", dtypeName(map.dtype)}, {"dims", map.dims},
        {"strides_bytes", map.stridesBytes}, {"box", map.box}, {"element_strides", map.elementStrides},
        {"swizzle", nameOf(map.swizzle, swizzleNames)}, {"oob", nameOf(map.fill, fillNames)},
        {"l2", nameOf(map.l2, l2Names)}, {"offset_bytes", map.offsetBytes}};
}

TensorMapSpec readTensorMap(const JsonReader& reader)
{
    return {.name = reader.at("name").text(),
        .buffer = reader.at("buffer").integer<int>(),
        .dtype = readDtype(reader.at("dtype")),
        .dims = reader.at("dims").integers<std::uint64_t>(),
        .stridesBytes = reader.at("strides_bytes").integers<std::uint64_t>(),
        .box = reader.at("box").integers<std::uint32_t>(),
        .elementStrides = reader.at("element_strides").integers<std::uint32_t>(),
        .swizzle = enumerator<Swizzle>(reader.at("swizzle"), swizzleNames),
        .fill = enumerator<OutOfBoundsFill>(reader.at("oob"), fillNames),
        .l2 = enumerator<L2Promotion>(reader.at("l2"), l2Names),
        .offsetBytes = reader.at("offset_bytes").integer<std::uint64_t>()};
}

Json toJson(const LaunchArgument& argument)
{
    return {{"kind", nameOf(argument.kind, argumentNames)}, {"index", argument.index},
        {"offset_bytes", argument.offsetBytes}, {"integer", argument.integer}, {"real", real(argument.real)}};
}

LaunchArgument readArgument(const JsonReader& reader)
{
    return {.kind = enumerator<ArgumentKind>(reader.at("kind"), argumentNames),
        .index = reader.at("index").integer<int>(),
        .offsetBytes = reader.at("offset_bytes").integer<std::int64_t>(),
        .integer = reader.at("integer").integer<std::int64_t>(),
        .real = reader.at("real").real()};
}

std::array<std::uint32_t, 3> readExtent(const JsonReader& reader)
{
    const auto values = reader.integers<std::uint32_t>();
    if (values.size() != 3) {
        reader.fail("expected three numbers");
    }
    return {values[0], values[1], values[2]};
}

Json toJson(const Launch& launch)
{
    Json arguments = Json::array();
    for (const LaunchArgument& argument : launch.arguments) {
        arguments.push_back(toJson(argument));
    }
    return {{"kernel", launch.kernel}, {"grid", launch.grid}, {"block", launch.block},
        {"cluster", launch.cluster}, {"dynamic_shared_bytes", launch.dynamicSharedBytes},
        {"cooperative", launch.cooperative}, {"pdl", launch.programmaticSerialization},
        {"preferred_cluster", launch.preferredCluster ? Json(*launch.preferredCluster) : Json(nullptr)},
        {"arguments", std::move(arguments)}};
}

Launch readLaunch(const JsonReader& reader)
{
    Launch launch{.kernel = reader.at("kernel").text(),
        .grid = readExtent(reader.at("grid")),
        .block = readExtent(reader.at("block")),
        .cluster = readExtent(reader.at("cluster")),
        .dynamicSharedBytes = reader.at("dynamic_shared_bytes").integer<std::uint32_t>(),
        .cooperative = reader.at("cooperative").boolean(),
        .programmaticSerialization = reader.at("pdl").boolean(),
        .arguments = reader.at("arguments").list(readArgument)};
    if (const auto preferred = reader.find("preferred_cluster")) {
        launch.preferredCluster = readExtent(*preferred);
    }
    return launch;
}

template <class T> Json array(const std::vector<T>& values)
{
    Json result = Json::array();
    for (const T& value : values) {
        result.push_back(toJson(value));
    }
    return result;
}

} // namespace

Json toJson(const ResolvedPlan& plan)
{
    return {{"buffers", array(plan.buffers)}, {"tensor_maps", array(plan.tensorMaps)},
        {"launches", array(plan.launches)}};
}

ResolvedPlan readPlan(const JsonReader& reader)
{
    ResolvedPlan plan{.buffers = reader.at("buffers").list(readBuffer),
        .tensorMaps = reader.at("tensor_maps").list(readTensorMap),
        .launches = reader.at("launches").list(readLaunch)};
    const auto isBuffer = [&](int index) { return index >= 0 && std::cmp_less(index, plan.buffers.size()); };
    for (const TensorMapSpec& map : plan.tensorMaps) {
        if (!isBuffer(map.buffer)) {
            reader.fail("tensor map '" + map.name + "' names buffer " + std::to_string(map.buffer)
                + ", which is not there");
        }
    }
    for (const Launch& launch : plan.launches) {
        for (const LaunchArgument& argument : launch.arguments) {
            const bool mapped = argument.kind == ArgumentKind::TensorMap;
            const bool known = mapped
                ? argument.index >= 0 && std::cmp_less(argument.index, plan.tensorMaps.size())
                : (argument.kind != ArgumentKind::Tensor && argument.kind != ArgumentKind::Workspace)
                    || isBuffer(argument.index);
            if (!known) {
                reader.fail("launch of '" + launch.kernel + "' names " + (mapped ? "tensor map " : "buffer ")
                    + std::to_string(argument.index) + ", which is not there");
            }
        }
    }
    return plan;
}

} // namespace ptxwb::wire
