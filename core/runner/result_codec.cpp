// SPDX-License-Identifier: Apache-2.0
#include "core/runner/codecs.h"

#include <nlohmann/json.hpp>

namespace ptxwb::wire {

namespace {

Verdict readVerdict(const JsonReader& reader)
{
    const std::string name = reader.text();
    if (const auto verdict = verdictByName(name)) {
        return *verdict;
    }
    reader.fail("unknown verdict '" + name + "'");
}

Json toJson(const Judgement& judgement)
{
    return {{"verdict", verdictName(judgement.verdict)}, {"explanation", judgement.explanation},
        {"check", judgement.check}};
}

Judgement readJudgement(const JsonReader& reader)
{
    const auto check = reader.find("check"); // logs of earlier runners have none
    return {.verdict = readVerdict(reader.at("verdict")),
        .explanation = reader.at("explanation").text(),
        .check = check ? check->text() : std::string()};
}

Json toJson(const TrialFacts& trial)
{
    Json outputs = Json::array();
    for (const OutputComparison& output : trial.outputs) {
        outputs.push_back(wire::toJson(output));
    }
    return {{"seed", trial.seed}, {"outputs", std::move(outputs)}, {"modified_inputs", trial.modifiedInputs},
        {"damaged_guards", trial.damagedGuards}, {"title", trial.title}};
}

TrialFacts readTrial(const JsonReader& reader)
{
    const auto title = reader.find("title");
    return {.seed = reader.at("seed").integer<std::uint64_t>(),
        .outputs = reader.at("outputs").list(readComparison),
        .modifiedInputs = reader.at("modified_inputs").texts(),
        .damagedGuards = reader.at("damaged_guards").texts(),
        .title = title ? title->text() : std::string()};
}

template <class T> Json optional(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json toJson(const RivalOutcome& rival)
{
    Json trials = Json::array();
    for (const TrialFacts& trial : rival.trials) {
        trials.push_back(toJson(trial));
    }
    return {{"verdict", verdictName(rival.verdict)}, {"explanation", rival.explanation},
        {"trials", std::move(trials)}, {"outputs", wire::toJson(rival.outputs)}};
}

RivalOutcome readRival(const JsonReader& reader)
{
    return {.verdict = readVerdict(reader.at("verdict")),
        .explanation = reader.at("explanation").text(),
        .trials = reader.at("trials").list(readTrial),
        .outputs = reader.at("outputs").list(readContent)};
}

} // namespace

Json toJson(const DeviceInfo& device)
{
    return {{"index", device.index}, {"name", device.name}, {"compute_capability", device.computeCapability},
        {"target", device.target}, {"driver", device.driver}, {"uuid", device.uuid},
        {"memory_bytes", device.memoryBytes}, {"free_bytes", device.freeBytes},
        {"multiprocessors", device.multiprocessors}, {"l2_bytes", device.l2Bytes},
        {"shared_bytes_per_block_optin", device.sharedBytesPerBlockOptin},
        {"sm_clock_mhz", optional(device.smClockMhz)}, {"max_sm_clock_mhz", optional(device.maxSmClockMhz)},
        {"throttle", device.throttleReasons}, {"problem", device.problem}};
}

DeviceInfo readDevice(const JsonReader& reader)
{
    DeviceInfo device;
    device.index = reader.at("index").integer<int>();
    device.name = reader.at("name").text();
    device.computeCapability = reader.at("compute_capability").text();
    device.target = reader.at("target").text();
    device.driver = reader.at("driver").text();
    device.uuid = reader.at("uuid").text();
    device.memoryBytes = reader.at("memory_bytes").integer<std::uint64_t>();
    device.freeBytes = reader.at("free_bytes").integer<std::uint64_t>();
    device.multiprocessors = reader.at("multiprocessors").integer<int>();
    device.l2Bytes = reader.at("l2_bytes").integer<std::uint64_t>();
    device.sharedBytesPerBlockOptin = reader.at("shared_bytes_per_block_optin").integer<int>();
    if (const auto clock = reader.find("sm_clock_mhz")) {
        device.smClockMhz = clock->integer<int>();
    }
    if (const auto clock = reader.find("max_sm_clock_mhz")) {
        device.maxSmClockMhz = clock->integer<int>();
    }
    device.throttleReasons = reader.at("throttle").texts();
    device.problem = reader.at("problem").text();
    return device;
}

Json toJson(const std::vector<LibraryInfo>& libraries)
{
    Json array = Json::array();
    for (const LibraryInfo& library : libraries) {
        array.push_back({{"name", library.name}, {"version", optional(library.version)},
            {"path", library.path}, {"reason", library.reason}});
    }
    return array;
}

std::vector<LibraryInfo> readLibraries(const JsonReader& reader)
{
    return reader.list([](const JsonReader& element) {
        LibraryInfo library{.name = element.at("name").text(),
            .version = {},
            .path = element.at("path").text(),
            .reason = element.at("reason").text()};
        if (const auto version = element.find("version")) {
            library.version = version->text();
        }
        return library;
    });
}

Json toJson(const OutputComparison& comparison)
{
    return {{"output", comparison.output}, {"elements", comparison.elements},
        {"mismatched", comparison.mismatched}, {"max_abs_error", real(comparison.maxAbsError)},
        {"max_rel_error", real(comparison.maxRelError)},
        {"normwise_rel_error", real(comparison.normwiseRelError)}, {"nan_count", comparison.nanCount},
        {"inf_count", comparison.infCount}, {"poison_count", comparison.poisonCount},
        {"all_zero", comparison.allZero}, {"first_mismatch", optional(comparison.firstMismatch)},
        {"first_mismatch_got", real(comparison.firstMismatchGot)},
        {"first_mismatch_expected", real(comparison.firstMismatchExpected)}};
}

OutputComparison readComparison(const JsonReader& reader)
{
    OutputComparison comparison;
    comparison.output = reader.at("output").text();
    comparison.elements = reader.at("elements").integer<std::uint64_t>();
    comparison.mismatched = reader.at("mismatched").integer<std::uint64_t>();
    comparison.maxAbsError = reader.at("max_abs_error").real();
    comparison.maxRelError = reader.at("max_rel_error").real();
    comparison.normwiseRelError = reader.at("normwise_rel_error").real();
    comparison.nanCount = reader.at("nan_count").integer<std::uint64_t>();
    comparison.infCount = reader.at("inf_count").integer<std::uint64_t>();
    comparison.poisonCount = reader.at("poison_count").integer<std::uint64_t>();
    comparison.allZero = reader.at("all_zero").boolean();
    if (const auto first = reader.find("first_mismatch")) {
        comparison.firstMismatch = first->integer<std::uint64_t>();
    }
    comparison.firstMismatchGot = reader.at("first_mismatch_got").real();
    comparison.firstMismatchExpected = reader.at("first_mismatch_expected").real();
    return comparison;
}

Json toJson(const Finished& finished)
{
    Json trials = Json::array();
    for (const TrialFacts& trial : finished.trials) {
        trials.push_back(toJson(trial));
    }
    return {{"verdict", verdictName(finished.verdict)}, {"explanation", finished.explanation},
        {"paper", toJson(finished.paper)}, {"strict", toJson(finished.strict)},
        {"device", toJson(finished.device)}, {"libraries", toJson(finished.libraries)},
        {"trials", std::move(trials)}, {"timing", finished.timing ? toJson(*finished.timing) : Json(nullptr)},
        {"timed_outputs_checked", finished.timedOutputsChecked},
        {"repeats_bitwise", optional(finished.repeatsBitwise)}, {"outputs", toJson(finished.outputs)},
        {"rival", finished.rival ? toJson(*finished.rival) : Json(nullptr)}};
}

Finished readFinished(const JsonReader& reader)
{
    Finished finished;
    finished.verdict = readVerdict(reader.at("verdict"));
    finished.explanation = reader.at("explanation").text();
    finished.paper = readJudgement(reader.at("paper"));
    finished.strict = readJudgement(reader.at("strict"));
    finished.device = readDevice(reader.at("device"));
    finished.libraries = readLibraries(reader.at("libraries"));
    finished.trials = reader.at("trials").list(readTrial);
    if (const auto timing = reader.find("timing")) {
        finished.timing = readTiming(*timing);
    }
    finished.timedOutputsChecked = reader.at("timed_outputs_checked").boolean();
    if (const auto repeats = reader.find("repeats_bitwise")) {
        finished.repeatsBitwise = repeats->boolean();
    }
    if (const auto outputs = reader.find("outputs")) {
        finished.outputs = outputs->list(readContent);
    }
    if (const auto rival = reader.find("rival")) {
        finished.rival = readRival(*rival);
    }
    return finished;
}

Json toJson(const Error& error)
{
    return {{"code", errorCodeName(error.code)}, {"message", error.message}, {"hint", error.hint},
        {"path", error.path}, {"line", optional(error.line)}, {"json_path", error.jsonPath}};
}

Error readError(const JsonReader& reader)
{
    Error error{.code = ErrorCode::Internal,
        .message = reader.at("message").text(),
        .hint = reader.at("hint").text(),
        .path = reader.at("path").text(),
        .line = {},
        .jsonPath = reader.at("json_path").text()};
    const std::string code = reader.at("code").text();
    for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i) {
        if (errorCodeName(static_cast<ErrorCode>(i)) == code) {
            error.code = static_cast<ErrorCode>(i); // a code of a later version stays Internal
        }
    }
    if (const auto line = reader.find("line")) {
        error.line = line->integer<int>();
    }
    return error;
}

} // namespace ptxwb::wire
