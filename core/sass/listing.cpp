// SPDX-License-Identifier: Apache-2.0
#include "core/sass/listing.h"

#include "core/sass/row_parser.h"

#include <unordered_map>

namespace ptxwb {

namespace {

constexpr std::string_view ptxText = ".nv_debug_ptx_txt";

/// The word after `key` in a line such as `\t.target\tsm_90a`.
std::string_view wordAfter(std::string_view line, std::string_view key)
{
    const auto at = line.find(key);
    if (at == std::string_view::npos) {
        return {};
    }
    const auto rest = trimmed(line.substr(at + key.size()));
    return rest.substr(0, rest.find_first_of(" \t\r,"));
}

class ListingParser {
public:
    explicit ListingParser(SassListing& listing)
        : m_listing(listing)
    {
    }

    void parse(std::string_view text)
    {
        while (!text.empty()) {
            const auto end = text.find('\n');
            auto line = text.substr(0, end);
            text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
            if (line.ends_with('\r')) {
                line.remove_suffix(1);
            }
            parseLine(line);
        }
    }

private:
    void parseLine(std::string_view line)
    {
        std::size_t first = 0;
        while (first < line.size() && (line[first] == ' ' || line[first] == '\t')) {
            ++first;
        }
        if (first == line.size()) {
            return;
        }
        const auto body = line.substr(first);
        if (body.starts_with("/*")) {
            if (m_kernel != nullptr) {
                parseCommentLed(line);
            }
        } else if (body.starts_with("//")) {
            if (m_kernel != nullptr) {
                parseMarker(body);
            }
        } else if (body.starts_with('.') && first > 0) {
            parseDirective(body);
        } else if (body.starts_with("Function : ")) {
            openKernel(trimmed(body.substr(11)));
        } else if (body.starts_with("code for ")) {
            setTarget(wordAfter(body, "code for "));
            m_kernel = nullptr;
        } else if (body.starts_with("Fatbin ") || body.find_first_not_of('.') == std::string_view::npos) {
            m_kernel = nullptr; // cuobjdump rules off each function with dots
        } else if (m_kernel != nullptr) {
            parseLabelOrUnknown(line, first, body);
        }
    }

    void parseCommentLed(std::string_view line)
    {
        if (const auto row = parseSassRow(line); row && !row->opcode.empty()) {
            addRow(*row);
        } else if (const auto high = parseEncodingLine(line)) {
            if (m_lowWord && !m_kernel->instructions.empty()) {
                m_kernel->instructions.back().encoding = {*m_lowWord, *high};
                m_kernel->instructions.back().hasEncoding = true;
                m_lowWord.reset();
            }
        } else {
            m_kernel->unknownLines.push_back(line);
        }
    }

    void addRow(const SassRow& row)
    {
        // ptxas writes no line entry for wgmma: a place carried over from its neighbours would be a guess.
        const bool placed = m_markerSinceRow || row.opcode.find("GMMA") == std::string_view::npos;
        m_chainOpen = false;
        m_markerSinceRow = false;
        m_lowWord = row.lowWord;
        for (; m_openLabels > 0; --m_openLabels) {
            m_kernel->labels[m_kernel->labels.size() - m_openLabels].first = row.address;
        }
        auto& instruction = m_kernel->instructions.emplace_back();
        instruction.address = row.address;
        instruction.predicate = row.predicate;
        instruction.opcode = row.opcode;
        instruction.operands = row.operands;
        if (placed) {
            instruction.ptxLine = m_ptxLine;
            instruction.sourceLine = m_source.line;
            instruction.sourceFile = m_source.file;
            instruction.firstCaller = m_callerCount > 0 ? m_firstCaller : -1;
            instruction.callerCount = m_callerCount;
        }
    }

    void parseMarker(std::string_view body)
    {
        const auto marker = parseLineMarker(body);
        if (!marker) {
            return; // an ordinary comment, such as a section's banner
        }
        m_markerSinceRow = true;
        if (marker->file.starts_with(ptxText)) {
            m_ptxLine = marker->line;
            m_listing.hasPtxLines = m_listing.hasPtxLines || marker->line > 0;
            return;
        }
        // The first marker of a run is the innermost place, those after an "inlined at" are its callers.
        const SourceFrame place{fileIndex(marker->file), marker->line};
        if (!m_chainOpen) {
            m_source = place;
            m_firstCaller = static_cast<int>(m_listing.callers.size());
            m_callerCount = 0;
            m_chainOpen = true;
            m_listing.hasSourceLines = m_listing.hasSourceLines || marker->line > 0;
            if (!marker->callerFile.empty()) {
                addCaller({fileIndex(marker->callerFile), marker->callerLine});
            }
        } else if (m_callerCount == 0 || m_listing.callers.back() != place) {
            addCaller(place);
        }
    }

    void addCaller(SourceFrame place)
    {
        m_listing.callers.push_back(place);
        ++m_callerCount;
    }

    void parseDirective(std::string_view body)
    {
        if (body.starts_with(".section")
            && body.find_first_of(" \t") == 8) { // .sectioninfo says nothing here
            auto name = trimmed(body.substr(8));
            name = name.substr(0, name.find(','));
            if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"')) {
                name = name.substr(1, name.size() - 2);
            }
            if (name.starts_with(".text.")) {
                openKernel(name.substr(6));
            } else {
                m_kernel = nullptr;
            }
        } else if (body.starts_with(".target")) {
            setTarget(wordAfter(body, ".target"));
        }
    }

    void parseLabelOrUnknown(std::string_view line, std::size_t indent, std::string_view body)
    {
        auto label = trimmed(body.substr(0, body.find("//")));
        if (indent != 0 || !label.ends_with(':')) {
            m_kernel->unknownLines.push_back(line);
            return;
        }
        label.remove_suffix(1);
        const bool isSection =
            label == m_kernel->name || (label.starts_with(".text.") && label.substr(6) == m_kernel->name);
        if (!isSection) {
            m_kernel->labels.emplace_back(addressAfterLastRow(), label);
            ++m_openLabels;
        }
    }

    /// Where a label lies that no row follows.
    std::uint64_t addressAfterLastRow() const
    {
        const auto& rows = m_kernel->instructions;
        if (rows.empty()) {
            return 0;
        }
        const auto step = rows.size() > 1 ? rows.back().address - rows[rows.size() - 2].address : 16;
        return rows.back().address + step;
    }

    void openKernel(std::string_view name)
    {
        m_kernel = &m_listing.kernels.emplace_back();
        m_kernel->name = name;
        m_kernel->target = m_target;
        m_source = {};
        m_ptxLine = 0;
        m_callerCount = 0;
        m_chainOpen = false;
        m_markerSinceRow = false;
        m_openLabels = 0;
        m_lowWord.reset();
    }

    void setTarget(std::string_view target)
    {
        if (target.empty()) {
            return;
        }
        m_target = target;
        if (m_listing.target.empty()) {
            m_listing.target = target;
        }
    }

    int fileIndex(std::string_view file)
    {
        if (!m_listing.files.empty() && m_listing.files.back() == file) {
            return static_cast<int>(m_listing.files.size()) - 1;
        }
        const auto [at, added] = m_fileIndex.try_emplace(file, static_cast<int>(m_listing.files.size()));
        if (added) {
            m_listing.files.push_back(file);
        }
        return at->second;
    }

    SassListing& m_listing;
    SassKernel* m_kernel = nullptr; ///< the section being read; valid until the next openKernel
    std::string_view m_target;
    SourceFrame m_source;
    int m_ptxLine = 0;
    int m_firstCaller = -1;
    int m_callerCount = 0;
    bool m_markerSinceRow = false;
    bool m_chainOpen = false; ///< a marker since the last row named a source place
    std::optional<std::uint64_t> m_lowWord;
    std::size_t m_openLabels = 0; ///< labels of this kernel that wait for the row they name
    std::unordered_map<std::string_view, int> m_fileIndex;
};

} // namespace

Result<SassListing> parseSassListing(std::string text)
{
    SassListing listing;
    listing.text = std::make_shared<const std::string>(std::move(text));
    ListingParser(listing).parse(*listing.text);
    if (listing.kernels.empty()) {
        return Error{ErrorCode::BadFormat, "the disassembly holds no code section",
            "a cubin of data alone holds no kernel; as text, the output of `nvdisasm -c -hex` or `cuobjdump "
            "-sass` is read"};
    }
    return listing;
}

SourceFrame ownPlace(const SassListing& listing, const SassInstruction& row)
{
    const SourceFrame innermost{.file = row.sourceFile, .line = row.sourceLine};
    const auto caller = [&](int i) { return listing.callers[static_cast<std::size_t>(row.firstCaller + i)]; };
    if (row.callerCount == 0 || innermost.file == caller(row.callerCount - 1).file) {
        return innermost;
    }
    int i = 0;
    while (caller(i).file != caller(row.callerCount - 1).file) {
        ++i;
    }
    return caller(i);
}

} // namespace ptxwb
