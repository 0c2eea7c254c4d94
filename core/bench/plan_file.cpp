// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan_file.h"

#include "core/bench/npy.h"
#include "core/support/input.h"

namespace ptxwb {

Result<std::vector<std::byte>> readPlanFile(
    const DeclaredPlan& declared, std::size_t b, const std::filesystem::path& directory)
{
    const auto& spec = declared.plan.buffers[b];
    const auto path = directory / declared.files[b];
    std::error_code failed;
    if (std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed)) {
        return Error{.code = ErrorCode::Unreadable,
            .message = "the tensor's values must come from a regular file",
            .hint = "write them with numpy.save",
            .path = path.string()};
    }
    // A header of 64 KiB is the most that NumPy writes; more than the tensor holds is no such tensor.
    constexpr std::size_t headerBytes = 64U << 10;
    const auto most = spec.type.bytes() + headerBytes;
    const auto file = readInput(path, {.bytes = most, .binaryBytes = most});
    if (!file) {
        return file.error();
    }
    auto content = readNpy(*file, spec.type);
    if (!content) {
        auto error = content.error();
        error.path = path.string();
        return error;
    }
    return content;
}

} // namespace ptxwb
