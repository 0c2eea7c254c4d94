// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace ptxwb {

/// The bytes of a file. Errors: NotFound, Unreadable (also for a directory), with the path set.
Result<std::string> readFile(const std::filesystem::path& path);

/// Writes to a sibling temporary and renames it over `path`, so that a reader sees the old or the new text
/// and a failed write loses nothing. A device or a pipe is written into; `stop` ends the wait for a pipe's
/// reader. Errors: DiskFull, Unreadable, Cancelled.
Result<void> writeFileAtomically(
    const std::filesystem::path& path, std::string_view bytes, const std::stop_token& stop = {});

/// `$XDG_CACHE_HOME/ptx-workbench`, or below ~/.cache. `PTXWB_CACHE_DIR` overrides it.
std::filesystem::path userCacheDirectory();

/// Whether a file can be made in the directory, which is made when it is not there. Errors: as
/// writeFileAtomically, with what to do.
Result<void> checkWritableDirectory(const std::filesystem::path& path);

/// `$XDG_DATA_HOME/ptx-workbench`, or below ~/.local/share. `PTXWB_DATA_DIR` overrides it.
std::filesystem::path userDataDirectory();

/// The directory of the running program (for `../share/ptx-workbench`, and for ptxwb-runner beside it).
std::filesystem::path programDirectory();

/// tasks/ and resources/ : `PTXWB_SHARE_DIR`, the installed share directory, or the source tree that built
/// this program. Errors: NotFound.
Result<std::filesystem::path> shareDirectory();

} // namespace ptxwb
