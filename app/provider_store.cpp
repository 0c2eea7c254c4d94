// SPDX-License-Identifier: Apache-2.0
#include "app/provider_store.h"

#include <QSettings>

namespace ptxwb {

llm::ProviderSettings loadProvider(QSettings& store)
{
    const auto text = [&](const char* key) {
        return store.value(QStringLiteral("chat/") + QLatin1String(key)).toString().toStdString();
    };
    return {.name = text("name"),
        .baseUrl = text("address"),
        .model = text("model"),
        .keyEnvironmentVariable = text("keyEnvironmentVariable"),
        .keychainEntry = text("keychainEntry")};
}

void saveProvider(QSettings& store, const llm::ProviderSettings& provider)
{
    const auto put = [&](const char* key, const std::string& value) {
        store.setValue(QStringLiteral("chat/") + QLatin1String(key), QString::fromStdString(value));
    };
    put("name", provider.name);
    put("address", provider.baseUrl);
    put("model", provider.model);
    put("keyEnvironmentVariable", provider.keyEnvironmentVariable);
    put("keychainEntry", provider.keychainEntry);
}

} // namespace ptxwb
