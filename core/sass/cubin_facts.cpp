// SPDX-License-Identifier: Apache-2.0
#include "core/sass/cubin_facts.h"

#include "core/sass/elf_sections.h"
#include "core/support/kernel_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

using detail::ElfFile;
using detail::ElfSection;
using detail::valueAt;

constexpr std::uint32_t withoutBytes = 8; // SHT_NOBITS
constexpr int objectSymbol = 1; // STT_OBJECT
constexpr int reservedSharedBytes = 1024; // CUDA C++ Programming Guide: kept for the system per CTA

// EIATTR_* of `cuobjdump -elf`.
enum Attribute : unsigned {
    MaxThreads = 0x05,
    RequiredThreads = 0x10,
    FrameSize = 0x11,
    ParameterInfo = 0x17,
    ParameterBankSize = 0x19,
    RegisterCount = 0x2f,
    CtaPerCluster = 0x3d,
    ExplicitCluster = 0x3e,
    MaxClusterRank = 0x3f,
    NumBarriers = 0x4c,
    BlocksAreClusters = 0x5b,
};

/// Calls `take(attribute, value, payload)` for each entry: one byte of format, one of attribute, two of
/// value, which for format 4 (EIFMT_SVAL) is the size of what follows.
template <class Take> void forEachAttribute(std::string_view bytes, Take take)
{
    constexpr std::size_t head = 4;
    constexpr unsigned sized = 4;
    while (bytes.size() >= head) {
        const unsigned format = valueAt<std::uint8_t>(bytes, 0);
        const unsigned attribute = valueAt<std::uint8_t>(bytes, 1);
        const unsigned value = valueAt<std::uint16_t>(bytes, 2);
        bytes.remove_prefix(head);
        const auto payload = bytes.substr(0, format == sized ? value : 0);
        bytes.remove_prefix(payload.size());
        take(attribute, static_cast<int>(value), payload);
    }
}

KernelFacts::Dimensions dimensionsIn(std::string_view payload)
{
    return {valueAt<std::int32_t>(payload, 0), valueAt<std::int32_t>(payload, 4),
        valueAt<std::int32_t>(payload, 8)};
}

void readKernelAttributes(std::string_view bytes, KernelFacts& kernel)
{
    forEachAttribute(bytes, [&kernel](unsigned attribute, int value, std::string_view payload) {
        switch (attribute) {
        case MaxThreads:
            kernel.mostThreads = dimensionsIn(payload);
            break;
        case RequiredThreads:
            kernel.requiredThreads = dimensionsIn(payload);
            break;
        case CtaPerCluster:
            kernel.cluster = dimensionsIn(payload);
            break;
        case MaxClusterRank:
            kernel.mostCtasInCluster = valueAt<std::int32_t>(payload, 0);
            break;
        case ExplicitCluster:
            kernel.explicitCluster = true;
            break;
        case BlocksAreClusters:
            kernel.blocksAreClusters = true;
            break;
        case NumBarriers:
            kernel.barriers = value & 0xff; // the byte behind it is padding
            break;
        case ParameterBankSize:
            kernel.parameterBytes = value;
            break;
        case ParameterInfo: // index, ordinal and offset of 16 bits, then a word with the size above bit 18
            kernel.parameters[valueAt<std::uint16_t>(payload, 6)] =
                static_cast<int>(valueAt<std::uint32_t>(payload, 8) >> 18);
            break;
        default:
            break;
        }
    });
}

KernelFacts* named(std::vector<KernelFacts>& kernels, std::string_view name)
{
    const auto at = std::ranges::find(kernels, name, &KernelFacts::name);
    return at == kernels.end() ? nullptr : &*at;
}

/// Registers and local memory stand in the section of the module, by symbol.
void readModuleAttributes(const ElfFile& file, std::string_view bytes, std::vector<KernelFacts>& kernels)
{
    forEachAttribute(bytes, [&](unsigned attribute, int /*size*/, std::string_view payload) {
        const auto symbol = valueAt<std::uint32_t>(payload, 0);
        if ((attribute != RegisterCount && attribute != FrameSize) || symbol >= file.symbols.size()) {
            return;
        }
        if (auto* kernel = named(kernels, file.symbols[symbol].name)) {
            (attribute == RegisterCount ? kernel->registers : kernel->frameBytes) =
                valueAt<std::int32_t>(payload, 4);
        }
    });
}

std::vector<KernelFacts> kernelsOf(const ElfFile& file)
{
    std::vector<KernelFacts> kernels;
    constexpr std::string_view info = ".nv.info.";
    constexpr std::string_view shared = ".nv.shared.";
    for (const auto& section : file.sections) {
        if (section.name.starts_with(info)) {
            kernels.push_back({.name = std::string(section.name.substr(info.size()))});
            readKernelAttributes(section.bytes, kernels.back());
        }
    }
    const bool reserves =
        std::ranges::any_of(file.sections, [](const auto& s) { return s.name == ".nv.shared.reserved.0"; });
    for (const auto& section : file.sections) {
        if (section.name == ".nv.info") {
            readModuleAttributes(file, section.bytes, kernels);
        } else if (section.name.starts_with(shared)) {
            if (auto* kernel = named(kernels, section.name.substr(shared.size()))) {
                kernel->sharedBytes =
                    std::max(0, static_cast<int>(section.size) - (reserves ? reservedSharedBytes : 0));
            }
        }
    }
    return kernels;
}

/// "constant" of user data and of what the assembler made; bank 0 holds parameters, zeros in the file.
std::string_view spaceOf(const ElfSection& section)
{
    if (section.name.starts_with(".nv.global")) {
        return "global";
    }
    return section.name.starts_with(".nv.constant") && !section.name.starts_with(".nv.constant0") ? "constant"
                                                                                                  : "";
}

/// ".nv.constant2.kernel" -> "bank 2 of kernel"
std::string nameOfSection(std::string_view section)
{
    constexpr std::string_view constant = ".nv.constant";
    if (!section.starts_with(constant)) {
        return std::string(section);
    }
    const auto rest = section.substr(constant.size());
    const auto dot = rest.find('.');
    return dot == std::string_view::npos
        ? fmt::format("bank {}", rest)
        : fmt::format("bank {} of {}", rest.substr(0, dot), rest.substr(dot + 1));
}

std::string addressText(const ElfFile& file, const detail::ElfRelocation& one)
{
    if (one.symbol >= file.symbols.size()) {
        return "unknown";
    }
    const auto& symbol = file.symbols[one.symbol];
    const auto name =
        withoutBuildHash(symbol.name.empty() ? file.sections[symbol.section].name : symbol.name);
    return one.addend == 0 ? name : fmt::format("{}{:+}", name, one.addend);
}

/// Offset in a section: what stands there.
using Addresses = std::map<std::uint64_t, std::string>;

Addresses addressesIn(const ElfFile& file, std::size_t section)
{
    Addresses all;
    for (const auto& one : file.relocations) {
        if (one.section == section) {
            all[one.offset] = addressText(file, one);
        }
    }
    return all;
}

/// What a stretch of a section holds.
DataFact dataOf(
    const ElfSection& section, const Addresses& addresses, std::uint64_t first, std::uint64_t size)
{
    DataFact fact{.space = std::string(spaceOf(section)), .size = size};
    if (section.type != withoutBytes && first <= section.bytes.size()) {
        fact.bytes = std::string(section.bytes.substr(first, size));
    }
    if (fact.bytes.find_first_not_of('\0') == std::string::npos) {
        fact.bytes.clear();
    }
    for (auto at = addresses.lower_bound(first); at != addresses.end() && at->first - first < size; ++at) {
        fact.addresses[at->first - first] = at->second;
    }
    return fact;
}

/// A section by its symbols; without any, as a whole.
void addData(const ElfFile& file, std::size_t index, std::vector<DataFact>& data)
{
    const auto& section = file.sections[index];
    const auto addresses = addressesIn(file, index);
    bool hasSymbols = false;
    for (const auto& symbol : file.symbols) {
        if (symbol.section == index && symbol.type == objectSymbol && symbol.size > 0) {
            hasSymbols = true;
            data.push_back(dataOf(section, addresses, symbol.value, symbol.size));
            data.back().name = withoutBuildHash(symbol.name);
        }
    }
    if (!hasSymbols && section.size > 0) {
        data.push_back(dataOf(section, addresses, 0, section.size));
        data.back().name = nameOfSection(section.name);
    }
}

} // namespace

Result<CubinFacts> readCubinFacts(std::string_view cubin)
{
    const auto file = detail::readElf(cubin);
    if (!file) {
        return file.error();
    }
    CubinFacts facts{.kernels = kernelsOf(*file)};
    for (std::size_t i = 0; i < file->sections.size(); ++i) {
        if (!spaceOf(file->sections[i]).empty()) {
            addData(*file, i, facts.data);
        }
    }
    return facts;
}

} // namespace ptxwb
