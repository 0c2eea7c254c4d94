// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/toolchain.h"

#include <map>
#include <string_view>

namespace ptxwb::detail {

/// What a tool says of itself.
struct ToolFacts {
    std::string version{};
    std::optional<std::string> problem{};
    std::vector<std::string> targets{}; ///< of ptxas only
};

/// "Cuda compilation tools, release 13.0, V13.0.88" -> "13.0.88"; empty if the text holds no version.
std::string versionInText(std::string_view versionOutput);

/// Every sm_XY[a|f] among the allowed values of `ptxas --help`, in order of number and suffix.
std::vector<std::string> targetsInHelp(std::string_view help);

/// Asks tools and remembers the answers on disk by path, size, time and inode, so that an unchanged tool is
/// not started again. The failure of a tool is remembered for some minutes only. Never fails: without a
/// readable file it asks.
class ToolFactsCache {
public:
    explicit ToolFactsCache(std::filesystem::path file);
    /// After a stop the answer is worth nothing and is not remembered.
    ToolFacts factsOf(ToolKind kind, const std::filesystem::path& path, std::chrono::milliseconds timeout,
        const std::stop_token& stop = {});
    void save() const; ///< writes only when something was asked

private:
    struct Entry {
        std::string stamp; ///< size, time and inode of the file that was asked
        long long askedAt = 0; ///< seconds since 1970
        ToolFacts facts;
    };
    std::filesystem::path m_file;
    std::map<std::string, Entry> m_entries;
    bool m_changed = false;
};

} // namespace ptxwb::detail
