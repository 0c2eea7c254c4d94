// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/launch.h"

#include "core/emulator/cluster_order.h"
#include "core/emulator/cluster_run.h"
#include "core/emulator/loop_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace ptxwb::emulator {

namespace {

/// The whole launch took longer than it may: that says nothing about this cluster.
bool ranOutOfTime(const Cluster& cluster)
{
    const auto& launch = *cluster.launch;
    return (launch.maxSteps == 0 || cluster.step <= launch.maxSteps)
        && std::chrono::steady_clock::now() > launch.deadline;
}

void reportTime(Cluster& cluster)
{
    const auto& launch = *cluster.launch;
    const auto& warp = cluster.ctas[0]->warps[0];
    const int line = warp.splits.empty() ? 0 : launch.program->code[warp.splits[0].pc].line;
    Report report;
    report.rule = RuleId::ResourceLimit;
    report.message =
        fmt::format("the time limit is over; cta ({},{},{}) of a grid of {} x {} x {} had executed "
                    "{} warp instructions",
            cluster.ctas[0]->id[0], cluster.ctas[0]->id[1], cluster.ctas[0]->id[2], launch.grid[0],
            launch.grid[1], launch.grid[2], cluster.step - 1);
    report.fix = "launch a smaller grid, or raise the limit";
    report.kernel = launch.program->kernel;
    report.seed = launch.seed;
    report.lines.push_back({launch.fileName, line});
    launch.reports->add(std::move(report), launch.firstPosition + cluster.position);
}

EmulatorEnd endOf(Cluster& cluster, ClusterEnd end)
{
    if (end == ClusterEnd::Livelock && ranOutOfTime(cluster)) {
        reportTime(cluster);
        return EmulatorEnd::ResourceLimit;
    }
    switch (end) {
    case ClusterEnd::Deadlock:
        reportDeadlock(cluster);
        return EmulatorEnd::Deadlock;
    case ClusterEnd::Livelock:
        reportLivelock(cluster);
        return EmulatorEnd::Livelock;
    case ClusterEnd::Stopped:
        return cluster.decided ? EmulatorEnd::Decided : EmulatorEnd::Fault;
    case ClusterEnd::Cancelled:
        return EmulatorEnd::Cancelled;
    default:
        return EmulatorEnd::Completed;
    }
}

/// Hands out clusters in the order that policy and seed ask for, and collects how they ended.
class GridRun {
public:
    GridRun(LaunchContext& launch, ExecutedCounts& executed, const std::function<void(std::uint64_t)>& onCtas)
        : m_launch(launch)
        , m_order(clusterOrder(launch))
        , m_executed(executed)
        , m_onCtas(onCtas)
    {
        m_warps.assign(launch.program->code.size(), 0);
        m_threads.assign(launch.program->code.size(), 0);
    }

    void run(unsigned workers)
    {
        if (m_launch.program->communicates) {
            runTogether();
        } else if (workers <= 1) {
            runEach();
        } else {
            std::vector<std::jthread> threads;
            for (unsigned w = 0; w < std::min<std::uint64_t>(workers, m_order.total); ++w) {
                threads.emplace_back([this] { runEach(); });
            }
        }
        if (m_end != EmulatorEnd::Completed && !m_launch.program->communicates) {
            m_launch.reports->keepUpTo(m_launch.firstPosition + m_launch.lowestFault.load());
        }
        for (std::size_t pc = 0; pc < m_warps.size(); ++pc) {
            const auto& opcode = m_launch.program->opcodes[m_launch.program->code[pc].opcode];
            if (m_warps[pc] != 0 && !opcode.empty()) {
                auto& count = m_executed[opcode];
                count.first += m_warps[pc];
                count.second += m_threads[pc];
            }
        }
    }

    EmulatorEnd end() const { return m_end; }
    std::uint64_t clusters() const { return m_order.total; }

private:
    std::unique_ptr<Cluster> next()
    {
        const std::uint64_t position = m_next.fetch_add(1);
        if (position >= m_order.total || (m_launch.onlyClusters != 0 && position >= m_launch.onlyClusters)
            || position > m_launch.lowestFault.load() || m_launch.stop.stop_requested()) {
            return nullptr;
        }
        auto cluster = makeCluster(m_launch, m_order.at(position));
        cluster->position = position;
        return cluster;
    }

    void runEach()
    {
        while (auto cluster = next()) {
            finish(*cluster, runCluster(*cluster, ~std::uint64_t{0}));
        }
    }

    /// One thread, many clusters in turn: deterministic, and a CTA that waits for another one gets it.
    void runTogether()
    {
        std::deque<std::unique_ptr<Cluster>> active;
        bool more = true;
        for (;;) {
            if (more && active.size() < residentClusters(m_launch)) {
                auto cluster = next();
                more = cluster != nullptr;
                if (cluster) {
                    active.push_front(std::move(cluster));
                }
            }
            if (active.empty()) {
                return;
            }
            auto cluster = std::move(active.front());
            active.pop_front();
            ClusterEnd end = runCluster(*cluster, quantumOfCommunicating);
            const bool othersMayCome = more && active.size() + 1 < residentClusters(m_launch);
            if (end == ClusterEnd::Quantum && !othersMayCome && allAreStuck(active, *cluster)) {
                cluster->repeats = true;
                end = ClusterEnd::Livelock;
            }
            if (end == ClusterEnd::Quantum) {
                active.push_back(std::move(cluster));
            } else {
                finish(*cluster, end);
                if (cluster->decided) {
                    return; // the others may wait for it
                }
            }
        }
    }

    void finish(Cluster& cluster, ClusterEnd clusterEnd)
    {
        if (cluster.trace) {
            cluster.trace->settle();
            if (clusterEnd == ClusterEnd::Done && !m_launch.program->communicates) {
                m_launch.races->join(*cluster.trace, cluster.position);
            }
        }
        const std::scoped_lock lock(m_mutex);
        if (m_launch.order != nullptr) {
            m_launch.order->settle();
        }
        const EmulatorEnd end = endOf(cluster, clusterEnd);
        if (m_launch.printed != nullptr && !cluster.printed.empty()) {
            (*m_launch.printed)[m_launch.firstPosition + cluster.position] += cluster.printed;
        }
        m_launch.mostSteps = std::max(m_launch.mostSteps, cluster.step - 1);
        for (const auto& cta : cluster.ctas) {
            for (std::size_t pc = 0; pc < m_warps.size(); ++pc) {
                m_warps[pc] += cta->executed[pc];
                m_threads[pc] += cta->executedThreads[pc];
            }
        }
        if (end == EmulatorEnd::Cancelled) {
            if (m_end == EmulatorEnd::Completed && m_launch.stop.stop_requested()) {
                m_end = end;
            }
            return;
        }
        if (end != EmulatorEnd::Completed && cluster.position < m_launch.lowestFault.load()) {
            m_launch.lowestFault.store(cluster.position);
            m_end = end;
        }
        if (m_onCtas) {
            m_onCtas(cluster.ctas.size());
        }
    }

    LaunchContext& m_launch;
    ClusterOrder m_order;
    ExecutedCounts& m_executed;
    const std::function<void(std::uint64_t)>& m_onCtas;
    std::atomic<std::uint64_t> m_next{0};
    std::mutex m_mutex{};
    std::vector<std::uint64_t> m_warps{};
    std::vector<std::uint64_t> m_threads{};
    EmulatorEnd m_end = EmulatorEnd::Completed;
};

void refuse(const LaunchContext& launch, std::string message, std::string fix)
{
    Report report;
    report.rule = RuleId::ResourceLimit;
    report.message = std::move(message);
    report.fix = std::move(fix);
    report.kernel = launch.program->kernel;
    report.seed = launch.seed;
    report.lines.push_back(
        {launch.fileName, launch.program->code.empty() ? 0 : launch.program->code[0].line});
    launch.reports->add(std::move(report), launch.firstPosition);
}

} // namespace

EmulatorEnd runLaunch(LaunchContext& launch, unsigned workers, ExecutedCounts& executed,
    const std::function<void(std::uint64_t)>& onCtas)
{
    GridRun grid(launch, executed, onCtas);
    std::optional<GlobalOrder> order;
    if (launch.checks && launch.program->communicates && grid.clusters() <= GlobalOrder::mostClusters) {
        launch.order = &order.emplace(grid.clusters());
    }
    std::optional<GlobalRaces> races;
    launch.races = launch.checks ? &races.emplace() : nullptr;
    grid.run(workers);
    if (races && grid.end() == EmulatorEnd::Completed) {
        races->report(launch);
    }
    launch.races = nullptr;
    launch.order = nullptr;
    return grid.end();
}

bool checkLaunch(const LaunchContext& launch, const Launch& planned)
{
    const auto& program = *launch.program;
    const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    const std::uint64_t shared = program.staticSharedBytes + launch.dynamicSharedBytes;
    constexpr std::array<std::uint64_t, 3> mostCtas{0x7FFF'FFFF, 65535, 65535};
    for (std::size_t i = 0; i < 3; ++i) {
        if (launch.grid[i] > mostCtas[i]) {
            refuse(launch,
                fmt::format(
                    "a grid of {} CTAs in dimension {}: {} is the most", launch.grid[i], i, mostCtas[i]),
                "launch a smaller grid");
            return false;
        }
    }
    const std::uint64_t plane = std::uint64_t{launch.grid[0]} * launch.grid[1]; // below 2^47
    if (launch.maxCtas != 0 && launch.grid[2] != 0 && plane > launch.maxCtas / launch.grid[2]) {
        refuse(launch,
            fmt::format("a grid of {} x {} x {} CTAs; the emulator runs {} at most", launch.grid[0],
                launch.grid[1], launch.grid[2], launch.maxCtas),
            "launch a smaller grid, or let each CTA do more");
        return false;
    }
    if (program.localBytes > maxLocalBytes) {
        refuse(launch,
            fmt::format(
                "{} bytes of local memory per thread: {} are possible", program.localBytes, maxLocalBytes),
            "keep large arrays in global memory");
        return false;
    }
    std::uint64_t global = 0;
    for (const auto& variable : program.variables) {
        global += variable.space == Space::Global || variable.space == Space::Const ? variable.bytes : 0;
    }
    if (global > maxGlobalBytes) {
        refuse(launch,
            fmt::format("the module declares {} bytes of global and constant memory: the emulator takes {}",
                global, maxGlobalBytes),
            "pass large arrays as tensors of the plan");
        return false;
    }
    const auto clusterSize = launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
    if (threads == 0 || threads > 1024 || launch.block[2] > 64) {
        refuse(launch, fmt::format("a block of {} threads: 1 to 1024 are possible", threads),
            "launch smaller blocks");
        return false;
    }
    if (program.maxThreads != 0 && threads > program.maxThreads) {
        refuse(launch,
            fmt::format("{} threads are launched, but .maxntid allows {}", threads, program.maxThreads),
            "make block and .maxntid agree");
        return false;
    }
    if (shared > maxSharedBytes) {
        refuse(launch,
            fmt::format("{} bytes of shared memory ({} static, {} dynamic): a CTA can have {}", shared,
                program.staticSharedBytes, launch.dynamicSharedBytes, maxSharedBytes),
            "use fewer stages or smaller tiles");
        return false;
    }
    if (clusterSize == 0 || clusterSize > 16) {
        refuse(launch, fmt::format("a cluster of {} CTAs: 8 are portable, 16 the most", clusterSize),
            "use smaller clusters");
        return false;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const bool divides = launch.cluster[i] != 0 && launch.grid[i] % launch.cluster[i] == 0;
        const std::uint32_t required = program.requiredCluster[i];
        if (launch.grid[i] == 0 || !divides || (required != 0 && required != launch.cluster[i])) {
            refuse(launch,
                fmt::format("grid {} with clusters of {} in dimension {}{}", launch.grid[i],
                    launch.cluster[i], i,
                    required != 0 ? fmt::format("; .reqnctapercluster says {}", required) : ""),
                "make the grid a multiple of the cluster");
            return false;
        }
    }
    const auto most =
        static_cast<std::uint64_t>(residency::ctasThatFit(threads, shared)) * residency::multiprocessors;
    if (planned.cooperative && plane * launch.grid[2] > most) {
        refuse(launch,
            fmt::format(
                "a cooperative grid of {} CTAs: its CTAs must all be on the GPU at once, and {} of {} "
                "threads with {} bytes of shared memory fit on an H200",
                plane * launch.grid[2], most, threads, shared),
            "launch fewer CTAs and let each do more: multiprocessors x "
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor()");
        return false;
    }
    if (planned.arguments.size() != program.parameters.size()) {
        refuse(launch,
            fmt::format("the plan gives {} arguments, the kernel takes {}", planned.arguments.size(),
                program.parameters.size()),
            "list one argument per .param");
        return false;
    }
    return true;
}

} // namespace ptxwb::emulator
