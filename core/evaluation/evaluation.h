// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/evaluate.h"
#include "core/evaluation/sanitizer.h"
#include "core/runner/protocol.h"
#include "core/sass/families.h"
#include "core/toolchain/compiler.h"

#include <cstdint>

namespace ptxwb {

enum class Phase { Extract, Compile, Inspect, Verify, Sanitize, Measure };
std::string_view phaseName(Phase phase);
const std::vector<Phase>& allPhases(); ///< in order

struct PhaseRecord {
    Phase phase = Phase::Extract;
    PhaseState state = PhaseState::Skipped;
    double ms = 0;
    std::string reason{}; ///< why failed or skipped
};

enum class EvidenceState { Measured, Inferred, NotMeasured };
std::string_view evidenceStateName(EvidenceState state);

/// One row of the evidence ledger.
struct Evidence {
    std::string claim{}; ///< "assembles", "contains HGMMA", "correct (strict)", "1.03x cuBLASLt"
    EvidenceState state = EvidenceState::NotMeasured;
    std::string value{}; ///< empty when not measured
    std::string how{};
    std::string command{};
    std::string tool{};
    std::string toolVersion{};
    std::string artefactSha256{};
    std::string reason{}; ///< why not measured
};

struct GoalRecord {
    InstructionGoal goal{};
    int inCode = 0; ///< static SASS rows
    std::optional<std::int64_t> executed{};
    std::string executedBy{}; ///< "emulator" or "counters", set with `executed`
    std::optional<bool> contributes{};
    std::string reason{}; ///< why executed is unknown
};

/// One SASS row as a profiler counted it.
struct ProfiledRow {
    std::string kernel{}; ///< as the profiler names it; empty: it does not say
    std::string sass{};
    std::int64_t executed = 0; ///< warp instructions
    std::int64_t samples = 0; ///< of warps, stalled or issuing
    std::map<std::string, std::int64_t> stalls{}; ///< samples by the profiler's reason, without zeros
};

/// One number of the profiler about one kernel.
struct ProfiledMetric {
    std::string kernel{};
    std::string group{}; ///< "throughput", "pipes", "issue", "stalls", "memory", "occupancy"
    std::string title{}; ///< in words
    std::string name{}; ///< the profiler's
    std::optional<double> value{};
    std::string unit{}; ///< the profiler's base unit: "%", "ns", "byte/s" ...
    std::string reason{}; ///< why there is no value
};

/// Whether an evaluation meets something that was asked of it.
struct RequirementOutcome {
    std::string text{};
    bool met = false;
    std::string reason{}; ///< one sentence: what was found, or why it is not known
};

/// One evaluation of a candidate on a workload: what `ptxwb.eval.v1` holds.
struct Evaluation {
    std::string candidatePath{};
    std::string candidateSha256{};
    Language language = Language::Ptx;
    std::string contract = "kernel";
    std::string task{};
    std::string oracle{}; ///< name of the task's oracle; "candidate": another kernel
    Workload workload{};
    std::map<std::string, std::int64_t> axes{};
    std::string target{};
    std::string on{}; ///< "gpu", "emulator" or "none"
    std::string onReason{};
    std::optional<std::string> host{};
    std::optional<DeviceInfo> device{};
    std::vector<PhaseRecord> phases{};
    Verdict verdict = Verdict::Unverified;
    std::string explanation{}; ///< one sentence
    std::optional<Judgement> paper{};
    std::optional<Judgement> strict{};
    Rule rule = Rule::Strict;
    std::vector<Diagnostic> diagnostics{};
    std::vector<PerformanceNote> notes{};
    std::vector<KernelResources> kernels{};
    FamilyCounts families{};
    PaperAccount paperAccount{};
    std::vector<GoalRecord> goals{};
    std::vector<emulator::Report> reports{}; ///< of the emulator
    std::optional<emulator::Schedules> schedules{}; ///< set when emulated
    std::string numericProfile{}; ///< how the emulator rounds sums of matrix instructions
    std::vector<TrialFacts> trials{};
    std::optional<bool> repeatsBitwise{}; ///< on the GPU: a second call on the same inputs gave the same bits
    std::vector<SanitizerRun> sanitizers{}; ///< what compute-sanitizer was asked and said
    std::optional<Timing> timing{};
    std::vector<LibraryInfo> libraries{};
    std::vector<Tool> tools{};
    std::vector<Evidence> evidence{};
    std::vector<std::string> taskNotes{};
    std::vector<ProfiledRow> profile{}; ///< when the candidate was profiled
    std::vector<ProfiledMetric> metrics{}; ///< when the candidate was to be profiled
    std::string profileReport{}; ///< the .ncu-rep; empty: none was kept
    std::vector<RequirementOutcome> requirements{}; ///< when something was asked for
    std::vector<Artefact> artefacts{}; ///< what the compiler made, with bytes; no part of the document
    std::uint64_t seed = 1;
    std::string madeUtc{}; ///< ISO 8601
    std::string productVersion{};
};

/// Goals that the candidate does not meet, as far as known: "wgmma in its code", "tma executed".
std::vector<std::string> missedGoals(const Evaluation& evaluation);

/// The speed-up against the first timed baseline, when correct and measured.
const BaselineTiming* leadingBaseline(const Evaluation& evaluation);

/// `ptxwb.eval.v1`, pretty-printed with two blanks; and back (recorded runs).
std::string toJson(const Evaluation& evaluation);
Result<Evaluation> evaluationFromJson(std::string_view json);

} // namespace ptxwb
