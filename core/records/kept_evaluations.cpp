// SPDX-License-Identifier: Apache-2.0
#include "core/records/kept_evaluations.h"

#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/support/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace ptxwb::records {

namespace {

constexpr int somethingMissing = 3; // of exitStatusOf()

} // namespace

std::filesystem::path historyFile()
{
    const char* named = std::getenv("PTXWB_HISTORY");
    return named != nullptr && *named != '\0' ? std::filesystem::path(named)
                                              : userDataDirectory() / "history.sqlite";
}

std::string workOf(const EvaluationRequest& request, const Evaluation& begun)
{
    // A seed of its own is drawn for each run: the work is the same.
    const auto definition = readFile(request.task.directory / "task.json");
    const auto& own = request.baseline;
    const bool includes = request.text.find("#include \"") != std::string::npos
        || (own && own->text.find("#include \"") != std::string::npos)
        || std::any_of(request.options.begin(), request.options.end(),
            [](const std::string& option) { return option.starts_with("-I"); });
    // Stored tensors and an interpreter's torch may change beside an unchanged definition.
    const bool isOutside = request.task.oracle.name == "stored" || request.task.oracle.name == "python";
    if (includes || isOutside || !definition) {
        return {};
    }
    std::vector<std::string> sanitizers;
    for (const auto tool : request.sanitize) {
        sanitizers.push_back(std::to_string(static_cast<int>(tool)));
    }
    const auto& device = begun.device;
    return sha256Hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{} {} {} {}\n{}\n{}\n{}\n{} {} {} {}\n{}\n{}",
        productVersion(), begun.candidateSha256, begun.task, sha256Hex(*definition), begun.workload.uuid,
        fmt::join(begun.axes, " "), begun.on, device ? device->name : "", device ? device->driver : "",
        begun.host.value_or(""), request.target.value_or(""), fmt::join(request.options, "\n"),
        fmt::join(sanitizers, " "), request.rule == Rule::Paper, request.measure, request.profile,
        request.sandboxed, request.seed,
        (request.task.oracle.name.empty() ? "no oracle\n" : std::string())
            + (request.measuredSums ? "sums as an H200\n" : "")
            + (own ? sha256Hex(own->text) + "\n" : std::string())));
}

std::optional<KnownEvaluation> findEvaluation(const std::filesystem::path& file, const std::string& work)
{
    std::error_code failed;
    if (work.empty() || !std::filesystem::exists(file, failed)) {
        return std::nullopt;
    }
    const auto history = History::open(file);
    if (!history) {
        return std::nullopt;
    }
    auto entry = history->find(work);
    if (!entry || !*entry) {
        return std::nullopt;
    }
    auto evaluation = evaluationFromJson((*entry)->document);
    // What could not be done then may be possible now.
    if (!evaluation || exitStatusOf(evaluation->verdict) == somethingMissing) {
        return std::nullopt;
    }
    return KnownEvaluation{.entry = **std::move(entry), .evaluation = *std::move(evaluation)};
}

Result<std::int64_t> keepEvaluation(const std::filesystem::path& file, const Evaluation& e,
    const std::string& source, const std::string& work)
{
    auto history = History::open(file);
    if (!history) {
        return history.error();
    }
    std::vector<HistoryBlob> blobs{{.kind = "source", .sha256 = e.candidateSha256, .bytes = source}};
    for (const auto& artefact : e.artefacts) {
        if (artefact.kind != "source") {
            blobs.push_back({.kind = artefact.kind, .sha256 = artefact.sha256, .bytes = artefact.bytes});
        }
    }
    const auto* leading = leadingBaseline(e);
    return history->add(
        {.work = work,
            .madeUtc = e.madeUtc,
            .candidatePath = e.candidatePath,
            .candidateSha256 = e.candidateSha256,
            .task = e.task,
            .workload = e.workload.name(),
            .target = e.target,
            .on = e.on,
            .device = e.device ? e.device->name : std::string(),
            .verdict = std::string(verdictName(e.verdict)),
            .speedup = leading == nullptr ? std::nullopt : std::optional(leading->speedup->ratio),
            .coldMedianUs = e.timing ? median(e.timing->candidate.coldUs) : std::nullopt,
            .productVersion = e.productVersion,
            .document = toJson(e)},
        blobs);
}

Result<KeptEvaluation> keptEvaluation(const std::filesystem::path& file, std::int64_t id)
{
    const auto history = History::open(file);
    if (!history) {
        return history.error();
    }
    const auto entry = history->entry(id);
    if (!entry) {
        return entry.error();
    }
    auto evaluation = evaluationFromJson(entry->document);
    if (!evaluation) {
        return evaluation.error();
    }
    auto blobs = history->blobs(id);
    if (!blobs) {
        return blobs.error();
    }
    KeptEvaluation kept{.evaluation = *std::move(evaluation)};
    for (auto& blob : *blobs) {
        if (blob.kind == "source") {
            kept.source = std::move(blob.bytes);
        }
    }
    return kept;
}

} // namespace ptxwb::records
