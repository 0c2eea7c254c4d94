// SPDX-License-Identifier: Apache-2.0
#include "core/support/sandbox.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view privateTmpBytes = "1073741824";
constexpr std::string_view hint =
    "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap); where user namespaces are forbidden, "
    "allow them (sysctl kernel.unprivileged_userns_clone=1, on Ubuntu "
    "kernel.apparmor_restrict_unprivileged_userns=0) or start the container with leave to make them";

void add(std::vector<std::string>& argv, std::initializer_list<std::string> words)
{
    argv.insert(argv.end(), words);
}

// The system's programs and libraries. On a merged /usr these are links, elsewhere directories.
void addSystem(std::vector<std::string>& argv)
{
    add(argv, {"--ro-bind", "/usr", "/usr"});
    for (const std::string name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
        std::error_code failed;
        if (fs::is_symlink(name, failed)) {
            add(argv, {"--symlink", fs::read_symlink(name, failed).string(), name});
        } else {
            add(argv, {"--ro-bind-try", name, name});
        }
    }
    for (const std::string name :
        {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"}) {
        add(argv, {"--ro-bind-try", name, name});
    }
}

std::vector<std::string> wallsOf(
    const fs::path& bwrap, const SandboxWalls& walls, const ProcessRequest& request)
{
    std::vector<std::string> argv{bwrap.string()};
    add(argv,
        {"--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--proc", "/proc",
            "--dev", "/dev", "--size", std::string(privateTmpBytes), "--tmpfs", "/tmp"});
    addSystem(argv);
    for (const auto& path : walls.readable) {
        if (path.string().starts_with("/usr/")) {
            continue; // there already
        }
        add(argv, {"--ro-bind-try", path.string(), path.string()});
    }
    if (!walls.scratch.empty()) {
        add(argv, {"--bind", walls.scratch.string(), walls.scratch.string()});
    }
    const auto directory = request.workingDirectory.empty() ? walls.scratch : request.workingDirectory;
    add(argv, {"--chdir", directory.empty() ? "/tmp" : directory.string(), "--clearenv"});
    add(argv, {"--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/tmp"});
    for (const auto& name : walls.environment) {
        if (const char* value = std::getenv(name.c_str()); value != nullptr) {
            add(argv, {"--setenv", name, value});
        }
    }
    for (const auto& [name, value] : request.environment) {
        add(argv, {"--setenv", name, value});
    }
    return argv;
}

// Set inside the walls, where the count of processes is that of the sandbox and not of the user's desktop.
void addLimits(std::vector<std::string>& argv, const SandboxWalls& walls)
{
    const auto limit = [&](std::string_view name, std::uint64_t value) {
        argv.push_back("--" + std::string(name) + "=" + std::to_string(value));
    };
    argv.emplace_back("/usr/bin/prlimit");
    limit("fsize", walls.fileBytes);
    limit("as", walls.addressSpaceBytes);
    limit("nproc", walls.processes);
    limit("cpu", static_cast<std::uint64_t>(walls.processorTime.count()));
    limit("core", 0);
    argv.emplace_back("--");
}

Result<fs::path> bubblewrap()
{
    if (const auto found = findInPath("bwrap")) {
        return *found;
    }
    return Error{.code = ErrorCode::MissingTool,
        .message = "no sandbox: bubblewrap (bwrap) is not installed here",
        .hint = std::string(hint)};
}

ProcessRequest walled(ProcessRequest request, const SandboxWalls& walls, const fs::path& bwrap)
{
    auto argv = wallsOf(bwrap, walls, request);
    argv.emplace_back("--");
    addLimits(argv, walls);
    argv.insert(argv.end(), request.argv.begin(), request.argv.end());
    request.argv = std::move(argv);
    request.workingDirectory.clear(); // bwrap goes there, inside
    request.environment.clear();
    request.clearEnvironment = true; // bwrap is process 1 inside, and its environment can be read there
    return request;
}

Result<void> tryOne()
{
    const auto bwrap = bubblewrap();
    if (!bwrap) {
        return bwrap.error();
    }
    const auto outcome = runProcess(
        walled({.argv = {"/usr/bin/true"}, .timeout = std::chrono::seconds(10)}, SandboxWalls{}, *bwrap));
    if (!outcome) {
        return outcome.error();
    }
    if (outcome->succeeded()) {
        return {};
    }
    auto said = outcome->standardError.substr(0, outcome->standardError.find('\n'));
    return Error{.code = ErrorCode::Unavailable,
        .message = "no sandbox: " + (said.empty() ? bwrap->string() + " does not work here" : said),
        .hint = std::string(hint)};
}

} // namespace

Result<void> sandboxAvailable()
{
    static const auto answer = tryOne();
    return answer;
}

Result<ProcessRequest> sandboxed(ProcessRequest request, const SandboxWalls& walls)
{
    if (const auto available = sandboxAvailable(); !available) {
        return available.error();
    }
    const auto bwrap = bubblewrap();
    if (!bwrap) {
        return bwrap.error();
    }
    return walled(std::move(request), walls, *bwrap);
}

} // namespace ptxwb
