// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sass_json.h"
#include "app/cli/sass_selection.h"
#include "core/sass/control_flow.h"
#include "core/sass/kernel_summary.h"
#include "core/sass/live_registers.h"
#include "core/sass/occupancy.h"
#include "core/sass/opcode_reading.h"
#include "core/sass/scoreboards.h"
#include "core/support/kernel_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string file;
    std::string target;
    std::string kernel;
    std::vector<std::string> families;
    bool explain = false;
    bool live = false;
};

std::string controlText(const SassInstruction& instruction)
{
    if (!instruction.hasEncoding) {
        return {};
    }
    const auto control = decodeControl(instruction.encoding);
    const auto barrier = [](int index) { return index < 0 ? std::string("-") : std::to_string(index); };
    std::string waits;
    for (int i = 0; i < 6; ++i) {
        waits += ((control.waitMask >> i) & 1) != 0 ? static_cast<char>('0' + i) : '-';
    }
    return fmt::format("{:>2}{} w{} r{} {}", control.stall, control.yield ? 'y' : ' ',
        barrier(control.writeBarrier), barrier(control.readBarrier), waits);
}

/// "waits for 0050, 0060": the rows that set the scoreboards of a row's wait mask.
std::string waitsText(const SassKernel& kernel, const std::vector<ScoreboardWait>& waits)
{
    std::vector<std::string> setters;
    for (const auto& wait : waits) {
        for (const int row : wait.setters) {
            auto address = fmt::format("{:05x}", kernel.instructions[static_cast<std::size_t>(row)].address);
            if (std::find(setters.begin(), setters.end(), address) == setters.end()) {
                setters.push_back(std::move(address));
            }
        }
        if (wait.more) {
            setters.emplace_back("more");
        }
    }
    return setters.empty() ? std::string() : fmt::format("; waits for {}", fmt::join(setters, ", "));
}

std::string fileName(const SassListing& listing, int file)
{
    return std::filesystem::path(listing.files.at(static_cast<std::size_t>(file))).filename().string();
}

/// "line 13" of the file that was asked about, "mma.hpp:97" of another one, "ptx 137?": ours, not the tool's.
std::string lineText(const InspectedFile& file, const SassInstruction& row)
{
    const auto* mark = row.lineInferred ? "?" : "";
    const auto place = ownPlace(file.listing, row);
    if (place.line > 0) {
        const auto name = place.file < 0 ? std::string() : fileName(file.listing, place.file);
        return name.empty() || name == file.sourceName ? fmt::format("line {}{}", place.line, mark)
                                                       : fmt::format("{}:{}{}", name, place.line, mark);
    }
    return row.ptxLine > 0 ? fmt::format("ptx {}{}", row.ptxLine, mark) : std::string();
}

/// "; code of mma.hpp:97" when that was inlined into the line shown, "; inlined at k.cu:30" of a line that
/// was.
std::string inlinedText(const SassListing& listing, const SassInstruction& row)
{
    if (row.callerCount == 0) {
        return {};
    }
    const SourceFrame innermost{.file = row.sourceFile, .line = row.sourceLine};
    if (!(ownPlace(listing, row) == innermost)) {
        return fmt::format("; code of {}:{}", fileName(listing, innermost.file), innermost.line);
    }
    const auto& caller = listing.callers.at(static_cast<std::size_t>(row.firstCaller));
    return fmt::format("; inlined at {}:{}", fileName(listing, caller.file), caller.line);
}

std::string explainText(const SassListing& listing, const SassKernel& kernel, std::size_t row,
    const std::vector<ScoreboardWait>& waits)
{
    const auto& instruction = kernel.instructions[row];
    const auto reading = describeInstruction(instruction);
    return fmt::format("{:38}| {}{}{}\n", "", reading.empty() ? "no reading of this opcode here" : reading,
        waitsText(kernel, waits), inlinedText(listing, instruction));
}

std::string kernelSummaryText(const InspectedFile& file, const SassKernel& kernel, const ControlFlow& flow)
{
    std::string text;
    const auto indented = summaryText(kernel, summarise(kernel, flow));
    for (std::size_t at = 0; at < indented.size();) {
        const auto end = indented.find('\n', at);
        text += fmt::format("  = {}\n", indented.substr(at, end - at));
        at = end + 1;
    }
    if (const auto* facts = factsOf(file, kernel)) {
        if (const auto occupancy = occupancyOf(*facts, targetOf(file, kernel))) {
            for (const auto& line : occupancyText(*facts, *occupancy)) {
                text += fmt::format("  = {}\n", line);
            }
        }
    }
    if (const auto live = mostLiveRegisters(kernel)) {
        text += fmt::format("  = at most {} registers live at once\n", *live);
    }
    return text;
}

std::string listingText(const InspectedFile& file, const SassSelection& selection, const Options& options)
{
    std::string text;
    for (const auto& kernel : file.listing.kernels) {
        if (!isSelected(kernel, selection)) {
            continue;
        }
        text += fmt::format("{} ({} instructions)\n", titleOfKernel(kernel.name), kernel.instructions.size());
        const auto flow = controlFlow(kernel);
        const bool hasLive = mostLiveRegisters(kernel).has_value();
        const auto waits =
            options.explain ? scoreboardWaits(kernel, flow) : std::vector<std::vector<ScoreboardWait>>();
        std::vector<std::string> lines;
        std::size_t width = 9;
        for (const auto& row : kernel.instructions) {
            lines.push_back(isSelected(row, selection) ? lineText(file, row) : std::string());
            width = std::max(width, lines.back().size());
        }
        text += fmt::format("  {:<5}  {}{:<18} {:<{}} {:>5} {}\n", "at", hasLive ? "live " : "",
            "stall w r waits", "line", width, "guard", "instruction");
        std::size_t label = 0;
        std::size_t hidden = 0;
        std::string labels;
        for (std::size_t row = 0; row < kernel.instructions.size(); ++row) {
            const auto& i = kernel.instructions[row];
            for (; label < kernel.labels.size() && kernel.labels[label].first <= i.address; ++label) {
                labels += fmt::format("{}:\n", kernel.labels[label].second);
            }
            if (!isSelected(i, selection)) {
                ++hidden;
                labels.clear();
                continue;
            }
            text += std::exchange(labels, {});
            const auto live = !hasLive ? std::string()
                : i.liveRegisters < 0  ? std::string(5, ' ')
                                       : fmt::format("{:>4} ", i.liveRegisters);
            const auto operands = operandsShown(i);
            text += fmt::format("  {:05x}  {}{:<18} {:<{}} {:>5} {}{}{}\n", i.address, live, controlText(i),
                lines[row], width, i.predicate, i.opcode, operands.empty() ? "" : " ", operands);
            if (options.explain) {
                text += explainText(file.listing, kernel, row, waits[row]);
            }
        }
        if (hidden > 0) {
            text += fmt::format("  ({} rows hidden by --family)\n", hidden);
        }
        text += kernelSummaryText(file, kernel, flow);
        text += '\n';
    }
    std::vector<std::string> counts;
    for (const auto& [family, count] : countFamilies(file.listing)) {
        counts.push_back(fmt::format("{} {}", sassFamilyName(family), count));
    }
    const auto account = paperAccount(file.listing);
    text += fmt::format(
        "families: {}\n", counts.empty() ? std::string("none") : fmt::format("{}", fmt::join(counts, ", ")));
    text += fmt::format(
        "the paper's account: GMMA {}, TMA {}, TCGEN {}\n", account.gmma, account.tma, account.tcgen);
    if (std::any_of(file.listing.kernels.begin(), file.listing.kernels.end(), [](const SassKernel& kernel) {
            return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                [](const SassInstruction& i) { return i.lineInferred; });
        })) {
        text += "lines with ? are our reading: ptxas gives wgmma no line\n";
    }
    text += "columns: stall cycles (y: the scheduler may switch warps), w / r: scoreboard set when the "
            "result is written / "
            "the operands were read, waits: scoreboards waited for\n";
    if (!file.listing.hasPtxLines && !file.listing.hasSourceLines) {
        text += "no line map: the code was built without line information\n";
    }
    text +=
        fmt::format("{} by {} {}\n", file.title, toolName(file.disassembler.kind), file.disassembler.version);
    return text;
}

int runSass(const Options& options, const Session& session)
{
    const auto selection = sassSelection(options.kernel, options.families);
    if (!selection) {
        return session.fail(selection.error());
    }
    const auto target = options.target.empty() ? std::nullopt : std::optional(options.target);
    const auto file = inspectFile(options.file, target, session,
        options.live       ? LiveRegisters::Read
            : session.json ? LiveRegisters::WhenQuick
                           : LiveRegisters::Left);
    if (!file) {
        return session.fail(file.error());
    }
    const auto chosen = chooseKernels(*selection, *file);
    if (!chosen) {
        return session.fail(chosen.error());
    }
    return session.print(
        session.json ? sassJson(*file, *chosen) : listingText(*file, *chosen, options), Holds);
}

} // namespace

RunCommand addSassCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("sass", "SASS with control codes, PTX / source lines and instruction families");
    command->add_option("FILE", options->file, "A .ptx, .cu, .cubin, .so, fatbin or executable; - is stdin")
        ->required();
    command->add_option("--target", options->target, "e.g. sm_90a, sm_100a");
    command->add_option("--kernel", options->kernel,
        "Only the kernels of this name (raw, as in C++ or the bare function's) or regular expression");
    command->add_option("--family", options->families, "Only rows of these families: " + knownSassFamilies())
        ->delimiter(',');
    command->add_flag(
        "--explain", options->explain, "Under each row what it does, in our reading, and whom it waits for");
    command->add_flag("--live", options->live,
        "A column of live registers (a second pass of nvdisasm; JSON has them unasked where that takes a "
        "second)");
    return [options](const Session& session) { return runSass(*options, session); };
}

} // namespace ptxwb::cli
