// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint/rules.h"

#include <cstdint>

namespace ptxwb::lint {

/// The last text and what was found in it, function by function.
class Incremental {
public:
    Incremental(const IsaTable& isa, const FormsTable& forms)
        : m_isa(isa)
        , m_forms(forms)
    {
    }

    const std::vector<LintFinding>& lint(std::string_view source);
    bool lastWasIncremental() const { return m_wasIncremental; }

private:
    struct Part {
        std::uint32_t bodyOpen = 0; ///< bytes
        std::uint32_t start = 0;
        std::uint32_t end = 0;
        std::uint32_t line = 1; ///< of its start
        std::uint32_t column = 1;
        std::uint32_t lastLine = 1; ///< of its closing brace
        std::vector<LintFinding> findings{};
    };

    void whole(std::string_view source);
    bool oneFunction(std::string_view source);
    void collect();

    const IsaTable& m_isa;
    const FormsTable& m_forms;
    std::string m_source;
    ModuleFacts m_facts;
    PlanFacts m_plan;
    std::vector<Part> m_parts;
    std::vector<LintFinding> m_outside; ///< of declarations outside of functions
    std::vector<Allow> m_allows;
    std::vector<LintFinding> m_findings;
    bool m_hasText = false;
    bool m_wasIncremental = false;
};

} // namespace ptxwb::lint
