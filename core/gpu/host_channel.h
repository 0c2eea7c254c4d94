// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// What the runner and the child that holds a host-contract candidate say to each other over a socket that
// keeps message bounds (SOCK_SEQPACKET): plain structs, both sides are the same program. The child is the
// candidate's: whatever comes from it is checked, and nothing in it is believed but a time, which the
// runner's own clock bounds.
namespace ptxwb::gpu {

inline constexpr std::uint32_t hostMagic = 0x50574831; // "PWH1"
inline constexpr int hostMaxBuffers = 64;
inline constexpr int hostMaxRank = 8;

struct HostBuffer {
    cudaIpcMemHandle_t memory;
    std::uint64_t frontBytes; ///< the data begin so far into it
    std::int64_t shape[hostMaxRank];
    double scalar;
    std::int32_t rank;
    std::int32_t dtype; ///< Dtype
    std::uint8_t dlpackCode;
    std::uint8_t dlpackBits;
    std::uint8_t isOutput;
    std::uint8_t isScalar; ///< passed by value
    std::uint8_t isRestored; ///< a warm call's `between` sets its secret part back
    std::uint8_t unused[3];
};

struct HostSetup {
    std::uint32_t magic;
    std::int32_t device;
    std::int32_t buffers; ///< so many HostBuffer messages follow
    std::int32_t library; ///< file descriptor of the shared object
    std::uint64_t l2Bytes;
    char ffiLibrary[1024]; ///< path of libtvm_ffi.so
};

enum class HostWhat : std::int32_t {
    Call, ///< once, and wait for its stream
    Cold, ///< timed behind a swept cache
    Warm, ///< timed behind another call
    EmptyCold, ///< the same without the candidate: what the exchange itself takes
};

struct HostOrder {
    std::uint32_t magic;
    HostWhat what;
    std::uint64_t number;
    std::uint64_t seed;
};

enum class HostStatus : std::int32_t {
    Ok,
    SetupFailed, ///< not the candidate's fault
    LoadFailed,
    NoEntry,
    Raised, ///< the entry returned an error
    CudaFailed, ///< `cuda` says which
};

struct HostReply {
    std::uint32_t magic;
    HostStatus status;
    std::uint64_t number; ///< the order's; 0: the greeting
    std::int32_t cuda;
    std::int32_t unused;
    double microseconds;
    char message[496];
};

} // namespace ptxwb::gpu
