// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluator.h"

#include <cstdint>

namespace ptxwb {

/// One line of a batch.
struct BatchItem {
    std::string id{};
    EvaluationRequest request{}; ///< without its place
};

/// Where items are evaluated, one at a time.
struct BatchPlace {
    Where where = Where::Gpu;
    std::optional<RunnerEndpoint> endpoint{};
    int device = 0;
};

/// Evaluates every item, each place taking the next one that nobody has: one queue, so that a slow item holds
/// up its own place only. Items know nothing of each other, so the answers do not depend on the order.
/// `onAnswer` comes from the places' threads, one call at a time. Blocks; after a stop, items that were not
/// begun get no answer and those under way an Error (Cancelled).
void runBatch(const Evaluator& evaluator, const std::vector<BatchItem>& items,
    const std::vector<BatchPlace>& places,
    const std::function<void(std::size_t item, const Result<Evaluation>& answer)>& onAnswer,
    std::stop_token stop);

/// A seed that follows from what is evaluated and from nothing else.
std::uint64_t batchSeed(std::string_view text, std::string_view task, std::string_view workload);

} // namespace ptxwb
