// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/baseline.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

class RivalVersion final : public Baseline {
public:
    explicit RivalVersion(RunContext& context)
        : m_context(context)
    {
    }
    const char* name() const override { return "rival"; }
    cudaError_t run(cudaStream_t stream) override { return m_context.rival->launch(stream); }
    bool isRival() const override { return true; }
    const void* output(std::size_t i) const override
    {
        for (const GuardedBuffer& buffer : m_context.buffers.buffers()) {
            if (buffer.spec().role == BufferRole::Output && i-- == 0) {
                return buffer.data();
            }
        }
        return nullptr;
    }
    std::map<std::string, std::string> card() const override
    {
        return {{"kernels", m_context.rival->title()}};
    }

private:
    RunContext& m_context;
};

} // namespace

std::unique_ptr<Baseline> makeRival(RunContext& context)
{
    return std::make_unique<RivalVersion>(context);
}

Result<std::unique_ptr<Baseline>> makeBaseline(
    const std::string& name, RunContext& context, Stopwatch& stopwatch)
{
    if (name == "cublaslt") {
        return makeCublasLtGemm(context, stopwatch);
    }
    if (name == "cudnn") {
        return makeCudnnAttention(context, stopwatch);
    }
    return Error{.code = ErrorCode::Unsupported, .message = fmt::format("there is no baseline '{}'", name)};
}

} // namespace ptxwb::gpu
