// SPDX-License-Identifier: Apache-2.0
// Copies and multiplications that run beside the threads: what they read must be where and as they read it,
// and somebody must wait for it.
#include "core/ptx/descriptor_fields.h"
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/reaching.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

constexpr std::int64_t mapAlignment = 64;
constexpr std::int64_t mapBytes = 128;
constexpr std::uint64_t mostExpected = (std::uint64_t{1} << 20U) - 1;

class AsyncCopies : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (!one.wellFormed) {
                continue;
            }
            if (const auto map = mapOf(one, opcode)) {
                tensorMap(one, *map);
                loadedMap(i, *map);
            } else if (opcode.starts_with("mbarrier.")
                && opcode.find("expect_tx") != std::string_view::npos) {
                expected(one);
            } else if (isNamed(opcode, "tcgen05.mma")) {
                instruction(one, opcode);
            }
            note(one, opcode);
        }
        if (m_function.isEntry && !m_calls && m_function.wellFormed && m_function.isComplete) {
            waited();
            written();
            clusters();
        }
    }

private:
    /// What the kernel has, by its first statement of the kind.
    struct Seen {
        const Statement* copy = nullptr; ///< cp.async, not bulk
        const Statement* copyWait = nullptr;
        const Statement* copyCommit = nullptr;
        const Statement* waitAll = nullptr;
        const Statement* mma = nullptr; ///< that reads shared memory
        const Statement* sharedWrite = nullptr;
        const Statement* bulkCopy = nullptr; ///< into shared memory
        const Statement* proxyFence = nullptr;
        const Statement* tensorStore = nullptr; ///< tcgen05.st
        const Statement* tensorStoreWait = nullptr;
        const Statement* remote = nullptr; ///< access to another CTA's shared memory
        const Statement* clusterBarrier = nullptr;
        const Statement* clusterArrive = nullptr;
        const Statement* clusterWait = nullptr;
    };

    void note(const Statement& one, std::string_view opcode)
    {
        const auto is = [&](std::string_view name) { return isNamed(opcode, name); };
        const auto has = [&](std::string_view word) { return opcode.find(word) != std::string_view::npos; };
        const auto first = [&](bool holds, const Statement*& place) {
            place = place == nullptr && holds ? &one : place;
        };
        m_calls = m_calls || opcode.starts_with("call");
        first(is("cp.async.ca") || is("cp.async.cg"), m_seen.copy);
        first(is("cp.async.wait_group"), m_seen.copyWait);
        first(is("cp.async.commit_group"), m_seen.copyCommit);
        first(is("cp.async.wait_all") || is("cp.async.mbarrier"), m_seen.waitAll);
        first(is("wgmma.mma_async") || is("tcgen05.mma"), m_seen.mma);
        first(has(".shared") && (opcode.starts_with("st.") || opcode.starts_with("stmatrix")),
            m_seen.sharedWrite);
        first(opcode.starts_with("cp.async.bulk") && has(".mbarrier::complete_tx"), m_seen.bulkCopy);
        first(is("fence.proxy"), m_seen.proxyFence);
        first(is("tcgen05.st"), m_seen.tensorStore);
        first(is("tcgen05.wait::st"), m_seen.tensorStoreWait);
        first(is("mapa"), m_seen.remote);
        first(is("barrier.cluster"), m_seen.clusterBarrier);
        first(is("barrier.cluster.arrive"), m_seen.clusterArrive);
        first(is("barrier.cluster.wait"), m_seen.clusterWait);
    }

    // "[%rd, {x, y}]" of a tensor copy, or the address that prefetch.tensormap takes.
    std::optional<Operand> mapOf(const Statement& one, std::string_view opcode) const
    {
        if (opcode.starts_with("prefetch") && opcode.find(".tensormap") != std::string_view::npos) {
            return m_program.operandCount(one) > 0 ? std::optional(m_program.operand(one, 0)) : std::nullopt;
        }
        if (opcode.find("bulk") == std::string_view::npos
            || opcode.find(".tensor") == std::string_view::npos) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < m_program.operandCount(one); ++i) {
            const auto operand = m_program.operand(one, i);
            if (m_program.is(operand.first, '[') && m_program.is(operand.first + 2, ',')) {
                return Operand{.first = operand.first + 1, .end = operand.first + 2};
            }
        }
        return std::nullopt;
    }

    void tensorMap(const Statement& one, const Operand& operand)
    {
        const auto place = m_values.placeOf(one, operand);
        const auto* variable = place ? variableNamed(m_function, m_context.facts, place->symbol) : nullptr;
        if (variable == nullptr || variable->isExtern || variable->bytes == 0
            || (variable->space == "param" && !m_function.isEntry) || !m_said.insert(variable->name).second) {
            return;
        }
        if (place->offset < 0 || place->offset + mapBytes > static_cast<std::int64_t>(variable->bytes)) {
            m_sink.addOfInstruction("out-of-bounds", one, operand.first, operand.end,
                fmt::format("a tensor map of {} bytes at {} of '{}', which has {}", mapBytes, place->offset,
                    variable->name, variable->bytes));
        } else if (variable->alignedTo() % mapAlignment != 0 || place->offset % mapAlignment != 0) {
            m_sink.addOfInstruction("tensor-map-alignment", one, operand.first, operand.end,
                variable->alignedTo() % mapAlignment != 0
                    ? fmt::format("'{}' is declared .align {}: nothing makes it start at a multiple of {}",
                        variable->name, variable->alignedTo(), mapAlignment)
                    : fmt::format(
                        "{} + {} is no multiple of {}", variable->name, place->offset, mapAlignment));
        }
    }

    // The map's first bytes for its address: loaded, where the address should be taken.
    void loadedMap(Index at, const Operand& operand)
    {
        if (!isFlowKnown() || operand.end != operand.first + 1) {
            return;
        }
        if (!m_reaching) {
            m_reaching.emplace(m_program, m_function, m_context.facts, m_flow);
        }
        constexpr int most = 8;
        bool isOfParameters = false; // so its maker says: an address in their window
        auto number = m_function.registerOf(operand.first);
        for (int steps = 0; steps < most && number != none; ++steps) {
            const auto definitions = m_reaching->definitionsOf(number, at);
            if (definitions.size() != 1 || definitions.front() == none) {
                return;
            }
            at = definitions.front();
            const auto& one = m_program.statements[at];
            const auto opcode = m_program.opcode(one);
            if (one.guard != none || !one.wellFormed || m_program.operandCount(one) != 2) {
                return;
            }
            if (isNamed(opcode, "ld.param")) {
                sayLoadedMap(one, isOfParameters);
                return;
            }
            if (!opcode.starts_with("mov.") && !opcode.starts_with("cvta.")) {
                return;
            }
            isOfParameters = isOfParameters || isNamed(opcode, "cvta.param");
            const auto source = m_program.operand(one, 1);
            number = source.end == source.first + 1 ? m_function.registerOf(source.first) : none;
        }
    }

    void sayLoadedMap(const Statement& load, bool isOfParameters)
    {
        const auto address = m_program.operand(load, 1);
        const auto* variable = address.end == address.first + 3 && m_function.isEntry
            ? variableNamed(m_function, m_context.facts, m_program.text(address.first + 1))
            : nullptr;
        if (variable == nullptr || variable->space != "param"
            || variable->bytes < static_cast<std::uint64_t>(mapBytes)
            || variable->alignedTo() % mapAlignment != 0) {
            return;
        }
        // A struct may begin with the address of a map elsewhere; but one member is not all that is read of
        // it.
        const bool isMap =
            variable->bytes == static_cast<std::uint64_t>(mapBytes) && usesOf(variable->name) == 1;
        if ((!isMap && !isOfParameters) || !m_said.insert("[" + variable->name).second) {
            return;
        }
        auto& made = m_sink.addOfInstruction("address-space", load, address.first, address.end,
            fmt::format("this loads the first bytes of the tensor map '{0}', and a copy takes them for its "
                        "address: mov takes the address of '{0}'",
                variable->name));
        if (isOfParameters) {
            const auto opcode = m_program.opcode(load);
            made.fixTitle = fmt::format("take the address of '{}'", variable->name);
            made.edits.push_back(m_sink.replace(
                load.opcode, load.opcodeEnd, "mov" + std::string(opcode.substr(opcode.rfind('.')))));
            made.edits.push_back(m_sink.replace(address.first, address.end, variable->name));
        }
    }

    int usesOf(std::string_view name) const
    {
        int uses = 0;
        for (auto at = m_function.bodyOpen; at < m_function.end; ++at) {
            uses += m_program.text(at) == name ? 1 : 0;
        }
        return uses;
    }

    void expected(const Statement& one)
    {
        const auto count = m_program.operandCount(one);
        const auto operand = count >= 2 ? m_program.operand(one, count - 1) : Operand{};
        const auto value = count >= 2 ? m_values.constantOf(one, operand) : std::nullopt;
        if (value && *value > mostExpected) {
            m_sink.addOfInstruction("tx-count", one, operand.first, operand.end,
                fmt::format("{} bytes: a barrier counts {} at most", *value, mostExpected));
        }
    }

    void instruction(const Statement& one, std::string_view opcode)
    {
        const auto has = [&](std::string_view word) { return opcode.find(word) != std::string_view::npos; };
        const bool isPlain =
            has(".kind::f16") || has(".kind::tf32") || has(".kind::f8f6f4") || has(".kind::i8");
        const bool isScaled =
            has(".block_scale") && (has(".kind::mxf8f6f4") || has(".kind::mxf4.") || has(".kind::mxf4nvf4"));
        if (isPlain == isScaled || has(".ws") || m_program.operandCount(one) < 4) {
            return;
        }
        const auto operand = m_program.operand(one, has(".sp") ? 4 : 3);
        const auto value = m_values.constantOf(one, operand);
        if (!value || *value == 0 || *value > 0xffffffffU) {
            return;
        }
        const auto bits = static_cast<std::uint32_t>(*value);
        const int ctas = has(".cta_group::2") ? 2 : has(".cta_group::1") ? 1 : 0;
        auto reading = isPlain       ? readTcgen05InstructionDescriptor(bits, ctas)
            : has(".kind::mxf8f6f4") ? readBlockScaledDescriptor(bits, BlockScaledKind::Mxf8f6f4, ctas)
                                     : readBlockScaledDescriptor(bits, BlockScaledKind::Mxf4, ctas);
        if (has(".kind::mxf4.") && (bits >> 23U & 1U) == 0) {
            reading.problems.emplace_back("the scales of mxf4 are ue8m0 (bit 23 must be 1)");
        }
        if (!reading.problems.empty() && m_said.insert(std::to_string(*value)).second) {
            m_sink.addOfInstruction("tcgen05-descriptor", one, operand.first, operand.end,
                fmt::format("{:#x} as instruction descriptor: {}", *value, reading.problems.front()));
        }
    }

    void waited()
    {
        if (m_seen.copy != nullptr && m_seen.copyWait == nullptr && m_seen.waitAll == nullptr) {
            m_sink.add("cp-async-wait", m_seen.copy->opcode, m_seen.copy->opcodeEnd,
                "the kernel has no cp.async.wait_group, cp.async.wait_all or cp.async.mbarrier.arrive: "
                "nothing tells when this has arrived");
        } else if (m_seen.copy != nullptr && m_seen.copyWait != nullptr && m_seen.copyCommit == nullptr
            && m_seen.waitAll == nullptr) {
            m_sink.add("cp-async-wait", m_seen.copyWait->opcode, m_seen.copyWait->end,
                "the kernel has no cp.async.commit_group: this waits for no copy");
        } else if (const auto* wait = waitWithoutGroup(); wait != nullptr) {
            m_sink.add("cp-async-wait", wait->opcode, wait->end,
                "copies are under way here, and no cp.async.commit_group stands before this on any path: it "
                "waits for none of them");
        }
        if (m_seen.tensorStore != nullptr && m_seen.tensorStoreWait == nullptr) {
            m_sink.add("tcgen05-wait", m_seen.tensorStore->opcode, m_seen.tensorStore->opcodeEnd,
                "the kernel has no tcgen05.wait::st: nothing tells when this is in tensor memory");
        }
    }

    // What may have happened on some way to a place.
    static constexpr unsigned reached = 1;
    static constexpr unsigned copied = 2; ///< and waited for by nobody
    static constexpr unsigned committed = 4;

    unsigned behind(unsigned state, const Statement& one) const
    {
        const auto opcode = m_program.opcode(one);
        if (isNamed(opcode, "cp.async.ca") || isNamed(opcode, "cp.async.cg")) {
            return state | copied;
        }
        if (isNamed(opcode, "cp.async.wait_all") || isNamed(opcode, "cp.async.mbarrier")) {
            return state & ~copied;
        }
        return isNamed(opcode, "cp.async.commit_group") ? state | committed : state;
    }

    // The first wait that copies come to, and no group.
    const Statement* waitWithoutGroup() const
    {
        if (m_seen.copy == nullptr || m_seen.copyWait == nullptr || !isFlowKnown()) {
            return nullptr;
        }
        std::vector<unsigned> atStart(m_flow.blocks.size());
        atStart[0] = reached;
        std::vector<Index> open{0};
        while (!open.empty()) {
            const auto& block = m_flow.blocks[open.back()];
            auto state = atStart[open.back()];
            open.pop_back();
            for (auto i = block.first; i < block.end; ++i) {
                state = behind(state, m_program.statements[i]);
            }
            for (const auto to : block.successors) {
                if ((atStart[to] | state) != atStart[to]) {
                    atStart[to] |= state;
                    open.push_back(to);
                }
            }
        }
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            auto state = atStart[b];
            for (auto i = m_flow.blocks[b].first; i < m_flow.blocks[b].end; ++i) {
                const auto& one = m_program.statements[i];
                if ((state & copied) != 0 && (state & committed) == 0
                    && isNamed(m_program.opcode(one), "cp.async.wait_group")) {
                    return &one;
                }
                state = behind(state, one);
            }
        }
        return nullptr;
    }

    // Matrices that only ordinary stores can have brought.
    void written()
    {
        if (m_seen.mma != nullptr && m_seen.sharedWrite != nullptr && m_seen.copy == nullptr
            && m_seen.bulkCopy == nullptr && m_seen.proxyFence == nullptr && !m_context.facts.isGenerated) {
            m_sink.addBeside("proxy-fence", m_seen.mma->opcode, m_seen.mma->opcodeEnd,
                "this reads shared memory that ordinary stores wrote (line <line>), and the kernel has no "
                "fence.proxy.async",
                m_seen.sharedWrite->opcode);
        }
    }

    void clusters()
    {
        const bool isAlone = m_function.limits.clusterCtas == std::optional<std::uint64_t>(1);
        if (m_seen.remote != nullptr && m_seen.clusterBarrier == nullptr && !isAlone
            && !m_context.facts.isGenerated) { // libraries leave it out of clusters of one CTA
            m_sink.add("cluster-barrier", m_seen.remote->opcode, m_seen.remote->opcodeEnd,
                "the kernel has no barrier.cluster: the other CTA may not have begun, or be gone");
        } else if (m_seen.clusterWait != nullptr && m_seen.clusterArrive == nullptr) {
            m_sink.add("cluster-barrier", m_seen.clusterWait->opcode, m_seen.clusterWait->opcodeEnd,
                "the kernel has no barrier.cluster.arrive: this waits for nothing, or for ever");
        }
    }

    Seen m_seen;
    std::optional<Reaching> m_reaching; ///< once a tensor map is used
    std::unordered_set<std::string> m_said;
    bool m_calls = false;
};

} // namespace

void checkAsyncCopies(Function& function, const Context& context, Sink& sink)
{
    AsyncCopies(function, context, sink).check();
}

} // namespace ptxwb::lint
