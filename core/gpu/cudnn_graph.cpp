// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/cudnn_graph.h"

#ifdef PTXWB_HAVE_CUDNN_HEADERS

#include "core/gpu/libraries.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>

namespace cudnn_frontend {
void* cudnn_dlhandle = nullptr; // declared by the frontend, to be defined and set by its user
}

namespace ptxwb::gpu {

namespace {

namespace fe = cudnn_frontend;

constexpr std::int64_t mostPlans = 4;
constexpr int timedCalls = 5;

Error failure(const char* what, fe::error_object error) // by value: its getters are not const
{
    return {.code = ErrorCode::ToolFailed,
        .message = fmt::format("cuDNN: {} failed: {}", what, error.get_message())};
}

Result<void> loadCudnn()
{
    const SharedLibrary& library = cudnnLibrary();
    if (!library.isOpen()) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "cuDNN is not here: " + library.reason(),
            .hint = "install cuDNN 9 for this CUDA, or the wheel nvidia-cudnn-cu13"};
    }
    fe::cudnn_dlhandle = library.handle();
    // The frontend looks for CUDA's runtime library by the loader's search alone, 12 before 13.
    static const SharedLibrary runtime = SharedLibrary::open({"libcudart.so.13", "libcudart.so.12"});
    if (!runtime.isOpen()) {
        return Error{.code = ErrorCode::MissingTool,
            .message =
                "CUDA's runtime library, which cuDNN's frontend loads, is not here: " + runtime.reason()};
    }
    ::setenv("CUDNN_FRONTEND_CUDART_LIB_NAME", runtime.path().c_str(), 0);
    return {};
}

} // namespace

Result<void> CudnnGraph::start(const RunContext& context, Dtype dtype)
{
    if (dtype != Dtype::Bfloat16 && dtype != Dtype::Float16) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuDNN baseline takes bfloat16 or float16 attention"};
    }
    if (const auto loaded = loadCudnn(); !loaded) {
        return loaded;
    }
    for (const cudnnStatus_t status :
        {fe::detail::create_handle(&m_handle), fe::detail::set_stream(m_handle, context.stream)}) {
        if (status != CUDNN_STATUS_SUCCESS) {
            return Error{.code = ErrorCode::ToolFailed,
                .message = fmt::format("cuDNN: starting failed: {}", fe::detail::get_error_string(status))};
        }
    }
    m_graph.set_io_data_type(dtype == Dtype::Bfloat16 ? fe::DataType_t::BFLOAT16 : fe::DataType_t::HALF)
        .set_intermediate_data_type(fe::DataType_t::FLOAT)
        .set_compute_data_type(fe::DataType_t::FLOAT)
        .set_sm_version(context.device.major * 10 + context.device.minor);
    return {};
}

Result<void> CudnnGraph::bindOwn(std::int64_t uid, std::uint64_t bytes)
{
    auto taken = DeviceMemory::allocate(bytes, "cuDNN's output");
    if (!taken) {
        return taken.error();
    }
    m_outputs.push_back(*std::move(taken));
    bind(uid, m_outputs.back().data());
    return {};
}

cudaError_t CudnnGraph::runPlan(std::int64_t plan, cudaStream_t stream)
{
    // A C++ exception is how the frontend tells of a function that the library lacks.
    try {
        return fe::detail::set_stream(m_handle, stream) == CUDNN_STATUS_SUCCESS
                && m_graph.execute_plan_at_index(m_handle, m_pointers, m_workspace.data(), plan).is_good()
            ? cudaSuccess
            : cudaErrorUnknown;
    } catch (const std::exception&) {
        return cudaErrorUnknown;
    }
}

/// Builds a plan and times it. Errors: the plan is not supported, or does not run.
Result<double> CudnnGraph::timePlan(std::int64_t plan, Stopwatch& stopwatch)
{
    if (const auto error = m_graph.build_plan_at_index(plan); error.is_bad()) {
        return failure("building a plan", error);
    }
    std::int64_t bytes = 0;
    if (const auto error = m_graph.get_workspace_size_plan_at_index(plan, bytes); error.is_bad()) {
        return failure("asking for the workspace's size", error);
    }
    if (static_cast<std::uint64_t>(bytes) > m_workspace.bytes()) {
        auto taken = DeviceMemory::allocate(static_cast<std::uint64_t>(bytes), "cuDNN's workspace");
        if (!taken) {
            return taken.error();
        }
        m_workspace = *std::move(taken);
    }
    const auto enqueue = [&](cudaStream_t stream) { return runPlan(plan, stream); };
    std::vector<double> times;
    double us = 0;
    bool works = stopwatch.cold(enqueue, us) == cudaSuccess; // loads the kernel; not counted
    for (int call = 0; works && call < timedCalls; ++call) {
        works = stopwatch.cold(enqueue, us) == cudaSuccess;
        times.push_back(us);
    }
    const auto middle = works ? median(times) : std::nullopt;
    if (!middle) {
        return Error{.code = ErrorCode::ToolFailed, .message = "cuDNN: a plan did not run"};
    }
    return *middle;
}

Result<void> CudnnGraph::choosePlan(Stopwatch& stopwatch)
{
    if (const auto error = m_graph.validate(); error.is_bad()) {
        return failure("describing attention", error);
    }
    if (const auto error = m_graph.build_operation_graph(m_handle); error.is_bad()) {
        return failure("building the graph", error);
    }
    if (const auto error = m_graph.create_execution_plans({fe::HeurMode_t::A}); error.is_bad()) {
        return failure("asking for plans", error);
    }
    m_planCount = m_graph.get_execution_plan_count();
    Error last{.code = ErrorCode::Unsupported, .message = "cuDNN has no plan for this attention"};
    for (std::int64_t plan = 0; plan < m_planCount && m_plansTimed < mostPlans; ++plan) {
        const auto us = timePlan(plan, stopwatch);
        if (!us) {
            last = us.error();
            continue;
        }
        if (m_plansTimed++ == 0) {
            m_firstUs = *us;
            m_firstPlan = plan;
        }
        if (m_chosen < 0 || *us < m_chosenUs) {
            m_chosen = plan;
            m_chosenUs = *us;
        }
    }
    return m_chosen < 0 ? Result<void>(last) : Result<void>();
}

std::map<std::string, std::string> CudnnGraph::card() const
{
    std::string plan;
    std::int64_t workspace = 0;
    const bool named = m_graph.get_plan_name_at_index(m_chosen, plan).is_good();
    const bool sized = m_graph.get_workspace_size_plan_at_index(m_chosen, workspace).is_good();
    return {{"library", "cuDNN"}, {"version", cudnnVersion().value_or("unknown")},
        {"path", cudnnLibrary().path()},
        {"frontend",
            fmt::format("{}.{}.{}", CUDNN_FRONTEND_MAJOR_VERSION, CUDNN_FRONTEND_MINOR_VERSION,
                CUDNN_FRONTEND_PATCH_VERSION)},
        {"algorithm",
            fmt::format(
                "plan {}; rank {} of {} of heuristic mode A, {} timed ({:.1f} us against {:.1f} us of "
                "the first that it supports)",
                named ? plan : "without a name", m_chosen + 1, m_planCount, m_plansTimed, m_chosenUs,
                m_firstUs)},
        {"workspace", sized ? fmt::format("{} bytes", workspace) : "not told"}};
}

} // namespace ptxwb::gpu

#endif
