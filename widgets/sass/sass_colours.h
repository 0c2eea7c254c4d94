// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/families.h"

#include <QColor>

class QPalette;

namespace ptxwb {

/// What panes of machine code draw with, on the theme's base colour.
struct SassColours {
    bool dark = false;
    QColor text{};
    QColor faint{}; ///< addresses, control codes
    QColor unknown{}; ///< rows of an opcode that is not understood
    QColor tensor{}; ///< wgmma, mma
    QColor tcgen05{};
    QColor copy{}; ///< TMA, bulk copies, cp.async, ldmatrix
    QColor sync{}; ///< mbarrier, cluster, warpgroup, bar
    QColor setmaxnreg{};
    QColor memory{}; ///< global, shared, local
    QColor branch{};
    QColor linkedRow{}; ///< fill of rows that belong to the editor's line
    QColor added{}; ///< fills of a diff
    QColor removed{};
    QColor changed{};
    QColor moved{};
    QColor scheduled{};

    /// Ink of the first family in the order of allSassFamilies, `text` for none.
    QColor ink(FamilySet families) const;
};

/// Dark or light by the luminance of the palette's base.
SassColours sassColours(const QPalette& palette);

} // namespace ptxwb
