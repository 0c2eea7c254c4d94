// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

#include <cstdint>
#include <map>

namespace ptxwb {

/// Instruction families of SASS that the workbench counts. A row may be in several.
enum class SassFamily : std::uint8_t {
    Gmma, ///< HGMMA, QGMMA, IGMMA, BGMMA ...
    Tma, ///< UTMALDG, UTMASTG, UTMAREDG, UTMAPF, UTMACCTL, UTMACMDFLUSH
    BulkCopy, ///< UBLKCP, UBLKRED, UBLKPF
    Mbarrier, ///< SYNCS
    Tcgen05, ///< UTC*, LDTM, STTM
    CpAsync, ///< LDGSTS, LDGDEPBAR, ARRIVES.LDGSTSBAR
    Ldmatrix, ///< LDSM, STSM
    Mma, ///< HMMA, IMMA, DMMA, BMMA, QMMA (register tensor cores)
    Setmaxnreg, ///< USETMAXREG
    Cluster, ///< UCGABAR_*, MAPA-like, CGAERRBAR
    WarpgroupSync, ///< WARPGROUP.ARRIVE, WARPGROUP.DEPBAR
    Barrier, ///< BAR
    Global,
    Shared,
    Local, ///< memory instructions by space
    Branch,
};
std::string_view sassFamilyName(SassFamily family); ///< "wgmma", "tma", "mbarrier", "tcgen05" ...
const std::vector<SassFamily>& allSassFamilies();
std::optional<SassFamily> sassFamilyByName(std::string_view name);

using FamilySet = std::uint32_t; ///< bit per SassFamily
FamilySet familiesOf(std::string_view opcode);
constexpr bool contains(FamilySet set, SassFamily family)
{
    return ((set >> static_cast<unsigned>(family)) & 1U) != 0;
}

using FamilyCounts = std::map<SassFamily, int>; ///< static sites
FamilyCounts countFamilies(const SassKernel& kernel);
FamilyCounts countFamilies(const SassListing& listing);

/// The paper's static account: GMMA = opcode contains "GMMA"; TMA = base opcode in UTMALDG, UTMASTG,
/// UTMAREDG; TCGEN = opcode starts with UTC, LDTM or STTM. Only address-prefixed rows count.
struct PaperAccount {
    int gmma = 0;
    int tma = 0;
    int tcgen = 0;
};
PaperAccount paperAccount(const SassListing& listing);

} // namespace ptxwb
