// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/header_search.h"

#include "core/support/files.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <unistd.h>

namespace ptxwb::detail {

namespace fs = std::filesystem;

namespace {

// Whatever looks like a path in a word: "/a", "-I/a", "-isystem=/a", "-I,/a,-I,/b". One too many costs a
// look.
void addPaths(std::set<std::string>& directories, std::string_view word)
{
    if (word.starts_with('/')) {
        directories.emplace(word); // whole, whatever is in its name
    }
    while (!word.empty()) {
        const auto end = word.find_first_of(",=: \t");
        const auto part = word.substr(0, end);
        word = end == std::string_view::npos ? std::string_view{} : word.substr(end + 1);
        if (const auto slash = part.find('/'); slash != std::string_view::npos) {
            directories.emplace(part.substr(slash));
        }
    }
}

bool takesOptionsFromFile(const BuildPlan& plan)
{
    for (const auto& word : plan.options) {
        if (word.starts_with("-optf") || word.starts_with("--options-file") || word.starts_with('@')
            || word.find(",@") != std::string::npos) {
            return true;
        }
    }
    return false;
}

bool isBelow(const std::string& path, const std::set<std::string>& directories)
{
    for (const auto& directory : directories) {
        if (path.starts_with(directory)) {
            return true;
        }
    }
    return false;
}

bool exists(const std::string& path)
{
    return ::access(path.c_str(), F_OK) == 0;
}

// Whether the use at the end of `line` is inside the definition of a macro of the same kind of name, whose
// own uses are found.
bool isInNamesakeMacro(std::string_view line)
{
    const auto define = line.find("define");
    if (define == std::string_view::npos) {
        return false;
    }
    const auto between = line.substr(define + 6);
    const auto name = between.substr(std::min(between.find_first_not_of(" \t"), between.size()));
    return name.find("has_include") != std::string_view::npos
        || name.find("HAS_INCLUDE") != std::string_view::npos
        || name.find_first_of(" \t(") == std::string_view::npos;
}

} // namespace

std::optional<std::vector<std::string>> askedHeaders(std::string_view text)
{
    std::vector<std::string> names;
    for (const std::string_view word : {"has_include", "HAS_INCLUDE"}) {
        for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
            const auto rest = text.substr(at + word.size());
            const auto open = rest.find_first_not_of("_next(NEXT \t"); // `__has_include_next(` too
            const auto bracket = rest.substr(0, open).find('(');
            if (open == std::string_view::npos || bracket == std::string_view::npos) {
                continue; // the bare word, as in #ifdef
            }
            const char close = rest[open] == '<' ? '>' : '"';
            if (rest[open] == '<' || rest[open] == '"') {
                const auto end = rest.find(close, open + 1);
                names.emplace_back(rest.substr(open + 1, end - open - 1));
                continue;
            }
            const auto lineStart = text.rfind('\n', at) + 1;
            if (!isInNamesakeMacro(text.substr(lineStart, at - lineStart))) {
                return std::nullopt;
            }
        }
    }
    return names;
}

std::optional<HeaderSearch> headerSearchOf(const BuildPlan& plan, const std::vector<fs::path>& includes)
{
    if (takesOptionsFromFile(plan)) {
        return std::nullopt;
    }
    std::set<std::string> directories;
    for (const auto& word : plan.options) {
        addPaths(directories, word);
    }
    for (const char* name :
        {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
        const char* value = std::getenv(name);
        addPaths(directories, value != nullptr ? value : "");
    }
    if (!plan.directory.empty()) {
        directories.insert(plan.directory.string());
    }
    const auto users = directories;
    directories.insert("/usr/local/include"); // of gcc, before its others
    std::set<std::string> asked;
    const auto ask = [&](std::string_view text) {
        const auto names = askedHeaders(text);
        if (names) {
            asked.insert(names->begin(), names->end());
        }
        return names.has_value();
    };
    if (!ask(plan.text)) {
        return std::nullopt;
    }
    for (const auto& path : includes) {
        directories.insert(path.parent_path().string());
        const auto text = readFile(path);
        if (text && !ask(*text) && isBelow(path.string(), users)) {
            return std::nullopt;
        }
    }
    return HeaderSearch{{directories.begin(), directories.end()}, {asked.begin(), asked.end()}};
}

std::vector<std::string> namesakes(const HeaderSearch& search, const std::vector<fs::path>& includes)
{
    std::map<std::string, std::set<std::string>> namesIn; // by the folders before the name
    const auto add = [&](const std::string& name) {
        const auto slash = name.rfind('/');
        const bool plain = slash == std::string::npos;
        namesIn[plain ? std::string() : '/' + name.substr(0, slash)].insert(
            plain ? name : name.substr(slash + 1));
    };
    std::for_each(search.asked.begin(), search.asked.end(), add);
    for (const auto& include : includes) {
        const auto path = include.string();
        for (auto slash = path.rfind('/'); slash != std::string::npos && slash > 0;
             slash = path.rfind('/', slash - 1)) {
            add(path.substr(slash + 1));
        }
    }
    std::set<std::string> found;
    for (const auto& directory : search.directories) {
        for (const auto& [folders, names] : namesIn) {
            const auto folder = directory + folders;
            if (!exists(folder)) { // most are not there
                continue;
            }
            for (const auto& name : names) {
                if (auto path = folder + '/' + name; exists(path)) {
                    found.insert(std::move(path));
                }
            }
        }
    }
    return {found.begin(), found.end()};
}

} // namespace ptxwb::detail
