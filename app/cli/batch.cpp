// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch.h"

#include "app/cli/batch_lines.h"
#include "app/cli/inspected_file.h"
#include "app/cli/place_option.h"
#include "core/evaluation/batch.h"
#include "core/support/files.h"
#include "core/support/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace ptxwb::cli {

namespace {

Result<std::vector<BatchPlace>> placesOf(const BatchOptions& options, const Session& session)
{
    if (options.on == "emulator" || options.on == "none") {
        return std::vector<BatchPlace>{{.where = options.on == "none" ? Where::None : Where::Emulator}};
    }
    std::optional<RunnerEndpoint> elsewhere;
    if (!options.on.empty()) {
        auto place = placeOf(options.on);
        if (!place) {
            return place.error();
        }
        elsewhere = std::move(place->endpoint);
    }
    const auto runner = elsewhere ? Result<RunnerEndpoint>(*elsewhere) : localRunner();
    if (!runner) {
        return runner.error();
    }
    const auto probe = probeRunner(*runner, std::chrono::seconds(20), session.stop);
    if (!probe) {
        return probe.error();
    }
    std::vector<BatchPlace> places;
    if (options.gpus == "all") {
        for (const auto& device : probe->devices) {
            if (device.problem.empty()) {
                places.push_back({.endpoint = elsewhere, .device = device.index});
            }
        }
    } else {
        for (const auto& word : CLI::detail::split(options.gpus, ',')) {
            int index = -1;
            const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), index);
            if (failure != std::errc{} || end != word.data() + word.size() || index < 0) {
                return Error{.code = ErrorCode::InvalidArgument,
                    .message = fmt::format("--gpus: '{}' is no number of a GPU", word),
                    .hint = "all, or numbers with commas: 0,2"};
            }
            if (std::none_of(probe->devices.begin(), probe->devices.end(),
                    [&](const DeviceInfo& device) { return device.index == index; })) {
                return Error{.code = ErrorCode::Unavailable,
                    .message = fmt::format(
                        "--gpus: there is no GPU number {} ({} found)", index, probe->devices.size()),
                    .hint = "`ptxwb doctor` lists them"};
            }
            places.push_back({.endpoint = elsewhere, .device = index});
        }
    }
    if (places.empty()) {
        return Error{.code = ErrorCode::Unavailable,
            .message = probe->problem.empty() ? "no NVIDIA GPU was found" : probe->problem,
            .hint = "--on emulator needs none"};
    }
    return places;
}

bool isHostContract(const std::string& text)
{
    return text.find("TVM_FFI_DLL_EXPORT_TYPED_FUNC") != std::string::npos;
}

/// What the requirements say of a stored or fresh document counts towards the status alike.
int worse(int a, int b)
{
    const auto rank = [](int status) { return status == Holds ? 0 : status == Missing ? 1 : 2; };
    return rank(a) >= rank(b) ? a : b;
}

} // namespace

int runBatchFile(const BatchOptions& options, const Session& session)
{
    auto lines = readBatchLines(options.input, options.task, session);
    if (!lines) {
        return session.fail(lines.error());
    }
    const auto walls = sandboxAvailable();
    const auto settings = fmt::format("{} {} {} {} {} {}", options.paperRule, options.measure, options.on,
        options.target, walls.has_value(), options.unsafeHostCode);
    auto known = options.again ? BatchAnswers{} : readBatchAnswers(options.output);
    if (auto fresh = startBatchAnswers(options.output, known); !fresh) {
        return session.fail(fresh.error());
    }
    if (!walls) {
        session.progress(fmt::format(
            "warning: no sandbox: {}; the candidates' compilers see what you see", describe(walls.error())));
    }
    int status = Holds;
    // Host code of strangers: on the emulator inside the sandbox, nowhere else without being told to.
    const bool wallsHoldHostCode = walls.has_value() && options.on == "emulator";
    const auto isRefused = [&](const std::string& text) {
        return isHostContract(text) && !options.unsafeHostCode && !wallsHoldHostCode;
    };
    std::vector<BatchItem> items;
    std::vector<std::size_t> lineOf;
    for (std::size_t i = 0; i < lines->size(); ++i) {
        auto& line = (*lines)[i];
        line.work = workOf(line, settings);
        const auto found = known.find(line.id);
        if (found != known.end() && found->second.work == line.work && found->second.status != Missing) {
            status = worse(status, found->second.status);
            continue;
        }
        BatchItem item{.id = line.id,
            .request = {.displayName = line.name,
                .text = line.text,
                .directory = line.directory,
                .task = line.task,
                .options = session.passThrough,
                .seed = line.seed != 0 ? line.seed : batchSeed(line.text, line.task.name, line.workload),
                .rule = options.paperRule ? Rule::Paper : Rule::Strict,
                .measure = options.measure,
                .sandboxed = walls.has_value()}};
        if (!line.workload.empty()) {
            item.request.workload = line.workload;
        }
        if (!options.target.empty()) {
            item.request.target = options.target;
        }
        if (isRefused(line.text)) {
            item.request.where = Where::None; // answered below, not run
        }
        items.push_back(std::move(item));
        lineOf.push_back(i);
    }
    session.progress(
        fmt::format("{} lines, {} answered already", lines->size(), lines->size() - items.size()));
    std::ofstream out(options.output, std::ios::app);
    std::size_t done = 0;
    const auto answer = [&](const BatchLine& line, const Result<Evaluation>& result) {
        auto text =
            result ? answerLine(line, *result, options.requirements) : failureLine(line, result.error());
        out << text.document << '\n' << std::flush;
        known[line.id] = {.work = line.work, .status = text.status, .document = std::move(text.document)};
        status = worse(status, text.status);
        session.progress(fmt::format("{} of {}: {}: {}", ++done, items.size(), line.id, text.summary));
    };
    for (std::size_t i = items.size(); i-- > 0;) {
        if (isRefused(items[i].request.text)) {
            answer((*lines)[lineOf[i]],
                Error{.code = ErrorCode::Unsupported,
                    .message = "the candidate brings its own host code, which would run with your rights",
                    .hint = "--on emulator runs it in a sandbox, where one can be had; --unsafe-host-code "
                            "runs it "
                            "anywhere"});
            items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
            lineOf.erase(lineOf.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    if (!items.empty()) {
        const auto places = placesOf(options, session);
        if (!places) {
            return session.fail(places.error());
        }
        const Compiler compiler = makeCompiler();
        runBatch(
            Evaluator(compiler), items, *places,
            [&](std::size_t item, const Result<Evaluation>& result) {
                if (result || result.error().code != ErrorCode::Cancelled) {
                    answer((*lines)[lineOf[item]], result);
                }
            },
            session.stop);
    }
    out.close();
    if (session.stop.stop_requested()) {
        return session.fail({.code = ErrorCode::Cancelled,
            .message = "the batch was cancelled",
            .hint = "the same command goes on where it ended"});
    }
    if (!out) {
        return session.fail({.code = ErrorCode::DiskFull,
            .message = "the answers could not be written",
            .path = options.output});
    }
    if (auto written = writeFileAtomically(options.output, inOrder(*lines, known), session.stop); !written) {
        return session.fail(written.error());
    }
    return session.print(batchSummary(*lines, known, options.output, session.json), status);
}

} // namespace ptxwb::cli
