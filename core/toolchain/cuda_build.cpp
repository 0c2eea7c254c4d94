// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/build.h"

#include "core/support/files.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/compile_options.h"
#include "core/toolchain/missing_parts.h"
#include "core/toolchain/tool_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace ptxwb::detail {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view copyName = "ptxwb_source.cu";
constexpr std::string_view keptPtx = "keep/ptxwb_source.ptx";

// Gives paths that nvcc's shell and its comma lists would break a name that they do not.
class SafePaths {
public:
    explicit SafePaths(fs::path scratch)
        : m_scratch(std::move(scratch))
    {
    }

    std::string nameFor(const std::string& path)
    {
        if (isSafeForNvcc(path)) {
            return path;
        }
        const auto name = fmt::format("link{}", m_links.size());
        std::error_code failed;
        fs::create_symlink(path, m_scratch / name, failed);
        m_links.emplace_back(name, path);
        return failed ? path : name;
    }

    // The user's name of a file that a tool reached through a link.
    std::string userName(std::string_view path) const
    {
        for (const auto& [name, target] : m_links) {
            if (path == name || (path.starts_with(name) && path.substr(name.size()).starts_with('/'))) {
                return target + std::string(path.substr(name.size()));
            }
        }
        return std::string(path);
    }

    std::string withUserNames(std::string text) const
    {
        for (const auto& [name, target] : m_links) {
            for (auto at = text.find(name + '/'); at != std::string::npos;
                 at = text.find(name + '/', at + target.size())) {
                text.replace(at, name.size(), target);
            }
        }
        return text;
    }

private:
    fs::path m_scratch;
    std::vector<std::pair<std::string, std::string>> m_links;
};

std::vector<std::string> argumentsFor(const Toolchain& toolchain, const BuildPlan& plan, SafePaths& paths)
{
    const auto number = plan.target.substr(plan.target.find('_') + 1);
    const auto has = [&](std::string_view option) {
        return std::find(plan.options.begin(), plan.options.end(), option) != plan.options.end();
    };
    std::vector<std::string> arguments{toolchain.nvcc->path.string(), "-gencode",
        fmt::format("arch=compute_{},code={}_{}", number, plan.emitPtxOnly ? "compute" : "sm", number)};
    if (!has("-G") && !has("--device-debug")) {
        arguments.emplace_back("-lineinfo");
    }
    arguments.insert(arguments.end(), {"-Xptxas", "-v", "--keep", "--keep-dir", "keep"});
    if (plan.hostContract) {
        arguments.insert(arguments.end(), {"-shared", "-Xcompiler", "-fPIC,-fvisibility=hidden"});
        const bool ownStandard =
            std::any_of(plan.options.begin(), plan.options.end(), [](const std::string& option) {
                return option.starts_with("-std") || option.starts_with("--std");
            });
        if (!ownStandard) {
            arguments.emplace_back("-std=c++17");
        }
        arguments.insert(arguments.end(), {"-I", paths.nameFor(toolchain.tvmFfiInclude.string())});
        if (!toolchain.tvmFfiLibrary.empty()) {
            const auto libraries = toolchain.tvmFfiLibrary.parent_path().string();
            arguments.insert(arguments.end(), {"-L", paths.nameFor(libraries), "-ltvm_ffi"});
            if (isSafeForNvcc(libraries)) {
                arguments.insert(arguments.end(), {"-Xlinker", "-rpath," + libraries});
            }
        }
        // The paper's contract links the driver; its stub stands beside the toolkit's libraries.
        const auto stubs = toolchain.nvcc->path.parent_path().parent_path() / "lib64" / "stubs";
        std::error_code failed;
        if (plan.emulatedHost) {
            arguments.insert(arguments.end(), {"-cudart", "none"});
        } else if (fs::exists(stubs / "libcuda.so", failed)) {
            arguments.insert(arguments.end(), {"-L", stubs.string(), "-lcuda"});
        }
    } else {
        arguments.emplace_back(plan.emitPtxOnly ? "--ptx" : "--cubin");
    }
    if (!plan.directory.empty() && !plan.sandboxed) {
        arguments.insert(
            arguments.end(), {"-Xcompiler", "-iquote," + paths.nameFor(plan.directory.string())});
    }
    for (std::size_t i = 0; i < plan.options.size(); ++i) {
        if (plan.emulatedHost && (plan.options[i] == "-lcuda" || plan.options[i] == "-lcudart")) {
            continue; // the emulated runtime has their symbols, and the driver may be absent
        }
        const bool isPath = i > 0
            && (plan.options[i - 1] == "-I" || plan.options[i - 1] == "-isystem"
                || plan.options[i - 1] == "--include-path" || plan.options[i - 1] == "-L"
                || plan.options[i - 1] == "-include");
        arguments.push_back(isPath ? paths.nameFor(plan.options[i]) : plan.options[i]);
    }
    return arguments;
}

std::vector<fs::path> includesOf(const fs::path& scratch, const SafePaths& paths)
{
    std::set<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator entry(scratch / "keep", failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() != ".ii") {
            continue;
        }
        const auto text = readFile(entry->path());
        for (const auto& name : includedFiles(text ? std::string_view(*text) : std::string_view{})) {
            const fs::path path = paths.userName(name);
            if (path.is_absolute() && !path.string().starts_with(scratch.string())) {
                found.insert(path); // with its "..": they are part of the name that was looked for
            }
        }
    }
    return {found.begin(), found.end()};
}

bool isUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1
            : lead >= 0xC2 && lead < 0xE0      ? 2
            : lead >= 0xE0 && lead < 0xF0      ? 3
            : lead >= 0xF0 && lead < 0xF5      ? 4
                                               : 0;
        if (length == 0 || i + length > text.size()) {
            return false;
        }
        for (std::size_t k = 1; k < length; ++k) {
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) {
                return false;
            }
        }
        i += length;
    }
    return true;
}

} // namespace

std::string sourceNameFor(const fs::path& directory, std::string_view displayName)
{
    const fs::path given(displayName);
    const auto absolute = given.is_absolute()
        ? given
        : (directory.is_absolute() ? directory : fs::path("/")) / given.filename();
    auto name = absolute.lexically_normal().string();
    // It must stay on one line of the messages, and nvcc writes it into .file unescaped, where ptxas stumbles
    // over quotes.
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }, '?');
    if (!isUtf8(name)) { // cudafe++ warns of every stray byte
        std::replace_if(
            name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
    }
    return name;
}

std::vector<std::string> includedFiles(std::string_view preprocessed)
{
    std::set<std::string> found;
    // Marker of an entered file: `# 1 "path" 1 3`; the flag 1 says that it starts here.
    for (std::size_t at = 0; at < preprocessed.size();) {
        const auto end = std::min(preprocessed.find('\n', at), preprocessed.size());
        const auto line = preprocessed.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with("# ")) {
            continue;
        }
        const auto open = line.find('"');
        const auto close = line.rfind('"');
        if (open == std::string_view::npos || close <= open || !line.substr(close + 1).starts_with(" 1")) {
            continue;
        }
        std::string path;
        for (std::size_t i = open + 1; i < close; ++i) {
            i += line[i] == '\\' && i + 1 < close ? 1 : 0;
            path += line[i];
        }
        found.insert(std::move(path));
    }
    return {found.begin(), found.end()};
}

Result<BuildRun> buildCuda(const Toolchain& toolchain, const BuildPlan& plan, std::stop_token stop)
{
    const auto scratch = TemporaryDirectory::create("ptxwb-cuda");
    if (!scratch) {
        return scratch.error();
    }
    const auto& nvcc = *toolchain.nvcc;
    BuildRun run;
    run.toolFile = sourceNameFor(plan.directory, plan.displayName);
    run.generatedPtxFile = keptPtx;
    std::error_code failed;
    fs::create_directory(scratch->path() / "keep", failed);
    // A byte order mark counts as one at the start of a file only.
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    const std::size_t marked = plan.text.starts_with(mark) ? mark.size() : 0;
    const auto text = fmt::format("{}#line 1 \"{}\"\n{}", std::string_view(plan.text).substr(0, marked),
        run.toolFile, std::string_view(plan.text).substr(marked));
    if (const auto written = writeScratch(scratch->path() / copyName, text); !written) {
        return written.error();
    }
    SafePaths paths(scratch->path());
    run.command = argumentsFor(toolchain, plan, paths);
    const std::string product = plan.hostContract ? "out.so" : (plan.emitPtxOnly ? "out.ptx" : "out.cubin");
    run.command.insert(run.command.end(), {"-o", product, std::string(copyName)});
    auto outcome = runCompiler(nvcc, plan,
        {.argv = run.command,
            .workingDirectory = scratch->path(),
            .timeout = plan.timeout,
            .maxOutputBytes = mostCompilerOutputBytes},
        stop);
    if (!outcome) {
        return outcome.error();
    }
    for (auto& word : run.command) {
        word = word == copyName ? plan.displayName : paths.withUserNames(paths.userName(word));
    }
    run.rawOutput =
        paths.withUserNames(messageText(std::move(outcome->standardError), outcome->standardOutput));
    run.ok = outcome->exitCode == 0;
    if (auto ptx = readFile(scratch->path() / keptPtx)) {
        run.products["ptx"] = std::move(*ptx);
    }
    if (!run.ok) {
        if (auto full = diskFullError(scratch->path(), run.rawOutput)) {
            return *full;
        }
        if (auto missing = missingPart(run.rawOutput)) {
            missing->path = nvcc.path.string();
            return *missing;
        }
        return run;
    }
    auto made = readProduct(nvcc, scratch->path() / product, !plan.emitPtxOnly);
    if (!made) {
        return blameOptions(made.error(), plan.options);
    }
    run.products[plan.hostContract ? "so" : (plan.emitPtxOnly ? "ptx" : "cubin")] = std::move(*made);
    if (plan.hostContract) {
        if (auto cubin = readFile(scratch->path() / "keep" / "ptxwb_source.cubin")) {
            run.products["cubin"] = std::move(*cubin);
        }
    }
    run.includes = includesOf(scratch->path(), paths);
    return run;
}

} // namespace ptxwb::detail
