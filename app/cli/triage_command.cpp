// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"

#ifdef PTXWB_HAVE_RECORDS
#include "app/cli/inspected_file.h"
#include "app/cli/triage_report.h"
#include "core/support/files.h"
#include "core/support/sandbox.h"
#include "core/toolchain/compile_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#endif

#include <algorithm>
#include <cctype>
#include <chrono>
#include <memory>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string path;
    std::string target;
    std::string jsonLines;
    std::string cause;
    int jobs = 0;
    bool mustHaveSandbox = false;
};

#ifdef PTXWB_HAVE_RECORDS

using namespace records;

int statusOf(const TriageRun& run)
{
    if (run.stopped) {
        return Interrupted;
    }
    bool missing = false;
    for (const auto& row : run.rows) {
        const bool noTool = row.cause && row.cause->cause == CauseClass::ToolMissing;
        if (row.result != TriageResult::Compiles && !noTool) {
            return DoesNotHold;
        }
        missing = missing || noTool;
    }
    return missing ? Missing : Holds;
}

// A line every few seconds: a run over thousands of answers takes its time.
class Progress {
public:
    explicit Progress(const Session& session)
        : m_session(session)
    {
    }

    void operator()(const TriageProgress& progress)
    {
        m_failed += progress.row->result == TriageResult::DoesNotCompile ? 1 : 0;
        const auto now = std::chrono::steady_clock::now();
        if (now - m_last >= std::chrono::seconds(3)) {
            m_last = now;
            m_session.progress(fmt::format("{} answers, {} of them do not compile; file {} of {}",
                progress.rows, m_failed, progress.filesRead, progress.files));
        }
    }

private:
    const Session& m_session;
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
    int m_failed = 0;
};

bool holdsWord(std::string_view text, std::string_view word)
{
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return !std::ranges::search(text, word, {}, lower, lower).empty() || word.empty();
}

/// By the cause's class, its title, what was said, or what became of the answer.
bool isAbout(const TriageRow& row, std::string_view word)
{
    if (!row.cause) {
        return holdsWord(triageResultName(row.result), word);
    }
    return holdsWord(causeClassName(row.cause->cause), word)
        || holdsWord(causeClassTitle(row.cause->cause), word) || holdsWord(row.cause->message, word)
        || holdsWord(triageResultName(row.result), word);
}

/// "syntax (Syntax) 12, no_code (No code) 3": what --cause can find.
std::string causesHere(const std::vector<TriageRow>& rows)
{
    std::vector<std::string> parts;
    for (const auto& counted : countCauses(rows)) {
        parts.push_back(fmt::format(
            "{} ({}) {}", causeClassName(counted.cause), causeClassTitle(counted.cause), counted.answers));
    }
    return parts.empty() ? "no answer has a cause: all compile"
                         : fmt::format("there are: {}", fmt::join(parts, ", "));
}

std::optional<Error> nothingToDo(const TriageRun& run, const std::string& path)
{
    if (!run.rows.empty() || run.stopped) {
        return std::nullopt;
    }
    return Error{.code = ErrorCode::NotFound,
        .message = run.files.otherFiles > 0 ? fmt::format(
                       "no answers are here; {} files of other kinds were passed over", run.files.otherFiles)
                                            : "no answers are here: it is empty",
        .hint = "wanted: .ptx, .cu, Markdown with code blocks, trajectories (.json), or JSON lines with "
                "\"answer\" or \"messages\"",
        .path = path};
}

std::optional<Error> withoutCompiler(const Toolchain& toolchain)
{
    if (toolchain.ptxas || toolchain.nvcc) {
        return std::nullopt;
    }
    return Error{.code = ErrorCode::MissingTool,
        .message = "neither ptxas nor nvcc is here",
        .hint = howToGet(ToolKind::Ptxas)};
}

int runTriageCommand(const Options& options, const Session& session)
{
    auto files = findAnswerFiles(options.path, session.stop);
    if (!files) {
        return session.fail(files.error());
    }
    const Compiler compiler = makeCompiler();
    if (const auto missing = withoutCompiler(compiler.toolchain())) {
        return session.fail(*missing);
    }
    if (!options.target.empty()) {
        const auto known = chooseTarget({.asked = options.target, .known = compiler.toolchain().targets});
        if (!known) {
            return session.fail(known.error());
        }
    }
    TriageSettings settings{
        .options = session.passThrough, .sassCache = userCacheDirectory() / "sass", .root = options.path};
    if (!options.target.empty()) {
        settings.target = options.target;
    }
    const auto walls = sandboxAvailable();
    if (!walls && options.mustHaveSandbox) {
        return session.fail(walls.error());
    }
    if (!walls) {
        session.progress(fmt::format(
            "answers are compiled without walls, and a compiler prints what they include: {} ({})",
            walls.error().message, walls.error().hint));
    }
    settings.sandboxed = walls.has_value();
    std::optional<TriageLog> log;
    if (!options.jsonLines.empty()) {
        auto opened = TriageLog::open(options.jsonLines);
        if (!opened) {
            return session.fail(opened.error());
        }
        log.emplace(*std::move(opened));
        if (log->repaired()) {
            session.progress(fmt::format("{}: a torn last line was cut off", options.jsonLines));
        }
        if (log->badLines() > 0) {
            session.progress(fmt::format("{}: {} lines hold no row", options.jsonLines, log->badLines()));
        }
    }
    Progress progress(session);
    auto run = runTriage(
        AnswerSource(*std::move(files)), settings, compiler, options.jobs, log ? &*log : nullptr,
        [&](const TriageProgress& now) { progress(now); }, session.stop);
    if (!run) {
        return session.fail(run.error());
    }
    if (const auto empty = nothingToDo(*run, options.path)) {
        return session.fail(*empty);
    }
    const int status = statusOf(*run);
    if (!options.cause.empty()) {
        const auto all = run->rows.size();
        const auto here = causesHere(run->rows);
        std::erase_if(run->rows, [&](const TriageRow& row) { return !isAbout(row, options.cause); });
        session.progress(fmt::format(
            "{} of {} answers are about '{}'; the rest is not shown", run->rows.size(), all, options.cause));
        if (run->rows.empty()) {
            session.progress(here);
        }
    }
    constexpr std::size_t terminalColumns = 100;
    const auto columns = ::isatty(STDOUT_FILENO) != 0 ? std::optional(terminalColumns) : std::nullopt;
    return session.print(session.json ? toJson(*run) : triageReport(*run, columns), status);
}

#else

int runTriageCommand(const Options&, const Session& session)
{
    return session.fail({.code = ErrorCode::Unsupported,
        .message = "this ptxwb was built without cmark, by which answers are taken apart",
        .hint = "install libcmark-dev and build again"});
}

#endif

} // namespace

RunCommand addTriageCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "triage", "A folder of answers or trajectories: what compiles, and why the rest does not");
    command
        ->add_option("PATH", options->path,
            "A folder, or one file (.ptx, .cu, .md, .json, .jsonl). In a folder, links to files are read "
            "wherever they "
            "lead; links to folders are counted, not followed")
        ->required();
    command->add_option("--target", options->target, "e.g. sm_90a; default: as for compile");
    command->add_option("--jsonl", options->jsonLines,
        "Append a line for each answer as it is done; what the file has already is not done again");
    command->add_option("--cause", options->cause,
        "Show only answers whose cause (class, title or message) or result holds this word");
    command->add_flag("--sandbox", options->mustHaveSandbox,
        "Fail where there is no sandbox; without this, answers are compiled in one where there is one");
    command->add_option("--jobs", options->jobs, "Answers at a time (default: one a core)")
        ->check(CLI::Range(1, 256));
    return [options](const Session& session) { return runTriageCommand(*options, session); };
}

} // namespace ptxwb::cli
