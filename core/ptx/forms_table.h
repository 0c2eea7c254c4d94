// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ptxwb {

/// From which `.version` and for which targets something is taken.
struct PtxNeed {
    int version = 0; ///< 80 for 8.0; 0: any
    std::uint64_t refusedBy = 0; ///< bit i: FormsTable::targets()[i] refuses it
};

/// What ptxas itself takes of one instruction: resources/isa/ptx-forms.json, which packaging/probe-ptx-forms
/// makes by asking it.
struct PtxForms {
    std::string mnemonic{};
    PtxNeed need{};
    int minOperands = 0;
    int maxOperands = -1; ///< -1: not known
    std::vector<std::pair<std::string, PtxNeed>> words{}; ///< dotted, sorted

    const PtxNeed* word(std::string_view dotted) const;
};

/// Immutable after load; any thread may read.
class FormsTable {
public:
    /// Errors: NotFound, BadFormat.
    static Result<FormsTable> load(const std::filesystem::path& jsonFile);
    /// From share/resources/isa, loaded once per process.
    static Result<const FormsTable*> shared();

    /// The longest mnemonic that the opcode starts with, up to a '.' or "::"; nullptr if none.
    const PtxForms* find(std::string_view dottedOpcode) const;
    const std::vector<PtxForms>& instructions() const { return m_instructions; }
    const std::vector<std::string>& targets() const { return m_targets; }
    const std::string& toolVersion() const { return m_toolVersion; } ///< of the ptxas that was asked
    /// Whether some instruction takes the dotted word.
    bool isWord(std::string_view dotted) const;
    /// Whether some mnemonic has this first part.
    bool isFirstPart(std::string_view word) const;
    /// Mnemonics of an ISA later than the one the table was made for.
    const std::vector<std::string>& laterMnemonics() const { return m_later; }

private:
    void index();

    std::string m_toolVersion;
    std::vector<std::string> m_targets;
    std::vector<PtxForms> m_instructions; ///< sorted by mnemonic
    std::vector<std::string> m_words; ///< sorted
    std::vector<std::string> m_firstParts; ///< sorted
    std::vector<std::string> m_later;
    std::unordered_map<std::string_view, std::size_t> m_byMnemonic; ///< views into m_instructions
};

} // namespace ptxwb
