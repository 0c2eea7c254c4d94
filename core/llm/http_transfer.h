// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

struct HttpLimits {
    std::chrono::milliseconds connect{10'000};
    /// Longest silence of the server. Long, since a local server reads a long prompt before its first byte.
    std::chrono::milliseconds idle{300'000};
};

struct HttpRequest {
    std::string url{};
    std::vector<std::string> headers{};
    std::optional<std::string> postBody{}; ///< GET without it
    bool bypassProxy = false;
    HttpLimits limits{};
};

struct HttpResponseHead {
    int status = 0;
    std::string contentType{}; ///< lower case, without parameters
    std::optional<std::string> retryAfter{};
    std::optional<std::string> location{};
};

/// Where the bytes of an answer go, on the thread that runs the transfer.
struct HttpSink {
    std::function<void(const HttpResponseHead&)> head{}; ///< once, before the first byte of the body
    std::function<bool(std::string_view)> body{}; ///< false ends the transfer, which then counts as good
    /// Asked when the server is silent: true ends the transfer, which then counts as good. May be empty.
    std::function<bool(std::chrono::milliseconds silence)> enough{};
};

/// Runs one request on the calling thread until it ends. Never follows a redirect, reads no .netrc, sends no
/// cookies. Every HTTP status is a success here. Errors: Network (the message is libcurl's), TimedOut,
/// Cancelled.
Result<HttpResponseHead> transfer(const HttpRequest& request, const HttpSink& sink, std::stop_token stop);

} // namespace ptxwb::llm
