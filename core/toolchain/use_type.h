// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/code_text.h"

namespace ptxwb::detail {

/// The type that a register must be declared with for its use as token i of the instruction (".pred", ".b32",
/// ".f32",
/// ".b64" ...); empty where the instruction does not say.
std::string registerTypeAt(const CodeText& code, const PtxStatement& statement, std::size_t i);

} // namespace ptxwb::detail
