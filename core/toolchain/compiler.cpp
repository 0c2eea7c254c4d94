// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/compiler.h"

#include "core/ptx/asm_lint.h"
#include "core/ptx/lexer.h"
#include "core/ptx/lint.h"
#include "core/ptx/outline.h"
#include "core/support/sha256.h"
#include "core/toolchain/build_cache.h"
#include "core/toolchain/causes.h"
#include "core/toolchain/compile_options.h"
#include "core/toolchain/compile_target.h"
#include "core/toolchain/fix_proof.h"
#include "core/toolchain/generated_lint.h"
#include "core/toolchain/lint_consequences.h"
#include "core/toolchain/lint_diagnostics.h"
#include "core/toolchain/listed_diagnostics.h"
#include "core/toolchain/lone_returns.h"
#include "core/toolchain/outcome.h"
#include "core/toolchain/source_text.h"
#include "core/toolchain/warning_fixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view elfMagic = "\x7F"
                                      "ELF";
constexpr std::size_t elfMachineOffset = 18;
constexpr unsigned char elfMachineCuda = 190;

bool isCubin(std::string_view bytes)
{
    return bytes.size() > elfMachineOffset + 1 && bytes.starts_with(elfMagic)
        && static_cast<unsigned char>(bytes[elfMachineOffset]) == elfMachineCuda
        && bytes[elfMachineOffset + 1] == 0;
}

bool startsLikePtx(std::string_view content)
{
    for (const auto& token : lexPtx(content.substr(0, 65536))) {
        switch (token.kind) {
        case TokenKind::Whitespace:
        case TokenKind::LineEnd:
        case TokenKind::LineComment:
        case TokenKind::BlockComment:
        case TokenKind::Preprocessor:
        case TokenKind::NonAscii: // a byte order mark
            continue;
        default:
            return token.text(content) == ".version" || token.text(content) == ".target";
        }
    }
    return false;
}

// The tool for a language, or why there is none.
Result<std::vector<Tool>> toolsFor(const Toolchain& toolchain, Language language)
{
    const auto kind = language == Language::Ptx ? ToolKind::Ptxas : ToolKind::Nvcc;
    const auto& chosen = toolchain.chosen(kind);
    if (!chosen) {
        Error error{.code = ErrorCode::MissingTool,
            .message = fmt::format("no {} was found here", toolName(kind)),
            .hint = howToGet(kind)};
        for (const auto& tool : toolchain.all) {
            if (tool.kind == kind && tool.problem) {
                error.message = fmt::format("{} at {} {}", toolName(kind), tool.path.string(), *tool.problem);
                error.path = tool.path.string();
                break;
            }
        }
        return error;
    }
    std::vector<Tool> tools{*chosen};
    // nvcc runs the ptxas that stands beside it.
    if (language == Language::Cuda && toolchain.ptxas
        && toolchain.ptxas->path.parent_path() == chosen->path.parent_path()) {
        tools.push_back(*toolchain.ptxas);
    }
    return tools;
}

Result<std::vector<std::string>> toolOptions(
    const CompileRequest& request, const std::vector<std::string>& fromFile)
{
    if (request.language == Language::Ptx) {
        auto options = fromFile;
        options.insert(options.end(), request.options.begin(), request.options.end());
        return ptxasOptions(options);
    }
    // Paths in the file mean its own directory, those on the command line the current one.
    std::error_code failed;
    const auto here = fs::current_path(failed);
    auto options = nvccOptions(fromFile, request.directory.empty() ? here : request.directory);
    const auto given = nvccOptions(request.options, here);
    if (!options || !given) {
        return options ? given.error() : options.error();
    }
    options.value().insert(options->end(), given->begin(), given->end());
    return options;
}

std::optional<Error> misuse(const CompileRequest& request, const Toolchain& toolchain)
{
    const auto wrong = [](std::string message, std::string hint) {
        return Error{
            .code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)};
    };
    if (request.language == Language::Cubin) {
        return wrong(
            request.displayName + " is a cubin: it is compiled already", "ptxwb sass shows what is in it");
    }
    if (request.language == Language::Ptx && request.emitPtxOnly) {
        return wrong(request.displayName + " is PTX already", "name a .cu file");
    }
    if (request.language == Language::Ptx && request.hostContract) {
        return wrong(
            "the host contract needs a .cu file", "PTX is launched by the workbench (kernel contract)");
    }
    if (request.hostContract && toolchain.tvmFfiInclude.empty()) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "the TVM-FFI headers that the host contract needs were not found",
            .hint = "run packaging/run, which installs the apache-tvm-ffi wheel into a private venv; "
                    "PTXWB_VENV names another"};
    }
    return std::nullopt;
}

/// Says what is waited for, first after 5 s and then ever more rarely; silent again when it goes out of
/// scope.
class Waiting {
public:
    Waiting(const std::function<void(std::string_view)>& tell, const Tool& tool, std::chrono::seconds limit)
    {
        if (!tell) {
            return;
        }
        m_thread =
            std::jthread([this, &tell, limit, name = fmt::format("{} {}", toolName(tool.kind), tool.version)](
                             const std::stop_token& stop) {
                std::chrono::seconds waited{0};
                for (std::chrono::seconds next{5};; next *= 2) {
                    std::unique_lock lock(m_mutex);
                    if (m_condition.wait_for(lock, stop, next - waited, [&] { return stop.stop_requested(); })
                        || stop.stop_requested()) {
                        return;
                    }
                    waited = next;
                    tell(fmt::format("waiting for {}: {} s so far, it is stopped after {} s", name,
                        waited.count(), limit.count()));
                }
            });
    }

private:
    std::mutex m_mutex;
    std::condition_variable_any m_condition;
    std::jthread m_thread; ///< last: it ends before what it uses
};

Result<AsmLint> readBeside(std::string_view text, bool isPtx)
{
    if (!isPtx) {
        return lintCudaAsm(text);
    }
    auto findings = lintPtx(text);
    if (!findings) {
        return findings.error();
    }
    return AsmLint{.findings = std::move(*findings)};
}

// True with the declarations of the text that ptxas must not be given.
bool refuseOversized(CompileOutcome& outcome, const detail::BuildPlan& plan, bool isPtx)
{
    if (!mayDeclareTooMuch(plan.text)) {
        return false;
    }
    const auto found = readBeside(plan.text, isPtx);
    if (!found) {
        return false;
    }
    bool refused = false;
    for (const auto& finding : found->findings) {
        if (finding.rule->id == "declaration-size") {
            auto said = diagnosticOf(finding, plan.displayName);
            said.group = static_cast<int>(outcome.diagnostics.size()) + 1;
            said.explanation = said.explanation.value_or("")
                + ". The compiler was not started; // ptxwb: allow declaration-size above the line starts it";
            outcome.diagnostics.push_back(std::move(said));
            refused = true;
        }
    }
    return refused;
}

// What the user's own options name, not what a comment of the file asks for, and the headers of the contract.
std::vector<fs::path> readableFor(const CompileRequest& request, const Toolchain& toolchain)
{
    std::vector<fs::path> folders;
    if (!request.sandboxed) {
        return folders;
    }
    const std::array<std::string_view, 4> names{"-I", "-isystem", "--include-path", "-include"};
    for (std::size_t i = 0; i < request.options.size(); ++i) {
        const auto& option = request.options[i];
        if (std::find(names.begin(), names.end(), option) != names.end()) {
            if (i + 1 < request.options.size()) {
                folders.push_back(fs::absolute(request.options[++i]));
            }
        } else if (option.starts_with("-I")) {
            folders.push_back(fs::absolute(option.substr(2)));
        }
    }
    if (request.hostContract) {
        folders.push_back(toolchain.tvmFfiInclude);
        folders.push_back(toolchain.tvmFfiLibrary.parent_path());
    }
    folders.erase(std::remove(folders.begin(), folders.end(), fs::path{}), folders.end());
    return folders;
}

Error inFile(Error error, const std::string& displayName)
{
    if (error.line && error.path.empty()) {
        error.path = displayName;
    }
    return error;
}

} // namespace

std::string_view languageName(Language language)
{
    switch (language) {
    case Language::Ptx:
        return "ptx";
    case Language::Cuda:
        return "cuda";
    case Language::Cubin:
        return "cubin";
    }
    return "ptx";
}

Result<Language> languageOf(const fs::path& name, std::string_view content)
{
    const auto extension = name.extension().string();
    if (isCubin(content)) {
        return Language::Cubin;
    }
    if (content.starts_with(elfMagic)) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "this ELF file is for the host, it is no cubin",
            .hint = "ptxwb sass and ptxwb diff read the device code of shared objects and executables",
            .path = name.string()};
    }
    if (extension == ".ptx") {
        return Language::Ptx;
    }
    if (extension == ".cu" || extension == ".cuh") {
        return Language::Cuda;
    }
    if (extension == ".cubin") {
        return Error{.code = ErrorCode::BadFormat,
            .message = "the file is named .cubin but is no cubin (no CUDA ELF header)",
            .hint = "compile the kernel again",
            .path = name.string()};
    }
    if (startsLikePtx(content) || content.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos) {
        return Language::Ptx;
    }
    const auto probe = content.substr(0, 1U << 20);
    for (const std::string_view word : {"__global__", "__device__", "#include"}) {
        if (probe.find(word) != std::string_view::npos) {
            return Language::Cuda;
        }
    }
    // What a compiler driver says about bytes that are no text is said by Compiler, as diagnostics.
    if (probe.find('\0') != std::string_view::npos) {
        return Language::Ptx;
    }
    return Error{.code = ErrorCode::Unsupported,
        .message = "neither PTX (starts with .version) nor CUDA C++ nor a cubin",
        .hint = "name it .ptx or .cu",
        .path = name.string()};
}

const Artefact* CompileOutcome::artefact(std::string_view kind) const
{
    const auto found = std::find_if(
        artefacts.begin(), artefacts.end(), [&](const Artefact& one) { return one.kind == kind; });
    return found == artefacts.end() ? nullptr : &*found;
}

Compiler::Compiler(Toolchain toolchain, fs::path cacheDirectory)
    : m_toolchain(std::move(toolchain))
    , m_cacheDirectory(std::move(cacheDirectory))
{
}

Result<CompileOutcome> Compiler::compile(const CompileRequest& request, std::stop_token stop) const
{
    const auto begin = std::chrono::steady_clock::now();
    const auto begun = fs::file_time_type::clock::now();
    if (auto error = misuse(request, m_toolchain)) {
        return *error;
    }
    auto source = detail::prepareSource(
        request.text, request.displayName, request.language == Language::Ptx ? "PTX" : "CUDA C++");
    CompileOutcome outcome;
    outcome.diagnostics = std::move(source.diagnostics);
    const auto finish = [&]() {
        outcome.diagnosticsLeftOut += limitDiagnostics(outcome.diagnostics);
        if (outcome.diagnosticsLeftOut > 0) {
            outcome.diagnostics.push_back({.severity = Severity::Info,
                .message = fmt::format("{} more messages were left out", outcome.diagnosticsLeftOut),
                .file = request.displayName,
                .group = static_cast<int>(outcome.diagnostics.size()) + 1,
                .explanation = "mend the first ones: most of the others follow from them",
                .tool = "ptxwb"});
        }
        outcome.wallMs =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        return std::move(outcome);
    };

    const bool isPtx = request.language == Language::Ptx;
    const PtxOutline outline = isPtx && source.usable ? outlinePtx(source.text) : PtxOutline{};
    auto target = chooseTarget({.asked = request.target,
        .preferred = request.preferredTarget,
        .fileTarget = outline.target,
        .known = m_toolchain.targets});
    if (!target) {
        return target.error();
    }
    outcome.target = target->target;
    outcome.targetReason = target->reason;
    if (!source.usable) {
        return finish();
    }
    auto tools = toolsFor(m_toolchain, request.language);
    if (!tools) {
        return tools.error();
    }
    auto fromFile = buildCommentOptions(source.text);
    if (!fromFile) {
        return inFile(fromFile.error(), request.displayName);
    }
    auto options = toolOptions(request, *fromFile);
    if (!options) {
        return inFile(options.error(), request.displayName);
    }
    outcome.options = std::move(fromFile.value());
    outcome.options.insert(outcome.options.end(), request.options.begin(), request.options.end());
    outcome.tools = std::move(tools.value());

    const detail::BuildPlan plan{.displayName = request.displayName,
        .text = std::move(source.text),
        .directory = request.directory,
        .target = outcome.target,
        .options = std::move(options.value()),
        .hostContract = request.hostContract,
        .emulatedHost = request.hostContract && request.emulatedHost,
        .emitPtxOnly = request.emitPtxOnly,
        .sandboxed = request.sandboxed,
        .readable = readableFor(request, m_toolchain),
        .timeout = request.timeout};
    if (refuseOversized(outcome, plan, isPtx)) {
        return finish();
    }
    // Reads beside the compiler, so that it costs no time.
    auto lint = std::async(std::launch::async, [&plan, isPtx] { return readBeside(plan.text, isPtx); });
    const auto key = detail::buildKey(outcome.tools, request.language, plan);
    auto run = detail::loadBuild(m_cacheDirectory, key);
    outcome.fromCache = run.has_value();
    if (!run) {
        const Waiting waiting(request.onWaiting, outcome.tools.front(), request.timeout);
        auto built = isPtx ? detail::buildPtx(*m_toolchain.ptxas, plan, stop)
                           : detail::buildCuda(m_toolchain, plan, stop);
        if (!built) {
            return built.error();
        }
        run = std::move(built.value());
        detail::storeBuild(m_cacheDirectory, key, *run, plan, request.language, begun);
    }
    if (stop.stop_requested()) {
        return Error{.code = ErrorCode::Cancelled, .message = "stopped before the messages were read"};
    }
    std::optional<detail::PtxasTrial> trial;
    detail::AskPtxas ask;
    const bool isRefused = !run->ok;
    if ((isRefused || isPtx) && request.proveFixes && m_toolchain.ptxas) {
        trial.emplace(*m_toolchain.ptxas, plan, isPtx,
            TargetQuestion{
                .asked = request.target, .preferred = request.preferredTarget, .known = m_toolchain.targets},
            stop);
        ask = [&trial](const std::string& text) { return trial->errorsOf(text); };
    }
    const std::string toolFile = run->toolFile;
    const std::string generatedPtxFile = run->generatedPtxFile;
    detail::understand(
        outcome, std::move(*run), plan, isPtx ? &outline : nullptr, isRefused ? ask : detail::AskPtxas());
    const bool hasOwnLines = isPtx && detail::hasLoneReturns(plan.text);
    if (hasOwnLines) { // ptxas counts other lines, so that nothing of what it says has a place here
        detail::addLoneReturns(outcome.diagnostics, plan.text, plan.displayName, isRefused, ask);
    }
    if (isPtx && !(hasOwnLines && isRefused)) { // what it says of the PTX that nvcc made is explained already
        explainCauses(outcome.diagnostics,
            {.source = plan.text,
                .outline = &outline,
                .displayName = plan.displayName,
                .target = plan.target});
    }
    if (stop.stop_requested()) {
        return Error{.code = ErrorCode::Cancelled, .message = "stopped before the lint was added"};
    }
    if (auto found = lint.get()) { // without its tables there is no lint
        addLint(outcome.diagnostics, found->findings, plan.displayName, outcome.ok, outcome.notes);
        outcome.isLinted = true;
        outcome.asmStatements = found->statements;
        for (auto& one : found->notLinted) {
            outcome.asmNotLinted.push_back({.line = one.line, .reason = std::move(one.reason)});
        }
    }
    if (const auto* ptx = outcome.artefact("ptx"); !isPtx && outcome.ok && ptx != nullptr) {
        addWholeKernelLint(outcome.diagnostics,
            detail::lintGenerated({.text = ptx->bytes, .file = generatedPtxFile, .toolFile = toolFile},
                plan.text, plan.displayName));
    }
    if (isPtx && isRefused && ask && !hasOwnLines) {
        detail::proveFixes(outcome.diagnostics,
            {.source = plan.text,
                .outline = &outline,
                .displayName = plan.displayName,
                .target = plan.target},
            ask);
    }
    if (!outcome.ok) {
        detail::foldLintConsequences(outcome.diagnostics, plan.text, plan.displayName,
            [isPtx](const std::string& text) -> std::optional<std::vector<LintFinding>> {
                auto read = readBeside(text, isPtx);
                return read ? std::optional(std::move(read->findings)) : std::nullopt;
            });
    }
    if (isPtx && trial) {
        detail::tryWarningFixes(outcome.diagnostics, plan.text, plan.displayName,
            [&trial](const std::string& text) { return trial->frontEndErrorsOf(text); });
    }
    if (outcome.ok) {
        outcome.artefacts.insert(outcome.artefacts.begin(),
            {.kind = "source", .sha256 = sha256Hex(request.text), .bytes = request.text});
    }
    return finish();
}

} // namespace ptxwb
