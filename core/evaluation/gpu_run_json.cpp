// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/gpu_run_json.h"

#include "core/evaluation/compile_json.h"
#include "core/evaluation/content_json.h"
#include "core/support/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace ptxwb {

namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json finite(double value)
{
    return std::isfinite(value) ? Json(value) : Json("Inf");
}

std::string notTimed(const GpuRun& run)
{
    return run.verdict == Verdict::Unverified ? "timing was not asked for"
                                              : "times are taken of clean runs only";
}

void addTiming(Json& document, const GpuRun& run)
{
    const auto& timing = run.finished.timing;
    if (!timing) {
        document["timing"] = nullptr;
        document["timing_reason"] = notTimed(run);
        return;
    }
    const Rates rates = ratesOf(run);
    Json rows{{"cold", timesJson(timing->candidate.coldUs)}, {"warm", timesJson(timing->candidate.warmUs)},
        {"flops_per_second", orNull(rates.flopsPerSecond)},
        {"bytes_per_second", orNull(rates.bytesPerSecond)}};
    if (!rates.reason.empty()) {
        rows["flops_per_second_reason"] = rates.reason;
        rows["bytes_per_second_reason"] = rates.reason;
    }
    rows["roofline"] = {{"floor_us", orNull(timing->rooflineFloorUs)}, {"impossible", timing->impossible}};
    rows["sm_clocks_mhz"] = timing->smClocksMhz;
    rows["power_watts"] = timing->powerWatts;
    rows["throttle"] = timing->throttleReasons;
    document["timing"] = std::move(rows);
}

Json evidenceJson(const GpuRun& run)
{
    const auto row = [&](std::string_view claim, bool measured, Json value, std::string how,
                         const std::string& reason) {
        return Json{{"claim", claim}, {"state", measured ? "measured" : "not_measured"},
            {"value", measured ? std::move(value) : Json(nullptr)}, {"how", std::move(how)}, {"command", ""},
            {"tool", "ptxwb-runner"}, {"tool_version", productVersion()},
            {"artefact_sha256", run.built.sha256}, {"reason", measured ? "" : reason}};
    };
    const auto& finished = run.finished;
    const bool ran = !finished.trials.empty();
    Json rows = Json::array();
    rows.push_back(row("runs without a fault", ran, verdictName(run.verdict),
        "two calls on the same inputs, guard bands around every buffer, inputs hashed before and after",
        run.explanation));
    rows.push_back(row("the same bits again", finished.repeatsBitwise.has_value(),
        finished.repeatsBitwise.value_or(false), "a second call on the same inputs", run.explanation));
    rows.push_back(
        row("correct", false, nullptr, "", "a kernel without a task has nothing to be compared with"));
    const auto cold = finished.timing ? median(finished.timing->candidate.coldUs) : std::nullopt;
    rows.push_back(row("time of one call", cold.has_value(), orNull(cold),
        "CUDA events, L2 swept before each call outside the span, median of cold calls, microseconds",
        notTimed(run)));
    return rows;
}

} // namespace

Rates ratesOf(const GpuRun& run)
{
    Rates rates;
    const auto& timing = run.finished.timing;
    const auto middle = timing ? median(timing->candidate.coldUs) : std::nullopt;
    if (!middle || *middle <= 0) {
        rates.reason = notTimed(run);
        return rates;
    }
    if (timing->impossible) {
        rates.reason = "the time is below what this device could need for the plan's flops and bytes: they "
                       "are too large";
        return rates;
    }
    const auto rate = [&](const std::optional<double>& amount) {
        return amount ? std::optional(*amount / (*middle * 1e-6)) : std::nullopt;
    };
    rates.flopsPerSecond = rate(run.built.plan.flops);
    rates.bytesPerSecond = rate(run.built.plan.bytes);
    if (!rates.flopsPerSecond || !rates.bytesPerSecond) {
        rates.reason = "the plan does not count it: give \"flops\" and \"bytes\", expressions over its axes";
    }
    return rates;
}

std::string toJson(const GpuRun& run, const std::vector<std::pair<std::string, std::string>>& dumps,
    const EmulatorComparison& emulator)
{
    Json outputs = Json::object();
    for (const auto& output : run.finished.outputs) {
        outputs[output.name] = contentJson(output, "between calls");
    }
    Json files = Json::object();
    for (const auto& [name, file] : dumps) {
        files[name] = file;
    }
    Json modified = Json::array();
    for (const auto& trial : run.finished.trials) {
        for (const auto& name : trial.modifiedInputs) {
            modified.push_back(name);
        }
    }
    const auto& source = run.built.source;
    Json document{{"schema", "ptxwb.run.v1"},
        {"candidate",
            {{"path", source.displayName}, {"sha256", run.built.sha256},
                {"language", languageName(source.language)}, {"contract", "kernel"}}},
        {"axes", run.built.plan.axes}, {"target", run.built.compiled.target},
        {"device", deviceJson(run.placement.device)}, {"verdict", verdictName(run.verdict)},
        {"explanation", run.explanation}, {"diagnostics", diagnosticsJson(run.built.diagnostics)},
        {"notes", notesJson(run.built.compiled.notes)}, {"kernels", kernelsJson(run.built.compiled.kernels)},
        {"outputs", outputs}, {"modified_inputs", modified}, {"dumps", files}};
    addTiming(document, run);
    Json differences = Json::object();
    for (const auto& [name, difference] : emulator.difference) {
        differences[name] = finite(difference);
    }
    document["differs_from_emulator"] = emulator.reason.empty() ? differences : Json(nullptr);
    if (!emulator.reason.empty()) {
        document["differs_from_emulator_reason"] = emulator.reason;
    }
    document["on"] = "gpu";
    document["on_reason"] = run.placement.reason;
    document["host"] = run.placement.endpoint && run.placement.endpoint->host
        ? Json(*run.placement.endpoint->host)
        : Json(nullptr);
    document["seed"] = run.seed;
    document["made"] = madeJson(run.built.compiled.tools);
    document["schedules"] = nullptr;
    document["schedules_reason"] = "run on a GPU";
    document["reports"] = Json::array();
    document["evidence"] = evidenceJson(run);
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ptxwb
