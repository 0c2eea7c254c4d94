// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

#include <optional>
#include <string>

namespace ptxwb {

/// Joins what `nvdisasm -c -plr` says into `listing` by kernel and address: SassInstruction::liveRegisters.
/// The text is from a second pass over the same cubin, because -plr switches line information off. Returns
/// the rows that were filled. Errors: BadFormat when the text holds no table of live registers.
Result<int> joinLiveRegisters(SassListing& listing, std::string_view text);

/// The largest count of live general registers of a kernel; nothing where no row has one.
std::optional<int> mostLiveRegisters(const SassKernel& kernel);

/// Why live registers of this code are read on request only: nvdisasm takes time that grows with the square
/// of a kernel's rows (5 s for 10,000, 18 s for 20,000). Nothing when they take about a second.
std::optional<std::string> liveRegistersTakeLong(const SassListing& listing);

} // namespace ptxwb
