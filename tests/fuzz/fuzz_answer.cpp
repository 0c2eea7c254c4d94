// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model's answer that is put into another text, and as a trajectory.
#include "core/llm/hunks.h"
#include "core/llm/markdown.h"
#include "core/records/asked_families.h"
#include "core/records/extraction.h"
#include "core/records/trajectory.h"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace ptxwb;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto buffer = text.substr(0, size / 3);
    for (const auto& block : llm::codeBlocks(text)) {
        const auto proposal = llm::propose(buffer, block, std::nullopt);
        std::vector<bool> accepted;
        for (const auto& hunk : proposal.hunks) {
            accepted.push_back(hunk.suggested);
        }
        if (!llm::applyHunks(proposal, accepted, buffer)) {
            std::abort();
        }
    }
    (void)llm::segments(text);
    (void)llm::chooseCode(text);
    if (const auto code = records::extractByReference(text)) {
        (void)records::familiesAsked(code->text, code->language);
    }
    if (const auto code = records::extractByCommonMark(text)) {
        (void)records::familiesAsked(code->text, code->language);
    }
    (void)records::answersOfJson(text, "answers.json");
    (void)records::answersOfJsonLines(text, "answers.jsonl");
    (void)records::definitionsOfPlan(text);
    return 0;
}
