// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/outline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

enum class PtxSymbolKind { Register, Variable, Parameter, Label, Function };

/// What a name in PTX text means where it stands.
struct PtxSymbol {
    PtxSymbolKind kind = PtxSymbolKind::Register;
    std::string name{}; ///< as written at the place asked for ("%acc7")
    std::string declaredAs{}; ///< the words of its declaration: ".reg .f32 %acc<128>"
    TextRange declaration{}; ///< of the name there
    std::vector<TextRange> uses{}; ///< every place that means the same, the declaration too, in order
    bool isOfSeries = false; ///< one register of `%acc<128>`: its name does not stand in the declaration
};

/// The symbol whose name covers or ends at the byte `offset`; nothing for what no declaration names (opcodes,
/// special registers, unknown names). Scopes count: a register or a label of an inner `{ }` is another one.
std::optional<PtxSymbol> ptxSymbolAt(std::string_view source, std::uint32_t offset);

/// The name as the declaration has it ("%acc" for "%acc7").
std::string ptxDeclaredName(const PtxSymbol& symbol);

} // namespace ptxwb
