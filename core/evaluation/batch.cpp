// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/batch.h"

#include "core/support/sha256.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <mutex>
#include <thread>

namespace ptxwb {

void runBatch(const Evaluator& evaluator, const std::vector<BatchItem>& items,
    const std::vector<BatchPlace>& places,
    const std::function<void(std::size_t item, const Result<Evaluation>& answer)>& onAnswer,
    std::stop_token stop)
{
    std::atomic<std::size_t> next{0};
    std::mutex answering;
    const auto work = [&](const BatchPlace& place) {
        for (std::size_t i = next++; i < items.size() && !stop.stop_requested(); i = next++) {
            EvaluationRequest request = items[i].request;
            request.where = place.where;
            request.endpoint = place.endpoint;
            request.device = place.device;
            const auto answer = evaluator.evaluate(request, {}, stop);
            const std::scoped_lock lock(answering);
            onAnswer(i, answer);
        }
    };
    std::vector<std::jthread> threads;
    for (const BatchPlace& place : places) {
        threads.emplace_back([&work, &place] { work(place); });
    }
}

std::uint64_t batchSeed(std::string_view text, std::string_view task, std::string_view workload)
{
    const auto hash = sha256Hex(fmt::format("{}\n{}\n{}", task, workload, text));
    std::uint64_t seed = 0;
    std::from_chars(hash.data(), hash.data() + 12, seed, 16);
    return seed + 1; // 0 would draw one
}

} // namespace ptxwb
