// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

#include <string_view>

namespace ptxwb {

/// Gives the wgmma rows of a listing, which ptxas leaves without a line, those of the PTX that it came from:
/// kernel by kernel, marked as inferred, all rows of a kernel or none (see linkWgmmaLines). Where the PTX was
/// generated with `.loc`, they get the places in the source too.
void linkWgmmaLines(SassListing& listing, std::string_view ptxText);

} // namespace ptxwb
