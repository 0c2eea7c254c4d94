// SPDX-License-Identifier: Apache-2.0
#include "core/bench/scaled_problem.h"
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
    cudaError_t arrange(cudaStream_t stream) override;
    void useFirstAlgorithm(bool first) override { m_first = first; }
    const void* output(std::size_t) const override { return m_output.data(); }
    std::map<std::string, std::string> card() const override;

private:
    Result<void> describe(const BufferSpec& a, const BufferSpec& b, const BufferSpec& c);
    Result<void> askForAlgorithms();
    Result<void> setFactors(const std::vector<const GuardedBuffer*>& inputs);
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
    std::optional<ScaledGemm> m_scaled;
    struct Factors {
        const float* given = nullptr;
        std::int64_t rows = 0; ///< 0: they lie as cuBLASLt wants them
        DeviceMemory turned{}; ///< in its order
    };
    Factors m_factors[2]; ///< of A and of B
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
    const std::string& oracle = context.request.oracle.name;
    const bool isScaled = oracle == "gemm_nt_scaled";
    if ((oracle != "gemm_nt" && !isScaled) || !context.reference || inputs.size() != (isScaled ? 4 : 2)
        || output == nullptr) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuBLASLt baseline knows gemm_nt and gemm_nt_scaled tasks only"};
    }
    const GuardedBuffer& b = *inputs[isScaled ? 2 : 1];
    m_a = inputs[0]->data();
    m_b = b.data();
    if (isScaled) {
        auto problem = scaledGemm(context.request.plan.buffers);
        if (!problem) {
            return problem.error();
        }
        m_scaled = *problem;
    }
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
    if (const auto done = describe(inputs[0]->spec(), b.spec(), output->spec()); !done) {
        return done;
    }
    if (const auto set = m_scaled ? setFactors(inputs) : Result<void>(); !set) {
        return set;
    }
    if (const auto asked = askForAlgorithms(); !asked) {
        return asked;
    }
    if (arrange(context.stream) != cudaSuccess || cudaStreamSynchronize(context.stream) != cudaSuccess) {
        return Error{.code = ErrorCode::ToolFailed, .message = "cuBLASLt: its factors could not be made"};
    }
    return choose(stopwatch);
}

/// Factors per 128 elements of the inner dimension lie one behind the other along the rows, a line for each
/// 128 columns; those of 128 x 128 blocks lie as the task has them, since K / 128 is a multiple of four.
Result<void> CublasLtGemm::setFactors(const std::vector<const GuardedBuffer*>& inputs)
{
    const bool perBlock = m_scaled->bRows == scaledColumns;
    if (m_scaled->k / scaledColumns % 4 != 0 || m_scaled->m % 4 != 0) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuBLASLt baseline takes factors where M is a multiple of 4 and K of 512"};
    }
    m_factors[0].given = static_cast<const float*>(inputs[1]->data());
    m_factors[0].rows = m_scaled->m;
    m_factors[1].given = static_cast<const float*>(inputs[3]->data());
    m_factors[1].rows = perBlock ? 0 : m_scaled->n;
    for (Factors& factors : m_factors) {
        if (factors.rows > 0) {
            const auto bytes =
                sizeof(float) * static_cast<std::uint64_t>(factors.rows * m_scaled->k / scaledColumns);
            auto taken = DeviceMemory::allocate(bytes, "cuBLASLt's factors");
            if (!taken) {
                return taken.error();
            }
            factors.turned = *std::move(taken);
        }
    }
    const auto pointer = [](const Factors& factors) -> const void* {
        return factors.rows > 0 ? factors.turned.data() : factors.given;
    };
    const void* ofA = pointer(m_factors[0]);
    const void* ofB = pointer(m_factors[1]);
    // cuBLASLt's first matrix is our B.
    const std::int32_t perRow = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F;
    const std::int32_t first = perBlock ? CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F : perRow;
    for (const cublasStatus_t status :
        {m_lt.descSet(m_desc, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &first, sizeof first),
            m_lt.descSet(m_desc, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, &perRow, sizeof perRow),
            m_lt.descSet(m_desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &ofB, sizeof ofB),
            m_lt.descSet(m_desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &ofA, sizeof ofA)}) {
        if (status != CUBLAS_STATUS_SUCCESS) {
            return statusError("setting the factors", status);
        }
    }
    m_types += fmt::format(
        "; factors per 128 elements of A and per {} of B", perBlock ? "128 x 128 block" : "128 elements");
    return {};
}

cudaError_t CublasLtGemm::arrange(cudaStream_t stream)
{
    for (const Factors& factors : m_factors) {
        if (factors.rows > 0) {
            const cudaError_t code = transposeFloats(
                factors.given, factors.turned.as<float>(), factors.rows, m_scaled->k / scaledColumns, stream);
            if (code != cudaSuccess) {
                return code;
            }
        }
    }
    return cudaSuccess;
}

Result<void> CublasLtGemm::describe(const BufferSpec& a, const BufferSpec& b, const BufferSpec& c)
{
    const auto type = [](Dtype dtype) -> std::optional<cudaDataType_t> {
        switch (dtype) {
        case Dtype::Bfloat16:
            return CUDA_R_16BF;
        case Dtype::Float16:
            return CUDA_R_16F;
        case Dtype::Float8E4m3:
            return CUDA_R_8F_E4M3;
        case Dtype::Float32:
            return CUDA_R_32F;
        default:
            return std::nullopt;
        }
    };
    const auto in = type(a.type.dtype);
    const auto out = type(c.type.dtype);
    // Float32 inputs would be a matter of TF32 or not: no baseline says which is meant.
    if (!in || !out || a.type.dtype != b.type.dtype || a.type.dtype == Dtype::Float32) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuBLASLt baseline takes bfloat16, float16 or e4m3 matrices"};
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
    return {};
}

Result<void> CublasLtGemm::askForAlgorithms()
{
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
