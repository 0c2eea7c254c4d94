// SPDX-License-Identifier: Apache-2.0
#include "core/llm/provider.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace ptxwb::llm {

namespace {

Error badAddress(std::string message)
{
    return {.code = ErrorCode::InvalidArgument,
        .message = std::move(message),
        .hint = "give one like http://localhost:8080/v1 or https://api.example.com/v1"};
}

std::string_view trimmed(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string hostOf(std::string_view authority)
{
    if (authority.starts_with('[')) {
        return std::string(authority.substr(0, authority.find(']') + 1));
    }
    return std::string(authority.substr(0, authority.find(':')));
}

void removeSuffix(std::string& text, std::string_view suffix)
{
    if (text.ends_with(suffix)) {
        text.erase(text.size() - suffix.size());
    }
}

} // namespace

std::string Secret::redact(std::string text) const
{
    if (m_value.empty()) {
        return text;
    }
    constexpr std::string_view mark = "[key]";
    for (auto at = text.find(m_value); at != std::string::npos; at = text.find(m_value, at + mark.size())) {
        text.replace(at, m_value.size(), mark);
    }
    return text;
}

Result<Endpoint> resolveEndpoint(std::string_view baseUrl)
{
    const auto given = trimmed(baseUrl);
    if (given.empty()) {
        return badAddress("no server address is set");
    }
    const auto schemeEnd = given.find("://");
    const auto scheme =
        schemeEnd == std::string_view::npos ? std::string() : lowered(given.substr(0, schemeEnd));
    if (scheme != "http" && scheme != "https") {
        return badAddress("the server address must begin with http:// or https://");
    }
    const auto rest = given.substr(schemeEnd + 3);
    if (rest.find_first_of(" \t\r\n?#\\\"<>") != std::string_view::npos) {
        return badAddress(
            "the server address has a character that does not belong there (a blank, ?, #, quote)");
    }
    const auto authority = rest.substr(0, rest.find('/'));
    if (authority.find('@') != std::string_view::npos) {
        return badAddress(
            "the server address holds a user or password; keys come from the environment or keychain");
    }
    Endpoint endpoint;
    endpoint.host = lowered(hostOf(authority));
    if (endpoint.host.empty()) {
        return badAddress("the server address names no host");
    }
    endpoint.encrypted = scheme == "https";
    endpoint.loopback =
        endpoint.host == "localhost" || endpoint.host == "[::1]" || endpoint.host.starts_with("127.");
    std::string path(rest.substr(authority.size()));
    while (path.ends_with('/')) {
        path.pop_back();
    }
    constexpr std::array<std::string_view, 3> endings{"/chat/completions", "/models", "/completions"};
    for (const auto ending : endings) {
        removeSuffix(path, ending);
    }
    if (path.empty()) {
        path = "/v1";
    }
    const std::string root = scheme + "://" + std::string(authority) + path;
    endpoint.chatUrl = root + "/chat/completions";
    endpoint.modelsUrl = root + "/models";
    return endpoint;
}

Result<Secret> checkedKey(std::string_view key)
{
    const auto value = trimmed(key);
    const auto printable = [](char c) { return c > ' ' && c < '\x7f'; };
    if (!std::all_of(value.begin(), value.end(), printable)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "the key has a blank, a line break or a non-ASCII character inside",
            .hint = "copy it again from the provider's page"};
    }
    return Secret(std::string(value));
}

Result<Secret> keyFromEnvironment(const ProviderSettings& settings)
{
    if (settings.keyEnvironmentVariable.empty()) {
        return Secret();
    }
    const char* value = std::getenv(settings.keyEnvironmentVariable.c_str());
    if (value == nullptr || trimmed(value).empty()) {
        return Error{.code = ErrorCode::NotFound,
            .message =
                "the environment variable " + settings.keyEnvironmentVariable + " for the key is not set",
            .hint = "set it before the program is started, or choose another source for the key"};
    }
    return checkedKey(value);
}

} // namespace ptxwb::llm
