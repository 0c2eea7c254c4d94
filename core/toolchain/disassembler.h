// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/toolchain.h"

namespace ptxwb {

struct Disassembly {
    std::string text{}; ///< nvdisasm -c -hex -gi -gp style, or cuobjdump -sass
    Tool tool{};
    std::vector<std::string> command{};
    bool fromCache = false;
};

/// Disassembles a cubin (nvdisasm, else cuobjdump), cached by content hash and tool version.
/// Errors: MissingTool, ToolFailed (with the tool's words), TimedOut, Cancelled.
Result<Disassembly> disassembleCubin(const Toolchain& toolchain, std::string_view cubin,
    const std::filesystem::path& cacheDirectory, std::stop_token stop = {});

/// The table of live registers beside every row (`nvdisasm -c -plr`, which knows no line information, so it
/// is a second pass); cached likewise. For joinLiveRegisters of core/sass. Errors: as disassembleCubin;
/// MissingTool where there is only cuobjdump.
Result<std::string> liveRegisterTable(const Toolchain& toolchain, std::string_view cubin,
    const std::filesystem::path& cacheDirectory, std::stop_token stop = {});

/// The cubins inside a fatbin, shared object or executable, by target (cuobjdump).
struct EmbeddedCubin {
    std::string name{};
    std::string target{};
    std::string bytes{};
};
Result<std::vector<EmbeddedCubin>> extractCubins(
    const Toolchain& toolchain, const std::filesystem::path& file, std::stop_token stop = {});

} // namespace ptxwb
