// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/inspected_file.h"
#include "app/cli/place_option.h"
#include "app/cli/run_on_gpu.h"
#include "app/cli/run_output.h"
#include "app/cli/seed_option.h"
#include "app/cli/source_file.h"
#include "app/cli/text_report.h"
#include "core/evaluation/run_json.h"
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
    std::string sums = "fp32";
    int limitSeconds = 60;
    std::string target;
    bool noMeasure = false;
    bool compare = false;
    std::vector<std::string> dumps;
};

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
    const auto place = placeOf(options.on);
    if (!place) {
        return session.fail(place.error());
    }
    if (place->where == Where::None) {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = "--on none runs nothing",
            .hint = "`ptxwb compile` checks a file without running it"});
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
    if (place->where == Where::Gpu) {
        return runOnGpu({.source = *source,
                            .language = *language,
                            .place = *place,
                            .target = options.target,
                            .seed = *seed,
                            .limitSeconds = options.limitSeconds,
                            .measure = !options.noMeasure,
                            .compareWithEmulator = options.compare,
                            .dumps = *dumps},
            session);
    }
    const auto emulated = sourceToEmulate(*source, *language, session);
    if (!emulated) {
        return session.fail(emulated.error());
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
        emulator::runPlan({.text = emulated->ptx,
                              .planText = source->bytes,
                              .execute = emulated->execute,
                              .displayName = source->displayName,
                              .directory = source->directory,
                              .seed = *seed,
                              .seeds = options.seeds,
                              .measuredSums = options.sums == "h200",
                              .limits = {.wall = std::chrono::seconds(options.limitSeconds)}},
            progress, session.stop);
    if (!outcome) {
        return session.fail(outcome.error());
    }
    if (auto written = writeDumps(*dumps, outcome->outputs, session); !written) {
        return session.fail(written.error());
    }
    const int status =
        outcome->verdict == Verdict::Unverified ? static_cast<int>(Holds) : exitStatusOf(outcome->verdict);
    if (session.json) {
        RunDescription description{.candidatePath = source->displayName,
            .candidateSha256 = sha256Hex(source->bytes),
            .target = targetOf(emulated->ptx),
            .seed = *seed};
        for (const auto& dump : *dumps) {
            description.dumps.emplace_back(dump.tensor, dump.file);
        }
        return session.print(toJson(description, *outcome), status);
    }
    std::string text;
    for (const auto& output : outcome->outputs) {
        text += outputText(output, "between schedules");
    }
    if (outcome->end != emulator::EmulatorEnd::Completed && !outcome->outputs.empty()) {
        text +=
            fmt::format("    as the run that ended early left it ({})\n", emulator::endName(outcome->end));
    }
    if (!outcome->printed.empty()) {
        text += fmt::format(
            "the kernel printed:\n{}{}", outcome->printed, outcome->printed.back() == '\n' ? "" : "\n");
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
        "Run any kernel whose launch plan declares its tensors: on the CPU under three schedules, or on a "
        "GPU, "
        "where it is timed too. "
        "Exit status 0: nothing was reported (which is no proof); 1: something was");
    command->add_option("FILE", options->file, "A .ptx or .cu file with a launch plan; - is stdin")
        ->required();
    command->add_option("--on", options->on, "emulator (also: auto), gpu, gpu:N, ssh:HOST, exec:'COMMAND'")
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Of random tensors and of the random schedule")
        ->capture_default_str();
    command->add_option("--seeds", options->seeds, "Random schedules to try, from --seed on")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command
        ->add_option("--sums", options->sums,
            "How the emulator adds in mma and wgmma: fp32, or h200: in every bit as measured there, slower")
        ->check(CLI::IsMember({"fp32", "h200"}))
        ->capture_default_str();
    command
        ->add_option(
            "--limit", options->limitSeconds, "Seconds that one schedule, or one call on a GPU, may take")
        ->check(CLI::Range(1, 86400))
        ->capture_default_str();
    command->add_option("--target", options->target, "On a GPU, e.g. sm_90a");
    command->add_flag("--no-measure", options->noMeasure, "On a GPU: do not time it");
    command->add_flag(
        "--compare-emulator", options->compare, "On a GPU: emulate it too, and say how the outputs compare");
    command->add_option("--dump", options->dumps,
        "TENSOR=FILE.npy: write what an output holds; bfloat16 and 8-bit floats become float32");
    return [options](const Session& session) { return runRun(*options, session); };
}

} // namespace ptxwb::cli
