// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/example_plan.h"

#include "core/emulator/module.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::emulator {

namespace {

std::string planText(std::string_view kernel, std::uint32_t threads, std::string_view arguments,
    std::string_view tensors, std::string_view maps)
{
    return fmt::format("/* @launch {{\n"
                       "  \"axes\": {{ \"n\": 256 }},\n"
                       "  \"tensors\": {{\n{}  }},\n"
                       "{}"
                       "  \"launches\": [ {{ \"kernel\": \"{}\", \"grid\": [\"ceildiv(n,{})\"], \"block\": "
                       "[{}],\n    \"args\": [ {} ] }} ]\n"
                       "}} */\n",
        tensors, maps, kernel, threads, threads, arguments);
}

struct Parts {
    std::string arguments{};
    std::string tensors{};
    std::string maps{};
    int tensorCount = 0;

    void argument(std::string_view text)
    {
        arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", text);
    }
    std::string tensor(std::string_view dtype, std::string_view shape, bool isOutput)
    {
        auto name = fmt::format("X{}", tensorCount++);
        tensors +=
            fmt::format("{}    \"{}\": {{ \"dtype\": \"{}\", \"shape\": {}, \"init\": \"{}\", \"role\": "
                        "\"{}\" }}",
                tensors.empty() ? "" : ",\n", name, dtype, shape, isOutput ? "poison" : "random",
                isOutput ? "output" : "input");
        return name;
    }
};

void addParameter(Parts& parts, const Variable& parameter, bool lastPointer)
{
    if (parameter.bytes == 128) {
        const auto name = parts.tensor("bfloat16", "[\"n\", 64]", lastPointer);
        parts.maps += fmt::format("{}    \"map{}\": {{ \"tensor\": \"{}\", \"box\": [64, 64], \"swizzle\": "
                                  "\"128B\" }}",
            parts.maps.empty() ? "" : ",\n", name, name);
        parts.argument(fmt::format("{{\"tensor_map\":\"map{}\"}}", name));
    } else if (parameter.type == ValueType::F32) {
        parts.argument("{\"f32\": 1.0}");
    } else if (parameter.type == ValueType::F64) {
        parts.argument("{\"f64\": 1.0}");
    } else if (parameter.bytes == 8) {
        parts.argument(fmt::format("{{\"tensor\":\"{}\"}}", parts.tensor("float32", "[\"n\"]", lastPointer)));
    } else {
        parts.argument("{\"u32\": \"n\"}");
    }
}

} // namespace

std::string examplePlan(std::string_view ptx)
{
    const auto module = parseModule(ptx);
    const auto kernel = !module ? nullptr : [&]() -> const Function* {
        const auto found = std::find_if(module->functions.begin(), module->functions.end(),
            [](const Function& f) { return f.isEntry && f.hasBody; });
        return found == module->functions.end() ? nullptr : &*found;
    }();
    Parts parts;
    if (kernel == nullptr) {
        const auto in = parts.tensor("float32", "[\"n\"]", false);
        const auto out = parts.tensor("float32", "[\"n\"]", true);
        return planText("NAME", 128, fmt::format("{{\"tensor\":\"{}\"}}, {{\"tensor\":\"{}\"}}", in, out),
            parts.tensors + '\n', "");
    }
    int lastPointer = -1;
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
        const auto v = kernel->parameters[i];
        const auto bytes = v < 0 ? 0 : module->variables[static_cast<std::size_t>(v)].bytes;
        lastPointer = bytes == 8 || bytes == 128 ? static_cast<int>(i) : lastPointer;
    }
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
        const auto v = kernel->parameters[i];
        if (v >= 0) {
            addParameter(
                parts, module->variables[static_cast<std::size_t>(v)], static_cast<int>(i) == lastPointer);
        }
    }
    const auto maps =
        parts.maps.empty() ? std::string() : fmt::format("  \"tensor_maps\": {{\n{}\n  }},\n", parts.maps);
    return planText(kernel->name, kernel->maxThreads != 0 ? kernel->maxThreads : 128, parts.arguments,
        parts.tensors.empty() ? "" : parts.tensors + '\n', maps);
}

} // namespace ptxwb::emulator
