// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/baseline.h"
#include "core/gpu/libraries.h"

#if __has_include(<cudnn_frontend.h>) && __has_include(<cudnn.h>) && __has_include(<nvrtc.h>)
#define PTXWB_HAVE_CUDNN_HEADERS 1
// The frontend then takes cuDNN's functions from cudnn_dlhandle instead of linking them.
#define NV_CUDNN_FRONTEND_USE_DYNAMIC_LOADING 1
#define CUDNN_FRONTEND_SKIP_JSON_LIB 1
#include <cudnn_frontend.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>

#ifdef PTXWB_HAVE_CUDNN_HEADERS
namespace cudnn_frontend {
void* cudnn_dlhandle = nullptr; // declared by the frontend, to be defined and set by its user
}
#endif

namespace ptxwb::gpu {

#ifdef PTXWB_HAVE_CUDNN_HEADERS

namespace {

namespace fe = cudnn_frontend;

constexpr std::int64_t mostPlans = 4;
constexpr int timedCalls = 5;

enum Uid : std::int64_t { UidQ = 1, UidK, UidV, UidO, UidStatistics };

Error failure(const char* what, fe::error_object error) // by value: its getters are not const
{
    return {.code = ErrorCode::ToolFailed,
        .message = fmt::format("cuDNN: {} failed: {}", what, error.get_message())};
}

/// O = softmax(scale Q K^T) V with its row statistics, on [B, H, S, D] contiguous. The handle and cuDNN live
/// as long as the process.
class CudnnAttention final : public Baseline {
public:
    Result<void> prepare(RunContext& context, Stopwatch& stopwatch);

    const char* name() const override { return "cudnn"; }
    cudaError_t run(cudaStream_t stream) override { return runPlan(m_chosen, stream); }
    const void* output(std::size_t i) const override
    {
        return i == 0 ? m_output.data() : m_statistics.data();
    }
    std::map<std::string, std::string> card() const override;

private:
    Result<void> takeBuffers(const RunContext& context);
    Result<void> describeGraph(const RunContext& context);
    Result<void> choose(Stopwatch& stopwatch);
    Result<double> timePlan(std::int64_t plan, Stopwatch& stopwatch);
    cudaError_t runPlan(std::int64_t plan, cudaStream_t stream);

    cudnnHandle_t m_handle = nullptr;
    fe::graph::Graph m_graph;
    std::unordered_map<std::int64_t, void*> m_pointers;
    BufferSpec m_q;
    DeviceMemory m_output;
    DeviceMemory m_statistics;
    DeviceMemory m_workspace;
    std::int64_t m_planCount = 0;
    std::int64_t m_chosen = -1;
    int m_plansTimed = 0;
    double m_chosenUs = 0;
    double m_firstUs = 0; ///< of the heuristic's own first plan that is supported
    bool m_causal = false;
};

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

Result<void> CudnnAttention::prepare(RunContext& context, Stopwatch& stopwatch)
{
    if (context.request.oracle.name != "attention_forward" || !context.reference) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuDNN baseline knows attention_forward tasks only"};
    }
    if (const auto loaded = loadCudnn(); !loaded) {
        return loaded;
    }
    if (const auto taken = takeBuffers(context); !taken) {
        return taken;
    }
    for (const cudnnStatus_t status :
        {fe::detail::create_handle(&m_handle), fe::detail::set_stream(m_handle, context.stream)}) {
        if (status != CUDNN_STATUS_SUCCESS) {
            return Error{.code = ErrorCode::ToolFailed,
                .message = fmt::format("cuDNN: starting failed: {}", fe::detail::get_error_string(status))};
        }
    }
    if (const auto described = describeGraph(context); !described) {
        return described;
    }
    return choose(stopwatch);
}

Result<void> CudnnAttention::takeBuffers(const RunContext& context)
{
    std::int64_t nextInput = UidQ;
    DeviceMemory* nextOutput = &m_output;
    for (const GuardedBuffer& buffer : context.buffers.buffers()) {
        if (buffer.spec().role == BufferRole::Input) {
            if (nextInput == UidQ) {
                m_q = buffer.spec();
            }
            m_pointers[nextInput++] = buffer.data();
        } else if (buffer.spec().role == BufferRole::Output) {
            auto taken = DeviceMemory::allocate(buffer.bytes(), "cuDNN's output");
            if (!taken) {
                return taken.error();
            }
            *nextOutput = *std::move(taken);
            m_pointers[nextOutput == &m_output ? UidO : UidStatistics] = nextOutput->data();
            nextOutput = &m_statistics;
        }
    }
    return {};
}

Result<void> CudnnAttention::describeGraph(const RunContext& context)
{
    if (m_q.type.dtype != Dtype::Bfloat16 && m_q.type.dtype != Dtype::Float16) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuDNN baseline takes bfloat16 or float16 attention"};
    }
    const auto& parameters = context.request.oracle.parameters;
    const auto& shape = m_q.type.shape; // Reference::whyNot saw to it that all five fit each other
    const std::int64_t s = shape[2];
    const std::int64_t d = shape[3];
    const auto scale = parameters.find("scale");
    const auto causal = parameters.find("causal");
    m_causal = causal != parameters.end() && causal->second != 0;

    m_graph
        .set_io_data_type(m_q.type.dtype == Dtype::Bfloat16 ? fe::DataType_t::BFLOAT16 : fe::DataType_t::HALF)
        .set_intermediate_data_type(fe::DataType_t::FLOAT)
        .set_compute_data_type(fe::DataType_t::FLOAT)
        .set_sm_version(context.device.major * 10 + context.device.minor);
    const std::vector<std::int64_t> stride{shape[1] * s * d, s * d, d, 1};
    const auto input = [&](const char* tensor, Uid uid) {
        return m_graph.tensor(fe::graph::Tensor_attributes()
                                  .set_name(tensor)
                                  .set_dim({shape.begin(), shape.end()})
                                  .set_stride(stride)
                                  .set_uid(uid));
    };
    auto attention =
        fe::graph::SDPA_attributes()
            .set_name("attention")
            .set_generate_stats(true)
            .set_causal_mask(m_causal)
            .set_attn_scale(static_cast<float>(
                scale != parameters.end() ? scale->second : 1 / std::sqrt(static_cast<double>(d))));
    const auto [o, statistics] =
        m_graph.sdpa(input("Q", UidQ), input("K", UidK), input("V", UidV), std::move(attention));
    o->set_output(true).set_dim({shape.begin(), shape.end()}).set_stride(stride).set_uid(UidO);
    statistics->set_output(true)
        .set_data_type(fe::DataType_t::FLOAT)
        .set_dim({shape[0], shape[1], s, 1})
        .set_stride({shape[1] * s, s, 1, 1})
        .set_uid(UidStatistics);

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
    return {};
}

cudaError_t CudnnAttention::runPlan(std::int64_t plan, cudaStream_t stream)
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
Result<double> CudnnAttention::timePlan(std::int64_t plan, Stopwatch& stopwatch)
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

Result<void> CudnnAttention::choose(Stopwatch& stopwatch)
{
    Error last{.code = ErrorCode::Unsupported, .message = "cuDNN has no plan for this attention"};
    for (std::int64_t plan = 0; plan < m_planCount && m_plansTimed < mostPlans; ++plan) {
        const auto us = timePlan(plan, stopwatch);
        if (!us) {
            last = us.error();
            continue;
        }
        if (m_plansTimed++ == 0) {
            m_firstUs = *us;
        }
        if (m_chosen < 0 || *us < m_chosenUs) {
            m_chosen = plan;
            m_chosenUs = *us;
        }
    }
    return m_chosen < 0 ? Result<void>(last) : Result<void>();
}

std::map<std::string, std::string> CudnnAttention::card() const
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
        {"compute type",
            fmt::format("{} in, float32 sums and statistics, {} out", dtypeName(m_q.type.dtype),
                dtypeName(m_q.type.dtype))},
        {"mask", m_causal ? "causal" : "none"},
        {"layout", "Q, K, V, O [B,H,S,D], LSE [B,H,S], contiguous, as the candidate's"},
        {"workspace", sized ? fmt::format("{} bytes", workspace) : "not told"}};
}

} // namespace

Result<std::unique_ptr<Baseline>> makeCudnnAttention(RunContext& context, Stopwatch& stopwatch)
{
    try {
        auto attention = std::make_unique<CudnnAttention>();
        if (const auto done = attention->prepare(context, stopwatch); !done) {
            return done.error();
        }
        return std::unique_ptr<Baseline>(std::move(attention));
    } catch (const std::exception& problem) {
        return Error{.code = ErrorCode::ToolFailed, .message = fmt::format("cuDNN: {}", problem.what())};
    }
}

#else

Result<std::unique_ptr<Baseline>> makeCudnnAttention(RunContext&, Stopwatch&)
{
    return Error{.code = ErrorCode::MissingTool,
        .message = "this ptxwb-runner was built without cudnn-frontend's headers, or those of cuDNN or NVRTC",
        .hint = "build it where cudnn_frontend.h, cudnn.h and nvrtc.h are (packaging/run brings the wheel "
                "nvidia-cudnn-frontend; .deps/include is looked into, too)"};
}

#endif

} // namespace ptxwb::gpu
