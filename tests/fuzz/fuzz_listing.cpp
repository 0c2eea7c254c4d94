// SPDX-License-Identifier: Apache-2.0
// Any bytes as a disassembler's listing: read, summed up, and compared with itself.
#include "core/sass/diff.h"
#include "core/sass/kernel_summary.h"
#include "core/sass/listing.h"
#include "core/sass/live_registers.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    auto listing = ptxwb::parseSassListing(text);
    if (!listing) {
        return 0;
    }
    if (listing->text == nullptr) {
        std::abort();
    }
    (void)ptxwb::joinLiveRegisters(*listing, text);
    for (const auto& kernel : listing->kernels) {
        (void)ptxwb::summarise(kernel, ptxwb::controlFlow(kernel));
    }
    if (!ptxwb::diffListings(*listing, *listing).identical) {
        std::abort();
    }
    return 0;
}
