// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/answer.h"
#include "core/records/asked_families.h"
#include "core/records/cause_class.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::records {

/// What became of an answer.
enum class TriageResult {
    Compiles,
    DoesNotCompile,
    NoCode,
    NotCompiled, ///< not the answer's fault, or its file cannot be read; the cause says why
};
std::string_view triageResultName(TriageResult result); ///< "compiles", "does_not_compile" ...

/// What a rule found.
struct RuleOutcome {
    std::string choice{}; ///< "last_valid_cpp", "only_block" ...
    std::string language{}; ///< "ptx", "cuda"
    std::string sha256{};
    int firstLine = 1; ///< line of the answer that is the code's line 1
};

/// The first root cause.
struct TriageCause {
    CauseClass cause = CauseClass::Other;
    std::string message{};
    std::string tool{}; ///< who said it; empty: the workbench
    std::optional<int> line{}; ///< of the code
    std::optional<int> answerLine{}; ///< of the answer that holds the code
    std::optional<std::string> explanation{};
    std::vector<std::string> fixes{}; ///< titles
    int others = 0; ///< root causes besides this one
};

/// What SASS has.
struct PresentFamilies {
    FamilyTable families{}; ///< by SASS family, memory and branches left out
    int gmma = 0; ///< gmma, tma, tcgen: the paper's static account
    int tma = 0;
    int tcgen = 0;
};

/// One answer, looked through.
struct TriageRow {
    std::string key{}; ///< hash of the answer, its place, and all that decides the outcome
    std::string path{};
    std::optional<int> fileLine{}; ///< of a JSON-lines file
    std::optional<int> turn{};
    std::optional<std::string> model{};
    std::optional<std::string> task{};
    std::optional<Recorded> recorded{};
    std::string answerSha256{};

    std::string rule{}; ///< of the code taken: "as_is", "reference", "commonmark", "none"
    std::optional<RuleOutcome> reference{};
    std::optional<RuleOutcome> commonMark{};
    bool rulesDiffer = false;
    bool closed = true; ///< false: the answer ends within the code block
    int elisions = 0; ///< comments that stand for code left out
    std::string language{}; ///< "ptx", "cuda"; empty without code
    std::string contract{}; ///< "kernel", "host"; empty without code
    std::string codeSha256{};

    TriageResult result = TriageResult::NotCompiled;
    std::string target{};
    std::optional<TriageCause> cause{}; ///< set unless it compiles
    FamilyTable asked{};
    std::optional<PresentFamilies> present{};
    std::string presentReason{}; ///< why not, in that case
    std::vector<std::string> askedNotPresent{}; ///< families that the text asks for and SASS lacks
    bool fromLog = false; ///< read back, not made now; not part of the document
};

/// A row as in `ptxwb.triage.v1`, and back. Errors: BadFormat.
nlohmann::ordered_json rowJson(const TriageRow& row);
std::optional<TriageRow> rowFromJson(const nlohmann::ordered_json& json);

} // namespace ptxwb::records
