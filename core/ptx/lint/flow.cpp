// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/flow.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ptxwb::lint {

namespace {

bool endsBlock(std::string_view root)
{
    return root == "bra" || root == "brx" || root == "brx.idx" || root == "ret" || root == "exit"
        || root == "trap";
}

// By name and scope: the statement behind the label, within its function.
using LabelPlaces = std::map<std::pair<std::string_view, Index>, Index>;

// Of labels of one name the one of the innermost block around the branch, which inline assembly relies on;
// `none`: there is none.
Index placeOf(const LabelPlaces& labels, const Function& function, std::string_view name, Index scope)
{
    for (; scope != none; scope = function.scopes[scope]) {
        if (const auto found = labels.find({name, scope}); found != labels.end()) {
            return found->second;
        }
    }
    return none;
}

// One step from the marked blocks first: a block reaches itself only round a loop.
std::vector<bool> spread(const Flow& flow, const std::vector<bool>& start, bool forward)
{
    std::vector<std::vector<Index>> next(flow.blocks.size());
    for (Index from = 0; from < flow.blocks.size(); ++from) {
        for (const auto to : flow.blocks[from].successors) {
            next[forward ? from : to].push_back(forward ? to : from);
        }
    }
    std::vector<bool> hit(flow.blocks.size());
    std::vector<Index> open;
    for (Index block = 0; block < flow.blocks.size(); ++block) {
        if (start[block]) {
            open.push_back(block);
        }
    }
    while (!open.empty()) {
        const auto from = open.back();
        open.pop_back();
        for (const auto to : next[from]) {
            if (!hit[to]) {
                hit[to] = true;
                open.push_back(to);
            }
        }
    }
    return hit;
}

} // namespace

bool isNamed(std::string_view opcode, std::string_view name)
{
    return opcode.starts_with(name)
        && (opcode.size() == name.size() || opcode[name.size()] == '.' || opcode[name.size()] == ':');
}

Flow flowOf(const Program& program, const Function& function)
{
    Flow flow;
    const auto count = function.statementsEnd - function.statementsFirst;
    std::vector<bool> starts(count + 1);
    starts[0] = true;
    LabelPlaces labels;
    for (const auto& label : function.labels) {
        labels.try_emplace({label.name, label.scope}, label.statement - function.statementsFirst);
        starts[label.statement - function.statementsFirst] = true;
    }
    for (Index i = 0; i < count; ++i) {
        if (endsBlock(program.text(program.statements[function.statementsFirst + i].opcode))) {
            starts[i + 1] = true;
        }
    }
    flow.blockOf.resize(count + 1);
    for (Index i = 0; i < count; ++i) {
        if (starts[i]) {
            flow.blocks.push_back({.first = function.statementsFirst + i});
        }
        flow.blockOf[i] = static_cast<Index>(flow.blocks.size() - 1);
        flow.blocks.back().end = function.statementsFirst + i + 1;
    }
    flow.blockOf[count] = static_cast<Index>(flow.blocks.size());
    for (Index b = 0; b < flow.blocks.size(); ++b) {
        auto& block = flow.blocks[b];
        const auto& last = program.statements[block.end - 1];
        const auto root = program.text(last.opcode);
        const bool falls = last.guard != none || !endsBlock(root);
        if (root == "bra" && program.operandCount(last) == 1) {
            const auto aim =
                placeOf(labels, function, program.text(program.operand(last, 0).first), last.scope);
            if (aim == none) {
                flow.isKnown = false;
            } else if (aim < count) {
                block.successors.push_back(flow.blockOf[aim]);
            }
        } else if (root.starts_with("brx") || (root == "bra")) {
            flow.isKnown = false;
        }
        if (falls && b + 1 < flow.blocks.size()) {
            block.successors.push_back(b + 1);
        }
    }
    flow.isKnown = flow.isKnown && function.wellFormed && function.isComplete;
    return flow;
}

std::vector<bool> reachedFrom(const Flow& flow, const std::vector<bool>& markedBlocks)
{
    return spread(flow, markedBlocks, true);
}

std::vector<bool> reaches(const Flow& flow, const std::vector<bool>& markedBlocks)
{
    return spread(flow, markedBlocks, false);
}

} // namespace ptxwb::lint
