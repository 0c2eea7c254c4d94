// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/build.h"

#include "core/support/temporary_directory.h"
#include "core/toolchain/tool_run.h"

#include <algorithm>

namespace ptxwb::detail {

Result<BuildRun> buildPtx(const Tool& ptxas, const BuildPlan& plan, std::stop_token stop)
{
    const auto scratch = TemporaryDirectory::create("ptxwb-ptx");
    if (!scratch) {
        return scratch.error();
    }
    BuildRun run;
    run.toolFile = "source.ptx";
    if (const auto written = writeScratch(scratch->path() / run.toolFile, plan.text); !written) {
        return written.error();
    }
    const bool debug = std::find(plan.options.begin(), plan.options.end(), "-g") != plan.options.end();
    run.command = {ptxas.path.string(), "-arch=" + plan.target, "-v"};
    if (!debug) { // ptxas ignores -lineinfo beside -g, and warns
        run.command.emplace_back("-lineinfo");
    }
    run.command.insert(run.command.end(), plan.options.begin(), plan.options.end());
    run.command.insert(run.command.end(), {"-o", "out.cubin", run.toolFile});
    auto outcome = runCompiler(ptxas, plan,
        {.argv = run.command,
            .workingDirectory = scratch->path(),
            .timeout = plan.timeout,
            .maxOutputBytes = mostCompilerOutputBytes},
        stop);
    if (!outcome) {
        return outcome.error();
    }
    run.command.back() = plan.displayName;
    run.rawOutput = messageText(std::move(outcome->standardOutput), outcome->standardError);
    run.ok = outcome->exitCode == 0;
    if (!run.ok) {
        if (auto full = diskFullError(scratch->path(), run.rawOutput)) {
            return *full;
        }
        return run;
    }
    auto cubin = readProduct(ptxas, scratch->path() / "out.cubin", true);
    if (!cubin) {
        return blameOptions(cubin.error(), plan.options);
    }
    run.products["cubin"] = std::move(*cubin);
    return run;
}

} // namespace ptxwb::detail
