// SPDX-License-Identifier: Apache-2.0
#include "core/records/triage.h"

#include "core/bench/host_abi.h"
#include "core/records/extraction.h"
#include "core/sass/families.h"
#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/disassembler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::records {

namespace {

std::string versionOf(const std::optional<Tool>& tool)
{
    return tool ? tool->version : "absent";
}

std::optional<RuleOutcome> outcomeOf(const std::optional<FoundCode>& found)
{
    return found ? std::optional(RuleOutcome{.choice = found->choice,
               .language = std::string(languageName(found->language)),
               .sha256 = sha256Hex(found->text),
               .firstLine = found->firstLine})
                 : std::nullopt;
}

TriageRow identifyWith(const Answer& answer, const Extraction& extraction, const TriageSettings& settings,
    const Toolchain& toolchain)
{
    TriageRow row{.path = answer.path,
        .fileLine = answer.line,
        .turn = answer.turn,
        .model = answer.model,
        .task = answer.task,
        .recorded = answer.recorded,
        .answerSha256 = answer.problem ? "" : sha256Hex(answer.text),
        .rule = extraction.rule,
        .reference = outcomeOf(extraction.reference),
        .commonMark = outcomeOf(extraction.commonMark),
        .rulesDiffer = extraction.differ};
    if (const auto* code = extraction.code()) {
        row.closed = code->closed;
        row.elisions = code->elisions;
        row.language = std::string(languageName(code->language));
        row.contract = ffi::exportsEntry(code->text) ? "host" : "kernel";
        row.codeSha256 = sha256Hex(code->text);
    }
    // The number in front changes when the rows would.
    row.key = sha256Hex(
        fmt::format("1{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", settings.sandboxed ? " sandboxed" : "",
            answerTitle(row.path, row.fileLine, row.turn), row.answerSha256, answer.recorded.has_value(),
            answer.task.value_or(""), settings.target.value_or(""), fmt::join(settings.options, "\x1f"),
            versionOf(toolchain.ptxas), versionOf(toolchain.nvcc), versionOf(toolchain.nvdisasm)));
    return row;
}

TriageCause causeFrom(const Error& error)
{
    CauseClass cause = CauseClass::Other;
    switch (error.code) {
    case ErrorCode::MissingTool:
        cause = CauseClass::ToolMissing;
        break;
    case ErrorCode::TimedOut:
        cause = CauseClass::ToolTimedOut;
        break;
    case ErrorCode::ToolCrashed:
        cause = CauseClass::ToolCrashed;
        break;
    case ErrorCode::NotFound:
    case ErrorCode::Unreadable:
    case ErrorCode::BadFormat:
        cause = CauseClass::Unreadable;
        break;
    default:
        break;
    }
    return {.cause = cause,
        .message = error.message,
        .line = error.line,
        .explanation = error.hint.empty() ? std::nullopt : std::optional(error.hint)};
}

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

bool isRoot(const Diagnostic& said)
{
    return said.rootCause && isError(said);
}

// An open block with an error at its end fails because the answer ends there.
bool endsTooEarly(const FoundCode& code, const std::vector<Diagnostic>& all, const Diagnostic& root)
{
    const auto lines = static_cast<int>(std::count(code.text.begin(), code.text.end(), '\n'));
    const auto atEnd = [&](const Diagnostic& said) {
        return isError(said) && said.line && *said.line >= lines - 1;
    };
    return !code.closed && (!root.line || std::any_of(all.begin(), all.end(), atEnd));
}

TriageCause causeFrom(const CompileOutcome& outcome, const FoundCode& code, bool isCodeFile)
{
    const auto& all = outcome.diagnostics;
    const auto root = std::find_if(all.begin(), all.end(), isRoot);
    if (root == all.end()) {
        return {.message = "the compiler refused the code without a message"};
    }
    TriageCause cause{.cause = causeClassOf(*root),
        .message = root->message,
        .tool = root->tool,
        .line = root->line,
        .explanation = root->explanation,
        .others = static_cast<int>(std::count_if(all.begin(), all.end(), isRoot)) - 1};
    if (endsTooEarly(code, all, *root)) {
        cause.cause = CauseClass::Truncated;
    }
    if (root->line && !isCodeFile) {
        cause.answerLine = *root->line + code.firstLine - 1;
    }
    for (const auto& fix : root->fixes) {
        cause.fixes.push_back(fix.title);
    }
    return cause;
}

bool isArchitectural(SassFamily family)
{
    return family != SassFamily::Global && family != SassFamily::Shared && family != SassFamily::Local
        && family != SassFamily::Branch && family != SassFamily::Barrier;
}

void add(const SassListing& listing, PresentFamilies& present)
{
    for (const auto& [family, sites] : countFamilies(listing)) {
        if (sites > 0 && isArchitectural(family)) {
            present.families[std::string(sassFamilyName(family))] += sites;
        }
    }
    const auto account = paperAccount(listing);
    present.gmma += account.gmma;
    present.tma += account.tma;
    present.tcgen += account.tcgen;
}

// The device code of a build: the cubin, or those inside the shared object of the host contract.
Result<std::vector<std::string>> cubinsOf(
    const CompileOutcome& outcome, const Toolchain& toolchain, const std::stop_token& stop)
{
    if (const auto* cubin = outcome.artefact("cubin")) {
        return std::vector<std::string>{cubin->bytes};
    }
    const auto* object = outcome.artefact("so");
    if (object == nullptr) {
        return Error{.message = "the build left no device code"};
    }
    auto directory = TemporaryDirectory::create();
    if (!directory) {
        return directory.error();
    }
    const auto copy = directory->path() / "candidate.so";
    if (auto written = writeFileAtomically(copy, object->bytes); !written) {
        return written.error();
    }
    auto embedded = extractCubins(toolchain, copy, stop);
    if (!embedded) {
        return embedded.error();
    }
    std::vector<std::string> cubins;
    for (auto& one : *embedded) {
        cubins.push_back(std::move(one.bytes));
    }
    return cubins;
}

Result<PresentFamilies> inspect(const CompileOutcome& outcome, const TriageSettings& settings,
    const Toolchain& toolchain, const std::stop_token& stop)
{
    auto cubins = cubinsOf(outcome, toolchain, stop);
    if (!cubins) {
        return cubins.error();
    }
    PresentFamilies present;
    for (const auto& cubin : *cubins) {
        auto disassembly = disassembleCubin(toolchain, cubin, settings.sassCache, stop);
        if (!disassembly) {
            return disassembly.error();
        }
        // A module without a kernel has no code section, and so no families.
        if (auto listing = parseSassListing(std::move(disassembly->text))) {
            add(*listing, present);
        }
    }
    return present;
}

void comparePresent(const FoundCode& code, TriageRow& row)
{
    for (const auto& family : sassFamiliesNeeded(code.text, code.language)) {
        if (!row.present->families.contains(family)) {
            row.askedNotPresent.push_back(family);
        }
    }
}

/// "common.h" of "common.h: No such file or directory" and of `cannot open source file "common.h"`.
std::string missingFile(std::string_view message)
{
    constexpr std::string_view opened = "cannot open source file \"";
    constexpr std::string_view included = ": No such file or directory";
    if (const auto at = message.find(opened); at != std::string_view::npos) {
        const auto rest = message.substr(at + opened.size());
        return std::string(rest.substr(0, rest.find('"')));
    }
    const auto end = message.find(included);
    return end == std::string_view::npos ? std::string() : std::string(message.substr(0, end));
}

/// A header beside the answer that the sandbox hides is no fault of the answer's.
void tellHiddenNeighbour(TriageCause& cause, const Answer& answer, const TriageSettings& settings)
{
    const auto file = missingFile(cause.message);
    if (!settings.sandboxed || settings.root.empty() || file.empty() || file.size() > 255
        || file.find("..") != std::string::npos) {
        return;
    }
    std::error_code ignored;
    const auto folder = std::filesystem::is_directory(settings.root, ignored)
        ? (settings.root / answer.path).parent_path()
        : settings.root.parent_path();
    if (std::filesystem::path(file).is_relative()
        && std::filesystem::is_regular_file(folder / file, ignored)) {
        cause.explanation =
            fmt::format("The compiler said: {}. The sandbox that answers are compiled in shows "
                        "the folders named by -I alone: -- -I {}",
                cause.message, folder.string());
        cause.message = fmt::format("{} lies beside it, hidden by the sandbox (-I shows it)", file);
        cause.tool.clear();
    }
}

CompileRequest requestFor(
    const TriageRow& row, const FoundCode& code, const Answer& answer, const TriageSettings& settings)
{
    return {.displayName = answer.isCode ? row.path : answerTitle(row.path, row.fileLine, row.turn),
        .text = code.text,
        .language = code.language,
        .target = settings.target,
        .options = settings.options,
        .hostContract = row.contract == "host" && code.language == Language::Cuda,
        .sandboxed = settings.sandboxed,
        .timeout = settings.timeout};
}

} // namespace

TriageRow identify(const Answer& answer, const TriageSettings& settings, const Toolchain& toolchain)
{
    return identifyWith(answer, extractCode(answer), settings, toolchain);
}

Result<TriageRow> triageAnswer(const Answer& answer, const TriageSettings& settings, const Compiler& compiler,
    const std::stop_token& stop)
{
    const auto extraction = extractCode(answer);
    auto row = identifyWith(answer, extraction, settings, compiler.toolchain());
    row.presentReason = "it was not compiled";
    if (answer.problem) {
        row.cause = causeFrom(*answer.problem);
        return row;
    }
    const auto* code = extraction.code();
    if (code == nullptr) {
        row.result = TriageResult::NoCode;
        row.cause = TriageCause{.cause = CauseClass::NoCode, .message = extraction.reason};
        return row;
    }
    row.asked = familiesAsked(code->text, code->language);
    const auto outcome = compiler.compile(requestFor(row, *code, answer, settings), stop);
    if (!outcome) {
        if (outcome.error().code == ErrorCode::Cancelled || outcome.error().code == ErrorCode::DiskFull) {
            return outcome.error();
        }
        row.cause = causeFrom(outcome.error());
        return row;
    }
    row.target = outcome->target;
    if (!outcome->ok) {
        row.result = TriageResult::DoesNotCompile;
        row.cause = causeFrom(*outcome, *code, answer.isCode);
        tellHiddenNeighbour(*row.cause, answer, settings);
        row.presentReason = "it does not compile";
        return row;
    }
    row.result = TriageResult::Compiles;
    auto present = inspect(*outcome, settings, compiler.toolchain(), stop);
    if (present) {
        row.present = *std::move(present);
        row.presentReason.clear();
        comparePresent(*code, row);
    } else if (present.error().code == ErrorCode::Cancelled) {
        return present.error();
    } else {
        row.presentReason = describe(present.error());
    }
    return row;
}

} // namespace ptxwb::records
