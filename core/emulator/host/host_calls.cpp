// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/host/host_calls.h"

#include "core/emulator/host/calls.h"
#include "core/support/base64.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace ptxwb::emulator {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t mostLaunches = 20'000; ///< of one call of host code

/// Half of this machine's memory, 8 GiB at most.
std::uint64_t capacityHere()
{
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 1L));
    const auto page = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 1L));
    return std::min(std::uint64_t{8} << 30, pages * page / 2);
}

Json withCode(int code)
{
    return Json{{"code", code}};
}

} // namespace

HostCalls::HostCalls(Device& device, EmulatorProgress onProgress)
    : m_device(device)
    , m_memory(device.memory(), capacityHere())
    , m_onProgress(std::move(onProgress))
{
}

Json HostCalls::answer(const Json& call)
{
    const auto what = call.at("do").get<std::string>();
    if (what == "launch") {
        return launch(call);
    }
    if (what == "kernel") {
        return kernel(call);
    }
    if (what == "allocate") {
        return Json{{"address", m_memory.allocate(call.at("bytes").get<std::uint64_t>())}};
    }
    if (what == "free") {
        return withCode(m_memory.free(call.at("address").get<std::uint64_t>()) ? 0 : host::invalidValue);
    }
    if (what == "write") {
        return withCode(write(call));
    }
    if (what == "read") {
        return read(call);
    }
    if (what == "fill") {
        return withCode(fill(call));
    }
    if (what == "copy") {
        return withCode(copy(call));
    }
    if (what == "variable") {
        return variable(call);
    }
    if (what == "memory") {
        return Json{{"free", m_memory.left()}, {"total", m_memory.capacity()}};
    }
    return Json::object();
}

std::string HostCalls::describe(std::uint64_t address) const
{
    if (const auto* allocation = m_device.memory().find(address)) {
        return fmt::format("{} + {}", allocation->name, address - allocation->address);
    }
    return "no memory of the device";
}

std::byte* HostCalls::range(std::uint64_t address, std::uint64_t bytes, const char* doing)
{
    auto* found = m_memory.at(address, bytes);
    if (found == nullptr) {
        Report report;
        report.rule = RuleId::OutOfBounds;
        const auto* allocation = m_device.memory().find(address);
        report.message = allocation == nullptr
            ? fmt::format("host code {} {} bytes at {:#x}, which no allocation holds", doing, bytes, address)
            : fmt::format("host code {} {} bytes at {} + {}, which has {} bytes", doing, bytes,
                allocation->name, address - allocation->address, allocation->bytes);
        if (allocation != nullptr) {
            report.address = ReportAddress{"global", allocation->name, address - allocation->address};
        }
        report.fix = "correct the pointer or the size of the copy";
        m_device.report(std::move(report));
    }
    return found;
}

int HostCalls::write(const Json& call)
{
    const auto data = base64Decode(call.at("data").get_ref<const std::string&>());
    if (!data) {
        return host::invalidValue;
    }
    auto* to = range(call.at("address").get<std::uint64_t>(), data->size(), "copies");
    if (to == nullptr) {
        return host::invalidValue;
    }
    std::memcpy(to, data->data(), data->size());
    return 0;
}

Json HostCalls::read(const Json& call)
{
    const auto bytes = call.at("bytes").get<std::uint64_t>();
    const auto* from =
        bytes > host::pieceBytes ? nullptr : range(call.at("address").get<std::uint64_t>(), bytes, "reads");
    if (from == nullptr) {
        return Json{{"code", host::invalidValue}, {"data", ""}};
    }
    return Json{
        {"code", 0}, {"data", base64Encode(std::string_view(reinterpret_cast<const char*>(from), bytes))}};
}

int HostCalls::fill(const Json& call)
{
    const auto bytes = call.at("bytes").get<std::uint64_t>();
    const auto width = call.at("width").get<std::uint64_t>();
    const auto value = call.at("value").get<std::uint32_t>();
    auto* to = range(call.at("address").get<std::uint64_t>(), bytes, "sets");
    if (to == nullptr || (width != 1 && width != 2 && width != 4) || bytes % width != 0) {
        return host::invalidValue;
    }
    if (width == 1) {
        std::memset(to, static_cast<int>(value & 0xFFU), bytes);
    } else {
        for (std::uint64_t i = 0; i < bytes; i += width) {
            std::memcpy(to + i, &value, width); // little-endian, as the device is
        }
    }
    return 0;
}

int HostCalls::copy(const Json& call)
{
    const auto bytes = call.at("bytes").get<std::uint64_t>();
    const auto* from = range(call.at("from").get<std::uint64_t>(), bytes, "copies from");
    auto* to = range(call.at("to").get<std::uint64_t>(), bytes, "copies to");
    if (from == nullptr || to == nullptr) {
        return host::invalidValue;
    }
    std::memmove(to, from, bytes);
    return 0;
}

Json HostCalls::variable(const Json& call) const
{
    const auto name = call.at("name").get<std::string>();
    const auto& variables = m_device.module().variables;
    for (std::size_t v = 0; v < variables.size(); ++v) {
        if (variables[v].name == name && m_device.variableAddresses()[v] != 0) {
            return Json{{"address", m_device.variableAddresses()[v]}, {"bytes", variables[v].bytes}};
        }
    }
    return Json{{"address", 0}, {"bytes", 0}};
}

Json HostCalls::kernel(const Json& call)
{
    const auto program = m_device.kernel(call.at("name").get<std::string>());
    if (!program) {
        if (program.error().code != ErrorCode::NotFound) {
            refuse(call.at("name").get<std::string>(), ptxwb::describe(program.error()), {},
                RuleId::NotEmulated);
        }
        return withCode(host::invalidDeviceFunction);
    }
    Json sizes = Json::array();
    Json offsets = Json::array();
    for (const auto& parameter : (*program)->parameters) {
        sizes.push_back(parameter.bytes);
        offsets.push_back(parameter.offset);
    }
    return Json{{"code", 0}, {"sizes", sizes}, {"offsets", offsets}, {"bytes", (*program)->parameterBytes},
        {"shared", (*program)->staticSharedBytes},
        {"threads", (*program)->maxThreads != 0 ? (*program)->maxThreads : 1024}};
}

void HostCalls::refuse(const std::string& kernel, std::string message, std::string fix, RuleId rule)
{
    Report report;
    report.rule = rule;
    report.message = std::move(message);
    report.fix = std::move(fix);
    report.kernel = kernel;
    m_device.report(std::move(report));
    m_end = rule == RuleId::NotEmulated ? EmulatorEnd::NotEmulated : EmulatorEnd::ResourceLimit;
}

Json HostCalls::launch(const Json& call)
{
    Launch planned;
    planned.kernel = call.at("kernel").get<std::string>();
    planned.grid = call.at("grid").get<std::array<std::uint32_t, 3>>();
    planned.block = call.at("block").get<std::array<std::uint32_t, 3>>();
    planned.cluster = call.at("cluster").get<std::array<std::uint32_t, 3>>();
    planned.cooperative = call.at("cooperative").get<bool>();
    const auto shared = call.at("shared").get<std::uint64_t>();
    const auto allowed = call.at("allowed").get<std::uint64_t>();
    const auto parameters = base64Decode(call.at("parameters").get_ref<const std::string&>());
    auto program = m_device.kernel(planned.kernel);
    if (!program && program.error().code != ErrorCode::NotFound) {
        refuse(planned.kernel, ptxwb::describe(program.error()), {}, RuleId::NotEmulated);
        return withCode(host::invalidDeviceFunction);
    }
    if (!program || !parameters || parameters->size() != (*program)->parameterBytes) {
        return withCode(host::invalidDeviceFunction);
    }
    if (++m_launches > mostLaunches) {
        refuse(planned.kernel, fmt::format("host code made more than {} launches", mostLaunches),
            "launch fewer and larger grids");
        return withCode(host::invalidValue);
    }
    if (shared > maxSharedBytes || shared > allowed) {
        refuse(planned.kernel,
            fmt::format("{} bytes of dynamic shared memory: {} are allowed for this kernel", shared,
                std::min<std::uint64_t>(allowed, maxSharedBytes)),
            "raise it before the launch: cudaFuncSetAttribute(kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), at most 227 KiB with static memory");
        return withCode(host::invalidValue);
    }
    planned.dynamicSharedBytes = static_cast<std::uint32_t>(shared);
    planned.arguments.resize((*program)->parameters.size()); // their bytes are there already
    m_planned += std::uint64_t{planned.grid[0]} * planned.grid[1] * planned.grid[2];
    m_end = m_device.launch(
        *program, planned,
        [&](LaunchContext& launch) {
            launch.parameters.resize(parameters->size());
            std::memcpy(launch.parameters.data(), parameters->data(), parameters->size());
            return true;
        },
        [&](std::uint64_t ctas) {
            if (m_onProgress) {
                m_onProgress(ctas, m_planned);
            }
        });
    return withCode(m_end == EmulatorEnd::Completed ? 0 : host::invalidValue);
}

} // namespace ptxwb::emulator
