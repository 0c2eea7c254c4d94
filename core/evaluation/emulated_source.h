// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/emulator.h"
#include "core/toolchain/compiler.h"

namespace ptxwb {

/// Runs generated PTX so that its findings name the lines of its source (by .loc), then those of the PTX.
emulator::EmulatorExecutor withSourceLines(emulator::EmulatorExecutor inner, std::string_view ptx,
    const std::string& displayName, const std::filesystem::path& directory);

/// A source as the emulator takes it.
struct EmulatedSource {
    std::string ptx{};
    std::string displayName{}; ///< of the PTX: that of the source, or "k.cu (generated PTX)"
    emulator::EmulatorExecutor execute = emulator::emulate;
};

/// PTX as it stands; of CUDA C++ whose launch plan says how it is launched, the PTX that nvcc makes of it.
/// Errors: those of Compiler::compile(); BadFormat with the line when it does not compile; Unsupported
/// (machine code).
Result<EmulatedSource> emulatedSource(
    const Compiler& compiler, CompileRequest request, std::stop_token stop = {});

} // namespace ptxwb
