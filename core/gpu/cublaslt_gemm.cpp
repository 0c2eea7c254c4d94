// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/baseline.h"
#include "core/gpu/libraries.h"

#if __has_include(<cublasLt.h>)
#define PTXWB_HAVE_CUBLASLT_HEADER 1
#include <cublasLt.h>
#endif

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::gpu {

#ifdef PTXWB_HAVE_CUBLASLT_HEADER

namespace {

constexpr std::uint64_t workspaceBytes = 256ULL << 20;
constexpr int requestedAlgorithms = 16;
constexpr int timedCalls = 5;

/// The functions used, by their own types; the library is never linked.
struct CublasLt {
    decltype(&cublasLtCreate) create = nullptr;
    decltype(&cublasLtDestroy) destroy = nullptr;
    decltype(&cublasLtMatmul) matmul = nullptr;
    decltype(&cublasLtMatmulDescCreate) descCreate = nullptr;
    decltype(&cublasLtMatmulDescSetAttribute) descSet = nullptr;
    decltype(&cublasLtMatrixLayoutCreate) layoutCreate = nullptr;
    decltype(&cublasLtMatmulPreferenceCreate) preferenceCreate = nullptr;
    decltype(&cublasLtMatmulPreferenceSetAttribute) preferenceSet = nullptr;
    decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
    decltype(&cublasLtMatmulAlgoConfigGetAttribute) algorithmGet = nullptr;

    bool load(const SharedLibrary& library)
    {
        bool all = true;
        const auto get = [&](auto& function, const char* name) {
            function = library.function<std::remove_reference_t<decltype(function)>>(name);
            all = all && function != nullptr;
        };
        get(create, "cublasLtCreate");
        get(destroy, "cublasLtDestroy");
        get(matmul, "cublasLtMatmul");
        get(descCreate, "cublasLtMatmulDescCreate");
        get(descSet, "cublasLtMatmulDescSetAttribute");
        get(layoutCreate, "cublasLtMatrixLayoutCreate");
        get(preferenceCreate, "cublasLtMatmulPreferenceCreate");
        get(preferenceSet, "cublasLtMatmulPreferenceSetAttribute");
        get(heuristic, "cublasLtMatmulAlgoGetHeuristic");
        get(algorithmGet, "cublasLtMatmulAlgoConfigGetAttribute");
        return all;
    }
};

/// C[M,N] = A[M,K] B[N,K]^T, row-major, is C^T = B A^T in cuBLAS's column-major eyes: its first matrix is B,
/// read transposed, its second is A, and nothing is copied. Descriptors live as long as the process.
class CublasLtGemm final : public Baseline {
public:
    Result<void> prepare(RunContext& context, Stopwatch& stopwatch);

    const char* name() const override { return "cublaslt"; }
    cudaError_t run(cudaStream_t stream) override
    {
        return runWith(m_results[m_first ? 0 : m_chosen].algo, stream) == CUBLAS_STATUS_SUCCESS
            ? cudaSuccess
            : cudaErrorUnknown;
    }
    void useFirstAlgorithm(bool first) override { m_first = first; }
    const void* output(std::size_t) const override { return m_output.data(); }
    std::map<std::string, std::string> card() const override;

private:
    Result<void> describe(const BufferSpec& a, const BufferSpec& b, const BufferSpec& c);
    Result<void> choose(Stopwatch& stopwatch);
    cublasStatus_t runWith(const cublasLtMatmulAlgo_t& algorithm, cudaStream_t stream) const
    {
        const float one = 1;
        const float zero = 0;
        return m_lt.matmul(m_handle, m_desc, &one, m_b, m_layoutB, m_a, m_layoutA, &zero, m_output.data(),
            m_layoutC, m_output.data(), m_layoutC, &algorithm, m_workspace.data(), m_workspace.bytes(),
            stream);
    }

    CublasLt m_lt;
    cublasLtHandle_t m_handle = nullptr;
    cublasLtMatmulDesc_t m_desc = nullptr;
    cublasLtMatrixLayout_t m_layoutA = nullptr;
    cublasLtMatrixLayout_t m_layoutB = nullptr;
    cublasLtMatrixLayout_t m_layoutC = nullptr;
    const void* m_a = nullptr;
    const void* m_b = nullptr;
    DeviceMemory m_output;
    DeviceMemory m_workspace;
    std::vector<cublasLtMatmulHeuristicResult_t> m_results;
    bool m_first = false;
    std::size_t m_chosen = 0;
    double m_chosenUs = 0;
    double m_firstUs = 0; ///< of the heuristic's own first choice
    std::string m_types;
};

Error statusError(const char* what, cublasStatus_t status)
{
    return {.code = ErrorCode::ToolFailed,
        .message = fmt::format("cuBLASLt: {} failed with status {}", what, static_cast<int>(status))};
}

Result<void> CublasLtGemm::prepare(RunContext& context, Stopwatch& stopwatch)
{
    const SharedLibrary& library = cublasLtLibrary();
    if (!library.isOpen()) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "cuBLASLt is not here: " + library.reason(),
            .hint = "install CUDA's cuBLAS, or the wheel nvidia-cublas"};
    }
    if (!m_lt.load(library)) {
        return Error{
            .code = ErrorCode::MissingTool, .message = library.path() + " lacks functions of cuBLASLt"};
    }
    std::vector<const GuardedBuffer*> inputs;
    const GuardedBuffer* output = nullptr;
    for (const GuardedBuffer& buffer : context.buffers.buffers()) {
        if (buffer.spec().role == BufferRole::Input) {
            inputs.push_back(&buffer);
        } else if (buffer.spec().role == BufferRole::Output) {
            output = &buffer;
        }
    }
    if (context.request.oracle.name != "gemm_nt" || !context.reference || inputs.size() != 2
        || output == nullptr) {
        return Error{
            .code = ErrorCode::Unsupported, .message = "the cuBLASLt baseline knows gemm_nt tasks only"};
    }
    m_a = inputs[0]->data();
    m_b = inputs[1]->data();
    for (const auto& [memory, bytes, purpose] : {std::tuple(&m_output, output->bytes(), "cuBLASLt's output"),
             std::tuple(&m_workspace, workspaceBytes, "cuBLASLt's workspace")}) {
        auto taken = DeviceMemory::allocate(bytes, purpose);
        if (!taken) {
            return taken.error();
        }
        *memory = *std::move(taken);
    }
    if (const auto status = m_lt.create(&m_handle); status != CUBLAS_STATUS_SUCCESS) {
        return statusError("starting", status);
    }
    if (const auto done = describe(inputs[0]->spec(), inputs[1]->spec(), output->spec()); !done) {
        return done;
    }
    return choose(stopwatch);
}

Result<void> CublasLtGemm::describe(const BufferSpec& a, const BufferSpec& b, const BufferSpec& c)
{
    const auto type = [](Dtype dtype) -> std::optional<cudaDataType_t> {
        switch (dtype) {
        case Dtype::Bfloat16:
            return CUDA_R_16BF;
        case Dtype::Float16:
            return CUDA_R_16F;
        default:
            return std::nullopt;
        }
    };
    const auto in = type(a.type.dtype);
    const auto out = type(c.type.dtype);
    if (!in || !out || a.type.dtype != b.type.dtype) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuBLASLt baseline takes bfloat16 or float16 matrices"};
    }
    m_types = fmt::format("{} in, float32 sums, {} out", dtypeName(a.type.dtype), dtypeName(c.type.dtype));
    const auto m = static_cast<std::uint64_t>(a.type.shape[0]);
    const auto k = static_cast<std::uint64_t>(a.type.shape[1]);
    const auto n = static_cast<std::uint64_t>(b.type.shape[0]);
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const cublasOperation_t plain = CUBLAS_OP_N;
    for (const cublasStatus_t status : {m_lt.descCreate(&m_desc, CUBLAS_COMPUTE_32F, CUDA_R_32F),
             m_lt.descSet(m_desc, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
             m_lt.descSet(m_desc, CUBLASLT_MATMUL_DESC_TRANSB, &plain, sizeof plain),
             m_lt.layoutCreate(&m_layoutB, *in, k, n, static_cast<std::int64_t>(k)),
             m_lt.layoutCreate(&m_layoutA, *in, k, m, static_cast<std::int64_t>(k)),
             m_lt.layoutCreate(&m_layoutC, *out, n, m, static_cast<std::int64_t>(n))}) {
        if (status != CUBLAS_STATUS_SUCCESS) {
            return statusError("describing the matrices", status);
        }
    }
    cublasLtMatmulPreference_t preference = nullptr;
    m_lt.preferenceCreate(&preference);
    m_lt.preferenceSet(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspaceBytes, sizeof workspaceBytes);
    m_results.resize(requestedAlgorithms);
    int found = 0;
    const auto status = m_lt.heuristic(m_handle, m_desc, m_layoutB, m_layoutA, m_layoutC, m_layoutC,
        preference, requestedAlgorithms, m_results.data(), &found);
    m_results.resize(static_cast<std::size_t>(std::max(found, 0)));
    std::erase_if(m_results, [](const auto& result) { return result.state != CUBLAS_STATUS_SUCCESS; });
    if (status != CUBLAS_STATUS_SUCCESS || m_results.empty()) {
        return statusError("asking for algorithms", status);
    }
    return {};
}

Result<void> CublasLtGemm::choose(Stopwatch& stopwatch)
{
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        const auto enqueue = [&](cudaStream_t stream) {
            return runWith(m_results[i].algo, stream) == CUBLAS_STATUS_SUCCESS ? cudaSuccess
                                                                               : cudaErrorUnknown;
        };
        std::vector<double> times;
        double us = 0;
        bool works = stopwatch.cold(enqueue, us) == cudaSuccess; // loads the kernel; not counted
        for (int call = 0; works && call < timedCalls; ++call) {
            works = stopwatch.cold(enqueue, us) == cudaSuccess;
            times.push_back(us);
        }
        const auto middle = works ? median(times) : std::nullopt;
        if (middle && (m_chosenUs == 0 || *middle < m_chosenUs)) {
            m_chosen = i;
            m_chosenUs = *middle;
        }
        if (i == 0 && middle) {
            m_firstUs = *middle;
        }
    }
    if (m_chosenUs == 0) {
        return Error{.code = ErrorCode::ToolFailed, .message = "cuBLASLt: none of its algorithms ran"};
    }
    return {};
}

std::map<std::string, std::string> CublasLtGemm::card() const
{
    const auto& chosen = m_results[m_chosen];
    const auto config = [&](cublasLtMatmulAlgoConfigAttributes_t attribute) {
        std::int32_t value = 0;
        std::size_t written = 0;
        return m_lt.algorithmGet(&chosen.algo, attribute, &value, sizeof value, &written)
                == CUBLAS_STATUS_SUCCESS
            ? std::to_string(value)
            : std::string("not told");
    };
    return {{"library", "cuBLASLt"}, {"version", cublasLtVersion().value_or("unknown")},
        {"path", cublasLtLibrary().path()},
        {"algorithm",
            fmt::format("id {}, tile {}, stages {}, split-K {}; rank {} of {} of its heuristic, chosen by "
                        "time ({:.1f} us "
                        "against {:.1f} us of rank 1)",
                config(CUBLASLT_ALGO_CONFIG_ID), config(CUBLASLT_ALGO_CONFIG_TILE_ID),
                config(CUBLASLT_ALGO_CONFIG_STAGES_ID), config(CUBLASLT_ALGO_CONFIG_SPLITK_NUM), m_chosen + 1,
                m_results.size(), m_chosenUs, m_firstUs)},
        {"compute type", m_types}, {"layout", "A [M,K], B [N,K], C [M,N] row-major, as the candidate's"},
        {"workspace", fmt::format("{} of {} bytes used", chosen.workspaceSize, workspaceBytes)}};
}

} // namespace

Result<std::unique_ptr<Baseline>> makeCublasLtGemm(RunContext& context, Stopwatch& stopwatch)
{
    auto gemm = std::make_unique<CublasLtGemm>();
    if (const auto done = gemm->prepare(context, stopwatch); !done) {
        return done.error();
    }
    return std::unique_ptr<Baseline>(std::move(gemm));
}

#else

Result<std::unique_ptr<Baseline>> makeCublasLtGemm(RunContext&, Stopwatch&)
{
    return Error{.code = ErrorCode::MissingTool,
        .message = "this ptxwb-runner was built without cuBLASLt's header",
        .hint =
            "build it where cublasLt.h is (CUDA's cuBLAS development package, or the wheel nvidia-cublas)"};
}

#endif

} // namespace ptxwb::gpu
