// SPDX-License-Identifier: Apache-2.0
#include "app/cli/place_option.h"

#include "core/runner/ssh_runner.h"

#include <fmt/format.h>

#include <charconv>

namespace ptxwb::cli {

namespace {

Error badPlace(const std::string& on)
{
    return {.code = ErrorCode::InvalidArgument,
        .message = fmt::format("--on '{}' is not understood", on),
        .hint = "auto, gpu, gpu:N (N from 0), emulator, none, ssh:HOST or exec:'COMMAND'"};
}

} // namespace

Result<Place> placeOf(const std::string& on)
{
    Place place;
    if (on == "auto") {
        place.where = Where::Auto;
    } else if (on == "none") {
        place.where = Where::None;
    } else if (on == "emulator") {
        place.where = Where::Emulator;
    } else if (on == "gpu") {
        place.where = Where::Gpu;
    } else if (on.starts_with("gpu:")) {
        place.where = Where::Gpu;
        const auto [end, failure] = std::from_chars(on.data() + 4, on.data() + on.size(), place.device);
        if (failure != std::errc{} || end != on.data() + on.size() || place.device < 0) {
            return badPlace(on);
        }
    } else if (on.starts_with("ssh:") && on.size() > 4 && on[4] != '-') {
        place.where = Where::Gpu;
        place.endpoint = sshRunner(on.substr(4));
    } else if (on.starts_with("exec:") && on.size() > 5) {
        place.where = Where::Gpu;
        place.endpoint = RunnerEndpoint{.command = {"/bin/sh", "-c", on.substr(5)}, .title = on, .host = on};
    } else {
        return badPlace(on);
    }
    return place;
}

} // namespace ptxwb::cli
