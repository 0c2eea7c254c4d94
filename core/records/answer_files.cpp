// SPDX-License-Identifier: Apache-2.0
#include "core/records/answer_source.h"
#include "core/records/trajectory.h"
#include "core/support/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace ptxwb::records {

namespace {

namespace fs = std::filesystem;

std::optional<AnswerFormat> formatOf(const fs::path& path)
{
    static const std::map<std::string, AnswerFormat> formats{{".ptx", AnswerFormat::Code},
        {".cu", AnswerFormat::Code}, {".md", AnswerFormat::Message}, {".markdown", AnswerFormat::Message},
        {".txt", AnswerFormat::Message}, {".json", AnswerFormat::Json}, {".jsonl", AnswerFormat::JsonLines},
        {".ndjson", AnswerFormat::JsonLines}};
    const auto found = formats.find(path.extension().string());
    return found == formats.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> numberBehind(std::string_view name, std::string_view prefix)
{
    int number = 0;
    if (!name.starts_with(prefix)) {
        return std::nullopt;
    }
    name.remove_prefix(prefix.size());
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    return failure == std::errc{} && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

// Nobody's answer, and its end may never come. A broken link is neither: it is told as one.
bool isPipeOrDevice(const fs::directory_entry& entry)
{
    std::error_code ignored;
    return entry.exists(ignored) && !entry.is_regular_file(ignored) && !entry.is_directory(ignored);
}

class Walk {
public:
    Walk(fs::path root, std::stop_token stop)
        : m_root(std::move(root))
        , m_stop(std::move(stop))
    {
    }

    void enter(const fs::path& folder, int depth = 0)
    {
        auto entries = entriesOf(folder);
        const auto trajectories = folder / "trajectories";
        std::error_code ignored;
        if (fs::is_directory(trajectories, ignored) && addRunRoot(folder, trajectories)) {
            return;
        }
        for (const auto& entry : entries) {
            if (m_stop.stop_requested()) {
                return;
            }
            visit(entry, depth);
        }
    }

    AnswerFiles take() { return std::move(m_found); }

private:
    std::vector<fs::directory_entry> entriesOf(const fs::path& folder)
    {
        std::vector<fs::directory_entry> entries;
        std::error_code failure;
        for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure)) {
            entries.push_back(*it);
        }
        if (failure) {
            m_found.files.push_back({.path = folder,
                .shown = shown(folder),
                .problem = Error{.code = ErrorCode::Unreadable,
                    .message = fmt::format("cannot list this folder: {}", failure.message()),
                    .path = shown(folder)}});
        }
        std::sort(entries.begin(), entries.end());
        return entries;
    }

    std::string shown(const fs::path& path) const { return path.lexically_relative(m_root).generic_string(); }

    void visit(const fs::directory_entry& entry, int depth)
    {
        constexpr int deepest = 64;
        std::error_code ignored;
        const auto name = entry.path().filename().string();
        if (entry.is_directory(ignored)) {
            if (entry.is_symlink(ignored)) {
                ++m_found.linkedFolders;
            } else if (!name.starts_with('.') && depth < deepest) {
                enter(entry.path(), depth + 1);
            }
            return;
        }
        const auto format = formatOf(entry.path());
        if (!format || name.starts_with('.') || isPipeOrDevice(entry)) {
            ++m_found.otherFiles;
            return;
        }
        m_found.files.push_back({.path = entry.path(),
            .shown = shown(entry.path()),
            .format = *format,
            .turn = numberBehind(entry.path().stem().string(), "kernel_t")});
    }

    // False when the folder only happens to have the name.
    bool addRunRoot(const fs::path& folder, const fs::path& trajectories)
    {
        std::vector<std::string> definitions;
        if (const auto plan = readInput(folder / "plan.json", {}, m_stop)) {
            definitions = definitionsOfPlan(*plan);
        }
        std::vector<std::string> names;
        for (const auto& entry : entriesOf(trajectories)) {
            const auto stem = entry.path().stem().string();
            const auto index = numberBehind(stem, "exp_");
            if (!index || entry.path().extension() != ".json" || isPipeOrDevice(entry)) {
                ++m_found.otherFiles;
                continue;
            }
            names.push_back(stem);
            m_found.files.push_back({.path = entry.path(),
                .shown = shown(entry.path()),
                .format = AnswerFormat::Json,
                .task = definitionAt(definitions, *index)});
        }
        if (names.empty()) {
            return false;
        }
        for (const auto& entry : entriesOf(folder)) {
            addCandidate(entry, names, definitions);
        }
        return true;
    }

    // exp_NNN/kernel.cu is the last answer once more, unless its trajectory was lost.
    void addCandidate(const fs::directory_entry& entry, const std::vector<std::string>& names,
        const std::vector<std::string>& definitions)
    {
        std::error_code ignored;
        const auto name = entry.path().filename().string();
        const auto index = numberBehind(name, "exp_");
        const auto kernel = entry.path() / "kernel.cu";
        if (!index || !fs::exists(kernel, ignored)) {
            return;
        }
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            ++m_found.copies;
            return;
        }
        m_found.files.push_back({.path = kernel,
            .shown = shown(kernel),
            .format = AnswerFormat::Code,
            .task = definitionAt(definitions, *index)});
    }

    static std::optional<std::string> definitionAt(const std::vector<std::string>& definitions, int index)
    {
        const auto at = static_cast<std::size_t>(index);
        return index >= 0 && at < definitions.size() && !definitions[at].empty()
            ? std::optional(definitions[at])
            : std::nullopt;
    }

    fs::path m_root;
    std::stop_token m_stop;
    AnswerFiles m_found;
};

} // namespace

Result<AnswerFiles> findAnswerFiles(const fs::path& path, const std::stop_token& stop)
{
    std::error_code failure;
    const auto status = fs::status(path, failure);
    if (!fs::exists(status)) {
        const bool absent = status.type() == fs::file_type::not_found;
        return Error{.code = absent ? ErrorCode::NotFound : ErrorCode::Unreadable,
            .message = absent ? "there is no such file or folder"
                              : fmt::format("cannot be read: {}", failure.message()),
            .hint = "name a folder of answers, or one file",
            .path = path.string()};
    }
    if (!fs::is_directory(status)) {
        AnswerFiles one;
        one.files.push_back({.path = path,
            .shown = path.filename().string(),
            .format = formatOf(path).value_or(AnswerFormat::Message),
            .turn = numberBehind(path.stem().string(), "kernel_t")});
        return one;
    }
    if (fs::directory_iterator(path, failure); failure) {
        return Error{.code = ErrorCode::Unreadable,
            .message = fmt::format("cannot list this folder: {}", failure.message()),
            .path = path.string()};
    }
    Walk walk(path, stop);
    walk.enter(path);
    if (stop.stop_requested()) {
        return Error{.code = ErrorCode::Cancelled, .message = "stopped while the folder was read"};
    }
    return walk.take();
}

} // namespace ptxwb::records
