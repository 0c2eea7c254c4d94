// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint.h"

#include "core/ptx/lint/incremental.h"

namespace ptxwb {

PtxLinter::PtxLinter(std::unique_ptr<lint::Incremental> state)
    : m_state(std::move(state))
{
}

PtxLinter::~PtxLinter() = default;
PtxLinter::PtxLinter(PtxLinter&&) noexcept = default;
PtxLinter& PtxLinter::operator=(PtxLinter&&) noexcept = default;

Result<PtxLinter> PtxLinter::create()
{
    const auto isa = IsaTable::shared();
    if (!isa) {
        return isa.error();
    }
    const auto forms = FormsTable::shared();
    if (!forms) {
        return forms.error();
    }
    return PtxLinter(std::make_unique<lint::Incremental>(**isa, **forms));
}

const std::vector<LintFinding>& PtxLinter::lint(std::string_view source)
{
    return m_state->lint(source);
}

bool PtxLinter::lastWasIncremental() const
{
    return m_state->lastWasIncremental();
}

Result<std::vector<LintFinding>> lintPtx(std::string_view source)
{
    auto linter = PtxLinter::create();
    if (!linter) {
        return linter.error();
    }
    return linter->lint(source);
}

} // namespace ptxwb
