// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/inspected_file.h"
#include "app/cli/source_file.h"
#include "app/cli/text_report.h"
#include "core/evaluation/compile_json.h"
#include "core/support/files.h"
#include "core/toolchain/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string file;
    std::string target;
    std::string output;
    bool fix = false;
};

Result<CompileRequest> requestFor(const Options& options, bool ptxOnly, const Session& session)
{
    auto source = readSource(options.file, session);
    if (!source) {
        return source.error();
    }
    auto language = languageOfSource(*source);
    if (!language) {
        return language.error();
    }
    if (*language == Language::Cubin) {
        return Error{.code = ErrorCode::BadFormat,
            .message = "this is a cubin: it is compiled already",
            .hint = "ptxwb sass shows what is in it",
            .path = options.file};
    }
    if (ptxOnly && *language == Language::Ptx) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "this is PTX already",
            .hint = "name a .cu file",
            .path = options.file};
    }
    CompileRequest request{.displayName = source->displayName,
        .text = std::move(source->bytes),
        .language = *language,
        .directory = source->directory,
        .options = session.passThrough,
        .emitPtxOnly = ptxOnly};
    if (!options.target.empty()) {
        request.target = options.target;
    }
    request.onWaiting = [&session](std::string_view words) { session.progress(words); };
    request.hostContract = *language == Language::Cuda
        && request.text.find("TVM_FFI_DLL_EXPORT_TYPED_FUNC") != std::string::npos;
    return request;
}

Result<CompileOutcome> compileFile(
    const Options& options, bool ptxOnly, const Compiler& compiler, const Session& session)
{
    auto request = requestFor(options, ptxOnly, session);
    if (!request) {
        return request.error();
    }
    return compiler.compile(*request, session.stop);
}

std::string lintRemark(const CompileOutcome& outcome)
{
    if (outcome.asmNotLinted.empty()) {
        return {};
    }
    const auto& first = outcome.asmNotLinted.front();
    return fmt::format("{} of {} asm statements not linted; line {}: {}\n", outcome.asmNotLinted.size(),
        outcome.asmStatements, first.line, first.reason);
}

std::string shownName(const Options& options)
{
    return options.file == "-" ? std::string("<stdin>") : options.file;
}

std::optional<Error> misuseOfFix(const Options& options, const Session& session)
{
    if (session.json && options.output.empty()) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "--fix prints the text and --json a document: both want the output",
            .hint = "write the text to a file with -o"};
    }
    if (auto kept = keepsInput(options.file, options.output); !kept) {
        return kept.error();
    }
    return std::nullopt;
}

// Prints or writes the text with the fixes applied. The exit status says whether that text compiles.
int runFix(const Options& options, const Session& session)
{
    if (const auto misuse = misuseOfFix(options, session)) {
        return session.fail(*misuse);
    }
    const Compiler compiler = makeCompiler();
    auto request = requestFor(options, false, session);
    if (!request) {
        return session.fail(request.error());
    }
    const auto before = compiler.compile(*request, session.stop);
    if (!before) {
        return session.fail(before.error());
    }
    const auto fixed = applyFirstFixes(request->text, before->diagnostics);
    for (const auto& title : fixed.applied) {
        session.progress(fmt::format("fixed: {}", title));
    }
    for (const auto& title : fixed.leftOut) {
        session.progress(
            fmt::format("left out, because it changes the same place as another fix: {}", title));
    }
    if (fixed.applied.empty()) {
        session.progress(
            before->ok ? "it compiles, and no warning here has a fix" : "no cause here has a fix");
    }
    if (options.output.empty()) {
        if (const int lost = session.print(fixed.text, Holds); lost != Holds) {
            return lost;
        }
    } else if (auto written = writeFileAtomically(options.output, fixed.text, session.stop); !written) {
        return session.fail(written.error());
    }
    request->text = fixed.text;
    const auto after = compiler.compile(*request, session.stop);
    if (!after) {
        return session.fail(after.error());
    }
    const int status = after->ok ? Holds : DoesNotHold;
    if (session.json) {
        return session.print(toJson(*after, compiler.toolchain().targets), status);
    }
    if (!after->ok) {
        session.progress("it still does not compile:\n" + diagnosticsText(after->diagnostics));
    }
    return status;
}

int runCompile(const Options& options, const Session& session)
{
    if (options.fix) {
        return runFix(options, session);
    }
    if (auto kept = keepsInput(options.file, options.output); !kept) {
        return session.fail(kept.error());
    }
    const Compiler compiler = makeCompiler();
    auto outcome = compileFile(options, false, compiler, session);
    if (!outcome) {
        return session.fail(outcome.error());
    }
    if (outcome->ok && !options.output.empty()) {
        const auto* artefact = outcome->artefact("cubin");
        if (artefact == nullptr) {
            artefact = outcome->artefact("so");
        }
        if (artefact == nullptr) {
            return session.fail(
                {.code = ErrorCode::Internal, .message = "the build left no artefact to write"});
        }
        if (auto written = writeFileAtomically(options.output, artefact->bytes, session.stop); !written) {
            return session.fail(written.error());
        }
    }
    return session.print(session.json ? toJson(*outcome, compiler.toolchain().targets)
                                      : compileReport(*outcome, shownName(options)) + lintRemark(*outcome),
        outcome->ok ? Holds : DoesNotHold);
}

int runPtx(const Options& options, const Session& session)
{
    if (auto kept = keepsInput(options.file, options.output); !kept) {
        return session.fail(kept.error());
    }
    const Compiler compiler = makeCompiler();
    auto outcome = compileFile(options, true, compiler, session);
    if (!outcome) {
        return session.fail(outcome.error());
    }
    if (!outcome->ok) {
        return session.print(session.json ? ptxJson(*outcome, compiler.toolchain().targets)
                                          : compileReport(*outcome, shownName(options)),
            DoesNotHold);
    }
    const auto* ptx = outcome->artefact("ptx");
    if (ptx == nullptr) {
        return session.fail({.code = ErrorCode::Internal, .message = "nvcc left no PTX"});
    }
    if (!options.output.empty()) {
        if (auto written = writeFileAtomically(options.output, ptx->bytes, session.stop); !written) {
            return session.fail(written.error());
        }
    }
    if (session.json) {
        return session.print(ptxJson(*outcome, compiler.toolchain().targets), Holds);
    }
    return options.output.empty() ? session.print(ptx->bytes, Holds) : Holds;
}

RunCommand add(
    CLI::App& app, const char* name, const char* description, int (*run)(const Options&, const Session&))
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand(name, description);
    command->add_option("FILE", options->file, "A .ptx or .cu file; - is stdin")->required();
    command->add_option("--target", options->target, "e.g. sm_90a, sm_100a");
    command->add_option("-o,--output", options->output, "Write the result to this file");
    if (std::string_view(name) == "compile") {
        command->add_flag("--fix", options->fix,
            "Print the text with the first fix of every cause and every warning applied, or write it with "
            "-o; FILE stays as it is");
    }
    return [options, run](const Session& session) { return run(*options, session); };
}

} // namespace

RunCommand addCompileCommand(CLI::App& app)
{
    return add(app, "compile",
        "Diagnostics, notes, and each kernel's registers, spills, shared memory, barriers", runCompile);
}

RunCommand addPtxCommand(CLI::App& app)
{
    return add(app, "ptx", "The PTX between CUDA and SASS", runPtx);
}

} // namespace ptxwb::cli
