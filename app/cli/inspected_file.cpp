// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspected_file.h"

#include "app/cli/source_file.h"
#include "core/evaluation/line_links.h"
#include "core/sass/live_registers.h"
#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/disassembler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <map>
#include <utility>

namespace ptxwb::cli {

namespace {

bool isElf(std::string_view bytes)
{
    return bytes.starts_with("\x7f"
                             "ELF");
}

// e_machine 190 is EM_CUDA: a cubin; every other ELF is a host file that may embed cubins.
bool isCubin(std::string_view bytes)
{
    return isElf(bytes) && bytes.size() > 20 && static_cast<unsigned char>(bytes[18]) == 190
        && bytes[19] == 0;
}

bool isContainer(const std::string& name, std::string_view bytes)
{
    const auto extension = std::filesystem::path(name).extension();
    return (isElf(bytes) && !isCubin(bytes)) || isFatbin(bytes) || extension == ".fatbin"
        || extension == ".so";
}

Result<std::string> cubinInside(const SourceFile& source, const Toolchain& toolchain,
    const std::optional<std::string>& target, const Session& session)
{
    auto directory = TemporaryDirectory::create();
    if (!directory) {
        return directory.error();
    }
    const auto copy = directory->path() / "container";
    if (auto written = writeFileAtomically(copy, source.bytes); !written) {
        return written.error();
    }
    auto cubins = extractCubins(toolchain, copy, session.stop);
    if (!cubins) {
        Error error = cubins.error();
        error.path = source.displayName;
        if (error.message.find("does not contain device code") != std::string::npos) {
            error.message = "no device code is inside";
            error.hint = "name a file that was built with nvcc, or a cubin";
        }
        return error;
    }
    std::vector<std::string> names;
    for (auto& cubin : *cubins) {
        if (!target || cubin.target == *target) {
            if (cubins->size() > 1) {
                session.progress(fmt::format("{} holds {} cubins; showing {} ({})", source.displayName,
                    cubins->size(), cubin.name, cubin.target));
            }
            return std::move(cubin.bytes);
        }
        names.push_back(cubin.target);
    }
    return Error{.code = ErrorCode::BadFormat,
        .message = names.empty() ? "no cubin is inside"
                                 : fmt::format("no cubin for {} is inside", target.value_or("any target")),
        .hint = names.empty() ? "only device code can be shown"
                              : fmt::format("it has {}", fmt::join(names, ", ")),
        .path = source.displayName};
}

Result<std::string> cubinFrom(const SourceFile& source, const Compiler& compiler,
    const std::optional<std::string>& target, const Session& session, InspectedFile& file)
{
    auto language = languageOfSource(source);
    if (!language) {
        return language.error();
    }
    if (*language == Language::Cubin) {
        return source.bytes;
    }
    auto outcome = compiler.compile({.displayName = source.displayName,
                                        .text = source.bytes,
                                        .language = *language,
                                        .directory = source.directory,
                                        .target = target,
                                        .options = session.passThrough},
        session.stop);
    if (!outcome) {
        return outcome.error();
    }
    file.compiled = *std::move(outcome);
    file.target = file.compiled.target;
    if (!file.compiled.ok) {
        std::fputs(diagnosticsText(file.compiled.diagnostics).c_str(), stderr);
        const auto& all = file.compiled.diagnostics;
        const auto root = std::find_if(all.begin(), all.end(),
            [](const Diagnostic& d) { return d.rootCause && d.severity <= Severity::Error; });
        return Error{.code = ErrorCode::BadFormat,
            .message = root == all.end() ? "it does not compile" : "it does not compile: " + root->message,
            .hint = "ptxwb compile shows every message",
            .path = source.displayName,
            .line = root == all.end() ? std::nullopt : root->line};
    }
    const auto* cubin = file.compiled.artefact("cubin");
    if (cubin == nullptr) {
        return Error{
            .code = ErrorCode::Internal, .message = "the compiler left no cubin", .path = source.displayName};
    }
    return cubin->bytes;
}

bool isBelow(const std::optional<Tool>& tool, const std::filesystem::path& folder)
{
    std::error_code ignored;
    const auto path = tool ? std::filesystem::weakly_canonical(tool->path, ignored) : std::filesystem::path();
    return path.string().starts_with(std::filesystem::weakly_canonical(folder, ignored).string() + "/");
}

} // namespace

const KernelFacts* factsOf(const InspectedFile& file, const SassKernel& kernel)
{
    if (!file.facts) {
        return nullptr;
    }
    const auto at = std::ranges::find(file.facts->kernels, kernel.name, &KernelFacts::name);
    return at == file.facts->kernels.end() ? nullptr : &*at;
}

std::string_view targetOf(const InspectedFile& file, const SassKernel& kernel)
{
    return !kernel.target.empty()      ? kernel.target
        : !file.listing.target.empty() ? file.listing.target
                                       : std::string_view(file.target);
}

Compiler makeCompiler(const std::filesystem::path& toolkit)
{
    auto search = ToolchainSearch::fromEnvironment();
    if (!toolkit.empty()) {
        search.namedTools.erase(ToolKind::Ptxas);
        search.namedTools.erase(ToolKind::Nvcc);
        search.cudaHomes.insert(search.cudaHomes.begin(), toolkit);
    }
    return Compiler(findToolchain(search), userCacheDirectory() / "build");
}

Result<EmulatedSource> sourceToEmulate(const SourceFile& source, Language language, const Session& session)
{
    return emulatedSource(makeCompiler(),
        {.displayName = source.displayName,
            .text = source.bytes,
            .language = language,
            .directory = source.directory},
        session.stop);
}

Result<InspectedFile> inspectFile(const std::string& name, const std::optional<std::string>& target,
    const Session& session, LiveRegisters liveRegisters, const std::filesystem::path& toolkit)
{
    auto source = readSource(name, session, true);
    if (!source) {
        return source.error();
    }
    const Compiler compiler = makeCompiler(toolkit);
    if (!toolkit.empty() && !isBelow(compiler.toolchain().ptxas, toolkit)) {
        return Error{.code = ErrorCode::NotFound,
            .message = "there is no ptxas in that toolkit",
            .hint = "name the folder whose bin/ holds ptxas",
            .path = toolkit};
    }
    InspectedFile file{.title = source->displayName, .sha256 = sha256Hex(source->bytes)};
    const bool isBinary = isContainer(source->displayName, source->bytes);
    file.sourceName = isBinary ? "" : std::filesystem::path(source->displayName).filename().string();
    auto cubin = isBinary ? cubinInside(*source, compiler.toolchain(), target, session)
                          : cubinFrom(*source, compiler, target, session, file);
    if (!cubin) {
        return cubin.error();
    }
    std::future<Result<std::string>> liveTable;
    constexpr std::size_t smallCubin = 64 << 10; // cannot hold a kernel of more than 4,096 rows
    if (liveRegisters == LiveRegisters::Read
        || (liveRegisters == LiveRegisters::WhenQuick && cubin->size() <= smallCubin)) {
        // Beside the first pass: the disassembler takes half a second to start.
        liveTable = std::async(std::launch::async, [&] {
            return liveRegisterTable(
                compiler.toolchain(), *cubin, userCacheDirectory() / "sass", session.stop);
        });
    }
    auto facts = readCubinFacts(*cubin);
    auto disassembly =
        disassembleCubin(compiler.toolchain(), *cubin, userCacheDirectory() / "sass", session.stop);
    if (!disassembly) {
        Error error = disassembly.error();
        if (error.code == ErrorCode::ToolFailed && !facts) {
            error = facts.error(); // says what is wrong with the file
        }
        error.path = error.path.empty() ? source->displayName : error.path;
        return error;
    }
    file.disassembler = disassembly->tool;
    if (facts) {
        file.facts = *std::move(facts);
    }
    auto listing = parseSassListing(std::move(disassembly->text));
    if (!listing) {
        Error error = listing.error();
        error.path = source->displayName;
        return error;
    }
    file.listing = *std::move(listing);
    std::optional<std::string> slow;
    if (liveRegisters == LiveRegisters::WhenQuick && !liveTable.valid()) {
        slow = liveRegistersTakeLong(file.listing);
    }
    if (slow) {
        file.liveRegistersReason = *slow + "; --live reads them";
    } else if (liveRegisters != LiveRegisters::Left) {
        const auto table = liveTable.valid()
            ? liveTable.get()
            : liveRegisterTable(compiler.toolchain(), *cubin, userCacheDirectory() / "sass", session.stop);
        const auto joined = table ? joinLiveRegisters(file.listing, *table) : Result<int>(table.error());
        file.liveRegistersReason = joined ? "" : joined.error().message;
    } else {
        file.liveRegistersReason = "not asked for (--live)";
    }
    if (file.compiled.ok && languageOfSource(*source).value_or(Language::Cuda) == Language::Ptx) {
        linkWgmmaLines(file.listing, source->bytes);
    } else if (const auto* ptx = file.compiled.artefact("ptx")) {
        linkWgmmaLines(file.listing, ptx->bytes);
    }
    if (file.target.empty()) {
        file.target = std::string(file.listing.target);
    }
    if (target && file.target != *target) {
        return Error{.code = ErrorCode::BadFormat,
            .message = fmt::format("it is code for {}, not for {}", file.target, *target),
            .hint = "leave --target away for a cubin",
            .path = source->displayName};
    }
    file.title += fmt::format(" ({})", file.target);
    if (!file.compiled.options.empty()) {
        file.title += fmt::format(" {}", fmt::join(file.compiled.options, " "));
    }
    return file;
}

namespace {

std::string diagnosticLine(const Diagnostic& d)
{
    std::string place = d.file;
    if (d.line) {
        place += fmt::format(":{}", *d.line);
        if (d.column) {
            place += fmt::format(":{}", *d.column);
        }
    }
    return fmt::format("{}{}{}: {}{} [{}]\n", place, place.empty() ? "" : ": ", severityName(d.severity),
        d.code ? fmt::format("({}) ", *d.code) : "", d.message, d.tool);
}

std::string rootText(const Diagnostic& d)
{
    std::string text = diagnosticLine(d);
    if (d.explanation) {
        text += fmt::format("    {}\n", *d.explanation);
    }
    for (const auto& fix : d.fixes) {
        text += fmt::format("    fix{}: {}\n", fix.tried ? "" : " (not tried)", fix.title);
    }
    return text;
}

} // namespace

std::string diagnosticsText(const std::vector<Diagnostic>& diagnostics)
{
    // Groups in the order of their first message; in each the cause, then what the tool says because of it.
    struct Group {
        std::string cause{};
        std::string follows{};
        int following = 0;
    };
    constexpr int mostFollowing = 8;
    std::vector<int> groups;
    std::map<int, Group> texts;
    for (const auto& d : diagnostics) {
        const auto [at, isNew] = texts.try_emplace(d.group);
        if (isNew) {
            groups.push_back(d.group);
        }
        if (d.rootCause) {
            at->second.cause += rootText(d);
        } else if (++at->second.following <= mostFollowing) {
            at->second.follows += "    follows: " + diagnosticLine(d);
        }
    }
    std::string text;
    for (const int number : groups) {
        const auto& group = texts[number];
        text += group.cause + group.follows;
        if (group.following > mostFollowing) {
            text += fmt::format(
                "    follows: {} more messages (--json has all)\n", group.following - mostFollowing);
        }
    }
    return text;
}

} // namespace ptxwb::cli
