// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_output.h"

#include "app/cli/source_file.h"
#include "core/bench/npy.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace ptxwb::cli {

namespace {

std::string valueText(double value)
{
    if (std::isnan(value)) {
        return "NaN"; // its sign says nothing
    }
    return fmt::format("{:.9g}", value);
}

} // namespace

Result<std::vector<Dump>> dumpsOf(const std::vector<std::string>& words, const std::string& input)
{
    std::vector<Dump> dumps;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("--dump '{}' is not understood", word),
                .hint = "--dump TENSOR=FILE.npy"};
        }
        dumps.push_back({word.substr(0, equals), word.substr(equals + 1)});
        if (auto kept = keepsInput(input, dumps.back().file); !kept) {
            return kept.error();
        }
    }
    return dumps;
}

Result<void> writeDumps(
    const std::vector<Dump>& dumps, const std::vector<TensorContent>& outputs, const Session& session)
{
    for (const auto& dump : dumps) {
        const auto found = std::find_if(
            outputs.begin(), outputs.end(), [&](const auto& output) { return output.name == dump.tensor; });
        if (found == outputs.end()) {
            std::vector<std::string> names;
            for (const auto& output : outputs) {
                names.push_back(output.name);
            }
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("--dump {}: the plan has no such output", dump.tensor),
                .hint = names.empty() ? std::string("give a tensor \"role\": \"output\"")
                                      : fmt::format("outputs: {}", fmt::join(names, ", "))};
        }
        if (auto written = writeFileAtomically(dump.file, npyBytes(found->type, found->bytes), session.stop);
            !written) {
            return written.error();
        }
        session.progress(fmt::format("{} written to {}", dump.tensor, dump.file));
    }
    return {};
}

std::string outputText(const TensorContent& output, std::string_view among)
{
    std::vector<std::string> head;
    for (const double value : output.head) {
        head.push_back(valueText(value));
    }
    std::string text = fmt::format("{}: {} [{}], min {}, max {}, {} NaN, sha256 {}\n    {}{}\n", output.name,
        dtypeName(output.type.dtype), fmt::join(output.type.shape, ", "),
        output.min ? valueText(*output.min) : "-", output.max ? valueText(*output.max) : "-", output.nanCount,
        output.sha256.substr(0, 16), fmt::join(head, " "),
        static_cast<std::size_t>(output.type.elements()) > head.size() ? " ..." : "");
    if (output.unwrittenCount.value_or(0) != 0) {
        text += fmt::format(
            "    {} of {} elements were not written\n", *output.unwrittenCount, output.type.elements());
    }
    if (output.difference) {
        text += fmt::format("    differs {} by {:.3g} (normwise, relative)\n", among, *output.difference);
    }
    return text;
}

} // namespace ptxwb::cli
