// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"
#include "core/toolchain/toolchain.h"

#include <chrono>
#include <functional>
#include <memory>

namespace ptxwb {

enum class Language { Ptx, Cuda, Cubin };
std::string_view languageName(Language language); ///< "ptx", "cuda", "cubin"

/// By extension, else by content (ELF magic -> Cubin, `.version` first -> Ptx). Errors: Unsupported.
Result<Language> languageOf(const std::filesystem::path& name, std::string_view content);

struct CompileRequest {
    std::string displayName{}; ///< what messages call the file, e.g. "gemm.ptx" or "<stdin>"
    std::string text{};
    Language language = Language::Ptx;
    std::filesystem::path directory{}; ///< of the user's file, for quoted includes; empty for stdin
    std::optional<std::string> target{}; ///< asked for by the user, e.g. "sm_90a"
    std::optional<std::string> preferredTarget{}; ///< of the device here, used where .target permits it
    std::vector<std::string>
        options{}; ///< after `--`; `// @build` options of the file are added by the compiler
    bool hostContract = false; ///< build a shared object with TVM-FFI instead of a cubin
    /// Of a shared object: leave CUDA's libraries out, whose part the emulated runtime plays.
    bool emulatedHost = false;
    bool emitPtxOnly = false; ///< `ptxwb ptx`
    bool sandboxed =
        false; ///< a stranger's text: the tools see their toolkit and -I folders of `options`, no more
    bool proveFixes = true; ///< ptxas is asked about each fix of PTX: 10 ms and more where there is one
    std::chrono::seconds timeout{120};
    std::function<void(std::string_view)>
        onWaiting{}; ///< told, on another thread, what a build of more than 5 s waits for
};

struct Artefact {
    std::string kind{}; ///< "source", "ptx", "cubin", "so"
    std::string sha256{};
    std::string bytes{};
};

struct CompileOutcome {
    bool ok = false;
    std::string target{};
    std::string targetReason{}; ///< why this target, one sentence
    std::vector<Diagnostic> diagnostics{}; ///< at most mostDiagnostics, and one that says how many more
    int diagnosticsLeftOut = 0;
    std::vector<PerformanceNote> notes{};
    std::vector<KernelResources> kernels{};
    std::vector<Artefact> artefacts{}; ///< empty unless ok (a failed build leaves nothing behind)
    std::vector<Tool> tools{}; ///< used
    std::vector<std::string> command{}; ///< argv as run, with the user's names
    std::vector<std::string> options{}; ///< effective pass-through options
    bool isLinted = false; ///< PTX, or the asm strings of CUDA C++
    int asmStatements = 0; ///< found in CUDA C++
    struct AsmNotLinted {
        int line = 0;
        std::string reason{};
    };
    std::vector<AsmNotLinted> asmNotLinted{};
    std::string rawOutput{};
    bool fromCache = false;
    double wallMs = 0; ///< of this call

    const Artefact* artefact(std::string_view kind) const;
};

/// Drives ptxas and nvcc: fresh temporary directory per build, content-addressed cache (key: tool versions,
/// options, target, source and every included file). Thread-safe; each call blocks.
class Compiler {
public:
    explicit Compiler(Toolchain toolchain, std::filesystem::path cacheDirectory = {}); ///< empty: no cache
    /// A program that does not compile is an outcome with ok == false.
    /// Errors: MissingTool, ToolCrashed, TimedOut, Cancelled, DiskFull, InvalidArgument (unknown target).
    Result<CompileOutcome> compile(const CompileRequest& request, std::stop_token stop = {}) const;
    const Toolchain& toolchain() const { return m_toolchain; }

private:
    Toolchain m_toolchain;
    std::filesystem::path m_cacheDirectory;
};

} // namespace ptxwb
