// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/compiler.h"

#include <QString>

#include <string>

/// What the tests of the toolchain share.
namespace ptxwb::test {

std::string readAll(const QString& path);
std::string dataFile(const QString& name); ///< of tests/data/ptxas

/// Writes an executable shell script and returns its path.
std::filesystem::path writeScript(const std::filesystem::path& path, const std::string& body);

/// A script that answers --version and --help like ptxas 13.0 and runs `body` for anything else.
std::filesystem::path writeFakePtxas(const std::filesystem::path& path, const std::string& body);

/// The tools of this machine, looked up once; the tests' own cache directory is in force then.
const Toolchain& realToolchain();

/// Names of entries in the system's temporary directory that our builds make.
QStringList scratchDirectories();

CompileRequest ptxRequest(const std::string& text, const std::string& name = "kernel.ptx");
CompileRequest cudaRequest(const std::string& text, const std::string& name = "kernel.cu");

/// "severity line:column message" of each diagnostic, for readable comparisons.
QStringList shown(const std::vector<Diagnostic>& diagnostics);

/// The errors that stand for their groups.
std::vector<const Diagnostic*> rootErrors(const std::vector<Diagnostic>& diagnostics);

inline const std::string kernelHead = ".version 8.6\n.target sm_90a\n.address_size 64\n"; // lines 1 to 3

/// A kernel with registers %p, %r, %rd, %f and %h whose `body` begins in line 11.
std::string kernelAround(const std::string& body, const std::string& head = kernelHead,
    const std::string& parameters = ".param .u64 a, .param .u64 b");

} // namespace ptxwb::test
