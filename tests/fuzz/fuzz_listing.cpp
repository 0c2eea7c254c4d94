// SPDX-License-Identifier: Apache-2.0
// Any bytes as a disassembler's listing.
#include "core/sass/listing.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto listing = ptxwb::parseSassListing(std::string(reinterpret_cast<const char*>(data), size));
    if (listing && listing->text == nullptr) {
        std::abort();
    }
    return 0;
}
