// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ptxwb::detail {

/// Changes whenever the content of the file may have changed: device, inode, size, time of modification and
/// of status change (which no program can set back). Follows symbolic links. Empty if there is no such file.
std::string fileStamp(const std::filesystem::path& path);

} // namespace ptxwb::detail
