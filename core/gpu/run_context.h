// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/candidate.h"
#include "core/gpu/event_writer.h"
#include "core/gpu/host_candidate.h"
#include "core/gpu/output_copies.h"
#include "core/gpu/reference.h"
#include "core/gpu/watchdog.h"

namespace ptxwb::gpu {

/// What every step of one evaluation works on. One thread; the watchdog's thread reads `finished` only while
/// this one is stuck in the driver.
struct RunContext {
    const EvaluateRequest& request;
    EventWriter& events;
    const Nvml& nvml;
    Watchdog& watchdog;
    Device device{};
    cudaStream_t stream = nullptr;
    BufferSet buffers{};
    Candidate candidate{};
    std::optional<Candidate> rival{}; ///< another version of it
    bool rivalsTurn = false; ///< calls go to the rival
    std::optional<HostCandidate> host{}; ///< the candidate, where it brings its own host code
    std::optional<OutputCopies> copies{}; ///< with `host`: its outputs as they were when its last call ended
    std::optional<Reference> reference{};
    std::string noReference{}; ///< why there is none
    Finished finished{};

    void progress(const char* phase, double fraction, std::string message, bool candidateRunning = false);
    Candidate& current() { return rivalsTurn ? *rival : candidate; }
    std::chrono::milliseconds callLimit() const { return std::chrono::milliseconds(request.phaseTimeoutMs); }
    /// Launches the candidate, or the rival when it is its turn, once and waits for it under the watchdog.
    std::optional<CandidateFault> runCandidate(const std::string& doing);
    /// Host contract: keeps the outputs as they are now. Another stream of the candidate's may still write
    /// them.
    Result<void> copyOutputs();
    /// Compares every output of the plan, or its copy where there is one, with the reference's; call after
    /// Reference::compute.
    Result<std::vector<OutputComparison>> compareOutputs() const;
};

/// The verdict "it was stuck": what the watchdog reports.
Finished stuck(const Finished& soFar, const std::string& doing, std::chrono::milliseconds limit);

} // namespace ptxwb::gpu
