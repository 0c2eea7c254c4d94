// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/provider.h"

class QSettings;

namespace ptxwb {

/// The chat's provider in the settings file. There is no field for a key in it.
llm::ProviderSettings loadProvider(QSettings& store);
void saveProvider(QSettings& store, const llm::ProviderSettings& provider);

} // namespace ptxwb
