// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/text_report.h"
#include "core/runner/runner_client.h"
#include "core/support/files.h"
#include "core/support/version.h"
#include "core/toolchain/toolchain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <utility>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;

// One thing that may be here.
struct Finding {
    std::string name{};
    bool here = false;
    bool chosen = true;
    std::string version{};
    std::string where{};
    std::string unlocks{};
    std::string howToGet{}; ///< what is wrong and how to mend it, when not here
};

std::string_view unlocks(ToolKind kind)
{
    switch (kind) {
    case ToolKind::Ptxas:
        return "PTX to SASS: compile, sass, diff, eval";
    case ToolKind::Nvcc:
        return "CUDA sources";
    case ToolKind::Nvdisasm:
        return "SASS with control codes and line links";
    case ToolKind::Cuobjdump:
        return "fatbins, shared objects and executables";
    }
    return "";
}

/// "0.1.15", as the wheel is named or, without one, as the header says; empty where neither is there.
std::string tvmFfiVersion(const std::filesystem::path& include)
{
    if (include.empty()) {
        return {};
    }
    constexpr std::string_view wheel = "apache_tvm_ffi-";
    std::error_code ignored;
    const auto packages = include.parent_path().parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(packages, ignored)) {
        const auto name = entry.path().filename().string();
        if (name.starts_with(wheel) && name.ends_with(".dist-info")) {
            return name.substr(
                wheel.size(), name.size() - wheel.size() - std::string_view(".dist-info").size());
        }
    }
    const auto header = readFile(include / "tvm" / "ffi" / "c_api.h");
    if (!header) {
        return {};
    }
    std::vector<std::string> numbers;
    for (const auto* part : {"MAJOR", "MINOR", "PATCH"}) {
        const auto key = fmt::format("#define TVM_FFI_VERSION_{} ", part);
        const auto at = header->find(key);
        const auto digits = at == std::string::npos ? std::string() : header->substr(at + key.size(), 9);
        numbers.push_back(digits.substr(0, digits.find_first_not_of("0123456789")));
        if (numbers.back().empty()) {
            return {};
        }
    }
    return fmt::format("{}", fmt::join(numbers, "."));
}

/// "13.0" of "13.0.88" as numbers.
std::pair<int, int> release(const std::string& version)
{
    std::pair<int, int> numbers{0, 0};
    std::sscanf(version.c_str(), "%d.%d", &numbers.first, &numbers.second);
    return numbers;
}

/// Whether the disassembler that is taken understands what the assembler makes; empty where they are alike.
std::string remarkOnVersions(const Toolchain& toolchain)
{
    const auto& assembler = toolchain.ptxas;
    const auto& disassembler = toolchain.nvdisasm;
    if (!assembler || !disassembler || release(assembler->version) == release(disassembler->version)) {
        return {};
    }
    const bool newer = release(disassembler->version) > release(assembler->version);
    return fmt::format("nvdisasm {} and ptxas {} are of different toolkits: {}", disassembler->version,
        assembler->version,
        newer ? "fine, a newer nvdisasm reads what an older ptxas makes"
              : "an older nvdisasm may not read all that a newer ptxas makes; PTXWB_NVDISASM names another");
}

std::vector<Finding> toolFindings(const Toolchain& toolchain)
{
    std::vector<Finding> findings;
    for (const auto kind : {ToolKind::Ptxas, ToolKind::Nvcc, ToolKind::Nvdisasm, ToolKind::Cuobjdump}) {
        const auto& chosen = toolchain.chosen(kind);
        bool any = false;
        for (const auto& tool : toolchain.all) {
            if (tool.kind != kind) {
                continue;
            }
            any = true;
            findings.push_back({.name = std::string(toolName(kind)),
                .here = !tool.problem.has_value(),
                .chosen = chosen && chosen->path == tool.path,
                .version = tool.version,
                .where = fmt::format("{} ({})", tool.path.string(), tool.origin),
                .unlocks = std::string(unlocks(kind)),
                .howToGet = tool.problem.value_or("")});
        }
        if (!any) {
            findings.push_back({.name = std::string(toolName(kind)),
                .chosen = false,
                .unlocks = std::string(unlocks(kind)),
                .howToGet = howToGet(kind)});
        }
    }
    findings.push_back({.name = "TVM-FFI",
        .here = !toolchain.tvmFfiInclude.empty(),
        .version = tvmFfiVersion(toolchain.tvmFfiInclude),
        .where = toolchain.tvmFfiInclude.string(),
        .unlocks = "host-contract CUDA candidates (eval of TVM_FFI_DLL_EXPORT_TYPED_FUNC)",
        .howToGet = toolchain.tvmFfiInclude.empty()
            ? "not found: its headers; packaging/run installs the apache-tvm-ffi wheel"
            : ""});
    return findings;
}

Finding libraryFinding(const LibraryInfo& library)
{
    static const std::array<std::pair<std::string_view, std::string_view>, 3> purposes{
        {{"cublaslt", "the GEMM baseline"}, {"cudnn", "the attention baseline"},
            {"nvml", "clocks, power and throttle reasons beside each time"}}};
    Finding finding{.name = library.name,
        .here = library.version.has_value(),
        .version = library.version.value_or(""),
        .where = library.path,
        .howToGet = library.reason};
    for (const auto& [name, purpose] : purposes) {
        if (library.name == name) {
            finding.unlocks = std::string(purpose);
        }
    }
    return finding;
}

std::vector<Finding> gpuFindings(const Session& session)
{
    Finding runner{.name = "ptxwb-runner", .unlocks = "correctness and timing on a GPU"};
    const auto endpoint = localRunner();
    if (!endpoint) {
        runner.howToGet = describe(endpoint.error());
        return {runner,
            {.name = "GPU", .unlocks = "correctness and timing", .howToGet = "the runner is not here"}};
    }
    runner.here = true;
    runner.where = endpoint->command.front();
    runner.version = std::string(productVersion());
    std::vector<Finding> findings{runner};
    const auto probe = probeRunner(*endpoint, std::chrono::seconds(20), session.stop);
    if (!probe || probe->devices.empty()) {
        findings.push_back({.name = "GPU",
            .chosen = false,
            .unlocks = "correctness and timing",
            .howToGet = probe ? (probe->problem.empty() ? "no NVIDIA GPU was found" : probe->problem)
                              : describe(probe.error())});
    } else {
        for (const auto& device : probe->devices) {
            findings.push_back({.name = fmt::format("GPU {}", device.index),
                .here = true,
                .version = fmt::format("{}, driver {}", device.target, device.driver),
                .where = fmt::format(
                    "{}, {:.0f} GiB", device.name, static_cast<double>(device.memoryBytes) / (1U << 30)),
                .unlocks = "correctness and timing"});
        }
    }
    if (probe) {
        for (const auto& library : probe->libraries) {
            findings.push_back(libraryFinding(library));
        }
    }
    return findings;
}

Finding cacheFinding()
{
    const auto directory = userCacheDirectory();
    Finding finding{.name = "cache", .where = directory.string(), .unlocks = "an unchanged file at once"};
    const auto usable = checkWritableDirectory(directory);
    finding.here = usable.has_value();
    if (!usable) {
        finding.howToGet = describe(usable.error()) + "; PTXWB_CACHE_DIR names another";
    }
    return finding;
}

std::string findingsText(const std::vector<Finding>& findings, const Toolchain& toolchain)
{
    std::string text = fmt::format("PTX Workbench {}\n\n", productVersion());
    std::vector<std::vector<std::string>> rows;
    for (const auto& finding : findings) {
        rows.push_back({finding.here ? (finding.chosen ? "yes" : "also") : "no", finding.name,
            finding.version, finding.unlocks, finding.here ? finding.where : finding.howToGet});
    }
    text += table(rows);
    if (const auto remark = remarkOnVersions(toolchain); !remark.empty()) {
        text += '\n' + remark + '\n';
    }
    text += fmt::format("\ntargets of the chosen ptxas: {}\n",
        toolchain.targets.empty() ? std::string("none")
                                  : fmt::format("{}", fmt::join(toolchain.targets, " ")));
    return text;
}

int runDoctor(const Session& session)
{
    const auto toolchain = findToolchain();
    auto findings = toolFindings(toolchain);
    for (auto& finding : gpuFindings(session)) {
        findings.push_back(std::move(finding));
    }
    const int status = toolchain.ptxas ? Holds : Missing;
    findings.push_back(cacheFinding());
    if (session.json) {
        const auto remark = remarkOnVersions(toolchain);
        Json rows = Json::array();
        for (const auto& finding : findings) {
            Json row{{"name", finding.name}, {"here", finding.here},
                {"chosen", finding.here && finding.chosen},
                {"version", finding.version.empty() ? Json(nullptr) : Json(finding.version)},
                {"where", finding.where.empty() ? Json(nullptr) : Json(finding.where)},
                {"unlocks", finding.unlocks}};
            if (!finding.howToGet.empty()) {
                row["how_to_get"] = finding.howToGet;
            }
            rows.push_back(std::move(row));
        }
        const Json document{{"schema", "ptxwb.doctor.v1"}, {"ptxwb", productVersion()}, {"found", rows},
            {"remark", remark.empty() ? Json(nullptr) : Json(remark)}, {"targets", toolchain.targets},
            {"cache", userCacheDirectory().string()}};
        return session.print(document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n', status);
    }
    return session.print(findingsText(findings, toolchain), status);
}

} // namespace

RunCommand addDoctorCommand(CLI::App& app)
{
    app.add_subcommand("doctor", "What is here, what it unlocks, and how to get what is missing");
    return runDoctor;
}

} // namespace ptxwb::cli
