// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/run_context.h"
#include "core/gpu/stopwatch.h"

namespace ptxwb::gpu {

/// A vendor library's implementation of the task on the candidate's own input buffers, with outputs of its
/// own.
class Baseline {
public:
    virtual ~Baseline() = default;
    virtual const char* name() const = 0;
    virtual cudaError_t run(cudaStream_t stream) = 0;
    /// Brings inputs that changed into the order that the library wants, where it is another; never timed.
    /// Enqueues.
    virtual cudaError_t arrange(cudaStream_t) { return cudaSuccess; }
    /// Another version of the candidate, which uses its buffers: prepared for each call as the candidate is.
    virtual bool isRival() const { return false; }
    /// The algorithm that the library's heuristic gives first, or the fastest of its first ones (as from the
    /// start).
    virtual void useFirstAlgorithm(bool) { }
    /// Device memory of output `i` of the plan.
    virtual const void* output(std::size_t i) const = 0;
    /// Library, version, algorithm, compute type, layout, workspace: what a reader needs to repeat it.
    virtual std::map<std::string, std::string> card() const = 0;

protected:
    Baseline() = default;
    Baseline(const Baseline&) = delete;
    Baseline& operator=(const Baseline&) = delete;
};

/// The request's rival, loaded.
std::unique_ptr<Baseline> makeRival(RunContext& context);

/// Makes a baseline by name, chooses its algorithm (timed once). Errors: MissingTool (library not here),
/// Unsupported (no such baseline, or not for this task).
Result<std::unique_ptr<Baseline>> makeBaseline(
    const std::string& name, RunContext& context, Stopwatch& stopwatch);

/// cuBLASLt for oracle gemm_nt (bfloat16 or float16 in and out) and gemm_nt_scaled (e4m3 in, factors of A per
/// 128 elements and of B per 128 elements or 128 x 128 block), float32 sums: the best of its heuristics'
/// algorithms.
Result<std::unique_ptr<Baseline>> makeCublasLtGemm(RunContext& context, Stopwatch& stopwatch);

/// cuDNN 9 for oracles attention_forward (O and LSE) and attention_backward (dQ, dK, dV), causal or not,
/// bfloat16 or float16: the best of the first plans of heuristic mode A.
Result<std::unique_ptr<Baseline>> makeCudnnAttention(RunContext& context, Stopwatch& stopwatch);

} // namespace ptxwb::gpu
