// SPDX-License-Identifier: Apache-2.0
#include "app/cli/history_report.h"

#include "app/cli/text_report.h"
#include "core/evaluation/evaluation.h"
#include "core/records/history.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;
using records::History;
using records::HistoryEntry;

Json orNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json rowJson(const HistoryEntry& entry)
{
    return {{"id", entry.id}, {"made_utc", entry.madeUtc}, {"candidate", entry.candidatePath},
        {"candidate_sha256", entry.candidateSha256}, {"task", entry.task}, {"workload", entry.workload},
        {"target", entry.target}, {"on", entry.on},
        {"device", entry.device.empty() ? Json(nullptr) : Json(entry.device)}, {"verdict", entry.verdict},
        {"speedup", orNull(entry.speedup)}, {"cold_median_us", orNull(entry.coldMedianUs)},
        {"ptxwb", entry.productVersion}};
}

std::string dumped(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string cell(const std::optional<double>& value, const char* format)
{
    return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

int list(const HistoryOptions& options, const History& history, const Session& session)
{
    const auto entries =
        history.list({.task = options.task, .candidate = options.candidate, .limit = options.limit});
    if (!entries) {
        return session.fail(entries.error());
    }
    if (session.json) {
        Json rows = Json::array();
        for (const auto& entry : *entries) {
            rows.push_back(rowJson(entry));
        }
        return session.print(dumped({{"schema", "ptxwb.history.v1"}, {"evaluations", rows}}), Holds);
    }
    if (entries->empty()) {
        return session.print("no evaluations\n", Holds);
    }
    std::vector<std::vector<std::string>> rows{
        {"id", "made (UTC)", "candidate", "task", "workload", "on", "verdict", "speed-up", "cold us"}};
    for (const auto& e : *entries) {
        rows.push_back({std::to_string(e.id), e.madeUtc, e.candidatePath, e.task, e.workload,
            e.device.empty() ? e.on : e.device, e.verdict, cell(e.speedup, "{:.3f}"),
            cell(e.coldMedianUs, "{:.1f}")});
    }
    return session.print(table(rows), Holds);
}

Result<HistoryEntry> entryNamed(const History& history, const std::string& word)
{
    std::int64_t id = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (failure != std::errc{} || end != word.data() + word.size()) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("'{}' is no number of an evaluation", word),
            .hint = "`ptxwb history` lists them"};
    }
    return history.entry(id);
}

int show(const History& history, const std::string& word, const Session& session)
{
    const auto entry = entryNamed(history, word);
    if (!entry) {
        return session.fail(entry.error());
    }
    if (session.json) {
        return session.print(entry->document, Holds);
    }
    const auto evaluation = evaluationFromJson(entry->document);
    if (!evaluation) {
        return session.fail(evaluation.error());
    }
    std::string text = fmt::format("evaluation {} of {}\n", entry->id, entry->madeUtc);
    if (const auto blobs = history.blobs(entry->id)) {
        for (const auto& blob : *blobs) {
            text += fmt::format("{}: {} bytes, sha256 {}\n", blob.kind, blob.bytes.size(), blob.sha256);
        }
    }
    return session.print(text + evaluationReport(*evaluation), Holds);
}

int source(const History& history, const std::string& word, const Session& session)
{
    const auto entry = entryNamed(history, word);
    const auto blobs =
        entry ? history.blobs(entry->id) : Result<std::vector<records::HistoryBlob>>(entry.error());
    if (!blobs) {
        return session.fail(blobs.error());
    }
    for (const auto& blob : *blobs) {
        if (blob.kind == "source") {
            return session.json
                ? session.print(dumped({{"schema", "ptxwb.history.source.v1"}, {"id", entry->id},
                                    {"sha256", blob.sha256}, {"source", blob.bytes}}),
                    Holds)
                : session.print(blob.bytes, Holds);
        }
    }
    return session.fail({.code = ErrorCode::NotFound, .message = "the evaluation has no source"});
}

std::string change(const std::optional<double>& a, const std::optional<double>& b)
{
    return a && b && *a != 0 ? fmt::format("{:+.2f} %", (*b / *a - 1) * 100) : "-";
}

std::optional<double> mostRegisters(const Evaluation& e)
{
    std::optional<double> most;
    for (const auto& kernel : e.kernels) {
        if (kernel.registers) {
            most = std::max(most.value_or(0), static_cast<double>(*kernel.registers));
        }
    }
    return most;
}

int compare(const History& history, const std::vector<std::string>& words, const Session& session)
{
    std::vector<HistoryEntry> entries;
    std::vector<Evaluation> evaluations;
    for (const auto& word : words) {
        auto entry = entryNamed(history, word);
        if (!entry) {
            return session.fail(entry.error());
        }
        auto evaluation = evaluationFromJson(entry->document);
        if (!evaluation) {
            return session.fail(evaluation.error());
        }
        entries.push_back(*std::move(entry));
        evaluations.push_back(*std::move(evaluation));
    }
    const auto& a = entries[0];
    const auto& b = entries[1];
    // Two times of two days are not paired: clocks and neighbours differ.
    std::string caution =
        "the times were taken in different runs; `ptxwb bench` compares two versions side by side";
    if (a.task != b.task || a.workload != b.workload || a.device != b.device || a.on != b.on) {
        caution = "not of the same task, workload and device: the times do not compare";
    }
    if (session.json) {
        return session.print(
            dumped({{"schema", "ptxwb.history.compare.v1"}, {"a", rowJson(a)}, {"b", rowJson(b)},
                {"same_source", a.candidateSha256 == b.candidateSha256}, {"caution", caution}}),
            Holds);
    }
    std::vector<std::vector<std::string>> rows{
        {"", fmt::format("evaluation {}", a.id), fmt::format("evaluation {}", b.id), "change"}};
    const auto words2 = [&](const char* name, const std::string& x, const std::string& y) {
        rows.push_back({name, x, y, x == y ? "same" : "differs"});
    };
    words2("candidate", a.candidatePath, b.candidatePath);
    words2("source", a.candidateSha256.substr(0, 16), b.candidateSha256.substr(0, 16));
    words2("task", a.task, b.task);
    words2("workload", a.workload, b.workload);
    words2("on", a.device.empty() ? a.on : a.device, b.device.empty() ? b.on : b.device);
    words2("verdict", a.verdict, b.verdict);
    rows.push_back({"cold median, us", cell(a.coldMedianUs, "{:.2f}"), cell(b.coldMedianUs, "{:.2f}"),
        change(a.coldMedianUs, b.coldMedianUs)});
    rows.push_back(
        {"speed-up", cell(a.speedup, "{:.4f}"), cell(b.speedup, "{:.4f}"), change(a.speedup, b.speedup)});
    const auto registersA = mostRegisters(evaluations[0]);
    const auto registersB = mostRegisters(evaluations[1]);
    rows.push_back({"registers", cell(registersA, "{:.0f}"), cell(registersB, "{:.0f}"),
        change(registersA, registersB)});
    return session.print(table(rows) + caution + '\n', Holds);
}

int exportAll(const HistoryOptions& options, const History& history, const Session& session)
{
    const auto entries =
        history.list({.task = options.task, .candidate = options.candidate, .limit = options.limit});
    if (!entries) {
        return session.fail(entries.error());
    }
    std::string lines;
    for (auto row = entries->rbegin(); row != entries->rend(); ++row) {
        const auto whole = history.entry(row->id);
        const auto blobs = history.blobs(row->id);
        if (!whole || !blobs) {
            return session.fail(whole ? blobs.error() : whole.error());
        }
        Json line{{"schema", "ptxwb.history.line.v1"}, {"id", row->id}, {"source", nullptr},
            {"artefacts", Json::array()}, {"evaluation", Json::parse(whole->document, nullptr, false)}};
        for (const auto& blob : *blobs) {
            if (blob.kind == "source") {
                line["source"] = blob.bytes;
            } else {
                line["artefacts"].push_back({{"kind", blob.kind}, {"sha256", blob.sha256}});
            }
        }
        lines += line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    }
    if (options.output.empty()) {
        return session.print(lines, Holds);
    }
    if (auto written = writeFileAtomically(options.output, lines, session.stop); !written) {
        return session.fail(written.error());
    }
    return session.print(session.json
            ? dumped({{"schema", "ptxwb.history.export.v1"}, {"path", options.output},
                {"evaluations", entries->size()}})
            : fmt::format("{} evaluations written to {}\n", entries->size(), options.output),
        Holds);
}

} // namespace

int runHistory(const HistoryOptions& options, const std::filesystem::path& file, const Session& session)
{
    const std::size_t wanted = options.action == "compare"       ? 2
        : options.action == "show" || options.action == "source" ? 1
                                                                 : 0;
    if (options.arguments.size() != wanted) {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = fmt::format("history {} takes {} number{} of evaluations, not {}", options.action,
                wanted, wanted == 1 ? "" : "s", options.arguments.size()),
            .hint = "`ptxwb history` lists them"});
    }
    std::error_code failed;
    if (!std::filesystem::exists(file, failed) && wanted == 0 && options.action == "list") {
        return session.print(session.json
                ? dumped({{"schema", "ptxwb.history.v1"}, {"evaluations", Json::array()}})
                : std::string("no evaluations\n"),
            Holds);
    }
    const auto history = History::open(file);
    if (!history) {
        return session.fail(history.error());
    }
    if (options.action == "list") {
        return list(options, *history, session);
    }
    if (options.action == "show") {
        return show(*history, options.arguments[0], session);
    }
    if (options.action == "source") {
        return source(*history, options.arguments[0], session);
    }
    return options.action == "compare" ? compare(*history, options.arguments, session)
                                       : exportAll(options, *history, session);
}

} // namespace ptxwb::cli
