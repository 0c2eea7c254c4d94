// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/launch_setup.h"

#include "core/emulator/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptxwb::emulator {

namespace {

/// The bytes of one argument.
std::vector<std::byte> argumentBytes(const LaunchArgument& argument, const EmulatorRequest& request,
    const std::vector<std::uint64_t>& addresses)
{
    const auto raw = [](const auto& value) {
        std::vector<std::byte> bytes(sizeof(value));
        std::memcpy(bytes.data(), &value, sizeof(value));
        return bytes;
    };
    const auto index = static_cast<std::size_t>(std::max(argument.index, 0));
    switch (argument.kind) {
    case ArgumentKind::Tensor:
    case ArgumentKind::Workspace:
        return raw(addresses.at(index) + static_cast<std::uint64_t>(argument.offsetBytes));
    case ArgumentKind::TensorMap: {
        const auto& spec = request.plan.tensorMaps.at(index);
        const auto map = encodeTensorMap(spec, addresses.at(static_cast<std::size_t>(spec.buffer)));
        return {map.begin(), map.end()};
    }
    case ArgumentKind::I32:
    case ArgumentKind::U32:
        return raw(static_cast<std::uint32_t>(argument.integer));
    case ArgumentKind::I64:
    case ArgumentKind::U64:
        return raw(argument.integer);
    case ArgumentKind::F32:
        return raw(static_cast<float>(argument.real));
    case ArgumentKind::F64:
        return raw(argument.real);
    }
    return {};
}

} // namespace

namespace {

/// Addresses in initialisers: of global and constant variables, and of functions.
void writePointers(const Module& module, ModuleMemory& placed, const std::vector<int>& storageOf)
{
    for (std::size_t v = 0; v < module.variables.size(); ++v) {
        for (const auto& pointer : module.variables[v].pointers) {
            std::uint64_t address = 0;
            for (std::size_t other = 0; other < module.variables.size(); ++other) {
                address = module.variables[other].name == pointer.name && placed.addresses[other] != 0
                    ? placed.addresses[other]
                    : address;
            }
            if (const Function* f = module.find(pointer.name); f != nullptr && f->hasBody) {
                address =
                    functionWindow + functionStride * static_cast<std::uint64_t>(f - module.functions.data());
            }
            address += static_cast<std::uint64_t>(pointer.offset);
            if (storageOf[v] >= 0) {
                auto& bytes = placed.storage[static_cast<std::size_t>(storageOf[v])];
                const auto size = std::min<std::size_t>(
                    static_cast<std::size_t>(bitsOf(module.variables[v].type)) / 8, sizeof(address));
                if (pointer.at + size <= bytes.size()) {
                    std::memcpy(bytes.data() + pointer.at, &address, size);
                }
            }
        }
    }
}

bool asksForGridBarrier(const Module& module)
{
    const auto names = [](const Operand& operand) {
        return operand.name == "%envreg1" || operand.name == "%envreg2";
    };
    return std::ranges::any_of(module.functions, [&](const Function& function) {
        return std::ranges::any_of(function.statements,
            [&](const Statement& statement) { return std::ranges::any_of(statement.operands, names); });
    });
}

} // namespace

ModuleMemory placeGlobals(const Module& module, GlobalMemory& memory)
{
    ModuleMemory placed;
    placed.addresses.assign(module.variables.size(), 0);
    std::vector<int> storageOf(module.variables.size(), -1);
    std::uint64_t total = 0;
    for (std::size_t v = 0; v < module.variables.size(); ++v) {
        const auto& variable = module.variables[v];
        if (variable.space != Space::Global && variable.space != Space::Const) {
            continue;
        }
        if (variable.bytes > maxGlobalBytes || (total += variable.bytes) > maxGlobalBytes) {
            continue; // checkLaunch() refuses it
        }
        storageOf[v] = static_cast<int>(placed.storage.size());
        auto& bytes = placed.storage.emplace_back(std::max<std::uint64_t>(variable.bytes, 1), std::byte{0});
        if (!variable.initial.empty()) {
            std::memcpy(
                bytes.data(), variable.initial.data(), std::min(bytes.size(), variable.initial.size()));
        }
        placed.addresses[v] =
            memory.add(variable.name, bytes.data(), bytes.size(), variable.space != Space::Const);
    }
    writePointers(module, placed, storageOf);
    if (asksForGridBarrier(module)) {
        constexpr std::array<std::uint32_t, 2> empty{8, 0};
        auto& words = placed.storage.emplace_back(sizeof empty);
        std::memcpy(words.data(), empty.data(), sizeof empty);
        placed.gridBarrier = memory.add("barrier of the grid", words.data(), words.size());
    }
    return placed;
}

Error kernelError(Error error, const EmulatorRequest& request, std::size_t launch)
{
    error.path = request.displayName;
    if (error.code != ErrorCode::NotFound) {
        return error;
    }
    error.code = ErrorCode::BadFormat; // the file is there; its plan names what it does not have
    error.jsonPath = fmt::format("$.launches[{}].kernel", launch);
    const auto plan = request.text.find("@launch");
    const auto name = request.text.find(
        '"' + request.plan.launches[launch].kernel + '"', plan == std::string::npos ? 0 : plan);
    if (name != std::string::npos) {
        error.line = 1
            + static_cast<int>(std::count(
                request.text.begin(), request.text.begin() + static_cast<std::ptrdiff_t>(name), '\n'));
    }
    return error;
}

bool packArguments(LaunchContext& launch, const Launch& planned, const EmulatorRequest& request,
    const std::vector<std::uint64_t>& addresses)
{
    launch.parameters.assign(launch.program->parameterBytes, std::byte{0});
    for (std::size_t i = 0; i < planned.arguments.size(); ++i) {
        const auto& parameter = launch.program->parameters[i];
        const auto bytes = argumentBytes(planned.arguments[i], request, addresses);
        if (bytes.size() != parameter.bytes) {
            Report report;
            report.rule = RuleId::ResourceLimit;
            report.message =
                fmt::format("the plan's argument args[{}] has {} bytes, but the parameter {} has {}", i,
                    bytes.size(), parameter.name, parameter.bytes);
            report.fix = "make the plan's argument and the .param agree";
            report.kernel = launch.program->kernel;
            report.lines.push_back({launch.fileName, 0});
            launch.reports->add(std::move(report), launch.firstPosition);
            return false;
        }
        std::memcpy(launch.parameters.data() + parameter.offset, bytes.data(), bytes.size());
    }
    return true;
}

Result<void> checkBuffers(const EmulatorRequest& request)
{
    if (request.buffers.size() != request.plan.buffers.size()) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("the plan has {} buffers, {} are given", request.plan.buffers.size(),
                request.buffers.size())};
    }
    for (std::size_t b = 0; b < request.buffers.size(); ++b) {
        if (request.buffers[b].size() != request.plan.buffers[b].type.bytes()) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message =
                    fmt::format("buffer {} has {} bytes, the plan says {}", request.plan.buffers[b].name,
                        request.buffers[b].size(), request.plan.buffers[b].type.bytes())};
        }
    }
    return {};
}

} // namespace ptxwb::emulator
