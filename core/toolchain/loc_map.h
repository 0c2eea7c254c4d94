// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// Where a line of generated PTX comes from, by the `.file` and `.loc` directives that nvcc -lineinfo writes.
class LocMap {
public:
    explicit LocMap(std::string_view generatedPtx);

    struct Place {
        std::string file{};
        int line = 0;
    };
    /// The `.loc` in force at the PTX line (counted from 1) within its function; nothing before the first
    /// one.
    std::optional<Place> placeOf(int ptxLine) const;
    /// The place of placeOf(), then those of the calls that it was inlined through, as far as they are said.
    std::vector<Place> framesOf(int ptxLine) const;
    /// The first `.loc` at or below the PTX line: where the code of a function that starts there comes from.
    std::optional<Place> firstPlaceFrom(int ptxLine) const;

private:
    struct Mark {
        int ptxLine = 0;
        int file = 0; ///< 0: none is in force from here on
        int line = 0;
        int callFile = 0; ///< `inlined_at`; 0: it is none
        int callLine = 0;
    };
    using Marks = std::vector<Mark>;
    Marks::const_iterator markOf(int ptxLine) const; ///< end(): none
    std::optional<Place> place(const Mark& mark) const;

    std::map<int, std::string> m_files;
    Marks m_marks; ///< by ptxLine
};

} // namespace ptxwb::detail
