// SPDX-License-Identifier: Apache-2.0
#include "app/cli/debug_session.h"
#include "app/cli/text_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

namespace ptxwb::cli {

using namespace emulator;

namespace {

std::string lanesOf(std::uint32_t mask)
{
    return mask == 0xFFFFFFFFU ? std::string("all lanes") : fmt::format("lanes 0x{:08x}", mask);
}

std::string namesOf(const std::vector<WarpName>& names)
{
    std::vector<std::string> words;
    for (const auto& name : names) {
        words.push_back(fmt::format("{}.{}", name.cta, name.warp));
    }
    return words.empty() ? std::string("-") : fmt::format("{}", fmt::join(words, " "));
}

std::string lineOrNone(int line)
{
    return line == 0 ? std::string("-") : fmt::format("line {}", line);
}

std::string valueOf(std::uint64_t bits, int width, const std::string& format)
{
    if (width == 1) {
        return bits != 0 ? "1" : "0";
    }
    if (format == "f") {
        return width == 64 ? fmt::format("{:.9g}", std::bit_cast<double>(bits))
                           : fmt::format("{:.9g}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    if (format == "d") {
        return width == 64 ? fmt::format("{}", static_cast<std::int64_t>(bits))
                           : fmt::format("{}", static_cast<std::int32_t>(bits));
    }
    if (format == "u") {
        return fmt::format("{}", bits);
    }
    return fmt::format("0x{:0{}x}", bits, width / 4);
}

} // namespace

std::string warpsText(
    const std::vector<WarpView>& warps, WarpName current, const std::optional<WarpName>& running)
{
    std::vector<std::vector<std::string>> rows{{"", "cta.warp", "lanes", "line", "instruction", "state"}};
    for (const auto& warp : warps) {
        const std::string mark =
            fmt::format("{}{}", warp.name == current ? "*" : "", warp.name == running ? ">" : "");
        const auto name = fmt::format("{}.{}", warp.name.cta, warp.name.warp);
        if (warp.splits.empty()) {
            rows.push_back({mark, name, "-", "-", "-", "has exited"});
        }
        for (const auto& split : warp.splits) {
            rows.push_back({mark, name, lanesOf(split.lanes), std::to_string(split.line), split.opcode,
                split.waits.empty() ? std::string("can run") : split.waits});
        }
    }
    return table(rows) + "* shown by print and x; > runs next\n";
}

std::string barriersText(const std::vector<BarrierView>& barriers, const std::vector<NamedBarrierView>& named)
{
    std::string text;
    std::vector<std::vector<std::string>> rows{{"cta", "mbarrier", "phase", "arrivals missing",
        "bytes missing", "init", "arrive", "expect_tx", "copy", "waiting"}};
    for (const auto& b : barriers) {
        rows.push_back({std::to_string(b.cta), fmt::format("0x{:x} {}", b.address, b.place),
            fmt::format("{} (parity {})", b.phase, b.phase & 1U),
            fmt::format("{} of {}", b.pending, b.expected),
            fmt::format("{} ({} of {} came)", b.missingBytes, b.deliveredBytes, b.expectedBytes),
            lineOrNone(b.initLine), lineOrNone(b.arriveLine), lineOrNone(b.expectLine),
            lineOrNone(b.deliverLine), namesOf(b.waiting)});
    }
    text += barriers.empty() ? std::string("no mbarrier is alive\n") : table(rows);
    for (const auto& b : named) {
        text += fmt::format("barrier {} of cta {}: {} of {} threads have come, waiting: {}\n", b.number,
            b.cta, b.arrived, b.expected == 0 ? std::string("all") : std::to_string(b.expected),
            namesOf(b.waiting));
    }
    return text;
}

std::string pendingText(const std::vector<PendingView>& pending)
{
    if (pending.empty()) {
        return "no asynchronous operation is under way\n";
    }
    std::string text;
    for (const auto& op : pending) {
        text += fmt::format("line {}: {}, issued by {}.{}{}\n", op.line, op.opcode, op.warp.cta, op.warp.warp,
            op.sourceRead ? ", has read its source" : "");
    }
    return text;
}

std::string registerText(const RegisterView& view, const std::string& format)
{
    const auto& values = view.values;
    if (view.defined == 0xFFFFFFFFU && std::equal(values.begin() + 1, values.end(), values.begin())) {
        return fmt::format("{} = {} in all lanes\n", view.name, valueOf(values[0], view.bits, format));
    }
    std::string text = fmt::format(
        "{} ({}):", view.name, view.bits == 1 ? std::string("predicate") : fmt::format("{} bits", view.bits));
    constexpr std::size_t perLine = 8;
    for (std::size_t l = 0; l < values.size(); ++l) {
        const bool defined = (view.defined >> l & 1U) != 0;
        text += fmt::format("{}{}", l % perLine == 0 ? fmt::format("\n  lane {:2}:  ", l) : std::string("  "),
            defined ? valueOf(values[l], view.bits, format) : std::string("undefined"));
    }
    return text + '\n';
}

std::string debugHelp()
{
    return "run                     from the start until something stops it; continue (c) from here\n"
           "step [N] (s)            instructions of the current warp; others run where it waits\n"
           "next (n)                until the turn is another warp's\n"
           "until LINE              until the current warp comes to a line\n"
           "back [N] (b)            backwards: to before the current warp's last instruction\n"
           "back WHERE              to before the last change of a barrier, register or memory\n"
           "goto ROUND              to a round since the start, as `where` counts\n"
           "timeline [end] [FILE]   who ran, waited and was under way, up to here or to the end; FILE: a "
           "trace\n"
           "back-to-report          to where the last report was filed\n"
           "break LINE [if REG OP VALUE]    OP: == != < <= > >=, true in any lane; delete N\n"
           "break report on|off     stop where something is reported (on)\n"
           "watch WHERE             stop when a barrier, register or memory changes\n"
           "warp [CTA.]N, cta N     choose what is shown; CTAs that do not talk are debugged one by one\n"
           "info warps|barriers|queue|reports|breaks|registers\n"
           "print REG [d|u|f|x] (p) a register in every lane\n"
           "x WHERE [COUNT] [f|d|u|x]       memory: Y[3], Y[1,2], Y+16, tile+128, shared+1024, 0x400\n"
           "matrix WHERE ROWSxCOLUMNS [TYPE] [32B|64B|128B]        shared memory through a swizzle (m)\n"
           "matrix %DESC ROWSxCOLUMNS [TYPE] [k|mn]        through a descriptor, K-major or M/N-major\n"
           "list [LINE] (l)         the source around\n"
           "check                   the whole grid under every policy; report N opens a finding\n"
           "policy early|late|random, seed N, launch N      another schedule, from the start\n"
           "where, help, quit (q)\n";
}

} // namespace ptxwb::cli
