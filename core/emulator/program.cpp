// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/program.h"

#include "core/emulator/call_graph.h"
#include "core/emulator/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxwb::emulator {

namespace {

std::uint64_t alignedUp(std::uint64_t value, std::uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

void placeVariables(const Module& module, const Function& kernel, Program& program)
{
    program.variables = module.variables;
    program.placements.resize(module.variables.size());
    const std::set<int> parameters(kernel.parameters.begin(), kernel.parameters.end());
    std::uint64_t shared = sharedBase;
    std::uint64_t local = 16; // 0 stays an invalid address
    std::uint64_t dynamicAlignment = 16;
    for (std::size_t v = 0; v < module.variables.size(); ++v) {
        const auto& variable = module.variables[v];
        auto& at = program.placements[v];
        if (variable.space == Space::Shared) {
            if (variable.isExtern || variable.bytes == 0) {
                at.isExternShared = true;
                dynamicAlignment = std::max(dynamicAlignment, variable.alignment);
                continue;
            }
            shared = alignedUp(shared, variable.alignment);
            at.address = shared;
            shared += variable.bytes;
        } else if (variable.space == Space::Local
            || (variable.space == Space::Param && !parameters.contains(static_cast<int>(v)))) {
            local = alignedUp(local, variable.alignment);
            at.address = local;
            local += variable.bytes;
        }
    }
    // Dynamic shared memory starts behind the static one.
    const std::uint64_t dynamic = alignedUp(shared, dynamicAlignment);
    bool hasDynamic = false;
    for (std::size_t v = 0; v < module.variables.size(); ++v) {
        if (program.placements[v].isExternShared) {
            program.placements[v].address = dynamic;
            hasDynamic = true;
        }
    }
    program.staticSharedBytes = (hasDynamic ? dynamic : shared) - sharedBase;
    program.localBytes = alignedUp(local, 16);
    std::uint64_t offset = 0;
    for (const int parameter : kernel.parameters) {
        const auto& variable = module.variables[static_cast<std::size_t>(parameter)];
        offset = alignedUp(offset, variable.alignment);
        program.placements[static_cast<std::size_t>(parameter)].address = offset;
        program.parameters.push_back({variable.name, offset, variable.bytes, variable.alignment});
        offset += variable.bytes;
    }
    program.parameterBytes = offset;
}

} // namespace

Result<std::shared_ptr<const Program>> decodeKernel(const Module& module, std::string_view kernelName)
{
    const Function* kernel = module.find(kernelName);
    if (kernel == nullptr || !kernel->isEntry || !kernel->hasBody) {
        std::string known;
        for (const auto& f : module.functions) {
            known += f.isEntry ? (known.empty() ? "" : ", ") + f.name : "";
        }
        return Error{.code = ErrorCode::NotFound,
            .message = fmt::format("the module has no kernel '{}'", kernelName),
            .hint = known.empty()
                ? "it has no .entry at all; of CUDA C++: a template is there once it is instantiated"
                : known.find("_Z") != std::string::npos
                ? "its kernels: " + known + "; extern \"C\" before __global__ keeps the name as written"
                : "its kernels: " + known};
    }
    auto program = std::make_shared<Program>();
    program->kernel = kernel->name;
    program->maxThreads = kernel->maxThreads;
    program->minCtas = kernel->minCtas;
    program->registersDeclared = kernel->maxRegisters;
    program->requiredCluster = kernel->requiredCluster;
    placeVariables(module, *kernel, *program);
    try {
        const CallGraph calls(module, *kernel);
        Decoder decoder(module, *program, calls);
        for (const auto* function : calls.functions()) {
            decoder.addFunction(*function);
        }
        decoder.finish();
    } catch (const DecodeFault& fault) {
        Error error{.code = ErrorCode::BadFormat, .message = fault.what()};
        const std::string text = fault.what();
        if (text.starts_with("line ")) {
            error.line = std::stoi(text.substr(5));
            error.message = text.substr(text.find(": ") + 2);
        }
        return error;
    }
    return std::shared_ptr<const Program>(std::move(program));
}

} // namespace ptxwb::emulator
