// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <string>
#include <string_view>

namespace ptxwb::llm {

/// Where chat requests go. Holds no key: only the name of the place where the key is kept.
struct ProviderSettings {
    std::string name{}; ///< shown to the user
    std::string baseUrl{}; ///< "http://localhost:8080", with or without /v1
    std::string model{}; ///< empty: the server's only or default model
    std::string keyEnvironmentVariable{}; ///< empty: not from the environment
    std::string keychainEntry{}; ///< empty: not from the system keychain (read by the window only)
    bool operator==(const ProviderSettings&) const = default;
};

/// A key in memory. Has no stream operator and no conversion, so that it is never printed by accident.
class Secret {
public:
    Secret() = default;
    explicit Secret(std::string value)
        : m_value(std::move(value))
    {
    }
    bool empty() const { return m_value.empty(); }
    const std::string& reveal() const { return m_value; }
    /// `text` with every occurrence of the key replaced by "[key]".
    std::string redact(std::string text) const;

private:
    std::string m_value;
};

/// An address taken apart and made regular.
struct Endpoint {
    std::string chatUrl{}; ///< ".../v1/chat/completions"
    std::string modelsUrl{}; ///< ".../v1/models"
    std::string host{};
    bool encrypted = false;
    bool loopback = false;
};

/// Accepts what people paste: with or without /v1, a trailing slash or /chat/completions. Without a path, /v1
/// is added. Errors: InvalidArgument (empty, another scheme, no host, user:password@, blanks, ? or #).
Result<Endpoint> resolveEndpoint(std::string_view baseUrl);

/// Trims the blanks that come with copying. Errors: InvalidArgument for characters that no HTTP header can
/// carry; the message does not show the key.
Result<Secret> checkedKey(std::string_view key);

/// The key from the environment variable that the settings name; an empty Secret when they name none.
/// Errors: NotFound when the variable is not set or empty; those of checkedKey.
Result<Secret> keyFromEnvironment(const ProviderSettings& settings);

} // namespace ptxwb::llm
