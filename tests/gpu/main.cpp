// SPDX-License-Identifier: Apache-2.0
// ptxwb-gpu-tests GROUP: runs the cases of one group; 77 where the group needs a GPU and none is here.
#include "check.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstring>

namespace ptxwb::test {

std::vector<Case>& cases()
{
    static std::vector<Case> all;
    return all;
}

} // namespace ptxwb::test

int main(int argc, char** argv)
{
    using namespace ptxwb::test;
    constexpr int skipped = 77;
    if (argc < 2) {
        fmt::print("usage: ptxwb-gpu-tests GROUP [CASE]\n");
        return 2;
    }
    int devices = 0;
    const bool needsDevice = std::strcmp(argv[1], "host") != 0;
    if (needsDevice && (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)) {
        fmt::print("no GPU here: group '{}' is skipped\n", argv[1]);
        return skipped;
    }
    int failures = 0;
    int ran = 0;
    for (const Case& one : cases()) {
        if (std::strcmp(one.group, argv[1]) != 0 || (argc > 2 && std::strcmp(one.name, argv[2]) != 0)) {
            continue;
        }
        ++ran;
        const auto begin = std::chrono::steady_clock::now();
        std::string problem;
        try {
            one.run();
        } catch (const Failure& failure) {
            problem = failure.message;
            ++failures;
        }
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        fmt::print("{} {}.{} ({:.0f} ms){}{}\n", problem.empty() ? "pass" : "FAIL", one.group, one.name,
            took.count(), problem.empty() ? "" : "\n     ", problem);
        std::fflush(stdout);
    }
    if (ran == 0) {
        fmt::print("no such case\n");
        return 2;
    }
    return failures == 0 ? 0 : 1;
}
