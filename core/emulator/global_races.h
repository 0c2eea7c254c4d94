// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ptxwb::emulator {

class GlobalMemory;
class GlobalTrace;
struct Instr;
struct LaneAddresses;
struct LaunchContext;
struct Warp;
enum class AccessKind : std::uint8_t;

/// What a cluster did with a word.
struct GlobalTraceCell {
    struct Moment {
        std::uint32_t time = 0; ///< 0: never
        std::int32_t line = 0;
        std::uint16_t channel = 0;
        std::uint8_t mask = 0; ///< bytes of the word
    };
    Moment write{}; ///< the last
    std::array<Moment, 2> reads{}; ///< by two warps, the last of each
    std::uint32_t value = 0; ///< of the bytes that were written
    std::int32_t readLine = 0;
    std::uint8_t everWritten = 0; ///< bytes
    std::uint8_t everRead = 0;
};

/// Finds words of global memory that CTAs of a launch touch although nothing orders them: where no CTA waits
/// for another (no atomics, no ordered accesses), every word that one cluster writes and another reads, or
/// writes otherwise. What the clusters did is joined when they end, in whatever order, so that the findings
/// do not depend on the workers. Not followed: inputs of the plan, copies by other agents, words beyond
/// mostTracedBytes.
class GlobalRaces {
public:
    static constexpr std::uint64_t mostTracedBytes = std::uint64_t{256} << 20;

    /// What a cluster did, when it has ended. Any thread.
    void join(const GlobalTrace& trace, std::uint64_t position);
    /// Files what was found, and that there was no room for all. After the last cluster.
    void report(LaunchContext& launch) const;

    /// Room for so many bytes of traces, of which there is a bounded amount.
    bool take(std::uint64_t bytes);
    void giveBack(std::uint64_t bytes) { m_traced.fetch_sub(bytes); }

private:
    struct Agent {
        std::uint32_t position = 0; ///< of the cluster
        std::int32_t line = 0;
        std::uint8_t mask = 0; ///< bytes of the word
    };
    /// The first and the last cluster, by position, that wrote a word, and that read it.
    struct Word {
        Agent firstWriter{};
        Agent lastWriter{};
        Agent firstReader{};
        Agent lastReader{};
        std::uint32_t value = 0; ///< that the last to be joined left there
        std::uint8_t valueMask = 0;
        bool valuesDiffer = false;
    };
    static constexpr std::uint64_t wordsOfPage = 16;
    using Page = std::array<Word, wordsOfPage>;

    static void join(Word& word, const GlobalTraceCell& cell, std::uint32_t position);

    std::mutex m_mutex{};
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> m_pages{}; ///< by address / 64
    std::atomic<std::uint64_t> m_traced{0};
    std::atomic<bool> m_isFull{false};
};

/// What one cluster did in global memory. Finds accesses of its warps that no barrier and no flag orders.
/// One thread at a time.
class GlobalTrace {
public:
    explicit GlobalTrace(GlobalRaces& all)
        : m_all(all)
    {
    }
    ~GlobalTrace();
    GlobalTrace(const GlobalTrace&) = delete;
    GlobalTrace& operator=(const GlobalTrace&) = delete;

    /// Before the access; `mask`: lanes whose buffer is followed. Plain reads and writes only.
    void access(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind,
        const LaneAddresses& at);
    /// After a write: what is there now. Else it happens before the next access.
    void settle();

private:
    friend class GlobalRaces;
    using Cell = GlobalTraceCell;
    using Page = std::array<Cell, 16>;
    struct Write { ///< announced
        Warp* warp = nullptr;
        std::int32_t line = 0;
        std::uint64_t address = 0;
        const std::byte* host = nullptr;
        Cell* cell = nullptr;
        std::uint32_t before = 0;
        std::int32_t otherLine = 0; ///< of a write that nothing orders before this one; 0: none
        std::uint8_t bytesOfWord = 0;
    };

    Cell* cellAt(std::uint64_t address);
    void read(Warp& warp, const Instr& in, std::uint64_t word, std::uint8_t bytesOfWord);
    void announce(
        Warp& warp, const Instr& in, std::uint64_t word, std::uint8_t bytesOfWord, const std::byte* host);

    GlobalRaces& m_all;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> m_pages{};
    std::uint64_t m_lastNumber = ~std::uint64_t{0};
    Page* m_lastPage = nullptr;
    std::uint64_t m_bytes = 0;
    bool m_isFull = false;
    std::vector<Write> m_writes{};
};

} // namespace ptxwb::emulator
