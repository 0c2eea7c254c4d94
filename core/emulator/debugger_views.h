// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/bench/tensor.h"
#include "core/support/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::emulator {

struct Cluster;
struct Cta;
struct Warp;

struct WarpName {
    std::uint64_t cta = 0; ///< linear index in the grid
    std::uint32_t warp = 0;
    bool operator==(const WarpName&) const = default;
};

/// Lanes of a warp that stand together.
struct SplitView {
    std::uint32_t lanes = 0;
    int line = 0;
    std::string opcode{};
    std::string waits{}; ///< in words; empty: it can run
};

struct WarpView {
    WarpName name{};
    std::array<std::uint32_t, 3> ctaId{};
    std::uint32_t live = 0; ///< lanes that have not exited
    std::vector<SplitView> splits{};
};

struct BarrierView {
    std::uint64_t cta = 0;
    std::uint32_t address = 0;
    std::string place{}; ///< "full + 8"
    std::uint64_t phase = 0; ///< completed phases
    std::uint32_t pending = 0;
    std::uint32_t expected = 0;
    std::int64_t missingBytes = 0;
    std::uint64_t expectedBytes = 0;
    std::uint64_t deliveredBytes = 0;
    int initLine = 0;
    int arriveLine = 0;
    int expectLine = 0;
    int deliverLine = 0;
    std::vector<WarpName> waiting{};
};

/// bar / barrier 0 to 15.
struct NamedBarrierView {
    std::uint64_t cta = 0;
    int number = 0;
    std::uint32_t arrived = 0;
    std::uint32_t expected = 0; ///< threads; 0: all that still run
    std::vector<WarpName> waiting{};
};

/// An asynchronous operation that was issued and has not happened.
struct PendingView {
    int line = 0;
    std::string opcode{};
    WarpName warp{};
    bool sourceRead = false;
};

struct RegisterView {
    std::string name{};
    int bits = 32; ///< 1: a predicate
    std::array<std::uint64_t, 32> values{};
    std::uint32_t defined = 0; ///< lanes that hold a value
};

struct MemoryPlace {
    bool shared = false;
    std::uint64_t cta = 0; ///< of shared memory
    std::uint64_t address = 0; ///< in the shared window, or the global address
    std::string name{}; ///< "Y + 12"
    std::optional<Dtype> dtype{}; ///< of a tensor
};

/// How the elements of a matrix are found.
enum class MatrixLayout : std::uint8_t {
    Rows, ///< row behind row from a place; under a swizzle a row takes its span, as TMA writes it
    DescriptorK, ///< as wgmma reads it through a descriptor, K-major: columns along K
    DescriptorMn ///< M- or N-major: rows along M or N, columns along K
};
struct MatrixQuery {
    std::string from{}; ///< a place; for a descriptor its register ("%descA") or value
    MatrixLayout layout = MatrixLayout::Rows;
    Swizzle swizzle = Swizzle::None; ///< of Rows; a descriptor says its own
    Dtype dtype = Dtype::Bfloat16;
    std::uint32_t rows = 64;
    std::uint32_t columns = 16;
};
constexpr std::uint32_t mostMatrixRows = 256; ///< and columns

struct MatrixView {
    std::string title{}; ///< where it lies and how
    Dtype dtype = Dtype::Bfloat16;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<std::byte> bytes{}; ///< row by row
};

/// What a watch looks at.
struct WatchPlace {
    enum class Kind : std::uint8_t { Register, Barrier, Memory } kind = Kind::Memory;
    WarpName warp{}; ///< of a register
    std::string registerName{};
    MemoryPlace memory{};
    std::uint32_t bytes = 4;
};

std::vector<WarpView> viewWarps(const Cluster& cluster);
std::vector<BarrierView> viewBarriers(const Cluster& cluster);
std::vector<NamedBarrierView> viewNamedBarriers(const Cluster& cluster);
std::vector<PendingView> viewPending(const Cluster& cluster);
std::vector<std::string> viewRegisterNames(const Cluster& cluster);
/// Errors: NotFound.
Result<RegisterView> viewRegister(const Warp& warp, const std::string& name);

} // namespace ptxwb::emulator
