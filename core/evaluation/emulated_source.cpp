// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/emulated_source.h"

#include "core/toolchain/build.h"
#include "core/toolchain/loc_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ptxwb {

namespace {

using emulator::EmulatorExecutor;
using emulator::EmulatorProgress;
using emulator::EmulatorRequest;
using emulator::Report;

/// Gives findings in generated PTX the lines of the source, by .loc.
class SourceLines {
public:
    SourceLines(std::string_view ptx, std::string displayName, const std::filesystem::path& directory)
        : m_places(ptx)
        , m_source(detail::sourceNameFor(directory, displayName))
        , m_displayName(std::move(displayName))
        , m_ptxName(fmt::format("{} (generated PTX)", m_displayName))
    {
    }

    const std::string& ptxName() const { return m_ptxName; }

    /// The lines of the source first, those of the PTX behind them.
    Report mapped(Report report) const
    {
        std::vector<emulator::SourceLine> lines;
        for (const auto& line : report.lines) {
            const auto frames =
                line.file == m_ptxName ? m_places.framesOf(line.line) : std::vector<detail::LocMap::Place>();
            // A header's line says less than the statement that was inlined there.
            const auto own = std::ranges::find(frames, m_source, &detail::LocMap::Place::file);
            if (own != frames.end()) {
                lines.push_back({m_displayName, own->line});
            } else if (!frames.empty()) {
                lines.push_back({frames.front().file, frames.front().line});
            }
        }
        lines.insert(lines.end(), report.lines.begin(), report.lines.end());
        report.lines = std::move(lines);
        // What a message says of lines is of the text that was emulated.
        constexpr std::string_view word = " line ";
        for (auto at = report.message.find(word); at != std::string::npos;
             at = report.message.find(word, at + 2 * word.size())) {
            report.message.replace(at, word.size(), " PTX line ");
        }
        return report;
    }

    /// Those of its lines that are not of the PTX.
    std::vector<emulator::SourceLine> ofSource(const Report& report) const
    {
        std::vector<emulator::SourceLine> lines;
        std::ranges::copy_if(report.lines, std::back_inserter(lines),
            [&](const emulator::SourceLine& line) { return line.file != m_ptxName; });
        return lines;
    }

private:
    detail::LocMap m_places;
    std::string m_source;
    std::string m_displayName;
    std::string m_ptxName;
};

} // namespace

EmulatorExecutor withSourceLines(EmulatorExecutor inner, std::string_view ptx, const std::string& displayName,
    const std::filesystem::path& directory)
{
    auto lines = std::make_shared<const SourceLines>(ptx, displayName, directory);
    return [inner = std::move(inner), lines = std::move(lines)](
               EmulatorRequest request, const EmulatorProgress& onProgress, std::stop_token stop) {
        request.displayName = lines->ptxName();
        if (request.onFinding) {
            request.onFinding = [tell = std::move(request.onFinding), lines](
                                    const Report& report) { tell(lines->mapped(report)); };
        }
        auto outcome = inner(std::move(request), onProgress, std::move(stop));
        if (outcome) {
            std::vector<Report> mapped;
            for (auto& report : outcome->reports) {
                report = lines->mapped(std::move(report));
                const auto same = std::ranges::find_if(mapped, [&](const Report& known) {
                    return known.rule == report.rule && lines->ofSource(known) == lines->ofSource(report)
                        && !lines->ofSource(report).empty();
                });
                if (same == mapped.end()) {
                    mapped.push_back(std::move(report));
                } else { // nvcc made several instructions of one statement
                    same->occurrences += report.occurrences;
                    same->atLeast = same->atLeast || report.atLeast;
                }
            }
            outcome->reports = std::move(mapped);
        }
        return outcome;
    };
}

Result<EmulatedSource> emulatedSource(const Compiler& compiler, CompileRequest request, std::stop_token stop)
{
    if (request.language == Language::Ptx) {
        return EmulatedSource{.ptx = std::move(request.text), .displayName = std::move(request.displayName)};
    }
    const auto name = request.displayName;
    const auto directory = request.directory;
    if (request.language != Language::Cuda) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the emulator runs PTX and CUDA C++, and this is machine code",
            .hint = "give it the source",
            .path = name};
    }
    const auto compiled = compiler.compile(request, std::move(stop));
    if (!compiled) {
        return compiled.error();
    }
    if (!compiled->ok) {
        const auto cause = std::ranges::find_if(compiled->diagnostics, [](const Diagnostic& said) {
            return said.rootCause && (said.severity == Severity::Error || said.severity == Severity::Fatal);
        });
        const bool isKnown = cause != compiled->diagnostics.end();
        return Error{.code = ErrorCode::BadFormat,
            .message = isKnown ? cause->message : "it does not compile",
            .hint = fmt::format("`ptxwb compile {}` tells all that the compiler says", name),
            .path = name,
            .line = isKnown ? cause->line : std::nullopt};
    }
    const auto* ptx = compiled->artefact("ptx");
    if (ptx == nullptr) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "nvcc kept no PTX that could be emulated",
            .path = name};
    }
    return EmulatedSource{.ptx = ptx->bytes,
        .displayName = fmt::format("{} (generated PTX)", name),
        .execute = withSourceLines(emulator::emulate, ptx->bytes, name, directory)};
}

} // namespace ptxwb
