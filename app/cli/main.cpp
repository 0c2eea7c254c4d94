// SPDX-License-Identifier: Apache-2.0
// ptxwb: the workbench without a window.
#include "app/cli/command_line.h"
#include "core/support/output.h"
#include "core/support/temporary_directory.h"
#include "core/support/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace {

using namespace ptxwb::cli;

std::atomic<int> interrupted{0};

void onInterrupt(int)
{
    // The second Ctrl+C ends the program at once; children die with it.
    if (interrupted.exchange(1) == 1) {
        ::_exit(Interrupted);
    }
}

// A stop_source is not async-signal-safe, so a thread turns the flag into a stop.
std::jthread watchInterrupts(std::stop_source& source)
{
    return std::jthread([&source](std::stop_token end) {
        while (!end.stop_requested()) {
            if (interrupted.load() == 1) {
                source.request_stop();
                return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
}

struct Arguments {
    std::vector<std::string> own;
    std::vector<std::string> passThrough;
};

Arguments splitAtDashes(int argc, char** argv)
{
    Arguments split;
    bool after = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (!after && word == "--") {
            after = true;
        } else {
            (after ? split.passThrough : split.own).push_back(word);
        }
    }
    return split;
}

// CLI11 would only say that a subcommand is required.
std::optional<ptxwb::Error> unknownCommand(const CLI::App& app, const std::vector<std::string>& words)
{
    const auto word = std::find_if(
        words.begin(), words.end(), [](const std::string& text) { return !text.starts_with('-'); });
    std::vector<std::string> names;
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    if (word == words.end() || std::find(names.begin(), names.end(), *word) != names.end()) {
        return std::nullopt;
    }
    return ptxwb::Error{.code = ptxwb::ErrorCode::InvalidArgument,
        .message = fmt::format("there is no command '{}'", *word),
        .hint = fmt::format("commands: {}", fmt::join(names, ", "))};
}

// `--target ''` is no target: what a script left empty must not be taken for an option left away.
std::optional<ptxwb::Error> emptyWord(const CLI::App& command)
{
    for (const auto* option : command.get_options()) {
        for (const auto& word : option->results()) {
            if (word.empty()) {
                return ptxwb::Error{.code = ptxwb::ErrorCode::InvalidArgument,
                    .message = fmt::format("{} is empty", option->get_name()),
                    .hint = option->get_required() ? "give it a value" : "give it a value, or leave it away"};
            }
        }
    }
    return std::nullopt;
}

// CLI11 takes a file named -x.ptx for options, and does not say so.
std::string hintFor(const Arguments& arguments)
{
    for (const auto& word : arguments.own) {
        std::error_code ignored;
        if (word.size() > 1 && word.starts_with('-')
            && (std::filesystem::exists(word, ignored)
                || (word.find('.') != std::string::npos && word.find('=') == std::string::npos))) {
            return fmt::format("if the file {} is meant, write ./{}", word, word);
        }
    }
    if (!arguments.passThrough.empty()) {
        return "what follows -- is given to ptxas or nvcc; the file and the options of ptxwb stand before it";
    }
    return "ptxwb --help, or ptxwb COMMAND --help";
}

// --help and --version; with --json they are documents too.
int answer(const CLI::App& app, const CLI::Success& asked, const Session& session)
{
    std::ostringstream text;
    app.exit(asked, text, text);
    if (!session.json) {
        return session.print(text.str(), Holds);
    }
    using Json = nlohmann::ordered_json;
    const Json document = dynamic_cast<const CLI::CallForVersion*>(&asked) != nullptr
        ? Json{{"schema", "ptxwb.version.v1"}, {"ptxwb", ptxwb::productVersion()}}
        : Json{{"schema", "ptxwb.help.v1"}, {"help", text.str()}};
    return session.print(document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n', Holds);
}

int runProgram(int argc, char** argv)
{
    CLI::App app{"PTX Workbench: compile, inspect, compare, check and time PTX and CUDA kernels.\n"
                 "Options for ptxas or nvcc follow `--`."};
    app.set_version_flag("--version", std::string(ptxwb::productVersion()));
    app.require_subcommand(1);
    Session session;
    app.fallthrough();
    app.add_flag("--json", session.json, "One JSON document on stdout, nothing else");
    app.add_flag("--quiet", session.quiet, "No progress on stderr");

    std::vector<std::pair<CLI::App*, RunCommand>> commands;
    const auto add = [&](RunCommand (*registerCommand)(CLI::App&)) {
        auto run = registerCommand(app);
        commands.emplace_back(app.get_subcommands({}).back(), std::move(run));
    };
    add(addDoctorCommand);
    add(addCompileCommand);
    add(addMatrixCommand);
    add(addPtxCommand);
    add(addSassCommand);
    add(addDiffCommand);
    add(addTasksCommand);
    add(addEvalCommand);
    add(addRunCommand);
    add(addBenchCommand);
    add(addHistoryCommand);
    add(addTaskCommand);
    add(addDebugCommand);
    add(addExplainCommand);
    add(addSelfCheckCommand);
    add(addTriageCommand);

    auto arguments = splitAtDashes(argc, argv);
    session.passThrough = arguments.passThrough;
    // --json must shape usage errors too, so it is looked for before parsing.
    session.json = std::find(arguments.own.begin(), arguments.own.end(), "--json") != arguments.own.end();
    if (const auto unknown = unknownCommand(app, arguments.own)) {
        session.fail(*unknown);
        return WrongUsage;
    }
    std::vector<std::string> lastFirst(arguments.own.rbegin(), arguments.own.rend());
    try {
        app.parse(lastFirst);
    } catch (const CLI::Success& success) {
        return answer(app, success, session);
    } catch (const CLI::ParseError& failure) {
        session.fail({.code = ptxwb::ErrorCode::InvalidArgument,
            .message = failure.what(),
            .hint = hintFor(arguments)});
        return WrongUsage;
    }

    std::stop_source stop;
    session.stop = stop.get_token();
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
    if (std::signal(SIGHUP, SIG_IGN) != SIG_IGN) { // nohup stays in force
        std::signal(SIGHUP, onInterrupt); // the terminal or the connection went away
    }
    const auto watcher = watchInterrupts(stop);
    ptxwb::sweepStaleTemporaryDirectories();
    for (const auto& [command, run] : commands) {
        if (command->parsed()) {
            const auto empty = emptyWord(*command);
            return empty ? session.fail(*empty) : run(session);
        }
    }
    return WrongUsage;
}

} // namespace

int main(int argc, char** argv)
{
    ptxwb::reserveStandardDescriptors();
    try {
        return runProgram(argc, argv);
    } catch (const std::exception& failure) {
        // Memory may be what is missing: nothing is allocated here.
        std::fputs("ptxwb: internal error: ", stderr);
        std::fputs(failure.what(), stderr);
        std::fputs("\n", stderr);
        for (int i = 1; i < argc; ++i) {
            if (std::strcmp(argv[i], "--json") == 0) {
                std::fputs(
                    R"({"schema": "ptxwb.error.v1", "error": {"code": "internal", "message": "an internal error")"
                    R"(; stderr has its words", "hint": "look for a limit on memory (ulimit -v); else report it")"
                    R"(, "path": null, "line": null, "json_path": null}})"
                    "\n",
                    stdout);
                break;
            }
        }
        return InternalError;
    }
}
