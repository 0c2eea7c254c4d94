// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/compile_json.h"
#include "core/evaluation/content_json.h"
#include "core/evaluation/paired_run.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace ptxwb {

namespace {

using Json = nlohmann::ordered_json;

Json versionJson(const VersionOutcome& version, const TimingSeries* series, const std::string& reason)
{
    Json json{{"path", version.built.source.displayName}, {"sha256", version.built.sha256},
        {"language", languageName(version.built.source.language)}, {"target", version.built.compiled.target},
        {"verdict", verdictName(version.verdict)}, {"explanation", version.explanation},
        {"diagnostics", diagnosticsJson(version.built.diagnostics)},
        {"kernels", kernelsJson(version.built.compiled.kernels)},
        {"cold", series == nullptr ? Json(nullptr) : timesJson(series->coldUs)},
        {"warm", series == nullptr ? Json(nullptr) : timesJson(series->warmUs)}};
    if (series == nullptr) {
        json["cold_reason"] = reason;
        json["warm_reason"] = reason;
    }
    return json;
}

} // namespace

std::string toJson(const PairedRun& run)
{
    const bool timed = run.timing && !run.timing->baselines.empty();
    Json document{{"schema", "ptxwb.bench.v1"},
        {"a", versionJson(run.a, timed ? &run.timing->baselines.front().series : nullptr, run.notMeasured)},
        {"b", versionJson(run.b, timed ? &run.timing->candidate : nullptr, run.notMeasured)},
        {"task", run.task.empty() ? Json(nullptr) : Json(run.task)}};
    if (run.task.empty()) {
        document["task_reason"] = "the plans declare their own tensors";
        document["outputs"] = {{"agree", run.a.explanation.empty() ? Json(nullptr) : Json(run.agree)},
            {"differences", Json::object()}};
        for (const auto& [name, difference] : run.differences) {
            document["outputs"]["differences"][name] =
                std::isfinite(difference) ? Json(difference) : Json("Inf");
        }
    }
    document["workload"] = run.workload
        ? Json{{"uuid", run.workload->uuid}, {"axes", run.axes}, {"tags", run.workload->tags}}
        : Json{{"uuid", nullptr}, {"axes", run.axes}, {"tags", Json::array()}};
    document["device"] = deviceJson(run.placement.device);
    document["faster"] = fasterName(fasterOf(run.speedup));
    document["resolution"] = pairResolution;
    if (run.speedup) {
        document["speedup_of_b"] = {{"ratio", run.speedup->ratio}, {"ci95", run.speedup->ci95},
            {"paired_rounds", run.speedup->pairedRounds}, {"a_median_us", run.speedup->baselineMedianUs},
            {"b_median_us", run.speedup->candidateMedianUs}};
    } else {
        document["speedup_of_b"] = nullptr;
        document["speedup_of_b_reason"] = run.notMeasured;
    }
    if (timed) {
        Json rounds = Json::array();
        for (const auto& round : run.timing->baselines.front().rounds) {
            rounds.push_back(
                {{"a_us", round.baselineUs}, {"b_us", round.candidateUs}, {"throttled", round.throttled}});
        }
        document["rounds"] = std::move(rounds);
        document["sm_clocks_mhz"] = run.timing->smClocksMhz;
        document["power_watts"] = run.timing->powerWatts;
        document["throttle"] = run.timing->throttleReasons;
    }
    if (!run.requirements.empty()) {
        document["requirements"] = Json::array();
        for (const auto& outcome : run.requirements) {
            document["requirements"].push_back(
                {{"requirement", outcome.text}, {"met", outcome.met}, {"reason", outcome.reason}});
        }
    }
    document["on"] = "gpu";
    document["on_reason"] = run.placement.reason;
    document["seed"] = run.seed;
    document["made"] = madeJson(run.b.built.compiled.tools);
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ptxwb
