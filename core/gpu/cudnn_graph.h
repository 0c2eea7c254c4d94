// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/baseline.h"

#if __has_include(<cudnn_frontend.h>) && __has_include(<cudnn.h>) && __has_include(<nvrtc.h>)
#define PTXWB_HAVE_CUDNN_HEADERS 1
// The frontend then takes cuDNN's functions from cudnn_dlhandle instead of linking them.
#define NV_CUDNN_FRONTEND_USE_DYNAMIC_LOADING 1
#define CUDNN_FRONTEND_SKIP_JSON_LIB 1
#include <cudnn_frontend.h>

#include <cstdint>
#include <unordered_map>

namespace ptxwb::gpu {

/// A graph of cuDNN with its plans, the tensors bound to it and the memory that is its own. The handle and
/// cuDNN live as long as the process. One thread.
class CudnnGraph {
public:
    /// Loads cuDNN, makes the handle, sets what every graph here has in common: `dtype` in and out, float32
    /// between. Errors: MissingTool (no library), ToolFailed, Unsupported (another type).
    Result<void> start(const RunContext& context, Dtype dtype);

    cudnn_frontend::graph::Graph& graph() { return m_graph; }
    /// Binds a tensor of the graph to memory of others.
    void bind(std::int64_t uid, void* data) { m_pointers[uid] = data; }
    /// Takes memory for a tensor and binds it; outputs are numbered in the order of these calls.
    Result<void> bindOwn(std::int64_t uid, std::uint64_t bytes);
    const void* output(std::size_t i) const { return m_outputs[i].data(); }

    /// Validates the graph, times the first plans of heuristic mode A that are supported, keeps the fastest.
    /// Errors: Unsupported (none), ToolFailed.
    Result<void> choosePlan(Stopwatch& stopwatch);
    cudaError_t run(cudaStream_t stream) { return runPlan(m_first ? m_firstPlan : m_chosen, stream); }
    /// Run the first supported plan of the heuristic, or the fastest.
    void useFirst(bool first) { m_first = first; }
    /// Library, version, frontend, algorithm, workspace.
    std::map<std::string, std::string> card() const;

private:
    Result<double> timePlan(std::int64_t plan, Stopwatch& stopwatch);
    cudaError_t runPlan(std::int64_t plan, cudaStream_t stream);

    cudnnHandle_t m_handle = nullptr;
    cudnn_frontend::graph::Graph m_graph;
    std::unordered_map<std::int64_t, void*> m_pointers;
    std::vector<DeviceMemory> m_outputs;
    DeviceMemory m_workspace;
    std::int64_t m_planCount = 0;
    std::int64_t m_chosen = -1;
    std::int64_t m_firstPlan = -1;
    bool m_first = false;
    int m_plansTimed = 0;
    double m_chosenUs = 0;
    double m_firstUs = 0; ///< of the heuristic's own first plan that is supported
};

} // namespace ptxwb::gpu

#endif
