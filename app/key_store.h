// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/provider.h"

#include <QObject>
#include <QString>

#include <functional>

namespace ptxwb {

/// Where a provider's key is kept: an environment variable, or the system keychain where the program was
/// built with it. There is no third place, and no fallback to a file.
class KeyStore : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    static bool hasKeychain();

    /// Calls `done` once on this thread: at once for the environment, later for the keychain. An empty Secret
    /// when the settings name no key.
    void read(const llm::ProviderSettings& settings, std::function<void(Result<llm::Secret>)> done);
    /// Keeps the key under the entry; an empty key removes it. `done` gets an empty text or what went wrong.
    void write(const QString& entry, const QString& key, std::function<void(const QString&)> done);
};

} // namespace ptxwb
