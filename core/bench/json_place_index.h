// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Where each value of a JSON text starts (object members: where their key starts).
struct JsonPlace {
    std::string path{};
    std::size_t offset = 0;
};

struct JsonPlaceIndex {
    std::vector<JsonPlace> places{}; ///< in the order of the text; broken text gives those before the break
    std::optional<JsonPlace> repeatedKey{};
    std::optional<JsonPlace> tooDeep{};
};

inline constexpr std::size_t deepestJson = 64;

JsonPlaceIndex indexJsonPlaces(std::string_view text);

} // namespace ptxwb
