// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/seed_option.h"
#include "app/cli/source_file.h"
#include "app/cli/text_report.h"
#include "core/bench/npy.h"
#include "core/evaluation/run_json.h"
#include "core/support/files.h"
#include "core/support/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string file;
    std::string on = "emulator";
    std::string seed = "1";
    int seeds = 1;
    int limitSeconds = 60;
    std::vector<std::string> dumps;
};

struct Dump {
    std::string tensor;
    std::string file;
};

Result<std::vector<Dump>> dumpsOf(const std::vector<std::string>& words, const std::string& input)
{
    std::vector<Dump> dumps;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("--dump '{}' is not understood", word),
                .hint = "--dump TENSOR=FILE.npy"};
        }
        dumps.push_back({word.substr(0, equals), word.substr(equals + 1)});
        if (auto kept = keepsInput(input, dumps.back().file); !kept) {
            return kept.error();
        }
    }
    return dumps;
}

Result<void> writeDumps(
    const std::vector<Dump>& dumps, const emulator::PlanRunOutcome& outcome, const Session& session)
{
    for (const auto& dump : dumps) {
        const auto found = std::find_if(outcome.outputs.begin(), outcome.outputs.end(),
            [&](const auto& output) { return output.name == dump.tensor; });
        if (found == outcome.outputs.end()) {
            std::vector<std::string> names;
            for (const auto& output : outcome.outputs) {
                names.push_back(output.name);
            }
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("--dump {}: the plan has no such output", dump.tensor),
                .hint = names.empty() ? std::string("give a tensor \"role\": \"output\"")
                                      : fmt::format("outputs: {}", fmt::join(names, ", "))};
        }
        if (auto written = writeFileAtomically(dump.file, npyBytes(found->type, found->bytes), session.stop);
            !written) {
            return written.error();
        }
        session.progress(fmt::format("{} written to {}", dump.tensor, dump.file));
    }
    return {};
}

std::string valueText(double value)
{
    if (std::isnan(value)) {
        return "NaN"; // its sign says nothing
    }
    return fmt::format("{:.9g}", value);
}

std::string outputText(const emulator::TensorContent& output)
{
    std::vector<std::string> head;
    for (const double value : output.head) {
        head.push_back(valueText(value));
    }
    std::string text = fmt::format("{}: {} [{}], min {}, max {}, {} NaN, sha256 {}\n    {}{}\n", output.name,
        dtypeName(output.type.dtype), fmt::join(output.type.shape, ", "),
        output.min ? valueText(*output.min) : "-", output.max ? valueText(*output.max) : "-", output.nanCount,
        output.sha256.substr(0, 16), fmt::join(head, " "),
        static_cast<std::size_t>(output.type.elements()) > head.size() ? " ..." : "");
    if (output.unwrittenCount.value_or(0) != 0) {
        text += fmt::format(
            "    {} of {} elements were not written\n", *output.unwrittenCount, output.type.elements());
    }
    if (output.difference) {
        text +=
            fmt::format("    differs between schedules by {:.3g} (normwise, relative)\n", *output.difference);
    }
    return text;
}

std::string targetOf(std::string_view ptx)
{
    const auto at = ptx.find("\n.target ");
    if (at == std::string_view::npos) {
        return {};
    }
    const auto word = ptx.substr(at + 9);
    return std::string(word.substr(0, word.find_first_of(" ,\t\r\n")));
}

int runRun(const Options& options, const Session& session)
{
    const auto seed = seedOf(options.seed);
    if (!seed) {
        return session.fail(seed.error());
    }
    if (options.on != "emulator" && options.on != "auto") {
        return session.fail({.code = ErrorCode::Unsupported,
            .message = fmt::format("run --on {} is not part of this version", options.on),
            .hint = "--on emulator; `ptxwb eval --task` runs on a GPU"});
    }
    const auto dumps = dumpsOf(options.dumps, options.file);
    if (!dumps) {
        return session.fail(dumps.error());
    }
    const auto source = readSource(options.file, session);
    if (!source) {
        return session.fail(source.error());
    }
    const auto language = languageOfSource(*source);
    if (!language) {
        return session.fail(language.error());
    }
    if (*language != Language::Ptx) {
        return session.fail({.code = ErrorCode::Unsupported,
            .message = "the emulator runs PTX",
            .hint = "`ptxwb ptx FILE.cu` gives the PTX of a CUDA source; put the plan into it",
            .path = source->displayName});
    }
    int tenth = -1;
    const auto progress = [&](std::uint64_t done, std::uint64_t total) {
        const auto now = total > 0 ? static_cast<int>(done * 10 / total) : 0;
        if (now != tenth && total > 64) {
            tenth = now;
            session.progress(fmt::format("run: {} of {} CTAs", done, total));
        }
    };
    const auto outcome =
        emulator::runPlan({.text = source->bytes,
                              .displayName = source->displayName,
                              .directory = source->directory,
                              .seed = *seed,
                              .seeds = options.seeds,
                              .limits = {.wall = std::chrono::seconds(options.limitSeconds)}},
            progress, session.stop);
    if (!outcome) {
        return session.fail(outcome.error());
    }
    if (auto written = writeDumps(*dumps, *outcome, session); !written) {
        return session.fail(written.error());
    }
    const int status =
        outcome->verdict == Verdict::Unverified ? static_cast<int>(Holds) : exitStatusOf(outcome->verdict);
    if (session.json) {
        RunDescription description{.candidatePath = source->displayName,
            .candidateSha256 = sha256Hex(source->bytes),
            .target = targetOf(source->bytes),
            .seed = *seed};
        for (const auto& dump : *dumps) {
            description.dumps.emplace_back(dump.tensor, dump.file);
        }
        return session.print(toJson(description, *outcome), status);
    }
    std::string text;
    for (const auto& output : outcome->outputs) {
        text += outputText(output);
    }
    if (outcome->end != emulator::EmulatorEnd::Completed && !outcome->outputs.empty()) {
        text +=
            fmt::format("    as the run that ended early left it ({})\n", emulator::endName(outcome->end));
    }
    text += reportLines(outcome->reports);
    text += fmt::format("schedules: {} ({} runs), seed {}\nverdict: {} - {}\n",
        fmt::join(outcome->schedules.policies, ", "), outcome->schedules.runs, *seed,
        verdictName(outcome->verdict), outcome->explanation);
    return session.print(text, status);
}

} // namespace

RunCommand addRunCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("run",
        "Run any PTX kernel whose launch plan declares its tensors, on the CPU, under three schedules. "
        "Exit status 0: nothing was reported (which is no proof); 1: something was");
    command->add_option("FILE", options->file, "A .ptx file with a launch plan; - is stdin")->required();
    command->add_option("--on", options->on, "emulator")->capture_default_str();
    command->add_option("--seed", options->seed, "Of random tensors and of the random schedule")
        ->capture_default_str();
    command->add_option("--seeds", options->seeds, "Random schedules to try, from --seed on")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--limit", options->limitSeconds, "Seconds that one schedule may take")
        ->check(CLI::Range(1, 86400))
        ->capture_default_str();
    command->add_option("--dump", options->dumps,
        "TENSOR=FILE.npy: write what an output holds; bfloat16 and 8-bit floats become float32");
    return [options](const Session& session) { return runRun(*options, session); };
}

} // namespace ptxwb::cli
