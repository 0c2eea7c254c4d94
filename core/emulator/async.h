// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ptxwb::emulator {

struct Cluster;
struct Cta;
struct Warp;
struct WgmmaOp;

/// When asynchronous operations happen: at once, as late as a waiter allows, or at random moments.
enum class AsyncPolicy : std::uint8_t { Early, Late, Random };

/// Instructions whose results a run changes on purpose, to see whether an output depends on them.
enum class ResultOf : std::uint8_t { Nothing, Wgmma, TensorCopy, Mma, BulkCopy };

/// Work that another agent does (TMA unit, tensor cores, copy engine) after the instruction was issued.
struct AsyncOp {
    Cta* cta = nullptr;
    Warp* warp = nullptr;
    int line = 0;
    std::uint32_t lanes = 0; ///< that issued it
    std::array<std::uint32_t, 32> group{}; ///< per lane: the group that it belongs to
    bool readDone = false; ///< the source may be overwritten
    bool done = false;
    std::uint32_t sequence = 0; ///< number on its channel of the race detector
    std::vector<std::uint32_t> known{}; ///< the issuer's clock
    std::uint64_t order = 0; ///< operations with the same non-zero order key complete in order of issue

    AsyncOp() = default;
    AsyncOp(const AsyncOp&) = delete;
    AsyncOp& operator=(const AsyncOp&) = delete;
    virtual ~AsyncOp() = default;
    /// Takes the source; called once, before complete().
    virtual void read() { }
    /// Writes the result and tells barriers.
    virtual void complete() = 0;
};

/// Operations that were issued and are not done, oldest first.
class AsyncQueue {
public:
    bool empty() const { return m_pending.empty(); }
    std::size_t size() const { return m_pending.size(); }
    void add(std::shared_ptr<AsyncOp> op) { m_pending.push_back(std::move(op)); }
    /// Completes the operation at `index`, or an older one that must come first.
    void completeAt(std::size_t index);
    void completeOldest() { completeAt(0); }
    void clear() { m_pending.clear(); }
    const std::vector<std::shared_ptr<AsyncOp>>& pending() const { return m_pending; }

private:
    std::vector<std::shared_ptr<AsyncOp>> m_pending{};
};

/// Flips one of the high bits of every element's fraction: another number, as finite as before.
void perturbElements(std::byte* elements, std::size_t bytes, std::uint32_t elementBytes);

/// Reads the source if that was not done and completes.
void finish(AsyncOp& op);

} // namespace ptxwb::emulator
