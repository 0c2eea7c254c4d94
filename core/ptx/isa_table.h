// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Families that the workbench tells apart in PTX and colours in the editor.
enum class PtxFamily {
    Ordinary,
    Wgmma,
    Tma,
    BulkCopy,
    CpAsync,
    Mbarrier,
    Tcgen05,
    Setmaxnreg,
    Cluster,
    MatrixMove,
    MmaSync,
    Fence
};

/// A form of an instruction that needs a newer `.version` or another target than the rest.
struct IsaForm {
    std::string form;
    std::string minPtx;
    std::string minTarget;
};

/// A line that ptxas took.
struct IsaExample {
    std::string ptx;
    std::string minPtx; ///< the first `.version` that took it
    std::string targets; ///< that took it: "sm_90+", "all (sm_75..sm_121a)"
};

/// A directive or special register with what it is, in our own words (may be empty).
struct IsaName {
    std::string name; ///< ".reqntid", "%tid"
    std::string summary;
};

/// One instruction of the ISA table (resources/isa/ptx-instructions.json).
struct IsaInstruction {
    std::string mnemonic; ///< "wgmma.mma_async"
    std::string category;
    std::string summary; ///< one line, our own words
    std::string minPtx; ///< "8.0"
    std::string minTarget; ///< "sm_90a"
    std::vector<std::string> syntax;
    std::vector<std::string> types; ///< ".u16" ... where the table says so; tells rows of one mnemonic apart
    std::vector<std::string>
        modifiers; ///< dotted words that the opcode may carry, as far as the table lists them
    std::string manualUrl;
    std::string execScope; ///< who executes it together: "thread", "warp", "warpgroup" ...
    std::string proxy; ///< "async" where its memory accesses are not of the generic proxy
    std::string completion; ///< what tells that it is done: "mbarrier", "wgmma-group" ...
    std::vector<IsaForm> forms; ///< forms that need more than the rest
    std::vector<IsaExample> examples;
    PtxFamily family = PtxFamily::Ordinary;
};

/// The PTX ISA as data. Immutable after load; any thread may read.
class IsaTable {
public:
    /// Errors: NotFound, BadFormat.
    static Result<IsaTable> load(const std::filesystem::path& jsonFile);
    /// From share/resources/isa, loaded once per process.
    static Result<const IsaTable*> shared();

    const std::vector<IsaInstruction>& instructions() const { return m_instructions; }
    /// Longest dotted mnemonic that `dottedOpcode` starts with, or nullptr ("wgmma.mma_async.sync..." ->
    /// wgmma.mma_async). Of several rows of one mnemonic (integer and float `add`) the one whose types the
    /// opcode names.
    const IsaInstruction* find(std::string_view dottedOpcode) const;
    /// Sorted by name; state spaces are among the directives.
    const std::vector<IsaName>& directives() const { return m_directives; }
    const std::vector<IsaName>& specialRegisters() const { return m_specialRegisters; }
    const std::vector<std::string>& types() const { return m_types; }
    /// Of a directive or of a special register ("%tid.x" too); nullptr for anything else.
    const IsaName* name(std::string_view word) const;
    bool isDirective(std::string_view word) const;
    bool isSpecialRegister(std::string_view word) const; ///< "%tid.x" and "%tid"
    bool isType(std::string_view word) const; ///< ".bf16"
    const std::vector<std::string>& targets() const { return m_targets; }
    /// The first `.version` that knows the target ("sm_90a" -> "8.0"); empty for an unknown target.
    std::string_view minPtxOfTarget(std::string_view target) const;

private:
    std::vector<IsaInstruction> m_instructions; ///< sorted by mnemonic
    std::vector<IsaName> m_directives; ///< sorted
    std::vector<IsaName> m_specialRegisters; ///< sorted
    std::vector<std::string> m_types;
    std::vector<std::string> m_targets;
    std::vector<std::string> m_targetVersions; ///< beside m_targets
};

/// Family of a dotted opcode by its spelling alone (no table needed).
PtxFamily ptxFamilyOf(std::string_view dottedOpcode);
std::string_view ptxFamilyName(PtxFamily family);

} // namespace ptxwb
