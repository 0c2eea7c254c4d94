// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

struct Cta;
struct Instr;
struct Warp;
struct LaneAddresses;
enum class AccessKind : std::uint8_t;

/// Finds accesses of two lanes of one warp to a word of shared memory that no barrier orders. Lanes may run
/// apart: only bar.warp.sync and barriers order their memory; shfl, vote and the like do not (PTX
/// ISA 9.0, 9.7.13 and the CUDA programming guide). Also lanes that store different values to one address at
/// once. Parts of words, atomics and ordered accesses are not followed.
class LaneOrder {
public:
    LaneOrder(std::uint32_t ctas, std::uint32_t warpsPerCta, std::uint32_t sharedBytes);

    /// The lanes have met at a barrier.
    void meet(const Warp& warp, std::uint32_t mask);
    /// Reads or writes of the lanes of `mask`, `bytes` each. One report per call.
    void access(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind,
        const LaneAddresses& at);
    /// A write of one lane that another instruction makes.
    void write(
        Warp& warp, Cta& owner, std::uint32_t offset, std::uint32_t bytes, std::uint32_t lane, int line);

private:
    struct Access {
        std::uint32_t step = 0; ///< of the cluster; 0: never
        std::int32_t line = 0;
        std::uint16_t warp = 0;
        std::uint8_t lane = 0; ///< `together`: all lanes with one instruction
        bool many = false; ///< other lanes too
    };
    struct Word {
        Access write{};
        Access read{};
    };
    struct Meeting {
        std::uint32_t step = 0;
        std::uint32_t mask = 0;
    };
    struct Meetings {
        std::uint32_t ofAll = 0; ///< step of the last that all lanes came to
        std::vector<Meeting> ofSome{}; ///< since then
    };

    static constexpr std::uint8_t together = 32;

    bool isOrdered(const Access& before, std::uint8_t lane, const Meetings& meetings) const;
    bool touch(Warp& warp, const Instr& in, Cta& owner, std::uint32_t offset, Access now, bool writes);
    void report(Warp& warp, const Instr& in, Cta& owner, std::uint32_t offset, const Access& before,
        const Access& now, bool beforeWrites, bool writes) const;
    std::uint16_t numberOf(const Warp& warp) const;

    std::uint32_t m_warpsPerCta = 0;
    std::vector<std::vector<Word>> m_words{}; ///< by CTA
    std::vector<Meetings> m_meetings{}; ///< by warp
};

/// Lanes that store different values to one address of global memory with one instruction: a warning.
void checkStoredTogether(
    Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, const LaneAddresses& at);

} // namespace ptxwb::emulator
