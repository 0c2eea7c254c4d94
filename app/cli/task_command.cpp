// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/new_task.h"
#include "app/cli/source_file.h"
#include "core/bench/task.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string action;
    NewTask task;
    std::string directory;
    std::string reference;
};

/// One answer from the terminal; an empty one takes what is given.
std::string ask(const std::string& question, const std::string& otherwise)
{
    std::cerr << question << (otherwise.empty() ? ": " : fmt::format(" [{}]: ", otherwise)) << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer.empty() ? otherwise : answer;
}

std::vector<std::string> askAll(const std::string& question)
{
    std::vector<std::string> answers;
    for (auto answer = ask(question, ""); !answer.empty(); answer = ask("another (Enter: none)", "")) {
        answers.push_back(std::move(answer));
    }
    return answers;
}

/// Asks for what the options do not say, on a terminal only.
void askForTheRest(NewTask& task)
{
    if (task.axes.empty()) {
        task.axes = askAll("axis: a name (a workload sets it) or NAME=VALUE (the same in every workload)");
    }
    if (task.inputs.empty()) {
        task.inputs = askAll("input tensor NAME:DTYPE:AXIS,AXIS, e.g. A:bfloat16:M,K");
    }
    if (task.outputs.empty()) {
        task.outputs = askAll("output tensor NAME:DTYPE:AXIS,AXIS");
    }
    if (task.workloads.empty()) {
        task.workloads =
            askAll("workload AXIS=SIZE,AXIS=SIZE; append :TAG to name it (paper is the default on a GPU)");
    }
    if (task.oracle.empty()) {
        task.oracle =
            ask("oracle: gemm_nt, attention_forward, candidate:FILE, stored:FOLDER, or none", "none");
    }
    if (task.flops.empty()) {
        task.flops = ask("operations of one call, e.g. 2*M*N*K (Enter: not told)", "");
    }
    if (task.bytes.empty()) {
        task.bytes = ask("least bytes to and from memory, e.g. 2*(M*K + N*K + M*N) (Enter: not told)", "");
    }
}

int runTask(Options options, const Session& session)
{
    NewTask& task = options.task;
    const bool incomplete = task.axes.empty() || task.outputs.empty() || task.workloads.empty();
    if (incomplete && ::isatty(STDIN_FILENO) != 0 && !session.json) {
        askForTheRest(task);
    }
    const std::filesystem::path directory = options.directory.empty() ? task.name : options.directory;
    std::error_code failed;
    if (std::filesystem::exists(directory / "task.json", failed)) {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = "there is a task already; nothing was changed",
            .hint = "-o names another folder",
            .path = (directory / "task.json").string()});
    }
    if (task.oracle.starts_with("candidate:")) {
        const auto oracle = readSource(task.oracle.substr(10), session);
        if (!oracle) {
            return session.fail(oracle.error());
        }
        task.oracleText = oracle->bytes;
    }
    if (!options.reference.empty()) {
        const auto reference = readSource(options.reference, session);
        if (!reference) {
            return session.fail(reference.error());
        }
        task.referenceText = reference->bytes;
    }
    const auto files = filesOf(task);
    if (!files) {
        return session.fail(files.error());
    }
    std::filesystem::create_directories(directory, failed);
    for (const auto& [name, text] : *files) {
        if (auto written = writeFileAtomically(directory / name, text, session.stop); !written) {
            return session.fail(written.error());
        }
    }
    const auto loaded = loadTask(directory);
    if (!loaded) {
        // What was written cannot be read: nothing of it is left.
        for (const auto& [name, text] : *files) {
            std::filesystem::remove(directory / name, failed);
        }
        std::filesystem::remove(directory, failed);
        return session.fail(loaded.error());
    }
    session.progress(loaded->oracle.name.empty() ? "without an oracle a candidate's verdict is unverified "
                                                   "(exit status 3; 0 with --allow-unverified)"
                                                 : fmt::format("oracle: {}", loaded->oracle.name));
    return session.print(newTaskReport(*loaded, directory.string(), session.json), Holds);
}

} // namespace

RunCommand addTaskCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("task",
        "task new NAME: a task of your own, a folder with task.json and workloads.jsonl that --task takes. "
        "On a "
        "terminal it asks for what the options do not say");
    command->add_option("ACTION", options->action, "new")->required()->check(CLI::IsMember({"new"}));
    command->add_option("NAME", options->task.name, "Letters, digits and _")->required();
    command->add_option("--axis", options->task.axes, "M (set by each workload), or N=7168; repeat it");
    command->add_option("--input", options->task.inputs, "NAME:DTYPE:AXIS,AXIS; repeat it");
    command->add_option("--tensor-output", options->task.outputs, "NAME:DTYPE:AXIS,AXIS; repeat it");
    command->add_option("--workload", options->task.workloads, "M=4096 or M=4096:paper; repeat it");
    command->add_option("--oracle", options->task.oracle,
        "Who knows the right answer: gemm_nt, attention_forward, candidate:FILE (a slow, plain kernel), "
        "python (the --reference, with torch in your interpreter), stored:FOLDER (a .npy file for each "
        "tensor), none");
    command->add_option("--reference", options->reference,
        "A Python file whose run(inputs...) gives the outputs: the definition's reference");
    command->add_option("--flops", options->task.flops, "Operations of one call, over the axes");
    command->add_option("--bytes", options->task.bytes, "Least bytes to and from memory, over the axes");
    command->add_option("--rtol", options->task.rtol, "Relative tolerance of an element")
        ->capture_default_str();
    command->add_option("--atol", options->task.atol, "Absolute tolerance of an element")
        ->capture_default_str();
    command
        ->add_option(
            "--strict", options->task.strict, "Bound on the normwise relative error; 0: no strict rule")
        ->capture_default_str();
    command->add_option("-o,--output", options->directory, "The folder; default: NAME");
    return [options](const Session& session) { return runTask(*options, session); };
}

} // namespace ptxwb::cli
