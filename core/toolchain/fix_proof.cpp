// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/fix_proof.h"

#include "core/toolchain/code_text.h"
#include "core/toolchain/fix_search.h"
#include "core/toolchain/ptxas_messages.h"
#include "core/toolchain/text_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ptxwb::detail {

namespace {

constexpr std::size_t mostRoots = 16; // that ptxas is asked about one by one
constexpr int mostSteps = 3; // mistakes of one statement

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

bool endsReading(const Diagnostic& said)
{
    return said.line && (said.severity == Severity::Fatal || said.message.starts_with("Parsing error"));
}

// Whether the statement of the line is a list of registers or a ':' without its label.
bool declaresNames(std::string_view source, int line)
{
    const CodeText code(source);
    const auto first = code.firstOnLine(line);
    return first < code.size() && code.line(first) == line
        && (code.text(first) == ".reg" || code.text(first) == ":");
}

/// Lines of an edited text as lines of the text before.
class LinesBefore {
public:
    explicit LinesBefore(const Fix& fix)
    {
        for (const auto& edit : fix.edits) {
            const auto more = static_cast<int>(std::count(edit.text.begin(), edit.text.end(), '\n'));
            m_edits.push_back({edit.line, edit.endLine, more - (edit.endLine - edit.line)});
        }
        std::sort(
            m_edits.begin(), m_edits.end(), [](const Edit& a, const Edit& b) { return a.first < b.first; });
    }

    int of(int line) const
    {
        int before = line;
        for (const auto& edit : m_edits) {
            if (before <= edit.first) {
                break;
            }
            before = std::max(edit.first, before - edit.more);
        }
        return before;
    }

    bool touches(int lineBefore) const
    {
        return std::any_of(m_edits.begin(), m_edits.end(),
            [&](const Edit& edit) { return lineBefore >= edit.first && lineBefore <= edit.last; });
    }

private:
    struct Edit {
        int first = 0;
        int last = 0;
        int more = 0; ///< lines
    };
    std::vector<Edit> m_edits;
};

enum class Verdict { Mends, MistakeLeft, Wrong, Unknown };

struct Trial {
    Verdict verdict = Verdict::Unknown;
    std::string text{};
    std::vector<Diagnostic> errors{}; ///< of the text
    std::optional<int> lineLeft{}; ///< of the statement, in `text`
};

class Prover {
public:
    Prover(const std::vector<Diagnostic>& diagnostics, const CauseContext& context, const AskPtxas& ask)
        : m_source(context.source)
        , m_context(context)
        , m_ask(ask)
    {
        m_starts = statementLines(CodeText(m_source));
        for (const auto& said : diagnostics) {
            if (isError(said)) {
                m_before.push_back(said);
            }
        }
    }

    std::optional<std::vector<Fix>> proven(
        const Diagnostic& root, std::string& explanation, std::optional<TextEdit>& blamed);

private:
    Trial tryFix(const Diagnostic& root, const Fix& fix) const;
    std::optional<Fix> completed(const Diagnostic& root, const Fix& fix, Trial trial);
    std::vector<Fix> nextFixes(const Trial& trial);
    bool wasSaid(const Diagnostic& said, int line, int group) const;
    int startOf(int line) const;

    std::string m_source;
    std::vector<int> m_starts; ///< per line that of its statement
    const CauseContext& m_context;
    const AskPtxas& m_ask;
    std::vector<Diagnostic> m_before; ///< errors of the source
};

int Prover::startOf(int line) const
{
    const auto at = static_cast<std::size_t>(std::max(line, 0));
    return at < m_starts.size() ? m_starts[at] : line;
}

bool Prover::wasSaid(const Diagnostic& said, int line, int group) const
{
    return std::any_of(m_before.begin(), m_before.end(), [&](const Diagnostic& one) {
        return one.group != group && one.line.value_or(0) == line && one.message == said.message;
    });
}

Trial Prover::tryFix(const Diagnostic& root, const Fix& fix) const
{
    Trial trial{.text = applyFix(m_source, fix)};
    auto errors = m_ask(trial.text);
    if (!errors) {
        return trial;
    }
    trial.verdict = Verdict::Mends;
    const LinesBefore lines(fix);
    int blamed = root.line.value_or(0); // the tool's line, where ours is another
    bool hidden = false; // ptxas did not read the whole source
    for (const auto& one : m_before) {
        hidden = hidden || endsReading(one);
        if (one.group == root.group && one.tool == "ptxas" && one.line) {
            blamed = std::max(blamed, *one.line);
        }
    }
    const bool isAboutName = root.message.starts_with("Parsing error") && declaresNames(m_source, blamed);
    for (const auto& said : *errors) {
        const int line = said.line ? lines.of(*said.line) : 0;
        if (said.line && wasSaid(said, line, root.group)) {
            continue;
        }
        const bool isSameStatement = said.line
            && (line == root.line || line == blamed || lines.touches(line)
                || startOf(line) == startOf(blamed));
        const bool isBehind = hidden && line > blamed; // what ptxas now reads for the first time
        const bool wasHidden = hidden && !endsReading(said) && !isSameStatement;
        if (isAboutName && said.message.starts_with("Unknown symbol")) {
            trial.verdict = Verdict::Wrong; // the place of the name was taken away, not filled
        } else if (isSameStatement) {
            const bool isSame = std::any_of(m_before.begin(), m_before.end(), [&](const Diagnostic& one) {
                return one.group == root.group && one.message == said.message && one.line == line;
            });
            trial.verdict = trial.verdict == Verdict::Wrong || isSame ? Verdict::Wrong : Verdict::MistakeLeft;
            trial.lineLeft = trial.lineLeft ? trial.lineLeft : said.line;
        } else if (!isBehind && !wasHidden) {
            trial.verdict = Verdict::Wrong;
        }
    }
    trial.errors = std::move(*errors);
    return trial;
}

// What mends the mistake that is left in the statement.
std::vector<Fix> Prover::nextFixes(const Trial& trial)
{
    auto said = trial.errors;
    const auto outline = outlinePtx(trial.text);
    for (auto& one : said) {
        one.file = std::string(m_context.displayName);
    }
    locateColumns(said, trial.text);
    markRootCauses(said);
    explainCauses(said,
        {.source = trial.text,
            .outline = &outline,
            .displayName = m_context.displayName,
            .target = m_context.target});
    for (const auto& one : said) {
        if (one.rootCause && one.line == trial.lineLeft && !one.fixes.empty()) {
            return one.fixes;
        }
    }
    for (const auto& one : said) {
        if (one.rootCause && one.line == trial.lineLeft) {
            if (auto found = searchFixes(trial.text, one, m_ask); !found.fixes.empty()) {
                found.fixes.resize(1);
                return std::move(found.fixes);
            }
        }
    }
    return {};
}

std::optional<Fix> Prover::completed(const Diagnostic& root, const Fix& fix, Trial trial)
{
    std::string title = fix.title;
    for (int step = 1; step < mostSteps && trial.verdict == Verdict::MistakeLeft; ++step) {
        std::optional<std::pair<std::string, Trial>> nearer;
        for (const auto& next : nextFixes(trial)) {
            auto second = next.title;
            second.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(second.front())));
            const Fix both{.title = fmt::format("{}, {}", title, second),
                .edits = differenceOf(m_source, applyFix(trial.text, next))};
            auto tried = tryFix(root, both);
            if (tried.verdict == Verdict::Mends) {
                return both;
            }
            if (tried.verdict == Verdict::MistakeLeft && !nearer) {
                nearer.emplace(both.title, std::move(tried));
            }
        }
        if (!nearer) {
            return std::nullopt;
        }
        title = std::move(nearer->first);
        trial = std::move(nearer->second);
    }
    return std::nullopt;
}

std::optional<std::vector<Fix>> Prover::proven(
    const Diagnostic& root, std::string& explanation, std::optional<TextEdit>& blamed)
{
    std::vector<Fix> good;
    std::vector<std::size_t> left; // errors of the text with each of them
    std::vector<std::pair<const Fix*, Trial>> unfinished;
    for (const auto& fix : root.fixes) {
        auto trial = tryFix(root, fix);
        if (trial.verdict == Verdict::Unknown) {
            return std::nullopt;
        }
        if (trial.verdict == Verdict::Mends) {
            // Where ptxas had not read the rest, several ends fit, and the one that leaves less to mend is
            // right.
            const auto at = root.severity == Severity::Fatal
                ? std::upper_bound(left.begin(), left.end(), trial.errors.size())
                : left.end();
            good.insert(good.begin() + (at - left.begin()), fix);
            left.insert(at, trial.errors.size());
        } else if (trial.verdict == Verdict::MistakeLeft) {
            unfinished.emplace_back(&fix, std::move(trial));
        }
    }
    for (auto& [fix, trial] : unfinished) {
        if (!good.empty()) {
            break;
        }
        if (auto whole = completed(root, *fix, std::move(trial))) {
            good.push_back(std::move(*whole));
        }
    }
    if (!good.empty() || root.message.starts_with("Unknown symbol")) {
        return good;
    }
    // The tool's own words tell which statement it is about.
    const auto own = std::find_if(m_before.begin(), m_before.end(),
        [&](const Diagnostic& one) { return one.group == root.group && one.tool == "ptxas" && one.line; });
    const auto found = searchFixes(m_source, own != m_before.end() ? *own : root, m_ask);
    for (const auto& fix : found.fixes) {
        const auto trial = tryFix(root, fix);
        if (trial.verdict == Verdict::Mends) {
            good.push_back(fix);
        }
    }
    if (found.fixes.empty() || !good.empty()) {
        explanation = found.explanation;
        blamed = found.blamed;
    }
    if (!good.empty() && !good.front().edits.empty()) { // an operand on a later line of the statement
        const auto& edit = good.front().edits.front();
        blamed = edit.line > root.line.value_or(0) ? std::optional(edit) : std::nullopt;
    }
    return good;
}

bool isAboutVersion(const Diagnostic& said)
{
    return said.message.find("requires PTX ISA .version") != std::string::npos;
}

// Where the target lacks the instruction and cannot be another one, a later .version mends nothing; where the
// fix for the target raises .version too, what is said of versions follows from it.
void foldVersions(std::vector<Diagnostic>& diagnostics)
{
    for (auto& version : diagnostics) {
        if (!version.rootCause || !isError(version) || !version.line || !isAboutVersion(version)) {
            continue;
        }
        const auto titleOf = [](const Diagnostic& one) -> std::string_view {
            return one.fixes.empty() ? std::string_view() : one.fixes.front().title;
        };
        const auto target = std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& one) {
            const bool isTarget = one.message.find("requires .target") != std::string::npos
                || one.message.find("not supported on .target") != std::string::npos;
            const bool isElse = titleOf(one).find(".target") == std::string_view::npos;
            const bool raises = titleOf(one).find(".version") != std::string_view::npos;
            return one.rootCause && isError(one) && isTarget
                && (raises || (one.line == version.line && isElse));
        });
        if (target == diagnostics.end()) {
            continue;
        }
        const bool isAlone = titleOf(*target).find(".version") != std::string_view::npos
            || std::none_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& one) {
                   return one.group == version.group && one.line && one.line != version.line;
               });
        version.fixes.clear();
        if (isAlone) {
            const int group = version.group;
            for (auto& one : diagnostics) {
                if (one.group == group) {
                    one.group = target->group;
                    one.rootCause = false;
                }
            }
        }
    }
}

} // namespace

void proveFixes(std::vector<Diagnostic>& diagnostics, const CauseContext& context, const AskPtxas& ask)
{
    Prover prover(diagnostics, context, ask);
    std::size_t roots = 0;
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
        auto& said = diagnostics[i];
        const bool isOfTool = said.tool == "ptxas" || said.tool == "ptxwb";
        if (!isError(said) || !said.rootCause || !isOfTool || said.file != context.displayName || !said.line
            || ++roots > mostRoots) {
            continue;
        }
        std::string explanation;
        const bool had = !said.fixes.empty();
        std::optional<TextEdit> blamed;
        auto fixes = prover.proven(said, explanation, blamed);
        if (!fixes) {
            continue;
        }
        said.fixes = std::move(*fixes);
        for (auto& fix : said.fixes) {
            fix.tried = true;
        }
        if (!explanation.empty()) {
            const auto before = said.explanation.value_or("");
            const auto start = explanation.substr(0, explanation.find(';'));
            const bool replaces =
                had || before.empty() || before.starts_with(start); // else it speaks of another fix
            said.explanation = replaces ? explanation : fmt::format("{} {}", explanation, before);
        }
        if (blamed && blamed->line == said.line && blamed->endLine == said.line && said.fixes.empty()) {
            said.column = blamed->startColumn;
            said.endColumn = blamed->endColumn;
        } else if (blamed && blamed->line != said.line) {
            auto ours = said;
            ours.tool = "ptxwb";
            ours.line = blamed->line;
            ours.column = blamed->startColumn;
            ours.endColumn =
                blamed->endLine == blamed->line ? std::optional(blamed->endColumn) : std::nullopt;
            ours.explanation = fmt::format("{} The instruction begins in line {}; this operand stands here.",
                ours.explanation.value_or(""), *said.line);
            said.rootCause = false;
            said.fixes.clear();
            diagnostics.insert(diagnostics.begin() + static_cast<std::ptrdiff_t>(i), std::move(ours));
            ++i;
        }
    }
    foldVersions(diagnostics);
}

} // namespace ptxwb::detail
