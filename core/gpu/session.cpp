// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/session.h"

#include "core/gpu/cuda_error.h"
#include "core/gpu/libraries.h"
#include "core/gpu/measure.h"
#include "core/gpu/output_content.h"
#include "core/gpu/rival_check.h"
#include "core/gpu/target_match.h"
#include "core/gpu/verify.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

using Clock = std::chrono::steady_clock;

class Session {
public:
    Session(const EvaluateRequest& request, EventWriter& events, const Nvml& nvml)
        : m_events(events)
        , m_watchdog(
              [this](const std::string& doing, std::chrono::milliseconds limit) { hung(doing, limit); })
        , m_context{.request = request, .events = events, .nvml = nvml, .watchdog = m_watchdog}
    {
    }

    RunnerExit run()
    {
        if (const auto opened = open(); !opened) {
            return fail(opened.error());
        }
        beginPhase("verify");
        if (auto fault = prepareCandidate()) {
            return blame(*fault);
        }
        if (m_problem) {
            return fail(*m_problem);
        }
        const auto fault = verify(m_context);
        if (!fault) {
            return fail(fault.error());
        }
        if (*fault) {
            return blame(**fault);
        }
        if (m_context.host) {
            if (const auto found = m_context.host->inspect()) {
                return blame(*found);
            }
        }
        judgeTrials(m_context);
        if (m_context.request.rival) {
            const auto rivals = checkRival(m_context);
            if (!rivals) {
                return fail(rivals.error());
            }
            if (*rivals) {
                endPhase(PhaseState::Failed, (*rivals)->explanation);
                return finish();
            }
        }
        const Verdict verdict = m_context.finished.verdict;
        endPhase(verdict == Verdict::Correct     ? PhaseState::Passed
                : verdict == Verdict::Unverified ? PhaseState::Skipped
                                                 : PhaseState::Failed,
            verdict == Verdict::Correct ? "" : m_context.finished.explanation);
        return measureIfCorrect();
    }

private:
    Result<void> open()
    {
        auto device = openDevice(m_context.request.device, m_context.nvml);
        if (!device) {
            return device.error();
        }
        m_context.device = *std::move(device);
        m_context.finished.device = m_context.device.info;
        m_context.finished.libraries = libraries(m_context.nvml);
        return check(cudaStreamCreateWithFlags(&m_context.stream, cudaStreamNonBlocking), "making a stream");
    }

    /// Buffers, reference, loaded code. A candidate's fault is returned; a problem of ours goes to m_problem.
    std::optional<CandidateFault> prepareCandidate()
    {
        const EvaluateRequest& request = m_context.request;
        const Device& device = m_context.device;
        if (auto why = whyNotLoadable(request.target, device.major, device.minor)) {
            return CandidateFault{Verdict::Unsupported, "Not run: " + *why + "."};
        }
        m_context.progress("verify", 0, "inputs and reference");
        const bool isHost = !request.sharedObject.empty();
        auto buffers = BufferSet::allocate(request.plan, request.oracle, request.guardBands || isHost,
            isHost ? GuardedBuffer::sharedGranularity : 256);
        if (!buffers) {
            if (buffers.error().code == ErrorCode::Unsupported) {
                return CandidateFault{Verdict::Unverified, "Not run: " + buffers.error().message + "."};
            }
            m_problem = buffers.error();
            return std::nullopt;
        }
        m_context.buffers = *std::move(buffers);
        if (const auto set = m_context.buffers.setContents(request.contents); !set) {
            m_problem = set.error();
            return std::nullopt;
        }
        const bool isGiven = request.oracleVersion || !request.storedOutputs.empty();
        if (auto why = isGiven ? std::nullopt : Reference::whyNot(request.oracle, request.plan)) {
            m_context.noReference = *why;
        } else {
            auto reference = request.oracleVersion
                ? Reference::fromVersion(*request.oracleVersion, request.plan, device)
                : isGiven ? Reference::fromStored(request.storedOutputs, request.plan)
                          : Reference::allocate(request.oracle, request.plan);
            if (!reference) {
                m_problem = reference.error();
                return std::nullopt;
            }
            m_context.reference.emplace(*std::move(reference));
        }
        return isHost ? loadHost()
                      : m_context.candidate.load(request.cubin, request.plan, m_context.buffers, device);
    }

    std::optional<CandidateFault> loadHost()
    {
        auto copies = OutputCopies::allocate(m_context.request.plan);
        if (!copies) {
            m_problem = copies.error();
            return std::nullopt;
        }
        m_context.copies.emplace(*std::move(copies));
        m_context.progress("verify", 0, "loading the candidate in a process of its own");
        m_context.host.emplace();
        auto fault = m_context.host->load(m_context.request.sharedObject, m_context.request.plan,
            m_context.buffers, m_context.device, m_context.callLimit());
        if (!fault) {
            m_problem = fault.error();
            return std::nullopt;
        }
        return *std::move(fault);
    }

    RunnerExit measureIfCorrect()
    {
        beginPhase("measure");
        Finished& finished = m_context.finished;
        const bool wanted = m_context.request.measure;
        // Without any reference the times are still facts; the verdict stays unverified.
        const auto isTimeable = [&](Verdict verdict) {
            return verdict == Verdict::Correct || (verdict == Verdict::Unverified && !m_context.reference);
        };
        const bool timeable =
            isTimeable(finished.verdict) && (!finished.rival || isTimeable(finished.rival->verdict));
        if (!wanted || !timeable) {
            endPhase(PhaseState::Skipped,
                wanted ? fmt::format("times are taken of correct kernels only; {} is {}",
                    isTimeable(finished.verdict) ? "the other version" : "this one",
                    verdictName(isTimeable(finished.verdict) ? finished.rival->verdict : finished.verdict))
                       : "not asked for");
            return finish();
        }
        const auto fault = measure(m_context);
        if (!fault) {
            return fail(fault.error());
        }
        if (*fault) {
            return blame(**fault);
        }
        if (finished.timing && !finished.timing->refused.empty()) {
            endPhase(PhaseState::Failed, finished.timing->refused);
        } else if (finished.timing && finished.timing->impossible) {
            endPhase(PhaseState::Failed,
                fmt::format(
                    "the time is below the roofline floor of {:.1f} us: impossible, so it is no result",
                    *finished.timing->rooflineFloorUs));
        } else {
            endPhase(PhaseState::Passed, "");
        }
        return finish();
    }

    RunnerExit finish()
    {
        Finished& finished = m_context.finished;
        keepBytesOf(finished.outputs, m_context.request.sendOutputs);
        if (finished.rival) {
            keepBytesOf(finished.rival->outputs, {});
        }
        m_events.write(finished);
        // Is the context dead? Then nothing may be freed through it.
        return isSticky(cudaStreamSynchronize(m_context.stream)) ? RunnerExit::Faulted : RunnerExit::Ok;
    }

    void beginPhase(std::string name)
    {
        m_phase = std::move(name);
        m_phaseBegin = Clock::now();
    }
    void endPhase(PhaseState state, std::string reason)
    {
        const std::chrono::duration<double, std::milli> took = Clock::now() - m_phaseBegin;
        m_events.write(
            PhaseEvent{.phase = m_phase, .state = state, .ms = took.count(), .reason = std::move(reason)});
    }

    RunnerExit blame(const CandidateFault& fault)
    {
        const bool notRun = fault.verdict == Verdict::Unsupported || fault.verdict == Verdict::Unverified;
        endPhase(notRun ? PhaseState::Skipped : PhaseState::Failed, fault.explanation);
        Finished& finished = m_context.finished;
        finished.verdict = fault.verdict;
        finished.explanation = fault.explanation;
        finished.paper = {fault.verdict, fault.explanation,
            fault.check.empty() ? std::string(checkNameOf(fault.verdict)) : fault.check};
        finished.strict = finished.paper;
        finished.timing.reset();
        return finish();
    }

    RunnerExit fail(const Error& error)
    {
        m_events.write(Failed{error});
        return error.code == ErrorCode::Unavailable ? RunnerExit::NoDevice
            : error.code == ErrorCode::BadFormat    ? RunnerExit::BadRequest
                                                    : RunnerExit::Internal;
    }

    [[noreturn]] void hung(const std::string& doing, std::chrono::milliseconds limit)
    {
        Finished finished = stuck(m_context.finished, doing, limit);
        keepBytesOf(finished.outputs, {});
        endPhase(PhaseState::Failed, finished.explanation);
        m_events.write(finished);
        m_events.leave(RunnerExit::Hung);
    }

    EventWriter& m_events;
    Watchdog m_watchdog;
    RunContext m_context;
    std::optional<Error> m_problem;
    std::string m_phase;
    Clock::time_point m_phaseBegin = Clock::now();
};

} // namespace

RunnerExit evaluate(const EvaluateRequest& request, EventWriter& events, const Nvml& nvml)
{
    // Ended by leave(), not by destructors: after a fault each of them would fail in the driver.
    auto* const session = new Session(request, events, nvml);
    return session->run();
}

RunnerExit answerProbe(EventWriter& events, const Nvml& nvml)
{
    const ProbeResult result = probe(nvml);
    events.write(result);
    return result.devices.empty() ? RunnerExit::NoDevice : RunnerExit::Ok;
}

} // namespace ptxwb::gpu
