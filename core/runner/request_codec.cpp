// SPDX-License-Identifier: Apache-2.0
#include "core/runner/codecs.h"
#include "core/support/base64.h"

#include <nlohmann/json.hpp>

namespace ptxwb::wire {

namespace {

Json toJson(const OracleSpec& oracle)
{
    Json parameters = Json::object();
    for (const auto& [name, value] : oracle.parameters) {
        parameters[name] = real(value);
    }
    return {{"name", oracle.name}, {"parameters", std::move(parameters)}};
}

OracleSpec readOracle(const JsonReader& reader)
{
    OracleSpec oracle{.name = reader.at("name").text(), .parameters = {}};
    for (const auto& [name, value] : reader.at("parameters").members()) {
        oracle.parameters[name] = value.real();
    }
    return oracle;
}

Json toJson(const StrictRule& strict)
{
    Json bounds = Json::array();
    for (const auto& [output, bound] : strict.normwiseRelError) {
        bounds.push_back({{"output", output}, {"bound", real(bound)}});
    }
    return bounds;
}

StrictRule readStrict(const JsonReader& reader)
{
    return {.normwiseRelError = reader.list([](const JsonReader& bound) {
        return std::pair(bound.at("output").text(), bound.at("bound").real());
    })};
}

std::string decodedBytes(const JsonReader& reader)
{
    auto bytes = base64Decode(reader.text());
    if (!bytes) {
        reader.fail(bytes.error().message);
    }
    return *std::move(bytes);
}

Json toJson(const Rival& rival)
{
    return {{"cubin", base64Encode(rival.cubin)}, {"plan", wire::toJson(rival.plan)}};
}

Rival readRival(const JsonReader& reader)
{
    return {.cubin = decodedBytes(reader.at("cubin")), .plan = readPlan(reader.at("plan"))};
}

Json toJson(const std::vector<BufferContent>& contents)
{
    Json rows = Json::array();
    for (const BufferContent& content : contents) {
        rows.push_back({{"buffer", content.buffer}, {"bytes", base64Encode(content.bytes)}});
    }
    return rows;
}

std::vector<BufferContent> readContents(const JsonReader& reader)
{
    return reader.list([](const JsonReader& content) {
        return BufferContent{
            .buffer = content.at("buffer").integer<int>(), .bytes = decodedBytes(content.at("bytes"))};
    });
}

} // namespace

Json toJson(const EvaluateRequest& request)
{
    return {{"cubin", base64Encode(request.cubin)}, {"shared_object", base64Encode(request.sharedObject)},
        {"target", request.target}, {"plan", toJson(request.plan)}, {"oracle", toJson(request.oracle)},
        {"axes", request.axes},
        {"tolerance",
            {{"rtol", real(request.tolerance.rtol)}, {"atol", real(request.tolerance.atol)},
                {"matched_ratio", real(request.tolerance.matchedRatio)},
                {"trials", request.tolerance.trials}}},
        {"strict", toJson(request.strict)}, {"rule", nameOf(request.rule, ruleNames)}, {"seed", request.seed},
        {"baselines", request.baselines}, {"measure", request.measure},
        {"stopping",
            {{"min_rounds", request.stopping.minRounds}, {"max_rounds", request.stopping.maxRounds},
                {"target_relative_width", real(request.stopping.targetRelativeWidth)}}},
        {"flops", real(request.flops)}, {"bytes", real(request.bytes)}, {"device", request.device},
        {"phase_timeout_ms", request.phaseTimeoutMs}, {"guard_bands", request.guardBands},
        {"rival", request.rival ? toJson(*request.rival) : Json(nullptr)},
        {"contents", toJson(request.contents)},
        {"oracle_version", request.oracleVersion ? toJson(*request.oracleVersion) : Json(nullptr)},
        {"stored_outputs", toJson(request.storedOutputs)}, {"describe_outputs", request.describeOutputs},
        {"send_outputs", request.sendOutputs}};
}

EvaluateRequest readEvaluateRequest(const JsonReader& reader)
{
    EvaluateRequest request;
    request.cubin = decodedBytes(reader.at("cubin"));
    if (const auto object = reader.find("shared_object")) {
        request.sharedObject = decodedBytes(*object);
    }
    request.target = reader.at("target").text();
    request.plan = readPlan(reader.at("plan"));
    request.oracle = readOracle(reader.at("oracle"));
    for (const auto& [name, value] : reader.at("axes").members()) {
        request.axes[name] = value.integer<std::int64_t>();
    }
    const JsonReader tolerance = reader.at("tolerance");
    request.tolerance = {.rtol = tolerance.at("rtol").real(),
        .atol = tolerance.at("atol").real(),
        .matchedRatio = tolerance.at("matched_ratio").real(),
        .trials = tolerance.at("trials").integer<int>()};
    request.strict = readStrict(reader.at("strict"));
    request.rule = enumerator<Rule>(reader.at("rule"), ruleNames);
    request.seed = reader.at("seed").integer<std::uint64_t>();
    request.baselines = reader.at("baselines").texts();
    request.measure = reader.at("measure").boolean();
    const JsonReader stopping = reader.at("stopping");
    request.stopping.minRounds = stopping.at("min_rounds").integer<int>();
    request.stopping.maxRounds = stopping.at("max_rounds").integer<int>();
    request.stopping.targetRelativeWidth = stopping.at("target_relative_width").real();
    request.flops = reader.at("flops").real();
    request.bytes = reader.at("bytes").real();
    request.device = reader.at("device").integer<int>();
    request.phaseTimeoutMs = reader.at("phase_timeout_ms").integer<int>();
    if (const auto guards = reader.find("guard_bands")) {
        request.guardBands = guards->boolean();
    }
    if (const auto rival = reader.find("rival")) {
        request.rival = readRival(*rival);
    }
    if (const auto version = reader.find("oracle_version")) {
        request.oracleVersion = readRival(*version);
    }
    if (const auto contents = reader.find("stored_outputs")) {
        request.storedOutputs = readContents(*contents);
    }
    if (const auto contents = reader.find("contents")) {
        request.contents = readContents(*contents);
    }
    if (const auto describe = reader.find("describe_outputs")) {
        request.describeOutputs = describe->boolean();
        request.sendOutputs = reader.at("send_outputs").texts();
    }
    return request;
}

} // namespace ptxwb::wire
