// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// A section of a 64-bit little-endian ELF file. Views point into the file.
struct ElfSection {
    std::string_view name{};
    std::uint32_t type = 0; ///< SHT_*
    std::uint64_t size = 0;
    std::string_view bytes{}; ///< empty for SHT_NOBITS
    std::uint32_t info = 0; ///< of a relocation section: the section that it changes
};

struct ElfSymbol {
    std::string_view name{};
    int type = 0; ///< STT_*
    std::size_t section = 0; ///< 0: undefined
    std::uint64_t value = 0;
    std::uint64_t size = 0;
};

struct ElfRelocation {
    std::size_t section = 0; ///< that it changes
    std::uint64_t offset = 0;
    std::uint32_t type = 0;
    std::size_t symbol = 0; ///< index into ElfFile::symbols
    std::int64_t addend = 0;
};

struct ElfFile {
    std::vector<ElfSection> sections{};
    std::vector<ElfSymbol> symbols{};
    std::vector<ElfRelocation> relocations{};
};

/// Layout: System V ABI, "Object Files". Errors: BadFormat for another kind of file, and for sections, names
/// or symbols that lie outside it.
Result<ElfFile> readElf(std::string_view bytes);

/// The value at `offset`; zero where the bytes end before it.
template <class T> T valueAt(std::string_view bytes, std::uint64_t offset)
{
    T value{};
    if (offset <= bytes.size() && bytes.size() - offset >= sizeof(T)) {
        std::memcpy(&value, bytes.data() + offset, sizeof(T));
    }
    return value;
}

} // namespace ptxwb::detail
