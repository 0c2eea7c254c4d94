// SPDX-License-Identifier: Apache-2.0
#include "core/sass/families.h"

#include <algorithm>
#include <array>

namespace ptxwb {

namespace {

struct FamilyName {
    SassFamily family;
    std::string_view name;
};
constexpr std::array familyNames{
    FamilyName{SassFamily::Gmma, "wgmma"},
    FamilyName{SassFamily::Tma, "tma"},
    FamilyName{SassFamily::BulkCopy, "bulk_copy"},
    FamilyName{SassFamily::Mbarrier, "mbarrier"},
    FamilyName{SassFamily::Tcgen05, "tcgen05"},
    FamilyName{SassFamily::CpAsync, "cp_async"},
    FamilyName{SassFamily::Ldmatrix, "ldmatrix"},
    FamilyName{SassFamily::Mma, "mma"},
    FamilyName{SassFamily::Setmaxnreg, "setmaxnreg"},
    FamilyName{SassFamily::Cluster, "cluster"},
    FamilyName{SassFamily::WarpgroupSync, "warpgroup"},
    FamilyName{SassFamily::Barrier, "barrier"},
    FamilyName{SassFamily::Global, "global"},
    FamilyName{SassFamily::Shared, "shared"},
    FamilyName{SassFamily::Local, "local"},
    FamilyName{SassFamily::Branch, "branch"},
};

constexpr FamilySet bit(SassFamily family)
{
    return FamilySet{1} << static_cast<unsigned>(family);
}

struct BaseOpcode {
    std::string_view name;
    FamilySet families;
};
/// Base opcodes (the text before the first dot) that are named whole; sorted for binary search.
constexpr std::array baseOpcodes{
    BaseOpcode{"ARRIVES", bit(SassFamily::CpAsync) | bit(SassFamily::Mbarrier)},
    BaseOpcode{"ATOMG", bit(SassFamily::Global)},
    BaseOpcode{"ATOMS", bit(SassFamily::Shared)},
    BaseOpcode{"BAR", bit(SassFamily::Barrier)},
    BaseOpcode{"BMMA", bit(SassFamily::Mma)},
    BaseOpcode{"BRA", bit(SassFamily::Branch)},
    BaseOpcode{"BREAK", bit(SassFamily::Branch)},
    BaseOpcode{"BRX", bit(SassFamily::Branch)},
    BaseOpcode{"BRXU", bit(SassFamily::Branch)},
    BaseOpcode{"BSSY", bit(SassFamily::Branch)},
    BaseOpcode{"BSYNC", bit(SassFamily::Branch)},
    BaseOpcode{"CALL", bit(SassFamily::Branch)},
    BaseOpcode{"CGAERRBAR", bit(SassFamily::Cluster)},
    BaseOpcode{"DMMA", bit(SassFamily::Mma)},
    BaseOpcode{"EXIT", bit(SassFamily::Branch)},
    BaseOpcode{"HMMA", bit(SassFamily::Mma)},
    BaseOpcode{"IMMA", bit(SassFamily::Mma)},
    BaseOpcode{"JMP", bit(SassFamily::Branch)},
    BaseOpcode{"JMX", bit(SassFamily::Branch)},
    BaseOpcode{"JMXU", bit(SassFamily::Branch)},
    BaseOpcode{"KILL", bit(SassFamily::Branch)},
    BaseOpcode{"LDG", bit(SassFamily::Global)},
    BaseOpcode{"LDGDEPBAR", bit(SassFamily::CpAsync)},
    BaseOpcode{"LDGMC", bit(SassFamily::Global)},
    BaseOpcode{"LDGSTS", bit(SassFamily::CpAsync) | bit(SassFamily::Global) | bit(SassFamily::Shared)},
    BaseOpcode{"LDL", bit(SassFamily::Local)},
    BaseOpcode{"LDS", bit(SassFamily::Shared)},
    BaseOpcode{"LDSM", bit(SassFamily::Ldmatrix) | bit(SassFamily::Shared)},
    BaseOpcode{"OMMA", bit(SassFamily::Mma)},
    BaseOpcode{"QMMA", bit(SassFamily::Mma)},
    BaseOpcode{"RED", bit(SassFamily::Global)},
    BaseOpcode{"REDAS", bit(SassFamily::Cluster) | bit(SassFamily::Mbarrier) | bit(SassFamily::Shared)},
    BaseOpcode{"REDG", bit(SassFamily::Global)},
    BaseOpcode{"RET", bit(SassFamily::Branch)},
    BaseOpcode{"STAS", bit(SassFamily::Cluster) | bit(SassFamily::Mbarrier) | bit(SassFamily::Shared)},
    BaseOpcode{"STG", bit(SassFamily::Global)},
    BaseOpcode{"STL", bit(SassFamily::Local)},
    BaseOpcode{"STS", bit(SassFamily::Shared)},
    BaseOpcode{"STSM", bit(SassFamily::Ldmatrix) | bit(SassFamily::Shared)},
    BaseOpcode{"SYNCS", bit(SassFamily::Mbarrier)},
    BaseOpcode{"UBLKCP", bit(SassFamily::BulkCopy)},
    BaseOpcode{"UBLKPF", bit(SassFamily::BulkCopy)},
    BaseOpcode{"UBLKRED", bit(SassFamily::BulkCopy)},
    BaseOpcode{"USETMAXREG", bit(SassFamily::Setmaxnreg)},
    BaseOpcode{"WARPGROUP", bit(SassFamily::WarpgroupSync)},
    BaseOpcode{"WARPGROUPSET", bit(SassFamily::WarpgroupSync)},
};
static_assert(std::ranges::is_sorted(baseOpcodes, {}, &BaseOpcode::name));

bool startsTcgen(std::string_view opcode)
{
    return opcode.starts_with("UTC") || opcode.starts_with("LDTM") || opcode.starts_with("STTM");
}

std::string_view baseOf(std::string_view opcode)
{
    return opcode.substr(0, opcode.find('.'));
}

bool isPaperTma(std::string_view base)
{
    return base == "UTMALDG" || base == "UTMASTG" || base == "UTMAREDG";
}

} // namespace

std::string_view sassFamilyName(SassFamily family)
{
    const auto at = std::ranges::find(familyNames, family, &FamilyName::family);
    return at == familyNames.end() ? std::string_view{"unknown"} : at->name;
}

const std::vector<SassFamily>& allSassFamilies()
{
    static const std::vector<SassFamily> all = [] {
        std::vector<SassFamily> families;
        for (const auto& entry : familyNames) {
            families.push_back(entry.family);
        }
        return families;
    }();
    return all;
}

std::optional<SassFamily> sassFamilyByName(std::string_view name)
{
    const auto at = std::ranges::find(familyNames, name, &FamilyName::name);
    if (at == familyNames.end()) {
        return {};
    }
    return at->family;
}

FamilySet familiesOf(std::string_view opcode)
{
    const auto base = baseOf(opcode);
    const auto at = std::ranges::lower_bound(baseOpcodes, base, {}, &BaseOpcode::name);
    FamilySet set = at != baseOpcodes.end() && at->name == base ? at->families : 0;
    if (base.find("GMMA") != std::string_view::npos) {
        set |= bit(SassFamily::Gmma);
    }
    if (base.starts_with("UTMA")) {
        set |= bit(SassFamily::Tma);
    }
    if (base.starts_with("UCGABAR")) {
        set |= bit(SassFamily::Cluster);
    }
    if (startsTcgen(base)) {
        set |= bit(SassFamily::Tcgen05);
    }
    return set;
}

FamilyCounts countFamilies(const SassKernel& kernel)
{
    std::array<int, familyNames.size()> sites{};
    for (const auto& instruction : kernel.instructions) {
        if (const auto set = familiesOf(instruction.opcode); set != 0) {
            for (const auto& entry : familyNames) {
                sites[static_cast<std::size_t>(entry.family)] += contains(set, entry.family) ? 1 : 0;
            }
        }
    }
    FamilyCounts counts;
    for (const auto& entry : familyNames) {
        if (const int n = sites[static_cast<std::size_t>(entry.family)]; n > 0) {
            counts[entry.family] = n;
        }
    }
    return counts;
}

FamilyCounts countFamilies(const SassListing& listing)
{
    FamilyCounts counts;
    for (const auto& kernel : listing.kernels) {
        for (const auto& [family, n] : countFamilies(kernel)) {
            counts[family] += n;
        }
    }
    return counts;
}

PaperAccount paperAccount(const SassListing& listing)
{
    PaperAccount account;
    for (const auto& kernel : listing.kernels) {
        for (const auto& instruction : kernel.instructions) {
            const auto base = baseOf(instruction.opcode);
            account.gmma += base.find("GMMA") != std::string_view::npos ? 1 : 0;
            account.tma += isPaperTma(base) ? 1 : 0;
            account.tcgen += startsTcgen(base) ? 1 : 0;
        }
    }
    return account;
}

} // namespace ptxwb
