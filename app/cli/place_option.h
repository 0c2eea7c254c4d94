// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluator.h"

#include <optional>
#include <string>

namespace ptxwb::cli {

/// What `--on` names.
struct Place {
    Where where = Where::Auto;
    std::optional<RunnerEndpoint> endpoint{}; ///< of ssh: and exec:
    int device = 0;
};

/// auto, gpu, gpu:N, emulator, none, ssh:HOST, exec:'COMMAND'. Errors: InvalidArgument.
Result<Place> placeOf(const std::string& on);

} // namespace ptxwb::cli
