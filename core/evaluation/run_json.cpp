// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/run_json.h"

#include "core/evaluation/content_json.h"
#include "core/evaluation/report_json.h"
#include "core/support/version.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>

namespace ptxwb {

namespace {

using Json = nlohmann::ordered_json;

Json evidenceJson(const RunDescription& d, const emulator::PlanRunOutcome& outcome)
{
    const auto row = [&](std::string_view claim, std::string_view state, Json value, std::string how,
                         std::string_view reason) {
        return Json{{"claim", claim}, {"state", state}, {"value", std::move(value)}, {"how", std::move(how)},
            {"command", ""}, {"tool", "ptxwb emulator"}, {"tool_version", productVersion()},
            {"artefact_sha256", d.candidateSha256}, {"reason", reason}};
    };
    Json rows = Json::array();
    rows.push_back(row("reports under the schedules tried", "measured", outcome.reports.size(),
        fmt::format("{} runs on the CPU emulator, all checks on", outcome.schedules.runs), ""));
    rows.push_back(row(
        "correct", "not_measured", nullptr, "", "a kernel without a task has nothing to be compared with"));
    rows.push_back(row("speed", "not_measured", nullptr, "", "an emulator has no GPU's clock"));
    return rows;
}

} // namespace

std::string toJson(const RunDescription& d, const emulator::PlanRunOutcome& outcome)
{
    Json outputs = Json::object();
    for (const auto& output : outcome.outputs) {
        outputs[output.name] = contentJson(output, "between schedules");
    }
    Json executed = Json::array();
    for (const auto& row : outcome.executed) {
        executed.push_back({{"opcode", row.opcode}, {"warps", row.warps}, {"threads", row.threads}});
    }
    Json dumps = Json::object();
    for (const auto& [name, file] : d.dumps) {
        dumps[name] = file;
    }
    Json document{{"schema", "ptxwb.run.v1"},
        {"candidate",
            {{"path", d.candidatePath}, {"sha256", d.candidateSha256}, {"language", "ptx"},
                {"contract", "kernel"}}},
        {"axes", outcome.axes}, {"target", d.target.empty() ? Json(nullptr) : Json(d.target)}};
    if (d.target.empty()) {
        document["target_reason"] = "the text has no .target";
    }
    document["device"] = nullptr;
    document["device_reason"] = "run on the CPU emulator";
    document["verdict"] = verdictName(outcome.verdict);
    document["explanation"] = outcome.explanation;
    document["outputs"] = outputs;
    document["modified_inputs"] = outcome.modifiedInputs;
    document["dumps"] = dumps;
    document["instructions"] = {{"executed", executed}, {"thread_instructions", outcome.threadInstructions}};
    document["profile"] = outcome.profile;
    document["end"] = emulator::endName(outcome.end);
    document["emulation_ms"] = outcome.seconds * 1e3;
    document["on"] = "emulator";
    document["host"] = nullptr;
    document["seed"] = d.seed;
    document["made"] = {{"utc", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
        {"ptxwb", productVersion()}, {"tools", Json::array()}};
    document["schedules"] = schedulesJson(outcome.schedules);
    document["reports"] = reportsJson(outcome.reports);
    document["evidence"] = evidenceJson(d, outcome);
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ptxwb
