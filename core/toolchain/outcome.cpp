// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/outcome.h"

#include "core/toolchain/code_text.h"

#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/toolchain/asm_places.h"
#include "core/toolchain/causes.h"
#include "core/toolchain/cuda_causes.h"
#include "core/toolchain/fix_proof.h"
#include "core/toolchain/line_markers.h"
#include "core/toolchain/listed_diagnostics.h"
#include "core/toolchain/loc_map.h"
#include "core/toolchain/ptxas_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ptxwb::detail {

namespace {

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

std::string_view generatedPtx(const BuildRun& run)
{
    const auto ptx = run.products.find("ptx");
    return ptx != run.products.end() ? std::string_view(ptx->second) : std::string_view{};
}

bool namesOwnLine(const Diagnostic& said)
{
    return said.line
        && (said.message.ends_with(fmt::format(" on line {}", *said.line))
            || said.message.find(fmt::format(" on line '{}'", *said.line)) != std::string::npos
            || said.message.find(fmt::format(" instruction at line {} ", *said.line)) != std::string::npos);
}

// What ptxas says of the PTX that nvcc made: its causes are sought there, then told in the user's text.
std::vector<Diagnostic> takeGenerated(std::vector<Diagnostic>& diagnostics, const LocMap& map,
    const BuildRun& run, const BuildPlan& plan, const std::string& target, const AskPtxas& ask)
{
    const auto ptx = generatedPtx(run);
    std::vector<Diagnostic> ofPtxas;
    std::vector<Diagnostic> others;
    for (auto& said : diagnostics) {
        // A line that only the message's words name is one of the PTX too.
        const bool isHere =
            said.file == run.generatedPtxFile || (said.tool == "ptxas" && (!said.line || namesOwnLine(said)));
        (isHere ? ofPtxas : others).push_back(std::move(said));
    }
    if (!ofPtxas.empty()) {
        for (auto& said : ofPtxas) {
            said.file = run.generatedPtxFile;
        }
        limitDiagnostics(ofPtxas);
        const auto outline = outlinePtx(ptx);
        locateColumns(ofPtxas, ptx);
        markRootCauses(ofPtxas, statementLines(CodeText(ptx)), run.generatedPtxFile);
        explainCauses(ofPtxas,
            {.source = ptx, .outline = &outline, .displayName = run.generatedPtxFile, .target = target});
        if (ask) {
            proveFixes(ofPtxas,
                {.source = ptx, .outline = &outline, .displayName = run.generatedPtxFile, .target = target},
                ask);
        }
        AsmPlaces places(ptx, map, [&](const std::string& file) -> std::optional<std::string> {
            if (file == run.toolFile) {
                return plan.text;
            }
            auto text = readFile(file);
            return text ? std::optional(std::move(*text)) : std::nullopt;
        });
        mapGeneratedErrors(ofPtxas, run.generatedPtxFile, run.toolFile, plan.displayName, map, places);
        for (auto& said : ofPtxas) {
            said.file = said.file == run.generatedPtxFile ? plan.displayName : said.file;
            if (!said.line) {
                said.fixes.clear(); // of the generated PTX
            }
        }
    }
    diagnostics = std::move(others);
    return ofPtxas;
}

bool isOfSetmaxnreg(const PerformanceNote& note)
{
    return note.message.find("setmaxnreg") != std::string::npos;
}

// Line of the function's first setmaxnreg; 0: it has none.
int setmaxnregLine(const PtxFunction& function)
{
    for (const auto& one : function.instructions) {
        if (one.opcode.starts_with("setmaxnreg")) {
            return one.range.line;
        }
    }
    return 0;
}

// The kernel of a note: named, or the only one that it can be of; nullptr where several can.
const PtxFunction* kernelOf(const PerformanceNote& note, const PtxOutline& outline)
{
    const PtxFunction* found = nullptr;
    for (const auto& function : outline.functions) {
        if (!note.kernel.empty()) {
            if (function.name == note.kernel) {
                return &function;
            }
            continue;
        }
        if (!function.isEntry || (isOfSetmaxnreg(note) && setmaxnregLine(function) == 0)) {
            continue;
        }
        if (found != nullptr) {
            return nullptr;
        }
        found = &function;
    }
    return found;
}

// Notes count lines of the generated PTX, or name their kernel only.
void mapGeneratedNotes(std::vector<PerformanceNote>& notes, const LocMap& map, const BuildRun& run)
{
    if (notes.empty()) {
        return;
    }
    const auto outline = outlinePtx(generatedPtx(run));
    for (auto& note : notes) {
        auto place = note.line ? map.placeOf(*note.line) : std::nullopt;
        note.lineBy = place ? "ours" : "kernel";
        const auto* kernel = kernelOf(note, outline);
        if (kernel != nullptr) {
            note.kernel = kernel->name;
            const int line = isOfSetmaxnreg(note) ? setmaxnregLine(*kernel) : 0;
            if (!place && line != 0) {
                place = map.placeOf(line);
                note.lineBy = place && place->file == run.toolFile ? "setmaxnreg" : "kernel";
            }
            if (!place || place->file != run.toolFile) {
                place = map.firstPlaceFrom(kernel->range.line);
            }
        }
        const bool inUserFile = place && place->file == run.toolFile;
        note.line = inUserFile ? std::optional(place->line) : std::nullopt;
        note.lineBy = inUserFile ? note.lineBy : "";
    }
}

// A note without a line is shown at the instruction that it is about, or where its kernel starts.
void placeNotesAtKernels(std::vector<PerformanceNote>& notes, const PtxOutline& outline)
{
    for (auto& note : notes) {
        const auto* kernel = kernelOf(note, outline);
        if (kernel == nullptr) {
            continue;
        }
        note.kernel = kernel->name;
        if (note.line) {
            continue;
        }
        const int line = isOfSetmaxnreg(note) ? setmaxnregLine(*kernel) : 0;
        note.line = line != 0 ? line : kernel->nameRange.line;
        note.lineBy = line != 0 ? "setmaxnreg" : "kernel";
    }
}

void addRegisters(std::vector<PerformanceNote>& notes, const std::vector<KernelResources>& kernels)
{
    for (auto& note : notes) {
        const auto found = std::find_if(kernels.begin(), kernels.end(),
            [&](const KernelResources& kernel) { return kernel.name == note.kernel; });
        if (found != kernels.end()) {
            note.registers = found->registers;
        }
    }
}

// Messages of other files (includes, line markers) would be sought in the wrong text.
void addColumns(std::vector<Diagnostic>& diagnostics, const BuildPlan& plan)
{
    const auto isOurs = [&](const Diagnostic& said) { return said.file == plan.displayName; };
    std::vector<Diagnostic> own;
    std::copy_if(diagnostics.begin(), diagnostics.end(), std::back_inserter(own), isOurs);
    locateColumns(own, plan.text);
    auto located = own.begin();
    for (auto& said : diagnostics) {
        if (isOurs(said)) {
            said = std::move(*located++);
        }
    }
}

// ptxas names files that nobody has: "application ptx input" is what it was given; any other is text of its
// own.
void takeToolNames(std::vector<Diagnostic>& diagnostics, const std::string& inputName, const BuildRun& run,
    const BuildPlan& plan)
{
    for (auto& said : diagnostics) {
        if (said.tool != "ptxas" || !said.line) {
            continue;
        }
        if (said.file == "application ptx input") {
            said.file = inputName;
        }
        std::error_code failed;
        const bool isKnown = said.file == inputName || said.file == plan.displayName
            || said.file == run.toolFile || std::filesystem::exists(plan.directory / said.file, failed);
        if (!isKnown) {
            said.explanation = fmt::format(
                "ptxas says this of line {} of '{}', which is no file here", *said.line, said.file);
            said.isOfToolText = true;
            said.file = plan.displayName;
            said.line.reset();
        }
    }
}

// ".target compute_90a": ptxas takes it, but the manual knows real chips there only.
Diagnostic virtualTarget(const PtxOutline& outline, const std::string& displayName)
{
    const auto& range = outline.targetRange;
    const auto real = "sm_" + outline.target->substr(std::string_view("compute_").size());
    return {.severity = Severity::Warning,
        .message = fmt::format("{} is a virtual architecture; .target takes {}", *outline.target, real),
        .file = displayName,
        .line = range.line,
        .column = range.column,
        .endColumn = range.endColumn,
        .explanation =
            fmt::format("compute_ names are for nvcc's options. PTX is compiled for a chip, {} here.", real),
        .fixes = {{.title = fmt::format("Change .target to {}", real),
            .edits = {{.line = range.line,
                .startColumn = range.column,
                .endLine = range.endLine,
                .endColumn = range.endColumn,
                .text = real}}}},
        .tool = "ptxwb"};
}

std::string lastLine(std::string_view text)
{
    const auto end = text.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos) {
        return {};
    }
    const auto start = text.find_last_of('\n', end);
    return std::string(text.substr(start == std::string_view::npos ? 0 : start + 1, end - (start + 1) + 1));
}

} // namespace

void understand(CompileOutcome& outcome, BuildRun run, const BuildPlan& plan, const PtxOutline* outline,
    const AskPtxas& ask)
{
    auto messages = parseCompilerMessages(run.rawOutput, run.toolFile, plan.displayName);
    std::vector<Diagnostic> generated;
    if (outline == nullptr) {
        const LocMap map(generatedPtx(run));
        takeToolNames(messages.diagnostics, run.generatedPtxFile, run, plan);
        if (!run.ok) {
            generated = takeGenerated(messages.diagnostics, map, run, plan, outcome.target, ask);
        }
        mapGeneratedNotes(messages.notes, map, run);
    } else {
        undoLineMarkers(messages, plan.text, plan.displayName);
        takeToolNames(messages.diagnostics, plan.displayName, run, plan);
        placeNotesAtKernels(messages.notes, *outline);
    }
    // Lines of no known shape are shown as they are.
    for (auto& line : messages.unparsed) {
        messages.diagnostics.push_back({.severity = Severity::Info,
            .message = std::move(line),
            .file = plan.displayName,
            .tool = std::string(toolName(outcome.tools.front().kind))});
    }
    const bool isRefused = std::any_of(messages.diagnostics.begin(), messages.diagnostics.end(), isError);
    const auto statements =
        outline != nullptr && isRefused ? statementLines(CodeText(plan.text)) : StatementLines();
    if (messages.diagnostics.size() > mostDiagnostics) { // what is left out goes by its cause
        markRootCauses(messages.diagnostics, statements, plan.displayName);
    }
    outcome.diagnosticsLeftOut += limitDiagnostics(messages.diagnostics);
    addColumns(messages.diagnostics, plan);
    markRootCauses(messages.diagnostics, statements, plan.displayName);
    if (outline == nullptr) {
        explainCudaErrors(messages.diagnostics, plan.text, plan.displayName);
    }
    const int groups = highestGroup(messages.diagnostics);
    for (auto& said : generated) { // they have their columns and causes
        said.group += groups;
        messages.diagnostics.push_back(std::move(said));
    }
    outcome.ok = run.ok;
    if (!run.ok && std::none_of(messages.diagnostics.begin(), messages.diagnostics.end(), isError)) {
        const auto words = lastLine(run.rawOutput);
        messages.diagnostics.push_back({.severity = Severity::Fatal,
            .message = words.empty() ? "the compiler failed and said nothing"
                                     : "the compiler failed; its last words: " + words,
            .file = plan.displayName,
            .group = static_cast<int>(messages.diagnostics.size()) + 1,
            .tool = "ptxwb"});
    }
    if (run.ok && outline != nullptr
        && std::none_of(outline->functions.begin(), outline->functions.end(),
            [](const PtxFunction& f) { return f.isEntry; })) {
        messages.diagnostics.push_back({.severity = Severity::Warning,
            .message = "assembled, but the module holds no kernel",
            .file = plan.displayName,
            .group = static_cast<int>(messages.diagnostics.size()) + 1,
            .explanation = "nothing here can be launched or timed; a kernel starts with .visible .entry",
            .tool = "ptxwb"});
    }
    if (outline != nullptr && outline->target && outline->target->starts_with("compute_")) {
        messages.diagnostics.push_back(virtualTarget(*outline, plan.displayName));
        messages.diagnostics.back().group = static_cast<int>(messages.diagnostics.size());
    }
    for (auto& said : messages.diagnostics) {
        said.group += static_cast<int>(outcome.diagnostics.size()); // ours came first, one group each
    }
    for (std::size_t i = 0; i < outcome.diagnostics.size(); ++i) {
        outcome.diagnostics[i].group = static_cast<int>(i) + 1;
    }
    std::move(
        messages.diagnostics.begin(), messages.diagnostics.end(), std::back_inserter(outcome.diagnostics));
    addRegisters(messages.notes, messages.kernels);
    outcome.notes = std::move(messages.notes);
    outcome.kernels = std::move(messages.kernels);
    outcome.command = std::move(run.command);
    outcome.rawOutput = std::move(run.rawOutput);
    if (run.ok) {
        for (auto& [kind, bytes] : run.products) {
            auto digest = sha256Hex(bytes);
            outcome.artefacts.push_back(
                {.kind = kind, .sha256 = std::move(digest), .bytes = std::move(bytes)});
        }
    }
}

} // namespace ptxwb::detail
