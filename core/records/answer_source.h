// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/answer.h"
#include "core/support/result.h"

#include <cstddef>
#include <deque>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::records {

/// How a file is read.
enum class AnswerFormat { Code, Message, Json, JsonLines };

/// A file that may hold answers.
struct AnswerFile {
    std::filesystem::path path{};
    std::string shown{}; ///< below the folder that was named
    AnswerFormat format = AnswerFormat::Message;
    std::optional<std::string> task{}; ///< by the run root's plan
    std::optional<int> turn{}; ///< of `kernel_tN.cu`
    std::optional<Error> problem{};
};

/// The files below a folder, sorted by name, and what was passed over.
struct AnswerFiles {
    std::vector<AnswerFile> files{};
    int otherFiles = 0; ///< of other kinds
    int linkedFolders = 0; ///< links to folders are not followed
    int copies = 0; ///< kernels of a run root whose trajectory has them already
};

/// A file by itself, or every .ptx, .cu, .md, .markdown, .txt, .json, .jsonl and .ndjson below a folder. In a
/// run root of the reference system (a folder `trajectories` with exp_*.json) the trajectories are taken, and
/// of an `exp_NNN` folder without one its kernel. Folders whose name begins with a dot are passed over.
/// Errors: NotFound, Unreadable, Cancelled.
Result<AnswerFiles> findAnswerFiles(const std::filesystem::path& path, const std::stop_token& stop = {});

/// The answers of files one after another; a file is read when its turn comes. One thread at a time.
class AnswerSource {
public:
    explicit AnswerSource(AnswerFiles files)
        : m_files(std::move(files))
    {
    }

    /// The next answer, or nothing behind the last one. A file that cannot be read is an answer with a
    /// problem; a .json file that holds no answers is counted as another file.
    std::optional<Answer> next(const std::stop_token& stop = {});

    const AnswerFiles& files() const { return m_files; }
    std::size_t filesRead() const { return m_next; }

private:
    void read(const AnswerFile& file, const std::stop_token& stop);

    AnswerFiles m_files;
    std::size_t m_next = 0;
    std::deque<Answer> m_ready;
};

} // namespace ptxwb::records
