// SPDX-License-Identifier: Apache-2.0
#include "core/llm/http_failure.h"

#include "core/llm/openai_codec.h"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <ctime>

namespace ptxwb::llm {

namespace {

std::string_view meaningOf(int status)
{
    switch (status) {
    case 400:
    case 422:
        return "the server refused the request";
    case 401:
        return "the server wants a valid key";
    case 402:
        return "the account has no credit";
    case 403:
        return "the key may not use this model or server";
    case 404:
        return "the server knows no such address or model";
    case 405:
        return "this address takes no chat requests";
    case 413:
        return "the request is too long for the server";
    case 429:
        return "too many requests, or the quota is used up";
    case 503:
        return "the server is busy or still loading its model";
    default:
        return status >= 500 ? "the server failed" : "the server did not answer as a chat server does";
    }
}

bool startsWithTag(std::string_view body, std::string_view tag)
{
    const auto begin = body.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || body.size() - begin < tag.size()) {
        return false;
    }
    return std::equal(tag.begin(), tag.end(), body.begin() + static_cast<std::ptrdiff_t>(begin),
        [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

} // namespace

bool looksLikeHtml(const HttpResponseHead& head, std::string_view body)
{
    return head.contentType == "text/html" || startsWithTag(body, "<!doctype html")
        || startsWithTag(body, "<html");
}

std::optional<std::chrono::seconds> retryDelay(const HttpResponseHead& head)
{
    if (!head.retryAfter) {
        return std::nullopt;
    }
    const auto& text = *head.retryAfter;
    long seconds = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (failed == std::errc{} && end == text.data() + text.size()) {
        return seconds >= 0 ? std::optional(std::chrono::seconds(seconds)) : std::nullopt;
    }
    const auto date = curl_getdate(text.c_str(), nullptr);
    if (date < 0) {
        return std::nullopt;
    }
    return std::chrono::seconds(std::max<std::time_t>(0, date - std::time(nullptr)));
}

std::string describeHttpFailure(const HttpResponseHead& head, std::string_view body, const Secret& key)
{
    std::string text = head.status == 200 ? std::string("The server's answer is no chat answer")
                                          : "HTTP " + std::to_string(head.status) + ": ";
    if (head.status == 200) {
        text += looksLikeHtml(head, body) ? ": it is a web page" : "";
    } else if (head.status >= 300 && head.status < 400) {
        text += "the server sends us elsewhere, and a key is sent only to the address that you set";
        if (head.location) {
            const auto& place = *head.location;
            text += " (it names " + place.substr(0, place.find_first_of("?#")) + ")";
        }
    } else {
        text += meaningOf(head.status);
    }
    if (const auto delay = retryDelay(head)) {
        text += "; it asks to wait " + std::to_string(delay->count()) + " s";
    }
    text += '.';
    if (looksLikeHtml(head, body)) {
        text += " The address may be wrong: an API's address usually ends in /v1.";
    }
    // The key goes first, so that the cut cannot leave half of it.
    std::string said = key.redact(errorTextOf(body).value_or(std::string(body)));
    said = utf8Prefix(said, shownBodyBytes);
    const auto last = said.find_last_not_of(" \t\r\n");
    said.erase(last == std::string::npos ? 0 : last + 1);
    if (!said.empty()) {
        text += " It said: " + said;
    }
    return key.redact(text);
}

} // namespace ptxwb::llm
