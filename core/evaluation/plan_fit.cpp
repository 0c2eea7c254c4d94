// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/plan_fit.h"

#include "core/ptx/constant_expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

constexpr std::uint64_t tensorMapBytes = 128;
constexpr int tensorMapAlignment = 64;

// What a `.param` takes, from its type: ".u64", ".align 64 .b8[128]".
struct Taken {
    std::uint64_t bytes = 0;
    int alignment = 0;
    char kind = 'b'; ///< letter of the type: b, u, s, f
    bool isArray = false;
};

int numberIn(std::string_view text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

Taken takenBy(std::string_view type)
{
    Taken taken;
    constexpr std::string_view alignWord = ".align ";
    if (type.starts_with(alignWord)) {
        type.remove_prefix(alignWord.size());
        taken.alignment = numberIn(type);
        type.remove_prefix(std::min(type.find(' ') + 1, type.size()));
    }
    if (type.size() > 1) {
        taken.kind = type[1];
        taken.bytes = static_cast<std::uint64_t>(numberIn(type.substr(2))) / 8;
    }
    for (auto open = type.find('['); open != std::string_view::npos; open = type.find('[', open + 1)) {
        taken.isArray = true;
        const auto close = std::min(type.find(']', open), type.size());
        taken.bytes *= evaluateConstant(type.substr(open + 1, close - open - 1)).value_or(0);
    }
    return taken;
}

std::string parameterText(const PtxParameter& parameter)
{
    return fmt::format("{} {}", parameter.type, parameter.name);
}

std::string parametersText(const std::vector<PtxParameter>& parameters)
{
    std::vector<std::string> parts;
    for (const auto& parameter : parameters) {
        parts.push_back(parameterText(parameter));
    }
    return parts.empty() ? std::string("none") : fmt::format("{}", fmt::join(parts, ", "));
}

struct Given {
    std::string text{}; ///< "tensor C", "i32"
    std::uint64_t bytes = 0;
    bool isReal = false;
    bool isTensorMap = false;
};

Given givenBy(const LaunchArgument& argument, const ResolvedPlan& plan)
{
    const auto index = static_cast<std::size_t>(std::max(argument.index, 0));
    switch (argument.kind) {
    case ArgumentKind::Tensor:
        return {.text = "the tensor " + plan.buffers.at(index).name, .bytes = 8};
    case ArgumentKind::Workspace:
        return {.text = "the workspace " + plan.buffers.at(index).name, .bytes = 8};
    case ArgumentKind::TensorMap:
        return {.text = "the tensor map " + plan.tensorMaps.at(index).name,
            .bytes = tensorMapBytes,
            .isTensorMap = true};
    case ArgumentKind::I32:
        return {.text = "an i32", .bytes = 4};
    case ArgumentKind::U32:
        return {.text = "a u32", .bytes = 4};
    case ArgumentKind::I64:
        return {.text = "an i64", .bytes = 8};
    case ArgumentKind::U64:
        return {.text = "a u64", .bytes = 8};
    case ArgumentKind::F32:
        return {.text = "an f32", .bytes = 4, .isReal = true};
    case ArgumentKind::F64:
        return {.text = "an f64", .bytes = 8, .isReal = true};
    }
    return {};
}

std::string argumentsText(const Launch& launch, const ResolvedPlan& plan)
{
    std::vector<std::string> parts;
    for (const auto& argument : launch.arguments) {
        parts.push_back(givenBy(argument, plan).text);
    }
    return parts.empty() ? std::string("none") : fmt::format("{}", fmt::join(parts, ", "));
}

bool fits(const Given& given, const Taken& taken)
{
    if (given.isTensorMap) {
        return taken.isArray && taken.bytes == tensorMapBytes && taken.alignment >= tensorMapAlignment;
    }
    const bool sameSort = taken.kind == 'b' || (taken.kind == 'f') == given.isReal;
    return !taken.isArray && taken.bytes == given.bytes && sameSort;
}

std::string hintFor(const Given& given, const Taken& taken)
{
    if (given.isTensorMap) {
        return "a tensor map is passed by value: .param .align 64 .b8 name[128]";
    }
    if (taken.isArray && taken.bytes == tensorMapBytes) {
        return R"(give it {"tensor_map":"NAME"})";
    }
    if (taken.isArray) {
        return "the plan has no struct arguments: make them single parameters";
    }
    if (taken.bytes == 8 && taken.kind != 'f') {
        return "8 bytes are a tensor, a workspace, an i64 or a u64";
    }
    if (taken.bytes == 4) {
        return taken.kind == 'f' ? "give it an f32" : "give it an i32 or a u32";
    }
    return "make the plan's argument and the .param agree";
}

void compare(std::size_t at, const Launch& launch, const ResolvedPlan& plan, const PtxFunction& kernel,
    std::vector<PlanMisfit>& misfits)
{
    const auto& taken = kernel.parameters;
    if (taken.size() != launch.arguments.size()) {
        misfits.push_back({.jsonPath = fmt::format("$.launches[{}].args", at),
            .message = fmt::format("kernel '{}' takes {} parameter{} ({}), the plan gives {} ({})",
                launch.kernel, taken.size(), taken.size() == 1 ? "" : "s", parametersText(taken),
                launch.arguments.size(), argumentsText(launch, plan)),
            .hint = "list one argument per .param, in its order"});
        return;
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const auto given = givenBy(launch.arguments[i], plan);
        const auto wanted = takenBy(taken[i].type);
        if (!fits(given, wanted)) {
            misfits.push_back({.jsonPath = fmt::format("$.launches[{}].args[{}]", at, i),
                .message = fmt::format("kernel '{}' takes {} ({} bytes), the plan gives {} ({} bytes)",
                    launch.kernel, parameterText(taken[i]), wanted.bytes, given.text, given.bytes),
                .hint = hintFor(given, wanted)});
        }
    }
}

} // namespace

std::vector<PlanMisfit> planMisfits(const ResolvedPlan& plan, const PtxOutline& code)
{
    std::vector<std::string> names;
    for (const auto& function : code.functions) {
        if (function.isEntry) {
            names.push_back(function.name);
        }
    }
    std::vector<PlanMisfit> misfits;
    for (std::size_t i = 0; i < plan.launches.size(); ++i) {
        const auto& launch = plan.launches[i];
        const auto kernel = std::find_if(code.functions.begin(), code.functions.end(),
            [&](const PtxFunction& function) { return function.isEntry && function.name == launch.kernel; });
        if (kernel != code.functions.end()) {
            compare(i, launch, plan, *kernel, misfits);
            continue;
        }
        const bool mangled = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
            return name.starts_with("_Z") && name.find(launch.kernel) != std::string::npos;
        });
        misfits.push_back({.jsonPath = fmt::format("$.launches[{}].kernel", i),
            .message = fmt::format("the launch plan starts '{}', but the code has {}", launch.kernel,
                names.empty() ? "no kernel" : fmt::format("{}", fmt::join(names, ", "))),
            .hint = mangled ? "declare it extern \"C\", or name it as the compiler does"
                            : "a kernel is a .visible .entry"});
    }
    return misfits;
}

} // namespace ptxwb
