// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command_line.h"
#include "core/toolchain/compiler.h"

#include <filesystem>
#include <string>

namespace ptxwb::cli {

/// A file named on the command line; `-` is stdin.
struct SourceFile {
    std::string displayName{}; ///< as the user wrote it; "<stdin>" for `-`
    std::string bytes{};
    std::filesystem::path directory{}; ///< of the file; empty for stdin
};

/// Text is read up to 64 MiB; with `binaries`, files that start as an ELF file or a fatbin does up to 2 GiB.
/// Errors: NotFound, Unreadable (exit status 2; also what is longer), Cancelled.
Result<SourceFile> readSource(const std::string& name, const Session& session, bool binaries = false);

/// Whether it is a fatbin, nvcc's container of device code.
bool isFatbin(std::string_view bytes);

/// Errors: BadFormat (exit status 1) when it is nothing that the workbench reads.
Result<Language> languageOfSource(const SourceFile& source);

/// Refuses an output that is the input itself, by whatever name. Errors: InvalidArgument.
Result<void> keepsInput(const std::string& input, const std::string& output);

} // namespace ptxwb::cli
