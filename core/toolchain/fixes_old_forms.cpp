// SPDX-License-Identifier: Apache-2.0
// `shfl.idx.b32` and `vote.ballot.b32`: the forms of before .sync, which no chip from sm_70 on takes.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace ptxwb::detail {

namespace {

constexpr std::string_view shape = "without '.sync' is not supported on .target";

// The statements of the line whose opcode has no .sync.
std::vector<PtxStatement> oldFormsOn(const CodeText& code, int line, std::string_view name)
{
    std::vector<PtxStatement> found;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (statement && statement->opcodeFirst == i && statement->opcode.starts_with(name)
            && statement->opcode.find(".sync") == std::string_view::npos) {
            found.push_back(std::move(*statement));
        }
    }
    return found;
}

// `match.any.b32 %r1, %r2;`: without .sync there is none, and ptxas speaks of the operands.
bool isWithoutSync(const Diagnostic& said, const CodeText& code)
{
    const auto name = quotedText(said.message);
    return said.message.starts_with("Arguments mismatch") && said.line && (name == "match" || name == "redux")
        && !oldFormsOn(code, *said.line, name).empty();
}

/// A branch, or a way out of the function, that leads some lanes past the tokens between.
struct WayPast {
    std::size_t from = 0;
    std::size_t to = 0;
    int line = 0;
};

std::vector<WayPast> waysPast(const CodeText& code)
{
    struct Branch {
        std::size_t at = 0;
        std::size_t function = 0;
        std::string_view label{}; ///< empty: out of the function
    };
    std::vector<Branch> branches;
    std::map<std::pair<std::size_t, std::string_view>, std::size_t> labels;
    std::vector<std::size_t> ends(1); // of functions
    for (std::size_t at = 0; at < code.size(); ++at) {
        const auto word = code.text(at);
        ends.back() = at;
        if (word == ".entry" || word == ".func") {
            ends.push_back(at);
        } else if (word == ":" && at > 0) {
            labels.try_emplace({ends.size(), code.text(at - 1)}, at);
        }
        const bool mayLead = code[at].kind == TokenKind::Opcode
            && (word.starts_with("bra") || word.starts_with("brx") || word.starts_with("ret")
                || word == "exit");
        const auto one = mayLead ? code.statementAt(at) : std::nullopt;
        if (!one || one->opcodeFirst != at) {
            continue;
        }
        const bool isGuarded = one->first != one->opcodeFirst;
        const bool isBranch = word.starts_with("bra") && !one->operands.empty();
        const bool isTogether = isGuarded && one->opcode.find(".uni") != std::string_view::npos;
        if (!isTogether && (isGuarded || word.starts_with("br"))) {
            branches.push_back({.at = at,
                .function = ends.size(),
                .label = isBranch ? code.text(one->operands.front().first) : std::string_view{}});
        }
    }
    std::vector<WayPast> found;
    for (const auto& branch : branches) {
        const auto label = labels.find({branch.function, branch.label});
        const auto to = branch.label.empty() ? ends[branch.function - 1]
            : label != labels.end()          ? label->second
                                             : branch.at;
        if (to > branch.at) {
            found.push_back({.from = branch.at, .to = to, .line = code.line(branch.at)});
        }
    }
    return found;
}

// Why the mask of all lanes may hang here; empty where it may not.
std::string reasonAgainstFullMask(
    const CodeText& code, const PtxStatement& statement, const std::vector<WayPast>& ways)
{
    const int line = code.line(statement.opcodeFirst);
    if (statement.first != statement.opcodeFirst) {
        return fmt::format("that of line {} is behind @, which some lanes may not pass", line);
    }
    const auto past = std::find_if(ways.begin(), ways.end(),
        [&](const WayPast& way) { return way.from < statement.first && statement.first < way.to; });
    return past != ways.end()
        ? fmt::format("line {} may lead some lanes past that of line {}", past->line, line)
        : std::string();
}

} // namespace

std::optional<Remedy> remedyOfOldForm(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const bool isShfl = cause.root->message.find(shape) != std::string::npos;
    if (!(isShfl || isWithoutSync(*cause.root, code)) || code.size() == 0
        || cause.root->file != context.displayName) {
        return std::nullopt;
    }
    const auto name = quotedText(cause.root->message);
    Remedy made{
        .explanation = fmt::format(
            "{}: {} needs .sync and, as its last operand, the mask of the lanes that take part, "
            "0xffffffff for all 32. All of them must reach it.",
            isShfl ? "From sm_70 on the lanes of a warp run apart" : "The lanes of a warp run apart", name)};
    Fix fix{.title = "Insert .sync and the mask 0xffffffff"};
    std::vector<std::size_t> known;
    std::string against;
    const auto ways = waysPast(code);
    for (const auto* said : cause.members) {
        const int line = said->line.value_or(0);
        for (const auto& one : oldFormsOn(code, line, quotedText(said->message))) {
            if (one.operands.empty() || std::find(known.begin(), known.end(), one.first) != known.end()) {
                continue;
            }
            known.push_back(one.first);
            against = against.empty() ? reasonAgainstFullMask(code, one, ways) : against;
            const auto word = code.text(one.opcodeFirst);
            const auto root = word.substr(0, word.find('.'));
            fix.edits.push_back(code.replaceTokens(one.opcodeFirst, one.opcodeFirst + 1,
                fmt::format("{}.sync{}", root, word.substr(root.size()))));
            fix.edits.push_back(code.insertBehind(one.operands.back().second - 1, ", 0xffffffff"));
        }
    }
    const auto places = fix.edits.size() / 2;
    if (places > 1) {
        fix.title += fmt::format(" in {} places", places);
    }
    if (!against.empty()) {
        made.explanation += fmt::format(
            " No fix is offered: {}, and the mask of all 32 would make the others wait for them without end. "
            "vote.sync.ballot.b32 of that predicate, before the lanes part, gives the mask of those that "
            "come.",
            against);
    } else if (places > 0) {
        made.fixes.push_back(std::move(fix));
    }
    return made;
}

} // namespace ptxwb::detail
