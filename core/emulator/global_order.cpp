// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/global_order.h"

#include "core/emulator/addressing.h"
#include "core/emulator/fence_handlers.h"
#include "core/emulator/memory_handlers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::uint64_t largestBuffer = 16U << 20U;
constexpr std::uint64_t mostFlagWords = 4U << 20U;

void joinInto(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& from)
{
    for (std::size_t i = 0; i < from.size(); ++i) {
        into[i] = std::max(into[i], from[i]);
    }
}

} // namespace

GlobalOrder::GlobalOrder(std::uint64_t clusters)
    : m_clusters(clusters)
    , m_states(clusters)
{
}

GlobalOrder::State& GlobalOrder::stateOf(const Warp& warp)
{
    const auto self = warp.cta->cluster->position;
    auto& state = m_states[self];
    if (state.known.empty()) {
        state.known.assign(m_clusters, 0);
        state.fenced.assign(m_clusters, 0);
        state.known[self] = 1;
    }
    return state;
}

void GlobalOrder::fence(const Warp& warp)
{
    auto& state = stateOf(warp);
    state.fenced = state.known;
    state.hasFenced = true;
    ++state.known[warp.cta->cluster->position];
}

GlobalOrder::Word* GlobalOrder::wordsAt(const Warp& warp, std::uint64_t address, std::uint32_t bytes)
{
    if (m_last == nullptr || !m_last->contains(address, bytes)) {
        const auto* allocation = warp.cta->cluster->launch->memory->find(address);
        if (allocation == nullptr || allocation->bytes > largestBuffer) {
            return nullptr;
        }
        auto& words = m_words[allocation];
        words.resize(allocation->bytes / 4 + 1);
        m_last = allocation;
        m_lastWords = &words;
    }
    return m_lastWords->data() + (address - m_last->address) / 4;
}

void GlobalOrder::acquire(State& state, std::uint64_t address) const
{
    if (const auto found = m_flags.find(address); found != m_flags.end()) {
        joinInto(state.known, found->second);
    }
    joinInto(state.known, m_others);
}

void GlobalOrder::publish(State& state, std::uint32_t self, std::uint64_t address, bool releases)
{
    if (!releases && !state.hasFenced) {
        return; // nothing to tell
    }
    const auto& told = releases ? state.known : state.fenced;
    const bool isFull = m_flags.size() * m_clusters >= mostFlagWords && !m_flags.contains(address);
    auto& published = isFull ? m_others : m_flags[address];
    published.resize(m_clusters, 0);
    joinInto(published, told);
    state.known[self] += releases ? 1U : 0U;
}

void GlobalOrder::access(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes,
    AccessKind kind, const LaneAddresses& at)
{
    settle();
    const auto self = static_cast<std::uint32_t>(warp.cta->cluster->position);
    auto& state = stateOf(warp);
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto address = at.address[lane];
        if (in.ordered || kind == AccessKind::Atomic) {
            const auto flag = address & ~std::uint64_t{3};
            const bool reads =
                kind == AccessKind::Read || (kind == AccessKind::Atomic && !in.extra->rows.empty());
            if (reads) {
                acquire(state, flag);
            }
            if (kind != AccessKind::Read) {
                publish(state, self, flag, (in.mode & load_mode::releases) != 0);
            }
            continue;
        }
        auto* words = bytes < 4 ? nullptr : wordsAt(warp, address, bytes);
        for (std::uint32_t i = 0; words != nullptr && i < bytes / 4; ++i) {
            auto& word = words[i];
            if (kind == AccessKind::Write) {
                if (word.cluster != 0 && word.cluster != self + 1
                    && state.known[word.cluster - 1] < word.time) {
                    Write made{&warp, in.line, address + 4 * i, at.host[lane] + 4 * i, 0, word.line};
                    std::memcpy(&made.before, made.host, sizeof made.before);
                    m_writes.push_back(made);
                }
                word = {self + 1, state.known[self], in.line};
                continue;
            }
            if (word.cluster == 0 || word.cluster == self + 1 || state.known[word.cluster - 1] >= word.time) {
                continue;
            }
            const auto place = globalPlace(*warp.cta->cluster->launch->memory, address + 4 * i);
            file(warp, in.line,
                {.rule = RuleId::Race,
                    .message =
                        fmt::format("this CTA reads {}, which another CTA wrote at line {}: no fence of gpu "
                                    "scope stands between that store and what tells of it",
                            describe(place), word.line),
                    .fix = "fence.acq_rel.gpu (__threadfence()) between the store and the flag, or the "
                           "flag's own "
                           ".release.gpu",
                    .otherLine = word.line,
                    .address = place});
            word = {};
            return;
        }
    }
}

void GlobalOrder::settle()
{
    for (const auto& made : m_writes) {
        if (std::memcmp(made.host, &made.before, sizeof made.before) == 0) {
            continue; // the same value
        }
        const auto place = globalPlace(*made.warp->cta->cluster->launch->memory, made.address);
        file(*made.warp, made.line,
            {.rule = RuleId::Race,
                .message =
                    fmt::format("this CTA writes {}, which another CTA wrote at line {} with another value: "
                                "nothing orders the two",
                        describe(place), made.otherLine),
                .fix =
                    "let one CTA write it, use atomics (red, atom), or put a fence of gpu scope and a flag "
                    "between",
                .otherLine = made.otherLine,
                .address = place});
    }
    m_writes.clear();
}

Step fenceGlobal(Warp& warp, const Instr&, std::uint32_t)
{
    if (auto* order = warp.cta->cluster->launch->order) {
        order->fence(warp);
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
