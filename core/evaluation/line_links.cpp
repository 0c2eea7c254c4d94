// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/line_links.h"

#include "core/ptx/outline.h"
#include "core/toolchain/loc_map.h"

#include <algorithm>

namespace ptxwb {

namespace {

/// Adds places to a listing, with the names of files that it does not have yet.
class PlaceWriter {
public:
    explicit PlaceWriter(SassListing& listing)
        : m_listing(listing)
        , m_names(std::make_shared<std::deque<std::string>>())
    {
        m_listing.addedFiles = m_names;
    }

    void give(SassInstruction& row, const std::vector<detail::LocMap::Place>& frames)
    {
        std::vector<SourceFrame> places;
        for (const auto& frame : frames) {
            places.push_back({.file = fileIndex(frame.file), .line = frame.line});
        }
        if (places.empty()) {
            return;
        }
        row.sourceFile = places.front().file;
        row.sourceLine = places.front().line;
        row.callerCount = static_cast<int>(places.size()) - 1;
        row.firstCaller = row.callerCount == 0 ? -1 : static_cast<int>(m_listing.callers.size());
        m_listing.callers.insert(m_listing.callers.end(), places.begin() + 1, places.end());
        m_listing.hasSourceLines = true;
    }

private:
    int fileIndex(const std::string& name)
    {
        auto& files = m_listing.files;
        if (const auto at = std::ranges::find(files, name); at != files.end()) {
            return static_cast<int>(at - files.begin());
        }
        files.emplace_back(m_names->emplace_back(name));
        return static_cast<int>(files.size()) - 1;
    }

    SassListing& m_listing;
    std::shared_ptr<std::deque<std::string>> m_names; ///< the listing holds views of them
};

} // namespace

void linkWgmmaLines(SassListing& listing, std::string_view ptxText)
{
    const auto outline = outlinePtx(ptxText);
    bool isLinked = false;
    for (const auto& function : outline.functions) {
        std::vector<int> lines;
        for (const auto& instruction : function.instructions) {
            if (instruction.opcode.starts_with("wgmma.mma_async")) {
                lines.push_back(instruction.range.line);
            }
        }
        for (auto& kernel : listing.kernels) {
            if (!lines.empty() && kernel.name == function.name) {
                isLinked = linkWgmmaLines(kernel, lines) > 0 || isLinked;
            }
        }
    }
    if (!isLinked || listing.addedFiles != nullptr) {
        return;
    }
    const detail::LocMap places(ptxText);
    PlaceWriter writer(listing);
    for (auto& kernel : listing.kernels) {
        for (auto& row : kernel.instructions) {
            if (row.lineInferred && row.sourceLine == 0) {
                writer.give(row, places.framesOf(row.ptxLine));
            }
        }
    }
}

} // namespace ptxwb
