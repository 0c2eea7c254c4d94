// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/diff.h"

namespace ptxwb {

/// What the changed rows of `diff` come to, in words: rows of the same words count together. What a reader of
/// tensor kernels looks at comes first, then what occurs most. Pure, linear.
std::vector<ChangePhrase> changePhrases(const KernelDiff& diff, const SassKernel& a, const SassKernel& b);

/// What a row of that name does, where the name does not say it: " (wait for wgmma)", else empty.
std::string_view opcodeMeaning(std::string_view opcode);

/// Opcodes that a reader of tensor kernels looks at first.
bool isNotableOpcode(std::string_view opcode);

} // namespace ptxwb
