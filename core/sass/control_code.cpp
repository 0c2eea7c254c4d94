// SPDX-License-Identifier: Apache-2.0
#include "core/sass/listing.h"

namespace ptxwb {

ControlCode decodeControl(const std::array<std::uint64_t, 2>& encoding)
{
    // Bit 105 of the instruction is bit 41 of the high word.
    const auto field = [high = encoding[1]](unsigned bit, unsigned width) {
        return static_cast<int>((high >> (bit - 64U)) & ((1U << width) - 1U));
    };
    constexpr int noBarrier = 7;
    const auto barrier = [](int index) { return index == noBarrier ? -1 : index; };

    ControlCode code;
    code.stall = field(105, 4);
    code.yield = field(109, 1) == 0;
    code.writeBarrier = barrier(field(110, 3));
    code.readBarrier = barrier(field(113, 3));
    code.waitMask = field(116, 6);
    code.reuse = field(122, 4);
    return code;
}

} // namespace ptxwb
