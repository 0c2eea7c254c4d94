// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/cudnn_graph.h"

#include <fmt/format.h>

#include <array>
#include <exception>

namespace ptxwb::gpu {

#ifdef PTXWB_HAVE_CUDNN_HEADERS

namespace {

namespace fe = cudnn_frontend;
using TensorOfGraph = std::shared_ptr<fe::graph::Tensor_attributes>;

/// Attention on contiguous [B, H, S, D], forward with its row statistics, or backward.
class CudnnAttention final : public Baseline {
public:
    Result<void> prepare(RunContext& context, Stopwatch& stopwatch);

    const char* name() const override { return "cudnn"; }
    cudaError_t run(cudaStream_t stream) override { return m_graph.run(stream); }
    void useFirstAlgorithm(bool first) override { m_graph.useFirst(first); }
    const void* output(std::size_t i) const override { return m_graph.output(i); }
    std::map<std::string, std::string> card() const override;

private:
    void describeForward();
    void describeBackward();
    TensorOfGraph input(std::size_t i);
    TensorOfGraph statisticsInput(std::size_t i);
    void describeOutput(const TensorOfGraph& tensor, std::size_t i);

    CudnnGraph m_graph;
    AttentionProblem m_problem;
    std::vector<const GuardedBuffer*> m_inputs; ///< the candidate's, in the plan's order
    std::vector<std::int64_t> m_dims; ///< of Q and all its like
    bool m_isBackward = false;
};

// A tensor's uid tells its role and its place among those of that role.
std::int64_t inputUid(std::size_t i)
{
    return 1 + static_cast<std::int64_t>(i);
}
std::int64_t outputUid(std::size_t i)
{
    return 101 + static_cast<std::int64_t>(i);
}

std::vector<std::int64_t> contiguous(const std::vector<std::int64_t>& dims)
{
    std::vector<std::int64_t> strides(dims.size(), 1);
    for (std::size_t i = dims.size() - 1; i > 0; --i) {
        strides[i - 1] = strides[i] * dims[i];
    }
    return strides;
}

Result<void> CudnnAttention::prepare(RunContext& context, Stopwatch& stopwatch)
{
    const std::string& oracle = context.request.oracle.name;
    m_isBackward = oracle == "attention_backward";
    if ((oracle != "attention_forward" && !m_isBackward) || !context.reference) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the cuDNN baseline knows attention_forward and attention_backward tasks only"};
    }
    std::vector<std::uint64_t> outputBytes;
    for (const GuardedBuffer& buffer : context.buffers.buffers()) {
        if (buffer.spec().role == BufferRole::Input) {
            m_inputs.push_back(&buffer);
        } else if (buffer.spec().role == BufferRole::Output) {
            outputBytes.push_back(buffer.bytes());
        }
    }
    const BufferSpec& q = m_inputs[0]->spec(); // Reference::whyNot saw to it that all fit each other
    m_problem = attentionProblem(context.request.oracle, q);
    m_dims = q.type.shape;
    if (const auto started = m_graph.start(context, q.type.dtype); !started) {
        return started;
    }
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        m_graph.bind(inputUid(i), m_inputs[i]->data());
    }
    for (std::size_t i = 0; i < outputBytes.size(); ++i) {
        if (const auto bound = m_graph.bindOwn(outputUid(i), outputBytes[i]); !bound) {
            return bound;
        }
    }
    if (m_isBackward) {
        describeBackward();
    } else {
        describeForward();
    }
    return m_graph.choosePlan(stopwatch);
}

TensorOfGraph CudnnAttention::input(std::size_t i)
{
    return m_graph.graph().tensor(fe::graph::Tensor_attributes()
                                      .set_name(m_inputs[i]->spec().name)
                                      .set_dim(m_dims)
                                      .set_stride(contiguous(m_dims))
                                      .set_uid(inputUid(i)));
}

TensorOfGraph CudnnAttention::statisticsInput(std::size_t i)
{
    const std::vector<std::int64_t> dims{m_dims[0], m_dims[1], m_dims[2], 1};
    return m_graph.graph().tensor(fe::graph::Tensor_attributes()
                                      .set_name(m_inputs[i]->spec().name)
                                      .set_data_type(fe::DataType_t::FLOAT)
                                      .set_dim(dims)
                                      .set_stride(contiguous(dims))
                                      .set_uid(inputUid(i)));
}

void CudnnAttention::describeOutput(const TensorOfGraph& tensor, std::size_t i)
{
    tensor->set_output(true).set_dim(m_dims).set_stride(contiguous(m_dims)).set_uid(outputUid(i));
}

void CudnnAttention::describeForward()
{
    auto attributes = fe::graph::SDPA_attributes()
                          .set_name("attention")
                          .set_generate_stats(true)
                          .set_causal_mask(m_problem.causal)
                          .set_attn_scale(static_cast<float>(m_problem.scale));
    const auto [o, statistics] = m_graph.graph().sdpa(input(0), input(1), input(2), std::move(attributes));
    describeOutput(o, 0);
    const std::vector<std::int64_t> dims{m_dims[0], m_dims[1], m_dims[2], 1};
    statistics->set_output(true)
        .set_data_type(fe::DataType_t::FLOAT)
        .set_dim(dims)
        .set_stride(contiguous(dims))
        .set_uid(outputUid(1));
}

void CudnnAttention::describeBackward()
{
    auto attributes = fe::graph::SDPA_backward_attributes()
                          .set_name("attention_backward")
                          .set_causal_mask(m_problem.causal)
                          .set_attn_scale(static_cast<float>(m_problem.scale));
    // The plan's inputs are Q, K, V, O, dO and L.
    const auto gradients = m_graph.graph().sdpa_backward(
        input(0), input(1), input(2), input(3), input(4), statisticsInput(5), std::move(attributes));
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        describeOutput(gradients[i], i);
    }
}

std::map<std::string, std::string> CudnnAttention::card() const
{
    auto card = m_graph.card();
    const auto type = dtypeName(m_inputs[0]->spec().type.dtype);
    card["compute type"] = fmt::format("{} in, float32 sums and statistics, {} out", type, type);
    card["mask"] = m_problem.causal ? "causal" : "none";
    card["layout"] = m_isBackward
        ? "Q, K, V, O, dO, dQ, dK, dV [B,H,S,D], L [B,H,S], contiguous, as the candidate's"
        : "Q, K, V, O [B,H,S,D], LSE [B,H,S], contiguous, as the candidate's";
    if (m_isBackward) {
        card["order of sums"] = "free: cuDNN was not asked for its deterministic algorithm";
    }
    return card;
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
