// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/compiler.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb {

struct TargetAnswer {
    bool ok = false;
    std::optional<Diagnostic> cause{}; ///< the first root cause; nothing when ok
};

struct BlockingInstruction {
    std::string opcode{}; ///< as the tool names it; of ordinary PTX instructions as the file writes it
    std::optional<int> line{};

    bool operator==(const BlockingInstruction&) const = default;
};

struct BlockingFamily {
    std::string family{}; ///< "wgmma", "tcgen05" ...; an ordinary instruction's own name: "cvt", "elect"
    std::vector<BlockingInstruction> instructions{};
};

/// One target: the file as it is, and a copy whose .target and .version name this target.
struct TargetRow {
    std::string target{};
    TargetAnswer asWritten{};
    TargetAnswer retargeted{};
    std::string ptxVersion{}; ///< of the copy; empty for CUDA, whose PTX nvcc writes for each target
    std::vector<BlockingFamily> blocking{}; ///< what the target lacks, of the copy
};

/// The copy of a PTX text for a target: its .target, and its .version where that does not know the target.
std::string retargetedPtx(const std::string& text, const std::string& target);

/// Compiles for every target that the tool lists, two at a time, through the compiler's cache. For CUDA both
/// answers are the same build. Errors: those of Compiler::compile, MissingTool when no target is known.
Result<std::vector<TargetRow>> compileForAllTargets(
    const Compiler& compiler, const CompileRequest& request, std::stop_token stop = {});

} // namespace ptxwb
