// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/compile_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace ptxwb {

namespace {

using Words = std::vector<std::string>;

// What the workbench decides, with the way to ask for it.
struct Reserved {
    std::string_view option;
    std::string_view instead;
};
constexpr std::string_view useTarget = "use --target";
constexpr std::string_view useOutput = "use -o of ptxwb";
constexpr std::string_view ownStage = "the workbench chooses what is built";
constexpr std::array<Reserved, 34> reserved{{{"-arch", useTarget}, {"--gpu-architecture", useTarget},
    {"-gencode", useTarget}, {"--generate-code", useTarget}, {"-code", useTarget}, {"--gpu-code", useTarget},
    {"--gpu-name", useTarget}, {"-o", useOutput}, {"--output-file", useOutput}, {"-odir", useOutput},
    {"--output-directory", useOutput}, {"-cubin", ownStage}, {"--cubin", ownStage}, {"-ptx", ownStage},
    {"--ptx", ownStage}, {"-fatbin", ownStage}, {"--fatbin", ownStage}, {"-c", ownStage},
    {"--compile", ownStage}, {"-dlink", ownStage}, {"--device-link", ownStage}, {"-lib", ownStage},
    {"-run", ownStage}, {"--run", ownStage}, {"-E", ownStage}, {"--preprocess", ownStage},
    {"-keep", ownStage}, {"--keep", ownStage}, {"-keep-dir", ownStage}, {"--keep-dir", ownStage},
    {"-shared", ownStage}, {"--shared", ownStage}, {"-dryrun", ownStage}, {"--dryrun", ownStage}}};

// Options that make a tool print something and compile nothing.
constexpr std::array<std::string_view, 17> printsOnly{"-h", "--help", "-V", "--version", "-code-ls",
    "--list-gpu-code", "-arch-ls", "--list-gpu-arch", "--list-arch", "-version-ls", "--list-version", "-M",
    "--generate-dependencies", "-MM", "--generate-nonsystem-dependencies", "-clean", "--clean-targets"};

// Options of a C++ compiler that mean nothing to ptxas.
constexpr std::array<std::string_view, 28> cxxOnly{"-I", "--include-path", "-isystem", "--system-include",
    "-include", "--pre-include", "-iquote", "-D", "--define-macro", "-U", "--undefine-macro", "-std", "--std",
    "-Xcompiler", "--compiler-options", "-ccbin", "--compiler-bindir", "-L", "--library-path", "-l",
    "--library", "-Xlinker", "--linker-options", "-x", "--x", "-use_fast_math", "--use_fast_math", "-ftz"};

// Options that a @build comment may hold.
constexpr std::array<std::string_view, 34> allowedInFile{"-I", "--include-path", "-isystem", "-D",
    "--define-macro", "-U", "--undefine-macro", "-std", "--std", "-O", "--optimize", "-maxrregcount",
    "--maxrregcount", "-Xptxas", "--ptxas-options", "-use_fast_math", "--use_fast_math", "-ftz", "--ftz",
    "-fmad", "--fmad", "-prec-div", "--prec-div", "-prec-sqrt", "--prec-sqrt", "-G", "-g", "-lineinfo",
    "--generate-line-info", "-w", "-dlcm", "-rdc", "-extra-device-vectorization",
    "--extra-device-vectorization"};

// Options whose value is a path, also as the next word.
constexpr std::array<std::string_view, 8> pathOptions{
    "-I", "--include-path", "-isystem", "--system-include", "-include", "--pre-include", "-iquote", "-L"};

bool isJoinable(std::string_view option)
{
    return option == "-I" || option == "-D" || option == "-U" || option == "-L" || option == "-l"
        || option == "-O";
}

// "-DX" and "-D" and "-std=c++20" all spell the option that `option` names.
bool spells(std::string_view word, std::string_view option)
{
    if (option == "-l" && word == "-lineinfo") {
        return false;
    }
    return word == option
        || (word.starts_with(option) && word.size() > option.size() && word[option.size()] == '=')
        || (isJoinable(option) && word.starts_with(option) && !word.starts_with("--"));
}

template <std::size_t N> bool anySpells(std::string_view word, const std::array<std::string_view, N>& options)
{
    return std::any_of(
        options.begin(), options.end(), [&](std::string_view option) { return spells(word, option); });
}

Error refused(std::string_view word, std::string_view why, std::string_view hint)
{
    return {.code = ErrorCode::InvalidArgument,
        .message = fmt::format("option \"{}\": {}", word, why),
        .hint = std::string(hint)};
}

std::optional<Error> reservedOption(std::string_view word)
{
    for (const auto& [option, instead] : reserved) {
        if (word == option || (word.starts_with(option) && word.substr(option.size()).starts_with('='))) {
            return refused(word, "is set by the workbench", instead);
        }
    }
    if (std::find(printsOnly.begin(), printsOnly.end(), word.substr(0, word.find('='))) != printsOnly.end()) {
        return refused(word, "makes the tool print something and compile nothing",
            "leave it away; ptxwb doctor tells the versions of the tools");
    }
    return std::nullopt;
}

// One shell-like split; nothing when a quote is not closed.
std::optional<Words> splitWords(std::string_view text)
{
    Words words;
    std::string word;
    bool inWord = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            word += text[++i];
            inWord = true;
        } else if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
            if (quote != '\0') {
                word += c;
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
            inWord = true;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            if (inWord) {
                words.push_back(std::exchange(word, {}));
            }
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    if (quote != '\0') {
        return std::nullopt;
    }
    if (inWord) {
        words.push_back(word);
    }
    return words;
}

Words splitAtCommas(std::string_view list)
{
    Words words;
    while (!list.empty()) {
        const auto comma = list.find(',');
        words.emplace_back(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    }
    return words;
}

// The options of one comment line, if it is a @build line.
std::string_view buildCommentText(std::string_view line)
{
    constexpr std::string_view marker = "@build";
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || !line.substr(first).starts_with("//")) {
        return {};
    }
    const auto word = line.find_first_not_of(" \t", first + 2);
    if (word == std::string_view::npos || !line.substr(word).starts_with(marker)) {
        return {};
    }
    const auto rest = line.substr(word + marker.size());
    return rest.starts_with(' ') || rest.starts_with('\t') ? rest : std::string_view{};
}

} // namespace

Result<Words> buildCommentOptions(std::string_view text)
{
    Words options;
    int lineNumber = 0;
    while (!text.empty()) {
        ++lineNumber;
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        const auto comment = buildCommentText(line);
        if (comment.empty()) {
            continue;
        }
        const auto words = splitWords(comment);
        if (!words) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = "@build comment: a quote is not closed",
                .hint = "close it on the same line",
                .line = lineNumber};
        }
        bool isValue = false; // the word behind "-I", "-D", "-Xptxas" ...
        for (const auto& word : *words) {
            if (!isValue && !anySpells(word, allowedInFile)) {
                auto error = refused(
                    word, "is not taken from a @build comment", "give it on the command line, after --");
                error.line = lineNumber;
                return error;
            }
            constexpr std::array<std::string_view, 12> withValue{"-I", "--include-path", "-isystem", "-D",
                "--define-macro", "-U", "--undefine-macro", "-std", "--std", "-maxrregcount", "-Xptxas",
                "--ptxas-options"};
            isValue = !isValue && std::find(withValue.begin(), withValue.end(), word) != withValue.end();
            options.push_back(word);
        }
    }
    return options;
}

Result<Words> ptxasOptions(const Words& options)
{
    Words made;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const auto& word = options[i];
        if (auto error = reservedOption(word)) {
            return *error;
        }
        if (anySpells(word, cxxOnly)) {
            return refused(word, "is for CUDA C++; ptxas has no preprocessor and no language options",
                "leave it out for a .ptx file");
        }
        if (word == "-Xptxas" || word == "--ptxas-options") {
            if (i + 1 == options.size()) {
                return refused(word, "needs a value", "for example -Xptxas -O1");
            }
            const auto inner = splitAtCommas(options[++i]);
            made.insert(made.end(), inner.begin(), inner.end());
        } else if (word.starts_with("-Xptxas=") || word.starts_with("--ptxas-options=")) {
            const auto inner = splitAtCommas(std::string_view(word).substr(word.find('=') + 1));
            made.insert(made.end(), inner.begin(), inner.end());
        } else if (word == "-G" || word == "--device-debug") {
            made.emplace_back("-g");
        } else if (word == "-res-usage" || word == "--resource-usage") {
            continue; // -v is always given
        } else if (word == "-rdc=true" || word == "--relocatable-device-code=true" || word == "-dc") {
            made.emplace_back("-c");
        } else {
            made.push_back(word);
        }
    }
    // These are always given, and ptxas warns of a second one.
    std::erase_if(made, [](const std::string& word) {
        return word == "-v" || word == "--verbose" || word == "-lineinfo" || word == "--generate-line-info";
    });
    for (const auto& word : made) {
        if (auto error = reservedOption(word == "-c" ? std::string() : word)) {
            return *error;
        }
    }
    return made;
}

Result<Words> nvccOptions(const Words& options, const std::filesystem::path& base)
{
    Words made;
    const auto absolute = [&](std::string_view path) {
        const std::filesystem::path given(path);
        return given.is_absolute() || path.empty() ? given.string()
                                                   : (base / given).lexically_normal().string();
    };
    for (std::size_t i = 0; i < options.size(); ++i) {
        const auto& word = options[i];
        if (auto error = reservedOption(word)) {
            return *error;
        }
        const auto option = std::find_if(pathOptions.begin(), pathOptions.end(),
            [&](std::string_view name) { return spells(word, name); });
        if (option == pathOptions.end()) {
            made.push_back(word);
            continue;
        }
        made.emplace_back(*option);
        if (word.size() == option->size()) {
            if (i + 1 == options.size()) {
                return refused(word, "needs a value", "name a path behind it");
            }
            made.push_back(absolute(options[++i]));
        } else {
            const auto value = std::string_view(word).substr(option->size());
            made.push_back(absolute(value.starts_with('=') ? value.substr(1) : value));
        }
    }
    std::erase_if(
        made, [](const std::string& word) { return word == "-lineinfo" || word == "--generate-line-info"; });
    return made;
}

bool isSafeForNvcc(std::string_view path)
{
    return std::all_of(path.begin(), path.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || std::string_view("_./+-@%=~:").find(c) != std::string_view::npos;
    });
}

} // namespace ptxwb
