// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure_rounds.h"

#include "core/bench/seeded_input.h"
#include "core/gpu/cuda_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::gpu {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds budget{60};
// Clocks rise within some hundred milliseconds of work.
constexpr std::chrono::milliseconds warmUpTime{300};
constexpr int fewestWarmUpCalls = 3;
constexpr int warmCallCount = 20;
constexpr int soloRounds = 30;
constexpr int secretChecks = 2;
constexpr std::uint64_t warmDraw = 1ULL << 32; // beside the rounds' draws
constexpr std::uint64_t rivalDraw = 2ULL << 32;
constexpr int estimateEvery = 5; // an interval costs a bootstrap
// Seeds of timed inputs lie far from those of the trials.
constexpr std::uint64_t roundSeedBase = 1ULL << 32;
constexpr std::uint64_t warmSeedBase = 3ULL << 32;
constexpr std::uint64_t paperSeedBase = 5ULL << 32;
constexpr int warmCallsPerDerivation = 5;

} // namespace

Rounds::Rounds(RunContext& context, Stopwatch& stopwatch, Timing& timing)
    : m_context(context)
    , m_stopwatch(stopwatch)
    , m_timing(timing)
    , m_begin(Clock::now())
{
    const auto among = static_cast<std::uint64_t>(std::max(1, context.request.stopping.minRounds));
    for (std::uint64_t i = 0; i < secretChecks; ++i) {
        m_checkedRounds.insert(static_cast<int>(mixedBits(context.request.seed, 0xFFFFU, i) % among));
    }
}

std::uint64_t Rounds::roundSeed(int number, int half) const
{
    const auto offset = static_cast<std::uint64_t>(2 * static_cast<std::int64_t>(number) + half);
    return m_context.request.seed + roundSeedBase + offset;
}

std::uint64_t Rounds::warmSeed(int call) const
{
    const int set = m_context.buffers.hasDerived() ? call / warmCallsPerDerivation : call;
    return m_context.request.seed + warmSeedBase + static_cast<std::uint64_t>(set);
}

std::uint64_t Rounds::paperSeed(int trial) const
{
    return m_context.request.seed + paperSeedBase + static_cast<std::uint64_t>(trial);
}

// Poisoned again between the two: the first call's results must not pass for the second's. And the first one
// saw other inputs, in a part: who knows them again by looking at some of them is wrong in the second.
cudaError_t Rounds::betweenWarm(std::uint64_t seed, cudaStream_t stream) const
{
    const cudaError_t code = m_context.buffers.restoreIndependent(seed, stream);
    return code == cudaSuccess ? m_context.buffers.renewForCall(seed, stream) : code;
}

bool Rounds::isSecret(std::uint64_t draw, std::uint64_t among, std::uint64_t index) const
{
    return mixedBits(m_context.request.seed, 0xFFFDU, draw) % among == index;
}

Result<void> Rounds::freshInputs(std::uint64_t seed)
{
    if (const auto filled = m_context.buffers.prepare(seed, m_context.stream); !filled) {
        return filled;
    }
    auto hashes = m_context.buffers.hashes(m_context.stream);
    if (!hashes) {
        return hashes.error();
    }
    m_hashes = *std::move(hashes);
    return {};
}

bool Rounds::timeIsUp() const
{
    return Clock::now() - m_begin > budget;
}

Rounds::Step Rounds::timeCandidate(std::uint64_t seed, bool warm, double& microseconds)
{
    if (const auto renewed = m_context.buffers.renew(seed, m_context.stream); !renewed) {
        return renewed.error();
    }
    if (m_context.host) {
        return timeHost(seed, warm, microseconds);
    }
    const Watchdog::Watch watch(m_context.watchdog,
        std::chrono::milliseconds(m_context.request.phaseTimeoutMs),
        fmt::format("{} (timed call)", m_context.candidate.title()));
    const auto enqueue = [this](cudaStream_t stream) { return m_context.candidate.launch(stream); };
    const auto between = [&](cudaStream_t stream) { return betweenWarm(seed, stream); };
    cudaError_t code = warm ? m_context.buffers.alterIndependent(seed, m_context.stream) : cudaSuccess;
    if (code == cudaSuccess) {
        code =
            warm ? m_stopwatch.warm(enqueue, between, microseconds) : m_stopwatch.cold(enqueue, microseconds);
    }
    if (code != cudaSuccess) {
        return std::optional(faultOf(code, fmt::format("Timing {}", m_context.candidate.title())));
    }
    return std::optional<CandidateFault>();
}

Rounds::Step Rounds::timeHost(std::uint64_t seed, bool warm, double& microseconds)
{
    if (warm) {
        // Its process sets them back between the two calls.
        const cudaError_t code = m_context.buffers.alterIndependent(seed, m_context.stream);
        if (const auto altered = check(code, "altering the inputs"); !altered) {
            return altered.error();
        }
    }
    if (const auto ready = check(cudaStreamSynchronize(m_context.stream), "making the inputs"); !ready) {
        return ready.error();
    }
    return m_context.host->time(warm, seed, "timed call", m_context.callLimit(), microseconds);
}

Result<void> Rounds::timeBaseline(Baseline& baseline, std::uint64_t seed, bool warm, double& microseconds)
{
    const auto enqueue = [&](cudaStream_t stream) { return baseline.run(stream); };
    std::optional<Watchdog::Watch> watch;
    if (baseline.isRival()) {
        if (const auto renewed = m_context.buffers.renew(seed, m_context.stream); !renewed) {
            return renewed.error();
        }
        const cudaError_t code =
            warm ? m_context.buffers.alterIndependent(seed, m_context.stream) : cudaSuccess;
        if (const auto altered = check(code, "altering the inputs"); !altered) {
            return altered.error();
        }
        watch.emplace(m_context.watchdog, m_context.callLimit(),
            fmt::format("{} (the other version, timed call)", m_context.rival->title()));
    }
    if (const auto arranged = check(baseline.arrange(m_context.stream), "arranging the baseline's inputs");
        !arranged) {
        return arranged;
    }
    // The same traffic through the cache as between the candidate's two.
    const auto between = [&](cudaStream_t stream) { return betweenWarm(seed, stream); };
    const cudaError_t code =
        warm ? m_stopwatch.warm(enqueue, between, microseconds) : m_stopwatch.cold(enqueue, microseconds);
    return check(code, fmt::format("timing {}", baseline.name()));
}

bool Rounds::noteState()
{
    const DeviceState state = m_context.nvml.state(m_context.device.pciBusId);
    if (state.smClockMhz) {
        m_timing.smClocksMhz.push_back(*state.smClockMhz);
    }
    if (state.powerWatts) {
        m_timing.powerWatts.push_back(*state.powerWatts);
    }
    for (const std::string& reason : state.throttleReasons) {
        auto& known = m_timing.throttleReasons;
        if (std::find(known.begin(), known.end(), reason) == known.end()) {
            known.push_back(reason);
        }
    }
    return state.slowedDown;
}

Rounds::Step Rounds::warmUp(Baseline* baseline)
{
    if (const auto filled = freshInputs(roundSeed(-1)); !filled) {
        return filled.error();
    }
    const auto begin = Clock::now();
    double ignored = 0;
    for (int call = 0; call < fewestWarmUpCalls || Clock::now() - begin < warmUpTime; ++call) {
        auto fault = timeCandidate(roundSeed(-1), true, ignored);
        if (!fault || *fault) {
            return fault;
        }
        if (baseline != nullptr) {
            if (const auto timed = timeBaseline(*baseline, roundSeed(-1), true, ignored); !timed) {
                return timed.error();
            }
        }
    }
    return std::optional<CandidateFault>();
}

Result<TrialFacts> Rounds::factsOfTimedCall(std::uint64_t seed)
{
    TrialFacts facts;
    facts.seed = seed;
    if (const auto made = m_context.reference->compute(seed, m_context.stream); !made) {
        return made.error();
    }
    auto comparisons = m_context.compareOutputs();
    if (!comparisons) {
        return comparisons.error();
    }
    auto damaged = m_context.buffers.damagedGuards(m_context.stream);
    const auto hashes = m_context.buffers.hashes(m_context.stream);
    if (!damaged || !hashes) {
        return damaged ? hashes.error() : damaged.error();
    }
    facts.title = "a timed call";
    facts.modifiedInputs = m_context.buffers.changedInputs(m_hashes, *hashes);
    facts.outputs = *std::move(comparisons);
    facts.damagedGuards = *std::move(damaged);
    return facts;
}

Rounds::Step Rounds::checkOutputs(std::uint64_t seed)
{
    auto facts = factsOfTimedCall(seed);
    if (!facts) {
        return facts.error();
    }
    m_context.finished.timedOutputsChecked = true;
    const auto& request = m_context.request;
    const bool right =
        judge({*facts}, request.tolerance, request.strict, request.rule).verdict == Verdict::Correct;
    if (right) {
        return std::optional<CandidateFault>();
    }
    auto& trials = m_context.finished.trials;
    trials.push_back(*std::move(facts));
    const Judgement judgement = judge(trials, request.tolerance, request.strict, request.rule);
    return std::optional(CandidateFault{judgement.verdict,
        "Right in the trials, wrong when timed: " + judgement.explanation, judgement.check});
}

Result<void> Rounds::checkRival(std::uint64_t seed)
{
    auto facts = factsOfTimedCall(seed);
    if (!facts) {
        return facts.error();
    }
    const auto& request = m_context.request;
    const Judgement judgement = judge({*facts}, request.tolerance, request.strict, request.rule);
    if (judgement.verdict != Verdict::Correct) {
        RivalOutcome& outcome = *m_context.finished.rival;
        outcome.verdict = judgement.verdict;
        outcome.explanation = "Right in the trials, wrong when timed: " + judgement.explanation;
        outcome.trials.push_back(*std::move(facts));
        m_rivalIsWrong = true;
    }
    return {};
}

Rounds::Step Rounds::round(Baseline* baseline, int number, BaselineTiming* entry)
{
    const bool checked = m_context.reference && m_checkedRounds.contains(number);
    double candidateUs[2]{};
    double baselineUs[2]{};
    Step fault = std::optional<CandidateFault>();
    for (const int half : {0, 1}) {
        const std::uint64_t seed = roundSeed(number, half);
        if (const auto filled = freshInputs(seed); !filled) {
            return filled.error();
        }
        const auto candidateCall = [&]() -> Step {
            auto timed = timeCandidate(seed, false, candidateUs[half]);
            const bool audited =
                checked && isSecret(static_cast<std::uint64_t>(number), 2, static_cast<std::uint64_t>(half));
            if (timed && !*timed && audited) {
                const auto copied = m_context.copyOutputs();
                return copied ? checkOutputs(seed) : Step(copied.error());
            }
            return timed;
        };
        if (half == 0) {
            fault = candidateCall();
        }
        if (baseline != nullptr && fault && !*fault) {
            auto timed = timeBaseline(*baseline, seed, false, baselineUs[half]);
            // The other version is held to the same: its timed calls are looked at as the candidate's are.
            const bool audited = checked && baseline->isRival() && m_context.finished.rival
                && isSecret(
                    rivalDraw + static_cast<std::uint64_t>(number), 2, static_cast<std::uint64_t>(half));
            if (timed && audited) {
                timed = checkRival(seed);
            }
            if (!timed) {
                return timed.error();
            }
        }
        if (half == 1) {
            fault = candidateCall();
        }
        if (!fault || *fault) {
            return fault;
        }
    }
    const bool slowedDown = noteState();
    m_timing.candidate.coldUs.insert(
        m_timing.candidate.coldUs.end(), std::begin(candidateUs), std::end(candidateUs));
    if (entry != nullptr) {
        entry->series.coldUs.insert(entry->series.coldUs.end(), std::begin(baselineUs), std::end(baselineUs));
        entry->rounds.push_back({.candidateUs = (candidateUs[0] + candidateUs[1]) / 2,
            .baselineUs = (baselineUs[0] + baselineUs[1]) / 2,
            .throttled = slowedDown});
    }
    return fault;
}

Rounds::Step Rounds::warmCalls(Baseline* baseline, BaselineTiming* entry)
{
    for (int call = 0; call < warmCallCount; ++call) {
        const std::uint64_t seed = warmSeed(call);
        if (call == 0 || seed != warmSeed(call - 1)) {
            if (const auto filled = freshInputs(seed); !filled) {
                return filled.error();
            }
        }
        double us = 0;
        auto fault = timeCandidate(seed, true, us);
        if (fault && !*fault && m_context.reference
            && isSecret(warmDraw, warmCallCount, static_cast<std::uint64_t>(call))) {
            const auto copied = m_context.copyOutputs();
            fault = copied ? checkOutputs(seed) : Step(copied.error());
        }
        if (!fault || *fault) {
            return fault;
        }
        m_timing.candidate.warmUs.push_back(us);
        if (baseline != nullptr) {
            if (const auto timed = timeBaseline(*baseline, seed, true, us); !timed) {
                return timed.error();
            }
            entry->series.warmUs.push_back(us);
        }
    }
    return std::optional<CandidateFault>();
}

Rounds::Step Rounds::pairWith(Baseline& baseline, BaselineTiming& entry)
{
    entry.series.name = baseline.name();
    entry.series.card = baseline.card();
    const StoppingRule& stopping = m_context.request.stopping;
    m_context.progress("measure", 0, fmt::format("warming up, {}", baseline.name()), true);
    auto fault = warmUp(&baseline);
    for (int number = 0; fault && !*fault && !m_rivalIsWrong; ++number) {
        fault = round(&baseline, number, &entry);
        const bool due = (number + 1) % estimateEvery == 0;
        if (due || number + 1 >= stopping.maxRounds) {
            m_context.progress("measure", std::min(1.0, (number + 1.0) / std::max(1, stopping.maxRounds)),
                fmt::format("round {} against {}", number + 1, baseline.name()), true);
            if (stopping.enough(entry.rounds) || timeIsUp()) {
                break;
            }
        }
    }
    if (!fault || *fault) {
        return fault;
    }
    if (m_rivalIsWrong) {
        entry.unavailable = m_context.finished.rival->explanation;
        return fault;
    }
    entry.speedup = estimateSpeedup(entry.rounds, m_context.request.seed);
    return warmCalls(&baseline, &entry);
}

Rounds::Step Rounds::alone()
{
    m_context.progress("measure", 0, "warming up", true);
    auto fault = warmUp(nullptr);
    for (int number = 0; fault && !*fault && number < soloRounds && !timeIsUp(); ++number) {
        if (number % estimateEvery == 0) {
            m_context.progress("measure", static_cast<double>(number) / soloRounds,
                fmt::format("call {}", 2 * number + 1), true);
        }
        fault = round(nullptr, number, nullptr);
    }
    if (!fault || *fault) {
        return fault;
    }
    return warmCalls(nullptr, nullptr);
}

} // namespace ptxwb::gpu
