// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/compiler.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb {

/// The parts that `ptxwb.compile.v1` and `ptxwb.eval.v1` share.
nlohmann::ordered_json diagnosticsJson(const std::vector<Diagnostic>& diagnostics);
nlohmann::ordered_json notesJson(const std::vector<PerformanceNote>& notes);
nlohmann::ordered_json kernelsJson(const std::vector<KernelResources>& kernels);

/// `ptxwb.compile.v1`, pretty-printed. `targetsKnown`: what this ptxas accepts.
std::string toJson(const CompileOutcome& outcome, const std::vector<std::string>& targetsKnown);

/// `ptxwb.ptx.v1`: the keys of `ptxwb.compile.v1` and the text as `ptx` (null with `ptx_reason` when there is
/// none).
std::string ptxJson(const CompileOutcome& outcome, const std::vector<std::string>& targetsKnown);

} // namespace ptxwb
