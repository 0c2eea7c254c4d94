// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

namespace ptxwb {

/// Joins what `nvdisasm -c -plr` says into `listing` by kernel and address: SassInstruction::liveRegisters.
/// The text is from a second pass over the same cubin, because -plr switches line information off. Returns
/// the rows that were filled. Errors: BadFormat when the text holds no table of live registers.
Result<int> joinLiveRegisters(SassListing& listing, std::string_view text);

/// The largest count of live general registers of a kernel; nothing where no row has one.
std::optional<int> mostLiveRegisters(const SassKernel& kernel);

} // namespace ptxwb
