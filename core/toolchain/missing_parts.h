// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/error.h"

#include <optional>
#include <string_view>

namespace ptxwb::detail {

/// Whether nvcc failed because a program that it starts is not here (its host compiler, a part of the
/// toolkit) or is one that it refuses: MissingTool with the remedy. Nothing when the source is to blame.
/// Pure.
std::optional<Error> missingPart(std::string_view nvccOutput);

} // namespace ptxwb::detail
