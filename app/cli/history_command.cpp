// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/history_report.h"

#ifdef PTXWB_HAVE_HISTORY
#include "core/records/kept_evaluations.h"
#endif

#include <memory>

namespace ptxwb::cli {

RunCommand addHistoryCommand(CLI::App& app)
{
    auto options = std::make_shared<HistoryOptions>();
    auto* command = app.add_subcommand("history",
        "The evaluations made here, with source and artefacts. list; show ID; source ID; compare ID ID; "
        "export. "
        "The file is PTXWB_HISTORY, or history.sqlite in the data folder");
    command->add_option("ACTION", options->action, "list, show, source, compare or export")
        ->check(CLI::IsMember({"list", "show", "source", "compare", "export"}))
        ->capture_default_str();
    command->add_option("ID", options->arguments, "Numbers that `ptxwb history` lists");
    command->add_option("--task", options->task, "Of this task only");
    command->add_option("--candidate", options->candidate, "Part of the path, or the start of the hash");
    command->add_option("--limit", options->limit, "How many, newest first")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "export: write the lines here");
#ifdef PTXWB_HAVE_HISTORY
    return
        [options](const Session& session) { return runHistory(*options, records::historyFile(), session); };
#else
    return [](const Session& session) {
        return session.fail({.code = ErrorCode::Unavailable,
            .message = "this ptxwb was built without SQLite: it keeps no history",
            .hint = "install libsqlite3-dev and build again"});
    };
#endif
}

} // namespace ptxwb::cli
