// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/http_transfer.h"
#include "core/llm/provider.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::llm {

/// At most this much of a server's answer is shown.
inline constexpr std::size_t shownBodyBytes = 500;

/// A sentence on an answer that is no chat answer: its status, what the server said (the message of its JSON
/// error, else the first 500 characters), and what to do. The key never appears in it.
std::string describeHttpFailure(const HttpResponseHead& head, std::string_view body, const Secret& key);

/// True for a body that is a web page.
bool looksLikeHtml(const HttpResponseHead& head, std::string_view body);

/// Seconds to wait, from a Retry-After header that holds a number or a date (RFC 9110, 10.2.3).
std::optional<std::chrono::seconds> retryDelay(const HttpResponseHead& head);

} // namespace ptxwb::llm
