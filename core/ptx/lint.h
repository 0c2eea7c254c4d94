// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/outline.h"
#include "core/support/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// What lint knows by reading alone. An Error is something that ptxas refuses as well; a Warning is a program
/// that ptxas takes and that goes wrong, or may; an Info is a matter of style.
enum class LintSeverity : std::uint8_t { Error, Warning, Info };

struct LintRule {
    std::string_view id; ///< "wgmma-wait", as `// ptxwb: allow wgmma-wait` names it
    LintSeverity severity = LintSeverity::Error;
    std::string_view reason; ///< why it matters, one sentence
    std::string_view
        manualSection; ///< behind '#' in the URL of NVIDIA's PTX manual; "inline-ptx": its page on asm
};

/// Every rule, sorted by id.
const std::vector<LintRule>& lintRules();
/// nullptr for an unknown id.
const LintRule* findLintRule(std::string_view id);

/// One replacement; an empty range is an insertion.
struct LintEdit {
    TextRange range{};
    std::string text{};
};

struct LintFinding {
    const LintRule* rule = nullptr;
    std::string message{};
    std::string manualUrl{};
    TextRange range{};
    std::uint32_t offset = 0; ///< bytes from the start of the text
    std::uint32_t length = 0; ///< bytes
    std::string fixTitle{}; ///< empty: no mechanical fix
    std::vector<LintEdit> edits{};
    int otherLine = 0; ///< of another place that the message names; 0: none
    bool isCertain = true; ///< false: only a compile tells; see addLint
};

namespace lint {
class Incremental;
}

/// Lint of PTX text before ptxas, from the lexer and the ISA data alone. What it cannot decide it does not
/// say. Keeps the last text: after an edit inside one function only that function is read again. One thread
/// at a time.
class PtxLinter {
public:
    /// With the tables of share/resources/isa. Errors: NotFound, BadFormat.
    static Result<PtxLinter> create();
    ~PtxLinter();
    PtxLinter(PtxLinter&&) noexcept;
    PtxLinter& operator=(PtxLinter&&) noexcept;

    /// Findings in the order of the text, without those that a `// ptxwb: allow RULE` on their line or on the
    /// line before silences. Never fails.
    const std::vector<LintFinding>& lint(std::string_view source);
    /// Whether the last call read a single function again.
    bool lastWasIncremental() const;

private:
    explicit PtxLinter(std::unique_ptr<lint::Incremental> state);
    std::unique_ptr<lint::Incremental> m_state;
};

/// One text, once.
Result<std::vector<LintFinding>> lintPtx(std::string_view source);

/// Whether a text, PTX or CUDA C++, may declare more than ptxas should be given (rule "declaration-size"): a
/// glance that is cheap, misses none of them and may be wrong the other way.
bool mayDeclareTooMuch(std::string_view source);

} // namespace ptxwb
