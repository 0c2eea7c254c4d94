// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

namespace ptxwb::benchmarks {

/// CPU time of this thread; unlike the wall clock it does not count what else the machine is doing.
inline double threadCpuMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Runs `work` `rounds` times after one warm-up: name, rounds, median_ms, min_ms, max_ms (wall clock),
/// median_cpu_ms (this thread); with a limit also limit_ms and within_limit, which is judged by the CPU time.
template <class Work>
nlohmann::ordered_json measured(const std::string& name, int rounds, double limitMs, const Work& work)
{
    work();
    std::vector<double> times;
    std::vector<double> cpuTimes;
    for (int i = 0; i < rounds; ++i) {
        const auto cpu = threadCpuMs();
        const auto start = std::chrono::steady_clock::now();
        work();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        cpuTimes.push_back(threadCpuMs() - cpu);
    }
    std::sort(times.begin(), times.end());
    std::sort(cpuTimes.begin(), cpuTimes.end());
    nlohmann::ordered_json row;
    row["name"] = name;
    row["rounds"] = rounds;
    row["median_ms"] = times[times.size() / 2];
    row["min_ms"] = times.front();
    row["max_ms"] = times.back();
    row["median_cpu_ms"] = cpuTimes[cpuTimes.size() / 2];
    if (limitMs > 0) {
        row["limit_ms"] = limitMs;
        row["within_limit"] = cpuTimes[cpuTimes.size() / 2] <= limitMs;
    }
    return row;
}

/// {"schema": "ptxwb.benchmark.v1", "benchmark", "build_type", "rows"}
inline nlohmann::ordered_json document(const std::string& benchmark, nlohmann::ordered_json rows)
{
    nlohmann::ordered_json out;
    out["schema"] = "ptxwb.benchmark.v1";
    out["benchmark"] = benchmark;
    out["build_type"] = PTXWB_BUILD_TYPE;
    out["rows"] = std::move(rows);
    return out;
}

} // namespace ptxwb::benchmarks
