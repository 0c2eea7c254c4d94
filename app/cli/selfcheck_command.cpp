// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/inspected_file.h"
#include "app/cli/text_report.h"
#include "core/evaluation/evaluator.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Fixed, so that the table is the same everywhere.
constexpr std::uint64_t seed = 20'260'101;
constexpr int hangMs = 3000;

struct Options {
    bool gpu = false;
    int device = 0;
};

/// A row of resources/selfcheck/selfcheck.json, and what became of it.
struct Row {
    std::string name;
    std::string file;
    std::vector<std::string> expected;
    std::optional<SanitizerTool> sanitizer;
    std::optional<double>
        forgedUs; ///< the time that it pretends: being given another, or none, is what agrees
    bool tookForgedTime = false;
    std::string skipped; ///< the part that is missing
    std::string given;
    std::string caughtBy;
    std::string explanation;
    std::string after; ///< verdict of the good candidate behind it

    bool agrees() const
    {
        return std::find(expected.begin(), expected.end(), given) != expected.end() && after == "correct"
            && !tookForgedTime;
    }
};

Result<std::vector<Row>> readRows(const std::filesystem::path& file)
{
    auto text = readFile(file);
    if (!text) {
        return text.error();
    }
    std::vector<Row> rows;
    try {
        const Json document = Json::parse(*text);
        for (const auto& entry : document.at("rows")) {
            Row row;
            row.name = entry.at("name").get<std::string>();
            row.file = entry.value("file", "");
            row.expected = entry.at("expected").get<std::vector<std::string>>();
            row.sanitizer = sanitizerByName(entry.value("sanitizer", ""));
            row.skipped = entry.value("needs", "");
            if (entry.contains("forged_us")) {
                row.forgedUs = entry.at("forged_us").get<double>();
            }
            rows.push_back(std::move(row));
        }
    } catch (const Json::exception& problem) {
        return Error{.code = ErrorCode::BadFormat, .message = problem.what(), .path = file.string()};
    }
    return rows;
}

std::string caughtBy(const Evaluation& e)
{
    if (e.strict && !e.strict->check.empty()) {
        return e.strict->check;
    }
    for (const auto& phase : e.phases) {
        if (phase.state == PhaseState::Failed) {
            return phase.phase == Phase::Extract || phase.phase == Phase::Inspect
                ? "launch plan, before anything runs"
                : fmt::format("phase {}", phaseName(phase.phase));
        }
    }
    return e.verdict == Verdict::Unsupported ? "target check, before anything runs" : "";
}

/// All rows in order, a good candidate before the first and behind each.
class SelfCheck {
public:
    SelfCheck(const Options& options, const Session& session, std::filesystem::path directory, Task task)
        : m_options(options)
        , m_session(session)
        , m_directory(std::move(directory))
        , m_task(std::move(task))
        , m_compiler(makeCompiler())
    {
    }

    Result<void> run(std::vector<Row>& rows)
    {
        auto first = evaluate("good.ptx", {});
        if (!first) {
            return first.error();
        }
        if (first->on != "gpu") {
            return Error{.code = ErrorCode::Unavailable,
                .message = first->onReason.empty() ? first->explanation : first->onReason,
                .hint = "selfcheck --gpu needs a GPU on this machine, its driver and ptxas: `ptxwb doctor`"};
        }
        m_device = first->device;
        m_before = std::string(verdictName(first->verdict));
        m_beforeExplanation = first->explanation;
        for (Row& row : rows) {
            if (!row.skipped.empty()) {
                continue;
            }
            m_session.progress(row.name);
            if (auto done = runRow(row); !done) {
                return done;
            }
        }
        return {};
    }

    const std::optional<DeviceInfo>& device() const { return m_device; }
    const std::string& before() const { return m_before; }
    const std::string& beforeExplanation() const { return m_beforeExplanation; }

private:
    Result<Evaluation> evaluate(const std::string& file, std::vector<SanitizerTool> sanitizers)
    {
        const auto path = m_directory / file;
        auto text = readFile(path);
        if (!text) {
            return text.error();
        }
        EvaluationRequest request{.displayName = file,
            .text = *std::move(text),
            .directory = path.parent_path(),
            .task = m_task,
            .where = Where::Gpu,
            .device = m_options.device,
            .seed = seed,
            .phaseTimeoutMs = hangMs,
            .sanitize = std::move(sanitizers)};
        return Evaluator(m_compiler).evaluate(request, {}, m_session.stop);
    }

    Result<void> runRow(Row& row)
    {
        const auto evaluation =
            evaluate(row.file, row.sanitizer ? std::vector{*row.sanitizer} : std::vector<SanitizerTool>());
        if (!evaluation) {
            return evaluation.error();
        }
        row.given = verdictName(evaluation->verdict);
        row.caughtBy = caughtBy(*evaluation);
        row.explanation = evaluation->explanation;
        if (row.forgedUs) {
            judgeTime(row, *evaluation);
        }
        if (evaluation->contract == "host" && exitStatusOf(evaluation->verdict) == Missing) {
            row.skipped = fmt::format("host contract ({})", evaluation->explanation);
        }
        for (const auto& asked : evaluation->sanitizers) {
            if (!asked.ran) {
                row.skipped =
                    fmt::format("compute-sanitizer {} ({})", sanitizerName(asked.tool), asked.reason);
            }
        }
        const auto good = evaluate("good.ptx", {});
        if (!good) {
            return good.error();
        }
        row.after = verdictName(good->verdict);
        return {};
    }

    // Its result is right: it is its time that must not be taken.
    static void judgeTime(Row& row, const Evaluation& evaluation)
    {
        constexpr double near = 0.2;
        const auto& timing = evaluation.timing;
        if (timing && timing->refused.empty() && !timing->impossible) {
            const auto time = median(timing->candidate.coldUs);
            row.tookForgedTime = time && std::abs(*time - *row.forgedUs) < near * *row.forgedUs;
            row.caughtBy =
                row.tookForgedTime ? "nothing: the forged time was taken" : "its forgery has no effect";
            return;
        }
        row.given += ", no time";
        row.caughtBy = timing && !timing->refused.empty() ? "the runner's own clock" : "roofline floor";
        row.expected = {row.given};
    }

    const Options& m_options;
    const Session& m_session;
    std::filesystem::path m_directory;
    Task m_task;
    Compiler m_compiler;
    std::optional<DeviceInfo> m_device;
    std::string m_before;
    std::string m_beforeExplanation;
};

struct Counts {
    std::size_t agree = 0;
    std::size_t disagree = 0;
    std::size_t skipped = 0;
};

Counts countRows(const std::vector<Row>& rows)
{
    Counts counts;
    for (const Row& row : rows) {
        ++(!row.skipped.empty() ? counts.skipped : row.agrees() ? counts.agree : counts.disagree);
    }
    return counts;
}

std::string titleOf(const std::optional<DeviceInfo>& device)
{
    return device ? fmt::format("{} ({}), driver {}", device->name, device->target, device->driver)
                  : std::string("no device");
}

std::string asText(const std::vector<Row>& rows, const SelfCheck& check, const Counts& counts, double seconds)
{
    std::vector<std::vector<std::string>> cells{
        {"the candidate", "expected", "given", "caught by", "good one after it", ""}};
    std::string remarks;
    for (const Row& row : rows) {
        const auto expected = row.expected.empty() || row.forgedUs
            ? "no false time"
            : fmt::format("{}", fmt::join(row.expected, " or "));
        if (!row.skipped.empty()) {
            cells.push_back({row.name, expected, "-", "-", "-", fmt::format("skipped: {}", row.skipped)});
            continue;
        }
        cells.push_back(
            {row.name, expected, row.given, row.caughtBy, row.after, row.agrees() ? "agrees" : "DISAGREES"});
        if (!row.agrees()) {
            remarks += fmt::format("{}: {}\n", row.name, row.explanation);
        }
    }
    return fmt::format(
        "{}\ngood candidate first: {}\n\n{}\n{}{} agree, {} disagree, {} skipped, in {:.0f} s\n",
        titleOf(check.device()), check.before(), table(cells), remarks, counts.agree, counts.disagree,
        counts.skipped, seconds);
}

Json asJson(const std::vector<Row>& rows, const SelfCheck& check, const Counts& counts, double seconds)
{
    const auto textOrNull = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    Json list = Json::array();
    for (const Row& row : rows) {
        const bool skipped = !row.skipped.empty();
        list.push_back({{"name", row.name}, {"candidate", textOrNull(row.file)}, {"expected", row.expected},
            {"given", skipped ? Json(nullptr) : Json(row.given)},
            {"given_reason", skipped ? Json(fmt::format("skipped: {}", row.skipped)) : Json(nullptr)},
            {"caught_by", skipped ? Json(nullptr) : textOrNull(row.caughtBy)},
            {"explanation", textOrNull(row.explanation)}, {"good_after", textOrNull(row.after)},
            {"agrees", skipped ? Json(nullptr) : Json(row.agrees())}});
    }
    return {{"schema", "ptxwb.selfcheck.v1"},
        {"device",
            {{"name", check.device()->name}, {"target", check.device()->target},
                {"driver", check.device()->driver}}},
        {"seed", seed}, {"good_before", check.before()}, {"rows", std::move(list)}, {"agree", counts.agree},
        {"disagree", counts.disagree}, {"skipped", counts.skipped}, {"seconds", seconds}};
}

int runSelfCheck(const Options& options, const Session& session)
{
    if (!options.gpu) {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = "selfcheck has one part so far, and it is to be asked for",
            .hint = "ptxwb selfcheck --gpu"});
    }
    const auto share = shareDirectory();
    if (!share) {
        return session.fail(share.error());
    }
    const auto directory = *share / "resources" / "selfcheck";
    auto task = loadTask(directory);
    auto rows = readRows(directory / "selfcheck.json");
    if (!task || !rows) {
        return session.fail(task ? rows.error() : task.error());
    }
    const auto begin = Clock::now();
    SelfCheck check(options, session, directory, *std::move(task));
    if (const auto done = check.run(*rows); !done) {
        return session.fail(done.error());
    }
    const std::chrono::duration<double> took = Clock::now() - begin;
    const Counts counts = countRows(*rows);
    const bool wrong = counts.disagree > 0 || check.before() != "correct";
    if (check.before() != "correct") {
        session.progress(fmt::format("the good candidate is not correct: {}", check.beforeExplanation()));
    }
    const int status = wrong ? DoesNotHold : counts.skipped > 0 ? Missing : Holds;
    return session.print(session.json
            ? asJson(*rows, check, counts, took.count()).dump(2, ' ', false, Json::error_handler_t::replace)
                + '\n'
            : asText(*rows, check, counts, took.count()),
        status);
}

} // namespace

RunCommand addSelfCheckCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("selfcheck",
        "Run candidates that are wrong in known ways, each between two good ones, and compare the verdicts. "
        "Exit "
        "status 0: all agree; 1: one does not; 3: parts are missing here and their rows were skipped");
    command->add_flag(
        "--gpu", options->gpu, "The runner, its checks and its timing on a GPU of this machine");
    command->add_option("--device", options->device, "Which GPU, from 0")->check(CLI::Range(0, 1024));
    return [options](const Session& session) { return runSelfCheck(*options, session); };
}

} // namespace ptxwb::cli
