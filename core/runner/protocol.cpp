// SPDX-License-Identifier: Apache-2.0
#include "core/runner/protocol.h"

#include "core/runner/codecs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb {

namespace {

using wire::Json;
using wire::JsonReader;

std::string line(const Json& document)
{
    // Text of tools and drivers may hold broken UTF-8; it must not end the conversation.
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct EventEncoder {
    Json operator()(const Hello& hello) const
    {
        return {{"event", "hello"}, {"protocol", runnerProtocolName}, {"version", hello.version},
            {"build", hello.build}, {"cuda_runtime", hello.cudaRuntime}};
    }
    Json operator()(const ProgressEvent& progress) const
    {
        return {{"event", "progress"}, {"phase", progress.phase}, {"fraction", wire::real(progress.fraction)},
            {"message", progress.message}, {"candidate_running", progress.candidateRunning}};
    }
    Json operator()(const PhaseEvent& phase) const
    {
        return {{"event", "phase"}, {"phase", phase.phase}, {"state", phaseStateName(phase.state)},
            {"ms", wire::real(phase.ms)}, {"reason", phase.reason}};
    }
    Json operator()(const Finished& finished) const
    {
        Json document = wire::toJson(finished);
        document["event"] = "finished";
        return document;
    }
    Json operator()(const Failed& failed) const
    {
        return {{"event", "failed"}, {"error", wire::toJson(failed.error)}};
    }
    Json operator()(const Cancelled&) const { return {{"event", "cancelled"}}; }
    Json operator()(const ProbeResult& probe) const
    {
        Json devices = Json::array();
        for (const DeviceInfo& device : probe.devices) {
            devices.push_back(wire::toJson(device));
        }
        return {{"event", "probe_result"}, {"devices", std::move(devices)},
            {"libraries", wire::toJson(probe.libraries)}, {"problem", probe.problem}};
    }
};

RunnerEvent readEvent(const JsonReader& reader)
{
    const std::string kind = reader.at("event").text();
    if (kind == "hello") {
        if (const auto name = reader.at("protocol").text(); name != runnerProtocolName) {
            reader.at("protocol").fail("'" + name + "' is not " + std::string(runnerProtocolName));
        }
        return Hello{.version = reader.at("version").integer<int>(),
            .build = reader.at("build").text(),
            .cudaRuntime = reader.at("cuda_runtime").text()};
    }
    if (kind == "progress") {
        const auto running = reader.find("candidate_running");
        return ProgressEvent{.phase = reader.at("phase").text(),
            .fraction = reader.at("fraction").real(),
            .message = reader.at("message").text(),
            .candidateRunning = running && running->boolean()};
    }
    if (kind == "phase") {
        return PhaseEvent{.phase = reader.at("phase").text(),
            .state = wire::enumerator<PhaseState>(reader.at("state"), wire::phaseStateNames),
            .ms = reader.at("ms").real(),
            .reason = reader.at("reason").text()};
    }
    if (kind == "finished") {
        return wire::readFinished(reader);
    }
    if (kind == "failed") {
        return Failed{wire::readError(reader.at("error"))};
    }
    if (kind == "cancelled") {
        return Cancelled{};
    }
    if (kind == "probe_result") {
        return ProbeResult{.devices = reader.at("devices").list(wire::readDevice),
            .libraries = wire::readLibraries(reader.at("libraries")),
            .problem = reader.at("problem").text()};
    }
    reader.at("event").fail("unknown event '" + kind + "'");
}

RunnerRequest readRequest(const JsonReader& reader)
{
    const std::string kind = reader.at("request").text();
    if (kind == "probe") {
        return ProbeRequest{};
    }
    if (kind == "cancel") {
        return CancelRequest{};
    }
    if (kind == "evaluate") {
        return wire::readEvaluateRequest(reader);
    }
    reader.at("request").fail("unknown request '" + kind + "'");
}

constexpr std::size_t maxQuotedBytes = 120;

template <class T, class F> Result<T> decode(std::string_view text, F&& read)
{
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object()) {
        return Error{.code = ErrorCode::Protocol,
            .message = fmt::format("expected one JSON object on the line, got {} bytes: '{}'", text.size(),
                line(std::string(text.substr(0, maxQuotedBytes)))),
            .jsonPath = "$"};
    }
    try {
        return read(JsonReader(document, "$"));
    } catch (const wire::DecodeFailure& failure) {
        return Error{.code = ErrorCode::Protocol,
            .message = fmt::format("{}: {}", failure.path, failure.message),
            .jsonPath = failure.path};
    }
}

} // namespace

std::string_view phaseStateName(PhaseState state)
{
    return wire::nameOf(state, wire::phaseStateNames);
}

bool isTerminal(const RunnerEvent& event)
{
    return std::holds_alternative<Finished>(event) || std::holds_alternative<Failed>(event)
        || std::holds_alternative<Cancelled>(event) || std::holds_alternative<ProbeResult>(event);
}

std::string encode(const RunnerEvent& event)
{
    return line(std::visit(EventEncoder{}, event));
}

std::string encode(const RunnerRequest& request)
{
    if (const auto* evaluate = std::get_if<EvaluateRequest>(&request)) {
        Json document = wire::toJson(*evaluate);
        document["request"] = "evaluate";
        return line(document);
    }
    return line({{"request", std::holds_alternative<CancelRequest>(request) ? "cancel" : "probe"}});
}

Result<RunnerEvent> decodeEvent(std::string_view text)
{
    return decode<RunnerEvent>(text, readEvent);
}

Result<RunnerRequest> decodeRequest(std::string_view text)
{
    return decode<RunnerRequest>(text, readRequest);
}

} // namespace ptxwb
