// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/bench/statistics.h"
#include "core/bench/tensor_content.h"
#include "core/bench/verdict.h"

#include <cstdint>
#include <variant>

namespace ptxwb {

/// JSON lines between a front end and ptxwb-runner. First line of the runner: Hello. Then one request, then
/// events, of which exactly one is terminal (Finished, Failed or Cancelled). stderr is log only.
inline constexpr int runnerProtocolVersion = 1;
inline constexpr std::string_view runnerProtocolName = "ptxwb-runner";

/// Exit codes of ptxwb-runner, shared by both sides.
/// Hung, Faulted: the verdict was written before, the context is unusable.
/// Cancelled: the front end asked for it, or went away.
enum class RunnerExit {
    Ok = 0,
    BadRequest = 2,
    NoDevice = 3,
    Internal = 4,
    Hung = 5,
    Cancelled = 6,
    Faulted = 7
};

struct DeviceInfo {
    int index = 0;
    std::string name{};
    std::string computeCapability{}; ///< "9.0"
    std::string target{}; ///< "sm_90a"
    std::string driver{}; ///< "580.159.03" where NVML says it, else the CUDA driver version "13.0"
    std::string uuid{};
    std::uint64_t memoryBytes = 0;
    std::uint64_t freeBytes = 0;
    int multiprocessors = 0;
    std::uint64_t l2Bytes = 0;
    int sharedBytesPerBlockOptin = 0;
    std::optional<int> smClockMhz{}; ///< now
    std::optional<int> maxSmClockMhz{};
    std::vector<std::string> throttleReasons{};
    std::string problem{}; ///< why it does not answer; empty: a trivial kernel ran on it
};

struct LibraryInfo {
    std::string name{}; ///< "cublaslt", "cudnn", "nvml"
    std::optional<std::string> version{}; ///< nullopt: not here
    std::string path{};
    std::string reason{}; ///< why absent
};

struct Hello {
    int version = runnerProtocolVersion;
    std::string build{}; ///< product version
    std::string cudaRuntime{};
};

/// Asks what is here; answered by ProbeResult.
struct ProbeRequest { };

/// Sent while a candidate runs: the runner answers Cancelled and ends. A closed stdin means the same.
struct CancelRequest { };

/// Another version of the candidate, checked by the same rules and timed against it.
struct Rival {
    std::string cubin{}; ///< bytes (base64 on the wire), for the request's target
    ResolvedPlan plan{}; ///< its buffers are the request's
};

/// The values of a buffer that no seed makes.
struct BufferContent {
    int buffer = 0; ///< index into the plan's buffers
    std::string bytes{}; ///< base64 on the wire
};

/// One candidate on one workload.
struct EvaluateRequest {
    std::string cubin{}; ///< bytes (base64 on the wire)
    /// Host contract: the candidate's shared object, bytes; the plan has buffers only then.
    std::string sharedObject{};
    std::string target{}; ///< "sm_90a": checked against the device before loading
    ResolvedPlan plan{};
    OracleSpec oracle{}; ///< name empty: verify is skipped, the verdict is unverified
    std::map<std::string, std::int64_t> axes{};
    Tolerance tolerance{};
    StrictRule strict{};
    Rule rule = Rule::Strict;
    std::uint64_t seed = 1;
    std::vector<std::string> baselines{}; ///< by name, in order; empty: no timing against a library
    bool measure = true;
    StoppingRule stopping{};
    double flops = 0; ///< of one call, 0 unknown
    double bytes = 0;
    int device = 0;
    int phaseTimeoutMs = 30'000; ///< a launch that takes longer is a hang
    /// Without them every buffer ends where its allocation ends: what memcheck needs to see an overrun.
    bool guardBands = true;
    std::optional<Rival> rival{}; ///< the first baseline of the result's timing, named "rival"
    std::vector<BufferContent> contents{};
    /// Oracle "candidate": a kernel that makes the reference, with a plan of the same tensors.
    std::optional<Rival> oracleVersion{};
    /// Oracle "stored": what the outputs must hold.
    std::vector<BufferContent> storedOutputs{};
    /// Finished::outputs tells what the outputs hold. Without an oracle one call is made, then one more.
    bool describeOutputs = false;
    std::vector<std::string> sendOutputs{}; ///< with their bytes
};

enum class PhaseState { Passed, Failed, Skipped, Cancelled };
std::string_view phaseStateName(PhaseState state);

struct ProgressEvent {
    std::string phase{}; ///< "verify" | "measure"
    double fraction = 0; ///< 0..1
    std::string message{};
    /// The candidate's own code may be running from here to the next event: a death now is the candidate's.
    bool candidateRunning = false;
};

struct PhaseEvent {
    std::string phase{};
    PhaseState state = PhaseState::Passed;
    double ms = 0;
    std::string reason{};
};

/// Times of one implementation, microseconds.
struct TimingSeries {
    std::string name{}; ///< "candidate", "cublaslt"
    std::vector<double> coldUs{};
    std::vector<double> warmUs{};
    std::map<std::string, std::string>
        card{}; ///< baseline card: library, version, algorithm, compute type, workspace
};

struct BaselineTiming {
    std::string name{};
    std::optional<std::string> unavailable{}; ///< reason; nothing else is set then
    std::vector<PairedRound> rounds{}; ///< cold L2, ABBA
    std::optional<SpeedupEstimate> speedup{};
    TimingSeries series{};
    std::vector<OutputComparison> error{}; ///< the library's own error against the same oracle
};

/// The paper's own way to time, so that its numbers can be compared: dry runs, then calls with a cold L2,
/// each implementation by itself; the mean over trials of the medians.
struct PaperProtocol {
    double candidateUs = 0;
    std::vector<double> candidateTrialsUs{}; ///< medians
    std::string baseline{}; ///< with the algorithm that its heuristic gives first
    std::optional<double> baselineUs{};
    std::vector<double> baselineTrialsUs{};
    int dryRuns = 10;
    int calls = 50;
    std::vector<std::string> deviations{}; ///< what is not as in the paper
};

struct Timing {
    TimingSeries candidate{};
    std::vector<BaselineTiming> baselines{};
    std::optional<PaperProtocol> paperProtocol{};
    std::optional<double> rooflineFloorUs{};
    bool impossible = false; ///< candidate median below the floor: no result
    /// Host contract: a cold call by the runner's own clock, which bounds what the candidate's process
    /// reports.
    std::optional<double> ownClockUs{};
    std::string refused{}; ///< why the times that the candidate's process reported are no result
    std::vector<int> smClocksMhz{}; ///< one per round where NVML is here
    std::vector<double> powerWatts{};
    std::vector<std::string> throttleReasons{};
};

/// What the checks say about the other version.
struct RivalOutcome {
    Verdict verdict = Verdict::Unverified;
    std::string explanation{};
    std::vector<TrialFacts> trials{};
    std::vector<TensorContent> outputs{}; ///< without an oracle: `difference` is to the candidate's
};

/// Terminal: the candidate ran to a verdict (which may be a fault of the candidate).
struct Finished {
    Verdict verdict = Verdict::Unverified;
    std::string explanation{};
    Judgement paper{};
    Judgement strict{};
    DeviceInfo device{};
    std::vector<LibraryInfo> libraries{};
    std::vector<TrialFacts> trials{};
    std::optional<Timing> timing{};
    bool timedOutputsChecked = false;
    std::optional<bool> repeatsBitwise{}; ///< a second call on the same inputs gave the same bits
    std::vector<TensorContent> outputs{}; ///< of the first call, when asked for
    std::optional<RivalOutcome> rival{}; ///< when the candidate itself was worth going on
};

/// Terminal: the runner itself could not do its work (no driver, no GPU, bad request).
struct Failed {
    Error error{};
};

struct Cancelled { };

struct ProbeResult {
    std::vector<DeviceInfo> devices{};
    std::vector<LibraryInfo> libraries{};
    std::string problem{}; ///< why there is no device
};

using RunnerEvent = std::variant<Hello, ProgressEvent, PhaseEvent, Finished, Failed, Cancelled, ProbeResult>;
using RunnerRequest = std::variant<ProbeRequest, EvaluateRequest, CancelRequest>;

/// Finished, Failed, Cancelled and ProbeResult end a conversation.
bool isTerminal(const RunnerEvent& event);

/// One line without line end; numbers that are not finite travel as "NaN", "Inf", "-Inf".
std::string encode(const RunnerEvent& event);
std::string encode(const RunnerRequest& request);
/// Unknown fields are ignored. Errors: Protocol, naming the field (jsonPath).
Result<RunnerEvent> decodeEvent(std::string_view line);
Result<RunnerRequest> decodeRequest(std::string_view line);

} // namespace ptxwb
