// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/inspected_file.h"
#include "app/cli/source_file.h"
#include "app/cli/text_report.h"
#include "core/evaluation/compile_json.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <memory>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string file;
    std::string target;
    std::string output;
};

Result<CompileOutcome> compileFile(
    const Options& options, bool ptxOnly, const Compiler& compiler, const Session& session)
{
    auto source = readSource(options.file);
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
    request.hostContract = *language == Language::Cuda
        && request.text.find("TVM_FFI_DLL_EXPORT_TYPED_FUNC") != std::string::npos;
    return compiler.compile(request, session.stop);
}

int runCompile(const Options& options, const Session& session)
{
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
        if (auto written = writeFileAtomically(options.output, artefact->bytes); !written) {
            return session.fail(written.error());
        }
    }
    printDocument(session.json ? toJson(*outcome, compiler.toolchain().targets) : compileReport(*outcome));
    return outcome->ok ? Holds : DoesNotHold;
}

int runPtx(const Options& options, const Session& session)
{
    const Compiler compiler = makeCompiler();
    auto outcome = compileFile(options, true, compiler, session);
    if (!outcome) {
        return session.fail(outcome.error());
    }
    if (!outcome->ok || session.json) {
        printDocument(
            session.json ? toJson(*outcome, compiler.toolchain().targets) : compileReport(*outcome));
        return outcome->ok ? Holds : DoesNotHold;
    }
    const auto* ptx = outcome->artefact("ptx");
    if (ptx == nullptr) {
        return session.fail({.code = ErrorCode::Internal, .message = "nvcc left no PTX"});
    }
    if (options.output.empty()) {
        printDocument(ptx->bytes);
        return Holds;
    }
    if (auto written = writeFileAtomically(options.output, ptx->bytes); !written) {
        return session.fail(written.error());
    }
    return Holds;
}

RunCommand add(
    CLI::App& app, const char* name, const char* description, int (*run)(const Options&, const Session&))
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand(name, description);
    command->add_option("FILE", options->file, "A .ptx or .cu file; - is stdin")->required();
    command->add_option("--target", options->target, "e.g. sm_90a, sm_100a");
    command->add_option("-o,--output", options->output, "Write the result to this file");
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
