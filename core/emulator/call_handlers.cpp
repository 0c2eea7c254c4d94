// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/call_handlers.h"

#include "core/emulator/diagnose.h"
#include "core/emulator/warp_handlers.h"
#include "core/emulator/warp_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

/// Frames that no split stands in or comes back to go away.
void dropOldFrames(Warp& warp)
{
    std::vector<std::int32_t> place(warp.frames.size(), -1);
    for (const auto& s : warp.splits) {
        for (auto f = s.frame; f >= 0; f = warp.frames[static_cast<std::size_t>(f)].parent) {
            place[static_cast<std::size_t>(f)] = 0;
        }
    }
    std::vector<Frame> kept;
    for (std::size_t f = 0; f < place.size(); ++f) {
        if (place[f] == 0) {
            place[f] = static_cast<std::int32_t>(kept.size());
            auto frame = warp.frames[f]; // its parent is older, so that it has its place
            frame.parent = frame.parent < 0 ? -1 : place[static_cast<std::size_t>(frame.parent)];
            kept.push_back(frame);
        }
    }
    for (auto& s : warp.splits) {
        s.frame = s.frame < 0 ? -1 : place[static_cast<std::size_t>(s.frame)];
    }
    warp.frames = std::move(kept);
    warp.framesKept = warp.frames.size();
}

std::int32_t frameFor(Warp& warp, std::uint32_t returnPc)
{
    if (warp.frames.size() > 64 + 2 * warp.framesKept) {
        dropOldFrames(warp);
    }
    const std::int32_t parent = warp.split().frame;
    for (std::size_t i = warp.frames.size(); i-- > 0;) {
        if (warp.frames[i].returnPc == returnPc && warp.frames[i].parent == parent) {
            return static_cast<std::int32_t>(i);
        }
    }
    const std::uint32_t depth = parent < 0 ? 1 : warp.frames[static_cast<std::size_t>(parent)].depth + 1;
    warp.frames.push_back({returnPc, parent, depth});
    return static_cast<std::int32_t>(warp.frames.size()) - 1;
}

const FunctionPlace* functionAt(const Program& program, std::uint64_t address)
{
    const std::uint64_t index = (address - functionWindow) / functionStride;
    const bool isFunction = address >= functionWindow && address % functionStride == 0
        && index < program.functions.size() && program.functions[index].isThere;
    return isFunction ? &program.functions[index] : nullptr;
}

/// Calls fn(words, words of a lane) for all that a function keeps in registers.
template <class Use> void eachRegister(Warp& warp, const FunctionPlace& function, const Use& use)
{
    for (const auto& [row, width] : function.registers) {
        use(row, width, warp.row(row));
    }
}

} // namespace

std::byte* localOf(Warp& warp, std::uint32_t lane)
{
    const std::uint64_t size = warp.program->localBytes;
    if (warp.local.empty()) {
        warp.local.assign(size * laneCount, std::byte{0});
    }
    return warp.local.data() + lane * size;
}

Step jumpTo(Warp& warp, std::uint32_t mask, std::uint32_t pc, std::int32_t frame)
{
    auto& s = warp.split();
    if (mask == s.mask) {
        s.pc = pc;
        s.frame = frame;
        return Step::Jump;
    }
    Split taken = s;
    taken.mask = mask;
    taken.pc = pc;
    taken.frame = frame;
    s.mask &= ~mask;
    ++s.pc;
    warp.splits.push_back(taken);
    return Step::Jump;
}

Step callFunction(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::int32_t frame = frameFor(warp, warp.split().pc + 1);
    return jumpTo(warp, mask, in.target, frame);
}

Step callPointer(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint64_t address = warp.row64(in.a)[std::countr_zero(mask)];
    const auto* callee = functionAt(*warp.program, address);
    if (callee == nullptr) {
        return stopWith(warp, in,
            {.rule = RuleId::OutOfBounds,
                .message = fmt::format("a call through 0x{:x}, which is the address of no function", address),
                .fix = "give the pointer the address of a function of this module"});
    }
    const auto& arguments = in.extra->addresses;
    const bool fits =
        std::equal(arguments.begin(), arguments.end(), callee->parameters.begin(), callee->parameters.end(),
            [](const AddressOperand& given, const LocalRange& taken) { return given.row == taken.bytes; });
    if (!fits) {
        return stopWith(warp, in,
            {.rule = RuleId::OutOfBounds,
                .message = fmt::format("a call through a pointer to {}, whose parameters are others than the "
                                       "call's prototype has",
                    callee->name),
                .fix = "call it with its own parameters"});
    }
    std::uint32_t same = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        same |= warp.row64(in.a)[std::countr_zero(m)] == address ? m & (0U - m) : 0U;
    }
    for (std::uint32_t m = same; m != 0; m &= m - 1) {
        auto* lane = localOf(warp, static_cast<std::uint32_t>(std::countr_zero(m)));
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            std::memmove(lane + callee->parameters[i].address, lane + arguments[i].offset, arguments[i].row);
        }
    }
    const std::int32_t frame = frameFor(warp, warp.split().pc + 1);
    auto& s = warp.split();
    if (same == s.mask) {
        s.pc = callee->entry;
        s.frame = frame;
        return Step::Jump;
    }
    Split taken = s;
    taken.mask = same;
    taken.pc = callee->entry;
    taken.frame = frame;
    s.mask &= ~same; // the rest executes the instruction again
    s.pc += (s.mask & mask) == 0 ? 1 : 0;
    warp.splits.push_back(taken);
    return Step::Jump;
}

Step takePointerResult(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto* callee = functionAt(*warp.program, warp.row64(in.a)[l]);
        if (callee != nullptr && callee->results.size() == 1) {
            auto* lane = localOf(warp, l);
            std::memmove(lane + in.offset, lane + callee->results[0].address,
                std::min<std::uint64_t>(in.imm, callee->results[0].bytes));
        }
    }
    return Step::Next;
}

Step returnOrExit(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::int32_t frame = warp.split().frame;
    if (frame < 0) {
        return exitLanes(warp, in, mask);
    }
    const Frame from = warp.frames[static_cast<std::size_t>(frame)];
    return jumpTo(warp, mask, from.returnPc, from.parent);
}

Step copyLocal(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        auto* lane = localOf(warp, static_cast<std::uint32_t>(std::countr_zero(m)));
        std::memmove(lane + in.target, lane + in.offset, in.imm);
    }
    return Step::Next;
}

Step saveFunction(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto& function = warp.program->functions[in.target];
    const std::uint32_t firstPredicate = warp.program->rowCount;
    if (!warp.stacks) {
        warp.stacks = std::make_unique<std::array<std::vector<std::uint32_t>, laneCount>>();
    }
    const std::int32_t frame = warp.split().frame;
    const std::uint32_t depth = frame < 0 ? 0 : warp.frames[static_cast<std::size_t>(frame)].depth;
    const auto& deepest = (*warp.stacks)[static_cast<std::size_t>(std::countr_zero(mask))];
    if (deepest.size() * 4 > maxStackBytes || depth > maxCallDepth) {
        return stopWith(warp, in,
            {.rule = RuleId::ResourceLimit,
                .message =
                    fmt::format("the recursion of {} is too deep: {} calls, {} bytes of stack per thread",
                        function.name, depth, deepest.size() * 4),
                .fix = "end the recursion earlier, or write it as a loop; a GPU has 1 KiB of stack per "
                       "thread unless the host asks for more"});
    }
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
        auto& stack = (*warp.stacks)[l];
        eachRegister(warp, function, [&](std::uint32_t row, std::uint32_t width, const std::uint32_t* words) {
            stack.insert(stack.end(), words + std::size_t{l} * width, words + std::size_t{l + 1} * width);
            stack.push_back(warp.defined[row] >> l & 1U);
        });
        for (const auto p : function.predicates) {
            stack.push_back(
                (warp.predicates[p] >> l & 1U) | (warp.defined[firstPredicate + p] >> l & 1U) << 1U);
        }
        const auto bytes = function.local.bytes;
        const auto at = stack.size();
        stack.resize(at + (bytes + 3) / 4);
        if (bytes != 0) {
            std::memcpy(stack.data() + at, localOf(warp, l) + function.local.address, bytes);
        }
    }
    return Step::Next;
}

Step restoreFunction(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto& function = warp.program->functions[in.target];
    const std::uint32_t firstPredicate = warp.program->rowCount;
    const auto& kept = in.extra->rows;
    const auto setBit = [](std::uint32_t& bits, std::uint32_t l, std::uint32_t value) {
        bits = (bits & ~(1U << l)) | value << l;
    };
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
        auto& stack = (*warp.stacks)[l];
        auto* lane = localOf(warp, l);
        const auto bytes = function.local.bytes;
        std::size_t at = stack.size() - (bytes + 3) / 4;
        std::vector<std::byte> results;
        for (const auto& result : in.extra->addresses) {
            results.insert(results.end(), lane + result.offset, lane + result.offset + result.row);
        }
        if (bytes != 0) {
            std::memcpy(lane + function.local.address, stack.data() + at, bytes);
        }
        const auto* from = results.data();
        for (const auto& result : in.extra->addresses) {
            std::copy_n(from, result.row, lane + result.offset);
            from += result.row;
        }
        at -= function.predicates.size();
        for (std::size_t p = 0; p < function.predicates.size(); ++p) {
            const auto word = stack[at + p];
            setBit(warp.predicates[function.predicates[p]], l, word & 1U);
            setBit(warp.defined[firstPredicate + function.predicates[p]], l, word >> 1U);
        }
        at -= function.registerWords;
        stack.resize(at + function.registerWords);
        const auto* word = stack.data() + at;
        eachRegister(warp, function, [&](std::uint32_t row, std::uint32_t width, std::uint32_t* words) {
            if (std::find(kept.begin(), kept.end(), row) == kept.end()) {
                std::copy_n(word, width, words + std::size_t{l} * width);
                setBit(warp.defined[row], l, word[width]);
            }
            word += width + 1;
        });
        stack.resize(at);
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
