// SPDX-License-Identifier: Apache-2.0
#include "core/sass/change_phrases.h"

#include "core/sass/control_flow.h"
#include "core/sass/families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <iterator>

namespace ptxwb {

namespace {

bool has(const DiffRow& row, std::string_view what)
{
    return std::ranges::find(row.what, what) != row.what.end();
}

std::vector<std::string_view> operandsOf(std::string_view text)
{
    std::vector<std::string_view> operands;
    while (!text.empty()) {
        const auto comma = text.find(", ");
        operands.push_back(text.substr(0, comma));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
    }
    return operands;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Without the numbers of registers, which may be named otherwise: "-R12.reuse" is "-R#".
std::string shapeOf(std::string_view operand)
{
    std::string shape;
    for (std::size_t i = 0; i < operand.size(); ++i) {
        const char c = operand[i];
        const bool starts = i == 0 || (std::isalnum(static_cast<unsigned char>(operand[i - 1])) == 0);
        const auto isRegister = [&](std::size_t at) {
            return at + 1 < operand.size() && (operand[at] == 'R' || operand[at] == 'P' || operand[at] == 'B')
                && isDigit(operand[at + 1]);
        };
        const std::size_t name = c == 'U' ? i + 1 : i;
        if (starts && isRegister(name)) {
            shape += operand.substr(i, name - i + 1);
            shape += '#';
            for (i = name + 1; i < operand.size() && isDigit(operand[i]); ++i) { }
            if (operand.substr(i).starts_with(".reuse")) {
                i += std::string_view(".reuse").size();
            }
            --i;
        } else {
            shape += c;
        }
    }
    return shape;
}

std::optional<int> numberIn(std::string_view operand)
{
    if (!operand.starts_with("0x")) {
        return {};
    }
    int number = 0;
    const auto* const end = operand.data() + operand.size();
    const auto [at, failed] = std::from_chars(operand.data() + 2, end, number, 16);
    return failed == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

/// "WARPGROUP.DEPBAR.LE 0x1 -> 0x0": fewer may be under way behind the row.
std::string_view strictness(std::string_view opcode, std::string_view a, std::string_view b)
{
    if (opcode.find("DEPBAR.LE") == std::string_view::npos) {
        return {};
    }
    const auto from = numberIn(a);
    const auto to = numberIn(b);
    return !from || !to ? "" : *to < *from ? " (a stricter wait)" : " (a looser wait)";
}

std::string phraseOf(const DiffRow& row, const SassInstruction& a, const SassInstruction& b)
{
    constexpr std::size_t mostOperands = 2;
    const auto name = fmt::format("{}{}", a.opcode, opcodeMeaning(a.opcode));
    if (has(row, "opcode") || a.opcode != b.opcode) {
        return fmt::format("{} -> {}", name, b.opcode);
    }
    if (has(row, "predicate")) {
        const auto of = [](std::string_view predicate) { return predicate.empty() ? "always" : predicate; };
        return shapeOf(a.predicate) == shapeOf(b.predicate)
            ? fmt::format("{} under another predicate", name)
            : fmt::format("{}: {} -> {}", name, of(a.predicate), of(b.predicate));
    }
    if (has(row, "target")) {
        return name.starts_with("BRX") || name.starts_with("JMX")
            ? fmt::format("{} (jump table) to other places", name)
            : fmt::format("{} to another place", name);
    }
    const auto operandsA = operandsOf(operandsShown(a));
    const auto operandsB = operandsOf(operandsShown(b));
    std::vector<std::string> changes;
    for (std::size_t i = 0; operandsA.size() == operandsB.size() && i < operandsA.size(); ++i) {
        if (shapeOf(operandsA[i]) != shapeOf(operandsB[i])) {
            changes.push_back(fmt::format(
                "{} -> {}{}", operandsA[i], operandsB[i], strictness(a.opcode, operandsA[i], operandsB[i])));
        }
    }
    if (!changes.empty() && changes.size() <= mostOperands) {
        return fmt::format("{}: {}", name, fmt::join(changes, " and "));
    }
    return fmt::format("{} {}", name, changes.empty() ? "reads another value" : "with other operands");
}

} // namespace

std::string_view opcodeMeaning(std::string_view opcode)
{
    return opcode.starts_with("WARPGROUP.DEPBAR")                ? " (wait for wgmma)"
        : opcode.starts_with("WARPGROUP.ARRIVE")                 ? " (fence of wgmma)"
        : opcode.starts_with("SYNCS.PHASECHK")                   ? " (wait on an mbarrier)"
        : opcode == "BAR" || opcode.starts_with("BAR.")          ? " (barrier)"
        : opcode == "DEPBAR" || opcode.starts_with("DEPBAR.")    ? " (wait, as for cp.async)"
        : opcode.starts_with("LDGDEPBAR")                        ? " (commit of cp.async)"
        : opcode.starts_with("MEMBAR")                           ? " (memory fence)"
        : opcode.starts_with("LDL") || opcode.starts_with("STL") ? " (local memory)"
                                                                 : "";
}

bool isNotableOpcode(std::string_view opcode)
{
    const auto base = opcode.substr(0, opcode.find('.'));
    if (base == "CGAERRBAR") { // comes with MEMBAR and says nothing of its own
        return false;
    }
    constexpr std::array orders{"MEMBAR", "FENCE", "DEPBAR", "ATOM", "ATOMG", "ATOMS", "RED", "REDG"};
    if (std::ranges::find(orders, base) != orders.end()) {
        return true;
    }
    const auto set = familiesOf(opcode);
    constexpr std::array notable{SassFamily::Gmma, SassFamily::Tma, SassFamily::BulkCopy,
        SassFamily::Mbarrier, SassFamily::Tcgen05, SassFamily::CpAsync, SassFamily::Ldmatrix, SassFamily::Mma,
        SassFamily::Setmaxnreg, SassFamily::Cluster, SassFamily::WarpgroupSync, SassFamily::Barrier,
        SassFamily::Local};
    return std::ranges::any_of(notable, [set](SassFamily family) { return contains(set, family); });
}

std::vector<ChangePhrase> changePhrases(const KernelDiff& diff, const SassKernel& a, const SassKernel& b)
{
    std::vector<ChangePhrase> phrases;
    std::vector<ChangePhrase> ordinary;
    std::map<std::string, std::size_t, std::less<>> places;
    std::optional<ControlFlow> flow;
    for (const auto& row : diff.rows) {
        if (row.kind != DiffKind::Changed) {
            continue;
        }
        if (!flow) {
            flow = controlFlow(a);
        }
        const auto index = static_cast<std::size_t>(row.a);
        const auto& inA = a.instructions[index];
        auto text = phraseOf(row, inA, b.instructions[static_cast<std::size_t>(row.b)]);
        auto& kind = isNotableOpcode(inA.opcode) ? phrases : ordinary; // by its opcode, so by its text
        const auto [at, isNew] = places.try_emplace(text, kind.size());
        if (isNew) {
            kind.emplace_back().text = std::move(text);
        }
        auto& phrase = kind[at->second];
        ++phrase.rows;
        phrase.rowsInLoops +=
            flow->blocks[static_cast<std::size_t>(flow->blockOf[index])].loopDepth > 0 ? 1 : 0;
    }
    std::ranges::stable_sort(phrases, std::ranges::greater(), &ChangePhrase::rows);
    std::ranges::stable_sort(ordinary, std::ranges::greater(), &ChangePhrase::rows);
    std::ranges::move(ordinary, std::back_inserter(phrases));
    return phrases;
}

} // namespace ptxwb
