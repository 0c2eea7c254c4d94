// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ptxwb {

/// The text with the symbol at `offset` under another name everywhere; of a series (`%acc<128>`) its common
/// part is renamed. Errors: NotFound (no declared name there), InvalidArgument (no PTX identifier, or one
/// that already means something where the symbol is used).
Result<std::string> renamePtxSymbol(std::string_view source, std::uint32_t offset, std::string_view newName);

} // namespace ptxwb
