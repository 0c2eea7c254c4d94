// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/async.h"
#include "core/emulator/global_memory.h"
#include "core/emulator/global_order.h"
#include "core/emulator/global_races.h"
#include "core/emulator/lane_order.h"
#include "core/emulator/program.h"
#include "core/emulator/race_detector.h"
#include "core/emulator/report_sink.h"
#include "core/emulator/shared_memory.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <stop_token>

namespace ptxwb::emulator {

struct Cta;
struct Cluster;

constexpr std::size_t mostPrinted = 1U << 20; ///< bytes, as a GPU's buffer has by default
struct LoopWatch;

/// Why a split does not run.
enum class Wait : std::uint8_t {
    None,
    Reconverge,
    Mbarrier,
    NamedBarrier,
    CpAsyncGroup,
    BulkGroupRead,
    BulkGroup,
    WgmmaGroup,
    ClusterBarrier,
    RegisterPool,
    Warpgroup,
    Yield,
};

/// Lanes of a warp that stand at the same instruction.
struct Split {
    std::uint32_t pc = 0;
    std::uint32_t mask = 0;
    std::int32_t frame = -1; ///< index of Warp::frames, -1 in the kernel itself
    Wait wait = Wait::None;
    bool timedOut = false; ///< a try_wait that returns false at last
    bool resumed = false; ///< its wait is over; the instruction is executed for the second time
    std::uint32_t waitOn = 0; ///< barrier: shared address or id
    std::uint64_t waitFor = 0; ///< phase, generation, number of groups
    std::uint64_t waitStep = 0; ///< cluster step at which it parked
    std::uint32_t spinPc = 0; ///< a test_wait that failed
    std::uint32_t spins = 0;
};

struct Frame {
    std::uint32_t returnPc = 0;
    std::int32_t parent = -1;
    std::uint32_t depth = 1;
};

/// Outstanding work of one warp with one group mechanism (cp.async, bulk, wgmma).
struct GroupState {
    std::array<std::uint32_t, laneCount> committed{};
    std::vector<std::shared_ptr<AsyncOp>> operations{};
    std::uint32_t sequence = 0; ///< operations issued
    std::vector<std::uint32_t> sequenceAtCommit{}; ///< by group
};

/// 32 lanes with their registers.
struct Warp {
    Warp();
    ~Warp();
    Warp(Warp&&) noexcept;
    Warp& operator=(Warp&&) noexcept;

    Cta* cta = nullptr;
    const Program* program = nullptr;
    std::uint32_t* rows = nullptr; ///< rowCount x 32
    std::uint32_t* predicates = nullptr; ///< bit per lane
    std::uint32_t* defined = nullptr; ///< by register: lanes that hold a defined value
    std::uint32_t index = 0;
    std::uint32_t live = 0;
    std::uint32_t started = 0; ///< lanes that exist
    std::vector<Split> splits{};
    std::size_t current = 0;
    std::uint32_t stopPc = 0xFFFFFFFFU; ///< the lowest counter of the other runnable splits
    std::vector<Frame> frames{};
    std::size_t framesKept = 0; ///< after old ones were last dropped
    /// By lane: what functions that call themselves had when they did.
    std::unique_ptr<std::array<std::vector<std::uint32_t>, laneCount>> stacks{};
    GroupState cpAsync{};
    GroupState bulk{};
    GroupState wgmma{};
    std::uint64_t proxyFenceStep = 0; ///< the last fence.proxy.async
    std::uint64_t wgmmaFenceStep = 0;
    std::vector<std::uint32_t>
        inFlight{}; ///< by row: unfinished wgmmas that write it, and (from bit 16) that read it
    std::uint32_t inFlightCount = 0;
    std::vector<std::uint32_t>
        touched{}; ///< by row: line of the last other access since the last wgmma.fence
    bool touchedAny = false;
    std::uint32_t maxRegisters = 0; ///< setmaxnreg; 0 not set
    std::uint32_t carry = 0; ///< CC.CF, bit per lane
    std::uint32_t turn = 0; ///< of the splits, when one spins
    bool spun = false; ///< the last slice ended by its budget
    std::unique_ptr<LoopWatch> loop{};
    std::uint64_t slices = 0; ///< that ended by their budget
    std::uint64_t effectsAtSliceEnd = 0;
    std::uint64_t loopEffects = ~std::uint64_t{0}; ///< with nothing changed since, it goes round in circles
    std::vector<std::byte> local{};
    std::uint64_t clusterArrivals = 0;
    std::uint64_t clusterWaits = 0;
    std::uint64_t clusterGeneration = 0; ///< in which it arrived

    Split& split() { return splits[current]; }
    std::uint32_t* row(std::uint32_t r) const { return rows + std::size_t{r} * laneCount; }
    std::uint64_t* row64(std::uint32_t r) const { return reinterpret_cast<std::uint64_t*>(row(r)); }
};

struct NamedBarrier {
    std::uint64_t generation = 0;
    std::uint32_t expected = 0; ///< threads; 0: every warp that still runs
    bool busy = false;
    std::uint32_t arrived = 0;
    std::vector<std::uint32_t> lanesOfWarp{}; ///< arrived in this generation
    std::uint32_t reduceAnd = 1;
    std::uint32_t reduceOr = 0;
    std::uint32_t reducePopc = 0;
    std::uint32_t lastAnd = 1;
    std::uint32_t lastOr = 0;
    std::uint32_t lastPopc = 0;
    int firstLine = 0;
    VectorClock arriving{};
    VectorClock released{};
};

struct Cta {
    Cluster* cluster = nullptr;
    std::uint64_t linear = 0;
    std::array<std::uint32_t, 3> id{};
    std::uint32_t rank = 0; ///< in the cluster
    std::uint32_t threads = 0;
    SharedMemory shared{};
    std::vector<Warp> warps{};
    std::array<NamedBarrier, 16> barriers{};
    std::vector<std::uint64_t> executed{}; ///< by instruction: warps
    std::vector<std::uint64_t> executedThreads{};
    std::vector<std::uint32_t> registerFile{};
    std::vector<std::shared_ptr<WgmmaOp>>
        collecting{}; ///< by warpgroup: a wgmma that not all four warps have reached
    std::vector<std::uint64_t> collected{}; ///< by warpgroup: wgmmas that all four warps have reached
    std::uint32_t registerPool = 0; ///< free registers, for setmaxnreg
    std::uint32_t liveWarps = 0;
    VectorClock exited{}; ///< clocks of the warps that are gone

    std::string describe(const Warp& warp) const;
};

/// One kernel launch, shared by its CTAs.
struct LaunchContext {
    const Program* program = nullptr;
    GlobalMemory* memory = nullptr;
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::array<std::uint32_t, 3> cluster{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    std::vector<std::byte> parameters{};
    std::uint64_t gridBarrier = 0; ///< of a cooperative grid, whose CTAs are all there at once; 0: it is none
    std::vector<std::uint64_t> globalAddresses{}; ///< by variable of the program; 0 where it is not global
    AsyncPolicy policy = AsyncPolicy::Early;
    std::uint64_t seed = 1;
    bool checks = true;
    ResultOf perturbed = ResultOf::Nothing;
    bool measuredSums = false; ///< EmulatorRequest::measuredSums
    std::uint64_t onlyClusters = 0; ///< the first so many; 0: all
    std::uint64_t maxSteps = 0; ///< per cluster
    ReportSink* reports = nullptr;
    std::map<std::uint64_t, std::string>* printed = nullptr; ///< by position, with firstPosition
    std::uint64_t firstPosition = 0; ///< in `reports`, of this launch
    std::uint64_t maxCtas = 0; ///< 0: no limit
    std::uint64_t mostSteps = 0; ///< that a cluster needed
    std::uint64_t mostRepetitions = 0; ///< of one error in one cluster, which then stops; 0: no limit
    std::string fileName{};
    std::stop_token stop{};
    std::uint64_t effects = 0; ///< Cluster::effects of CTAs that take turns
    GlobalRaces* races = nullptr; ///< of this launch, with checks
    GlobalOrder* order = nullptr; ///< of CTAs that take turns, with checks
    std::atomic<std::uint64_t> lowestFault{~std::uint64_t{0}}; ///< clusters that come later give up
    std::chrono::steady_clock::time_point deadline{};
};

/// The CTAs that are scheduled together: one, or those of a cluster.
struct Cluster {
    LaunchContext* launch = nullptr;
    std::vector<std::unique_ptr<Cta>> ctas{};
    AsyncQueue queue{};
    std::unique_ptr<RaceDetector> races{}; ///< nullptr without checks
    std::unique_ptr<LaneOrder> lanes{}; ///< nullptr without checks
    std::unique_ptr<GlobalTrace> trace{}; ///< nullptr without LaunchContext::races
    VectorClock barrierArriving{};
    VectorClock barrierReleased{};
    std::uint64_t step = 1; ///< warp instructions executed
    std::uint64_t progress = 0; ///< phases completed, copies done: what can end a wait
    std::uint64_t ownEffects = 0;
    /// Changes of memory and barriers: its own, or those of all clusters where CTAs talk to each other.
    std::uint64_t* effects = &ownEffects;
    std::uint64_t stuckAt = ~std::uint64_t{0}; ///< effects when all its warps went round in circles
    bool repeats = false; ///< stopped for that reason
    std::uint64_t timeoutProgress = ~std::uint64_t{0}; ///< progress at which try_waits were last timed out
    std::uint64_t barrierGeneration = 0;
    std::uint32_t barrierArrived = 0; ///< warps, barrier.cluster
    std::mt19937_64 random{};
    std::string printed{}; ///< by printf
    bool stopped = false;
    bool decided = false; ///< stopped because the same error came again and again
    std::uint64_t position = 0; ///< in the order in which clusters start

    std::uint32_t totalThreads() const;
};

} // namespace ptxwb::emulator
