// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/http_transfer.h"
#include "core/llm/provider.h"

#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::llm {

/// The end of a "Test connection": always a sentence.
struct ConnectionReport {
    bool reachable = false; ///< the server answered as an OpenAI-compatible server does
    std::string sentence{};
    std::vector<std::string> models{};
};

/// Asks GET /v1/models, on the calling thread. The key is in no sentence.
ConnectionReport testConnection(const ProviderSettings& provider, const Secret& key, std::stop_token stop,
    HttpLimits limits = {.connect = std::chrono::seconds(10), .idle = std::chrono::seconds(20)});

} // namespace ptxwb::llm
