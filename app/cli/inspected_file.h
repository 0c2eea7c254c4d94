// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command_line.h"
#include "app/cli/source_file.h"
#include "core/evaluation/emulated_source.h"
#include "core/sass/cubin_facts.h"
#include "core/sass/listing.h"
#include "core/toolchain/compiler.h"

namespace ptxwb::cli {

/// A file on its way to SASS: compiled where it is source, extracted where it is a container.
struct InspectedFile {
    std::string title{}; ///< display name, with target and options
    std::string sourceName{}; ///< without folders; empty when the file is no source
    std::string sha256{}; ///< of the file's bytes
    std::string target{};
    CompileOutcome compiled{}; ///< empty for binaries
    SassListing listing{};
    std::optional<CubinFacts> facts{}; ///< beside the instructions
    Tool disassembler{};
    std::string liveRegistersReason{}; ///< why they are not in the listing; empty when they are
};

/// What the cubin says of a kernel beside its rows; null where it could not be read.
const KernelFacts* factsOf(const InspectedFile& file, const SassKernel& kernel);

/// "sm_90a"
std::string_view targetOf(const InspectedFile& file, const SassKernel& kernel);

/// Whether the second pass of the disassembler, which tells live registers, is made too; WhenQuick leaves it
/// out where it takes long.
enum class LiveRegisters { Left, WhenQuick, Read };

/// `toolkit`: the folder of another CUDA toolkit to compile with; empty takes the machine's.
/// Errors: those of readSource, compile and disassembly; BadFormat with the first root cause when the source
/// does not compile (the diagnostics are printed to stderr first).
Result<InspectedFile> inspectFile(const std::string& name, const std::optional<std::string>& target,
    const Session& session, LiveRegisters liveRegisters = LiveRegisters::Left,
    const std::filesystem::path& toolkit = {});

/// The compiler of this machine, or of the CUDA toolkit in a folder, with the user's build cache.
Compiler makeCompiler(const std::filesystem::path& toolkit = {});

/// Errors: those of emulatedSource().
Result<EmulatedSource> sourceToEmulate(const SourceFile& source, Language language, const Session& session);

/// "file:line:column: severity: message [tool]" for every cause with its explanation and fixes, and below it,
/// indented, what the tool says because of it.
std::string diagnosticsText(const std::vector<Diagnostic>& diagnostics);

} // namespace ptxwb::cli
