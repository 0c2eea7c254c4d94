// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Bits [firstBit, lastBit] of a descriptor.
struct DescriptorField {
    std::string_view name{};
    int firstBit = 0;
    int lastBit = 0;
    std::uint64_t raw = 0;
    std::string meaning{};
};

/// One value read as one kind of descriptor.
struct DescriptorReading {
    std::string_view kind{};
    std::string_view manualUrl{};
    std::vector<DescriptorField> fields{};
    std::vector<std::string>
        problems{}; ///< what contradicts the manual: the value cannot be one of this kind, or works wrong
    std::vector<std::string> remarks{}; ///< what is unusual
};

/// The matrix descriptor of wgmma.mma_async on sm_90a: an operand in shared memory (PTX ISA 9.0, 9.7.15.5.1).
DescriptorReading readWgmmaDescriptor(std::uint64_t bits);

/// The shared memory descriptor of tcgen05.mma and tcgen05.cp (PTX ISA 9.0, 9.7.16.4.1).
DescriptorReading readTcgen05Descriptor(std::uint64_t bits);

/// The 32-bit instruction descriptor of tcgen05.mma for the kinds f16, tf32, f8f6f4 and i8 (PTX
/// ISA 9.0, 9.7.16.4.2). Not the one of the block-scaled kinds. `ctas`: of .cta_group; 0: not known.
DescriptorReading readTcgen05InstructionDescriptor(std::uint32_t bits, int ctas = 0);

enum class BlockScaledKind : std::uint8_t {
    Mxf8f6f4,
    Mxf4, ///< and mxf4nvf4, which differ in the types that the scales can have
};

/// The 32-bit instruction descriptor of tcgen05.mma with .block_scale (PTX ISA 9.0, 9.7.16.4.2).
DescriptorReading readBlockScaledDescriptor(std::uint32_t bits, BlockScaledKind kind, int ctas = 0);

} // namespace ptxwb
