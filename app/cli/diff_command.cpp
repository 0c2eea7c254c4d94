// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sass_json.h"
#include "app/cli/sass_selection.h"
#include "core/sass/diff_text.h"
#include "core/support/kernel_name.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <memory>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string a;
    std::string b;
    std::string target;
    std::string targetB; ///< empty: that of both
    std::string toolkitB;
    std::string kernel;
    std::vector<std::string> families;
    bool markdown = false;
    bool noSchedule = false;
    bool live = false;
};

constexpr int contextRows = 3;

fmt::color colourOf(char mark)
{
    switch (mark) {
    case '-':
        return fmt::color::indian_red;
    case '+':
        return fmt::color::sea_green;
    case '<':
    case '>':
        return fmt::color::steel_blue;
    default:
        return fmt::color::gray;
    }
}

// Marks stay on every line, so that colour is never the only sign.
std::string coloured(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
        const auto line = text.substr(0, end);
        result += line.front() == ' ' || line.front() == '@' || line.front() == '\n'
            ? std::string(line)
            : fmt::format(fmt::fg(colourOf(line.front())), "{}", line);
        text.remove_prefix(end);
    }
    return result;
}

/// A listing of the kernels that --kernel names.
void keepSelected(SassListing& listing, const SassSelection& selection)
{
    std::erase_if(listing.kernels, [&](const SassKernel& kernel) { return !isSelected(kernel, selection); });
}

/// ", ptxas 13.0.88"; empty for binaries.
std::string assemblerOf(const InspectedFile& file)
{
    for (const auto& tool : file.compiled.tools) {
        if (tool.kind == ToolKind::Ptxas) {
            return fmt::format(", ptxas {}", tool.version);
        }
    }
    return {};
}

/// Of the kernels that are compared.
std::vector<CompilerNote> notesOf(const InspectedFile& file)
{
    std::vector<CompilerNote> notes;
    for (const auto& note : file.compiled.notes) {
        if (note.kernel.empty()
            || std::ranges::find(file.listing.kernels, note.kernel, &SassKernel::name)
                != file.listing.kernels.end()) {
            notes.push_back({.code = note.code, .kernel = note.kernel, .message = note.message});
        }
    }
    return notes;
}

std::string report(
    const DiffSides& sides, const SassDiff& diff, const Options& options, const SassSelection& selection)
{
    const bool colour = ::isatty(STDOUT_FILENO) != 0;
    std::string text = fmt::format("--- {}\n+++ {}\n", sides.a->title, sides.b->title);
    for (const auto& kernel : diff.kernels) {
        text += fmt::format("{}: {} equal, {} changed, {} added, {} removed, {} moved, {} scheduling only\n",
            isRenamed(kernel) ? titleOfKernel(kernel.name) + " / " + titleOfKernel(kernel.nameInB)
                              : titleOfKernel(kernel.name),
            kernel.equal, kernel.changed, kernel.added, kernel.removed, kernel.moved, kernel.schedule);
        if (kernel.onlyInA || kernel.onlyInB) {
            text += fmt::format("  only in {}\n", kernel.onlyInA ? sides.a->title : sides.b->title);
            continue;
        }
        const auto wanted = selection.families.empty()
            ? DiffRowFilter()
            : rowsOfFamilies(kernel, sides.a->listing, sides.b->listing, selection.families);
        const auto hunks =
            diffText(kernel, sides.a->listing, sides.b->listing, contextRows, !options.noSchedule, wanted);
        text += colour ? coloured(hunks) : hunks;
    }
    if (std::any_of(diff.kernels.begin(), diff.kernels.end(),
            [](const KernelDiff& kernel) { return kernel.schedule + kernel.moved > 0; })) {
        text += "< moved from here, > to here, ! the same instruction scheduled otherwise\n";
    }
    for (const auto& fact : diff.facts) {
        text += "* " + factText(fact) + '\n';
    }
    for (const auto& note : diff.notes) {
        text += "* " + noteText(note) + '\n';
    }
    for (const auto* side : {sides.a, sides.b}) {
        if (!side->liveRegistersReason.empty()) {
            text += fmt::format("live registers of {}: {}\n", side->title, side->liveRegistersReason);
        }
    }
    text += diffSummary(diff, resourceDeltas(sides)) + '\n';
    if (!diff.factsCompared) {
        text += "Only instructions are compared: what the files say beside them could not be read.\n";
    }
    return text;
}

int runDiff(const Options& options, const Session& session)
{
    if (options.a == "-" && options.b == "-") {
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = "both sides are stdin",
            .hint = "only one of them can be"});
    }
    const auto selection = sassSelection(options.kernel, options.families);
    if (!selection) {
        return session.fail(selection.error());
    }
    const auto target = options.target.empty() ? std::nullopt : std::optional(options.target);
    const auto live = options.live ? LiveRegisters::Read : LiveRegisters::WhenQuick;
    auto a = inspectFile(options.a, target, session, live);
    if (!a) {
        return session.fail(a.error());
    }
    const auto targetB = options.targetB.empty() ? target : std::optional(options.targetB);
    auto b = inspectFile(options.b, targetB, session, live, options.toolkitB);
    if (!b) {
        return session.fail(b.error());
    }
    if (!options.toolkitB.empty()) {
        for (auto* side : {&*a, &*b}) {
            side->title += assemblerOf(*side);
        }
    }
    for (auto* side : {&*a, &*b}) {
        const auto chosen = chooseKernels(*selection, *side);
        if (!chosen) {
            return session.fail(chosen.error());
        }
        keepSelected(side->listing, *chosen);
    }
    const DiffSides sides{.a = &*a, .b = &*b};
    auto diff = diffListings(a->listing, b->listing);
    if (a->facts && b->facts) {
        addFactDifferences(diff, *a->facts, *b->facts);
    }
    if (!a->compiled.tools.empty() && !b->compiled.tools.empty()) { // a binary brings no notes
        addNoteDifferences(diff, notesOf(*a), notesOf(*b));
    }
    const auto answer = [&] {
        if (session.json) {
            return diffJson(sides, diff);
        }
        return options.markdown ? diffMarkdown(diff, a->listing, b->listing, {.a = a->title, .b = b->title})
                                : report(sides, diff, options, *selection);
    };
    return session.print(answer(), diff.identical ? Holds : DoesNotHold);
}

} // namespace

RunCommand addDiffCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "diff", "Register-blind SASS diff: exit status 0 when the two are the same code, 1 when they differ");
    command->add_option("A", options->a, "A .ptx, .cu, .cubin, .so, fatbin or executable; - is stdin")
        ->required();
    command->add_option("B", options->b, "The other one")->required();
    command->add_option("--target", options->target, "e.g. sm_90a, sm_100a");
    command->add_option("--target-b", options->targetB, "Another target for B, e.g. of the same file");
    command->add_option("--toolkit-b", options->toolkitB,
        "Compile B with the CUDA toolkit in this folder, e.g. /usr/local/cuda-12.9");
    command->add_option("--kernel", options->kernel,
        "Only the kernels of this name (raw, as in C++ or the bare function's) or regular expression");
    command
        ->add_option("--family", options->families,
            "Show only differences in rows of these families (the counts are of all): " + knownSassFamilies())
        ->delimiter(',');
    command->add_flag("--markdown", options->markdown, "Markdown, to paste into a review");
    command->add_flag("--no-schedule", options->noSchedule, "Leave out rows that differ in scheduling only");
    command->add_flag("--live", options->live,
        "Compare live registers also where nvdisasm takes long to tell them (kernels of thousands of rows)");
    return [options](const Session& session) { return runDiff(*options, session); };
}

} // namespace ptxwb::cli
