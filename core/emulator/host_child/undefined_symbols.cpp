// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/host_child/undefined_symbols.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <elf.h>

namespace ptxwb::emulator::host {

namespace {

template <class T> bool readAt(std::string_view bytes, std::uint64_t at, T& value)
{
    if (at > bytes.size() || sizeof value > bytes.size() - at) {
        return false;
    }
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return true;
}

std::string textAt(std::string_view bytes, std::uint64_t at)
{
    if (at >= bytes.size()) {
        return {};
    }
    const auto rest = bytes.substr(at);
    return std::string(rest.substr(0, rest.find('\0')));
}

} // namespace

std::vector<std::string> undefinedSymbols(std::string_view object)
{
    std::vector<std::string> names;
    Elf64_Ehdr header{};
    if (!readAt(object, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) {
        return names;
    }
    const auto section = [&](std::uint64_t index, Elf64_Shdr& found) {
        return index < header.e_shnum && readAt(object, header.e_shoff + index * sizeof found, found);
    };
    Elf64_Shdr symbols{};
    for (std::uint64_t i = 0; section(i, symbols); ++i) {
        Elf64_Shdr strings{};
        if (symbols.sh_type != SHT_DYNSYM || !section(symbols.sh_link, strings)) {
            continue;
        }
        Elf64_Sym symbol{};
        for (std::uint64_t at = 0;
             at + sizeof symbol <= symbols.sh_size && readAt(object, symbols.sh_offset + at, symbol);
             at += sizeof symbol) {
            if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0
                && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL) {
                names.push_back(textAt(object, strings.sh_offset + symbol.st_name));
            }
        }
    }
    return names;
}

bool isCudaName(std::string_view name)
{
    constexpr std::array<std::string_view, 14> families{"cuda", "__cuda", "cublas", "cudnn", "cufft",
        "curand", "cusparse", "cusolver", "cutensor", "nvrtc", "nvJitLink", "nvml", "nccl", "nvtx"};
    const bool isFamily = std::any_of(
        families.begin(), families.end(), [&](std::string_view family) { return name.starts_with(family); });
    // The driver's: cu and a capital.
    return isFamily
        || (name.size() > 2 && name.starts_with("cu")
            && std::isupper(static_cast<unsigned char>(name[2])) != 0);
}

} // namespace ptxwb::emulator::host
