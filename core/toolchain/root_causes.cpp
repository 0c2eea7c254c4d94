// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include <map>
#include <utility>

namespace ptxwb {

namespace {

// Lower is nearer to the cause. Of one faulty instruction ptxas says several things in no useful order.
int distanceFromCause(const Diagnostic& said)
{
    const std::string_view message = said.message;
    if (message.starts_with("Unknown symbol")) {
        return 0;
    }
    if (message.starts_with("Unknown modifier")) {
        return 1;
    }
    if (message.starts_with("Not a name of any known instruction")) {
        return 2;
    }
    if (message.starts_with("Arguments mismatch")) {
        return 9;
    }
    return 5;
}

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

// Says only that there were errors before it.
bool isAftermath(const Diagnostic& said)
{
    return !said.line && (said.message.starts_with("Ptx assembly aborted due to errors") || said.tool == "ld")
        && said.message.find("undefined reference") == std::string::npos;
}

} // namespace

void markRootCauses(std::vector<Diagnostic>& diagnostics)
{
    std::map<std::pair<std::string, int>, std::size_t> roots; // by file and line: index of the best so far
    int groups = 0;
    std::size_t errors = 0;
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
        auto& said = diagnostics[i];
        said.rootCause = true;
        if (isAftermath(said) && errors > 0) {
            said.rootCause = false;
            said.group = groups;
            continue;
        }
        errors += isError(said) ? 1 : 0;
        if (!said.line || !isError(said)) {
            said.group = ++groups;
            continue;
        }
        const auto [root, isNew] = roots.try_emplace({said.file, *said.line}, i);
        if (isNew) {
            said.group = ++groups;
            continue;
        }
        auto& best = diagnostics[root->second];
        said.group = best.group;
        const bool nearer = distanceFromCause(said) < distanceFromCause(best);
        best.rootCause = !nearer;
        said.rootCause = nearer;
        root->second = nearer ? i : root->second;
    }
}

} // namespace ptxwb
