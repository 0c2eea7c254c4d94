// SPDX-License-Identifier: Apache-2.0
#include "core/llm/connection_test.h"

#include "core/llm/http_failure.h"
#include "core/llm/openai_codec.h"

#include <algorithm>

namespace ptxwb::llm {

namespace {

constexpr std::size_t maxListBytes = std::size_t{4} << 20;

std::string describeModels(const std::vector<std::string>& models, const std::string& wanted)
{
    if (models.empty()) {
        return "it lists no model";
    }
    std::string text = models.size() == 1 ? "it offers the model " + models.front()
                                          : "it offers " + std::to_string(models.size()) + " models";
    if (!wanted.empty() && std::find(models.begin(), models.end(), wanted) == models.end()) {
        text += "; \"" + wanted + "\" is not among them";
    } else if (wanted.empty() && models.size() > 1) {
        text += "; choose one";
    }
    return text;
}

} // namespace

ConnectionReport testConnection(
    const ProviderSettings& provider, const Secret& key, std::stop_token stop, HttpLimits limits)
{
    const auto endpoint = resolveEndpoint(provider.baseUrl);
    if (!endpoint) {
        return {.sentence = describe(endpoint.error())};
    }
    HttpRequest request{.url = endpoint->modelsUrl,
        .headers = {"Accept: application/json"},
        .bypassProxy = endpoint->loopback,
        .limits = limits};
    if (!key.empty()) {
        request.headers.push_back("Authorization: Bearer " + key.reveal());
    }
    std::string body;
    const HttpSink sink{.body = [&](std::string_view bytes) {
        body += bytes;
        return body.size() < maxListBytes;
    }};
    const auto outcome = transfer(request, sink, std::move(stop));
    if (!outcome) {
        return {.sentence = outcome.error().code == ErrorCode::Cancelled
                ? "The test was stopped."
                : key.redact("No answer from " + endpoint->host + ": " + describe(outcome.error()) + ".")};
    }
    const std::string warning = !key.empty() && !endpoint->encrypted && !endpoint->loopback
        ? " The key travels unencrypted: use https:// if the server can."
        : "";
    const auto models = decodeModelList(body);
    if (outcome->status == 200 && models) {
        return {.reachable = true,
            .sentence = key.redact(
                endpoint->host + " answers, and " + describeModels(*models, provider.model) + "." + warning),
            .models = *models};
    }
    if ((outcome->status == 404 || outcome->status == 405) && !looksLikeHtml(*outcome, body)) {
        return {.sentence = key.redact(endpoint->host
                    + " answers, but has no list of models at this address; a chat may still work. "
                    + describeHttpFailure(*outcome, body, key) + warning)};
    }
    return {.sentence = describeHttpFailure(*outcome, body, key) + warning};
}

} // namespace ptxwb::llm
