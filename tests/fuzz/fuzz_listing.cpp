// SPDX-License-Identifier: Apache-2.0
// Any bytes as a cubin's facts and as a disassembler's listing: read, summed up, and compared with itself.
#include "core/sass/diff.h"
#include "core/sass/kernel_summary.h"
#include "core/sass/listing.h"
#include "core/sass/live_registers.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto facts = ptxwb::readCubinFacts(text)) {
        ptxwb::SassDiff diff;
        ptxwb::addFactDifferences(diff, *facts, *facts);
        if (!diff.facts.empty()) {
            std::abort();
        }
    }
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
