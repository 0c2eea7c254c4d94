// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/gpu/oracle_kernels.h"

#include <cstdint>

namespace ptxwb::gpu {

/// The attention of an oracle's parameters (causal, scale) for queries [B, H, S, D].
AttentionProblem attentionProblem(const OracleSpec& oracle, const BufferSpec& q);

/// Buffers of one role, in the plan's order.
std::vector<const BufferSpec*> buffersWithRole(const ResolvedPlan& plan, BufferRole role);

/// Why these buffers are not those of oracle attention_forward (Q, K, V -> O, LSE); nothing when they are.
std::optional<std::string> whyNotAttentionForward(const ResolvedPlan& plan);
/// The same for attention_backward (Q, K, V, O, dO, L -> dQ, dK, dV).
std::optional<std::string> whyNotAttentionBackward(const ResolvedPlan& plan);

/// Makes the inputs that a plan calls derived: O and L of attention_backward, which its forward pass makes
/// from Q, K and V; tables and factors that follow from the seed. The same bits every time.
class DerivedInputs {
public:
    /// Nothing to be made.
    DerivedInputs() = default;
    /// Errors: Unsupported (derived inputs of which nothing is known).
    static Result<DerivedInputs> make(const OracleSpec& oracle, const ResolvedPlan& plan);
    /// `inputs`: device memory of the plan's inputs in order, the others filled. Enqueues.
    cudaError_t fill(const std::vector<void*>& inputs, std::uint64_t seed, cudaStream_t stream) const;
    bool isEmpty() const { return !m_forward && m_fromSeed.empty(); }
    /// Whether a derived input depends on input `i` of the plan, counted among inputs.
    bool reads(std::size_t i) const;

private:
    std::optional<AttentionProblem> m_forward;
    std::vector<BufferSpec> m_fromSeed; ///< the plan's tensors, when the seed alone decides
    OracleSpec m_oracle;
};

} // namespace ptxwb::gpu
