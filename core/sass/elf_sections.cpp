// SPDX-License-Identifier: Apache-2.0
#include "core/sass/elf_sections.h"

#include <elf.h>

#include <bit>

namespace ptxwb::detail {

static_assert(std::endian::native == std::endian::little);

namespace {

Error damaged(const char* what)
{
    return {.code = ErrorCode::BadFormat,
        .message = std::string("not a whole ELF file: ") + what,
        .hint = "look whether the file was cut off"};
}

bool isWithin(std::string_view bytes, std::uint64_t offset, std::uint64_t size)
{
    return offset <= bytes.size() && size <= bytes.size() - offset;
}

std::string_view nameAt(std::string_view table, std::uint32_t offset)
{
    const auto name = table.substr(std::min<std::size_t>(offset, table.size()));
    return name.substr(0, name.find('\0'));
}

Result<std::vector<Elf64_Shdr>> sectionHeaders(std::string_view bytes, const Elf64_Ehdr& header)
{
    if (header.e_shentsize != sizeof(Elf64_Shdr)
        || !isWithin(bytes, header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr))) {
        return damaged("its section headers lie outside it");
    }
    std::vector<Elf64_Shdr> all;
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
        all.push_back(valueAt<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)));
        const auto& one = all.back();
        if (one.sh_type != SHT_NOBITS && one.sh_type != SHT_NULL
            && !isWithin(bytes, one.sh_offset, one.sh_size)) {
            return damaged("a section lies outside it");
        }
    }
    if (header.e_shstrndx >= all.size()) {
        return damaged("it has no section names");
    }
    return all;
}

} // namespace

Result<ElfFile> readElf(std::string_view bytes)
{
    const auto header = valueAt<Elf64_Ehdr>(bytes, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64
        || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        return damaged("its first bytes are those of something else");
    }
    const auto headers = sectionHeaders(bytes, header);
    if (!headers) {
        return headers.error();
    }
    const auto contentOf = [&](const Elf64_Shdr& section) {
        return section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL
            ? std::string_view()
            : bytes.substr(section.sh_offset, section.sh_size);
    };
    ElfFile file;
    const auto names = contentOf((*headers)[header.e_shstrndx]);
    for (const auto& section : *headers) {
        file.sections.push_back({.name = nameAt(names, section.sh_name),
            .type = section.sh_type,
            .size = section.sh_size,
            .bytes = contentOf(section),
            .info = section.sh_info});
    }
    for (const auto& section : *headers) {
        const auto content = contentOf(section);
        if (section.sh_type == SHT_SYMTAB && section.sh_link < headers->size()) {
            const auto strings = contentOf((*headers)[section.sh_link]);
            for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= content.size(); at += sizeof(Elf64_Sym)) {
                const auto symbol = valueAt<Elf64_Sym>(content, at);
                file.symbols.push_back({.name = nameAt(strings, symbol.st_name),
                    .type = ELF64_ST_TYPE(symbol.st_info),
                    .section = symbol.st_shndx < headers->size() ? symbol.st_shndx : std::size_t{0},
                    .value = symbol.st_value,
                    .size = symbol.st_size});
            }
        } else if (section.sh_type == SHT_RELA || section.sh_type == SHT_REL) {
            const std::uint64_t step = section.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
            for (std::uint64_t at = 0; at + step <= content.size(); at += step) {
                Elf64_Rela one{};
                std::memcpy(&one, content.data() + at, step); // Elf64_Rel is the same without the addend
                file.relocations.push_back({.section = section.sh_info,
                    .offset = one.r_offset,
                    .type = static_cast<std::uint32_t>(ELF64_R_TYPE(one.r_info)),
                    .symbol = static_cast<std::size_t>(ELF64_R_SYM(one.r_info)),
                    .addend = one.r_addend});
            }
        }
    }
    return file;
}

} // namespace ptxwb::detail
