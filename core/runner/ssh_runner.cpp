// SPDX-License-Identifier: Apache-2.0
#include "core/runner/ssh_runner.h"

#include "core/runner/conversation.h"
#include "core/runner/remote_end.h"
#include "core/support/files.h"
#include "core/support/sha256.h"

#include <fmt/format.h>

#include <sys/utsname.h>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::chrono::minutes copyTimeout{10};
constexpr std::chrono::seconds lddTimeout{10};
constexpr int otherMachine = 65; // the script's own statuses
constexpr int notWritten = 66;

// The user's shell there may be any: sh reads the script.
std::vector<std::string> overSsh(const std::string& host, const std::string& script)
{
    // BatchMode: a password prompt would wait for ever where nobody sees it.
    return {"ssh", "-o", "BatchMode=yes", host, fmt::format("exec sh -c '{}'", script)};
}

std::string folderThere(const std::string& hash)
{
    return fmt::format("d=\"${{XDG_CACHE_HOME:-$HOME/.cache}}/ptx-workbench/runners/{}\"; ", hash);
}

std::string machineHere()
{
    utsname names{};
    return ::uname(&names) == 0 ? fmt::format("{} {}", names.sysname, names.machine)
                                : std::string("Linux x86_64");
}

} // namespace

RunnerEndpoint sshRunner(const std::string& host)
{
    RunnerEndpoint endpoint{.title = "ssh:" + host, .host = host};
    const auto local = localRunner();
    const auto bytes = local ? readFile(local->command.front()) : Result<std::string>(local.error());
    if (!bytes) {
        endpoint.command = overSsh(host, "exec ptxwb-runner");
        return endpoint;
    }
    const auto there = folderThere(sha256Hex(*bytes).substr(0, 16));
    endpoint.command = overSsh(
        host, there + "if [ -x \"$d/ptxwb-runner\" ]; then exec \"$d/ptxwb-runner\"; fi; exec ptxwb-runner");
    // Unpacked beside its place and moved: a connection that is cut leaves no half of a program.
    endpoint.copy = RunnerCopy{.program = local->command.front(),
        .command = overSsh(host,
            there
                + fmt::format(
                    "if [ \"$(uname -sm)\" != \"{}\" ]; then uname -sm >&2; exit {}; fi; umask 077; "
                    "p=\"$d.part.$$\"; if mkdir -p \"$p\" && tar -xf - -C \"$p\" && "
                    "[ -x \"$p/ptxwb-runner\" ] && rm -rf \"$d\" && mv \"$p\" \"$d\"; then exit 0; fi; "
                    "rm -rf \"$p\"; exit {}",
                    machineHere(), otherMachine, notWritten))};
    return endpoint;
}

namespace detail {

std::vector<std::filesystem::path> librariesToSend(std::string_view lddOutput)
{
    constexpr std::string_view everywhere[]{"linux-vdso", "ld-linux", "libc.", "libm.", "libdl.", "librt.",
        "libpthread.", "libstdc++.", "libgcc_s."};
    std::vector<std::filesystem::path> paths;
    while (!lddOutput.empty()) {
        const auto end = std::min(lddOutput.find('\n'), lddOutput.size());
        const auto line = lddOutput.substr(0, end);
        lddOutput.remove_prefix(std::min(end + 1, lddOutput.size()));
        const auto arrow = line.find(" => /");
        if (arrow == std::string_view::npos) {
            continue;
        }
        const auto path = line.substr(arrow + 4, line.find(" (", arrow) - arrow - 4);
        const auto name = path.substr(path.rfind('/') + 1);
        if (std::none_of(std::begin(everywhere), std::end(everywhere),
                [&](std::string_view known) { return name.starts_with(known); })) {
            paths.emplace_back(path);
        }
    }
    return paths;
}

Result<void> copyRunner(const RunnerEndpoint& endpoint, std::stop_token stop)
{
    const auto& copy = *endpoint.copy;
    const auto libraries = runProcess({.argv = {"ldd", copy.program.string()}, .timeout = lddTimeout}, stop);
    ProcessRequest pack{.argv = {"tar", "-chf", "-", "-C", copy.program.parent_path().string(),
                            copy.program.filename().string()}};
    if (libraries && libraries->succeeded()) {
        for (const auto& path : librariesToSend(libraries->standardOutput)) {
            pack.argv.insert(pack.argv.end(), {"-C", path.parent_path().string(), path.filename().string()});
        }
    }
    auto packed = runProcess(pack, stop);
    if (!packed) {
        return packed.error();
    }
    if (!packed->succeeded()) {
        return Error{.code = packed->cancelled ? ErrorCode::Cancelled : ErrorCode::Internal,
            .message =
                fmt::format("{} could not be packed: {}", copy.program.string(), describeEnd(*packed))};
    }
    const auto sent = runProcess(
        {.argv = copy.command, .standardInput = std::move(packed->standardOutput), .timeout = copyTimeout},
        stop);
    if (!sent) {
        return sent.error();
    }
    if (sent->succeeded()) {
        return {};
    }
    if (sent->cancelled) {
        return Error{.code = ErrorCode::Cancelled, .message = "cancelled while the runner was copied"};
    }
    const bool otherKind = !sent->signal && sent->exitCode == otherMachine;
    return Error{.code = ErrorCode::Unavailable,
        .message = otherKind
            ? fmt::format("{}: ptxwb-runner is not there, and this machine's ({}) does not run on {}",
                endpoint.title, machineHere(), logTail(sent->standardError))
            : fmt::format("{}: ptxwb-runner is not there and could not be copied: {}", endpoint.title,
                describeEnd(*sent)),
        .hint = "build it there (preset `runner`) and put it on the path of a shell without a terminal",
        .path = endpoint.command.front()};
}

} // namespace detail
} // namespace ptxwb
