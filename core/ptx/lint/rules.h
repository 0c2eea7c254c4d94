// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/forms_table.h"
#include "core/ptx/isa_table.h"
#include "core/ptx/lint.h"
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/program.h"
#include "core/ptx/lint/values.h"

#include <cstdint>
#include <map>

namespace ptxwb::lint {

class Reaching;

/// A tensor map of the launch plan, as far as the plan decides it.
struct TensorMapFacts {
    std::uint64_t elements = 0; ///< of its box; 0: not constant
    std::uint64_t innerElements = 0;
    int elementBytes = 0; ///< 0: the plan does not say
    int swizzleBytes = 0;
};

/// What the `@launch` comment says of each kernel's parameters: kernel -> index of the parameter.
using PlanFacts = std::map<std::string, std::map<std::size_t, TensorMapFacts>, std::less<>>;
/// Empty for a plan that cannot be read; constants are taken from it, axes are not known.
PlanFacts readPlan(const std::string& json);
/// "384, 1, 1": the block of the kernel's first launch, where the plan says it in numbers; else empty.
std::string plannedBlock(const std::string& json, std::string_view kernel);

struct Context {
    const Program& program;
    const ModuleFacts& facts; ///< of the whole module, also when `program` is one function of it
    const PlanFacts& plan;
    const IsaTable& isa;
    const FormsTable& forms;
    const Flow* flow = nullptr; ///< of the function that is looked at; see FunctionKnowledge
    const Values* values = nullptr; ///< as above
};

/// Flow and values of one function, given to its context for as long as this lives. Made behind
/// checkRegisters, before any rule that follows them.
class FunctionKnowledge {
public:
    FunctionKnowledge(const Function& function, Context& context)
        : m_flow(flowOf(context.program, function))
        , m_values(context.program, function, context.facts.shared)
    {
        context.flow = &m_flow;
        context.values = &m_values;
    }
    FunctionKnowledge(const FunctionKnowledge&) = delete;
    FunctionKnowledge& operator=(const FunctionKnowledge&) = delete;

private:
    Flow m_flow;
    Values m_values;
};

/// Where a message names LintFinding::otherLine.
constexpr std::string_view otherLineMark = "<line>";

/// Collects findings about token ranges.
class Sink {
public:
    Sink(const Context& context, std::vector<LintFinding>& findings)
        : m_context(context)
        , m_findings(findings)
    {
    }

    LintFinding& add(std::string_view rule, Index first, Index end, std::string message);
    /// The manual's page of the instruction instead of the rule's section.
    LintFinding& addOfInstruction(
        std::string_view rule, const Statement& statement, Index first, Index end, std::string message);
    /// With the line of another token at the mark in the message.
    LintFinding& addBeside(
        std::string_view rule, Index first, Index end, std::string message, Index otherToken);
    TextRange rangeOf(Index first, Index end) const;
    LintEdit replace(Index first, Index end, std::string text) const;
    LintEdit insertBefore(Index token, std::string text) const;
    LintEdit insertBehind(Index token, std::string text) const;
    /// A range of bytes within one token.
    LintFinding& addWithin(
        std::string_view rule, Index token, std::uint32_t offset, std::uint32_t length, std::string message);

private:
    const Context& m_context;
    std::vector<LintFinding>& m_findings;
};

/// What an opcode decides for the rules that follow it: a bit for each.
using Topics = unsigned;
namespace topic {
constexpr Topics wgmma = 1U << 0U;
constexpr Topics copy = 1U << 1U; ///< cp.async that is not bulk
constexpr Topics bulk = 1U << 2U;
constexpr Topics mbarrier = 1U << 3U;
constexpr Topics fence = 1U << 4U;
constexpr Topics barrier = 1U << 5U; ///< of threads
constexpr Topics registerCount = 1U << 6U;
constexpr Topics tcgen05 = 1U << 7U;
constexpr Topics values = 1U << 8U; ///< of registers
constexpr Topics all = (1U << 9U) - 1;
} // namespace topic

// One group of rules each; a function's statements are in context.program.
/// What opcodes that are not understood may decide: nothing that depends on it can be told.
Topics checkOpcodes(Function& function, const Context& context, Sink& sink);
void checkRegisters(Function& function, const Context& context, Sink& sink);
void checkWgmma(Function& function, const Context& context, Sink& sink);
/// Part of checkWgmma: accumulators that are used while their wgmma runs. Whether there are any.
bool checkAccumulatorReads(const Function& function, const Context& context, Sink& sink);
void checkTma(Function& function, const Context& context, Sink& sink);
void checkExpectations(Function& function, const Context& context, Sink& sink);
void checkArrivals(Function& function, const Context& context, Sink& sink);
void checkDescriptors(Function& function, const Context& context, Sink& sink);
void checkBarriers(Function& function, const Context& context, Sink& sink);
void checkBulkStores(Function& function, const Context& context, Sink& sink);
void checkGenericAddresses(Function& function, const Context& context, Sink& sink);
void checkUninitialised(Function& function, const Context& context, Sink& sink);
void checkBarrierObjects(Function& function, const Context& context, Sink& sink);
void checkAccesses(Function& function, const Context& context, Sink& sink);
void checkAddressSpaces(Function& function, const Context& context, Sink& sink);
void checkAsyncCopies(Function& function, const Context& context, Sink& sink);
void checkPhases(Function& function, const Context& context, Sink& sink);
/// Part of checkPhases: copies whose barrier nothing waits for.
void checkMissingWaits(const Function& function, const Context& context, Sink& sink, Reaching& reaching);
void checkCollectives(Function& function, const Context& context, Sink& sink);
void checkTcgen05(Function& function, const Context& context, Sink& sink);
void checkTcgen05Order(Function& function, const Context& context, Sink& sink);
void checkRegisterBudget(Function& function, const Context& context, Sink& sink);

/// Declarations among tokens [first, end) that ptxas must not be given.
void checkSizes(Index first, Index end, const Context& context, Sink& sink);

/// All of them.
std::vector<LintFinding> checkFunction(Function& function, const Context& context);

} // namespace ptxwb::lint
