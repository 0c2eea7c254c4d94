// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ptxwb::emulator {

struct Allocation;
struct Instr;
struct LaneAddresses;
struct Warp;
enum class AccessKind : std::uint8_t;

/// Finds words of global memory that a cluster reads though nothing orders the read after another cluster's
/// store: between a store and the flag that tells of it must lie a fence of gpu scope, or the flag's own
/// .release. Writes of another value over such a store too. For launches whose clusters take turns on one
/// thread. Clusters are followed as a whole; every ordered or atomic read of a flag acquires: too much rather
/// than too little. Not followed: parts of words, copies by other agents, buffers above 16 MiB, grids of more
/// than 1024 clusters.
class GlobalOrder {
public:
    static constexpr std::uint64_t mostClusters = 1024;

    explicit GlobalOrder(std::uint64_t clusters);

    void access(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind,
        const LaneAddresses& at);
    /// After a write: what is there now. Else it happens before the next access.
    void settle();
    /// fence or membar of gpu or system scope.
    void fence(const Warp& warp);

private:
    using Clock = std::vector<std::uint32_t>;

    struct Word {
        std::uint32_t cluster = 0; ///< that wrote it last, and 1
        std::uint32_t time = 0;
        std::int32_t line = 0;
    };
    struct State {
        Clock known{}; ///< at its own place: its time
        Clock fenced{}; ///< what a relaxed store publishes
        bool hasFenced = false;
    };

    /// A write over another cluster's, which is a race when the value is another.
    struct Write {
        Warp* warp = nullptr;
        std::int32_t line = 0;
        std::uint64_t address = 0;
        const std::byte* host = nullptr;
        std::uint32_t before = 0;
        std::int32_t otherLine = 0;
    };

    State& stateOf(const Warp& warp);
    Word* wordsAt(const Warp& warp, std::uint64_t address, std::uint32_t bytes);
    void acquire(State& state, std::uint64_t address) const;
    void publish(State& state, std::uint32_t self, std::uint64_t address, bool releases);

    std::uint64_t m_clusters = 0;
    std::vector<State> m_states{};
    std::unordered_map<std::uint64_t, Clock> m_flags{}; ///< by address
    Clock m_others{}; ///< of the flags for which there is no room
    std::map<const Allocation*, std::vector<Word>> m_words{};
    const Allocation* m_last = nullptr;
    std::vector<Word>* m_lastWords = nullptr;
    std::vector<Write> m_writes{};
};

} // namespace ptxwb::emulator
