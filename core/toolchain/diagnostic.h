// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

enum class Severity { Fatal, Error, Warning, Info };
std::string_view severityName(Severity severity);

/// One replacement in the user's original text; lines and columns (code points) from 1, end exclusive.
struct TextEdit {
    int line = 1;
    int startColumn = 1;
    int endLine = 1;
    int endColumn = 1;
    std::string text{};
};

struct Fix {
    std::string title{};
    std::vector<TextEdit> edits{};
    bool tried = false; ///< ptxas was given the text with it and has nothing against the place any more
};

/// A message of ptxas / nvcc / cicc, or one of ours. A message without a line stays without one.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::optional<std::string> code{}; ///< "C7510", "20044-D"
    std::string message{};
    std::string file{}; ///< the user's own name, or the foreign name that the tool gave
    std::optional<int> line{};
    std::optional<int> column{}; ///< ours, found by the lexer; the tools give none for PTX
    std::optional<int> endColumn{}; ///< exclusive
    bool rootCause = true;
    int group = 0; ///< messages of one cause share a number
    std::optional<std::string> explanation{};
    std::vector<Fix> fixes{};
    std::string tool{}; ///< "ptxas", "nvcc", "gcc", "ld", "ptxwb" (ours), "editor"
    std::string textAtCaret{}; ///< nvcc: the printed source line from its caret on; locateColumns makes a
                               ///< column of it
    bool isOfToolText = false; ///< said of text that the tool makes itself, so it has no place in a file
};

/// A performance note (C75xx).
struct PerformanceNote {
    std::string code{};
    std::optional<int> line{};
    std::string lineBy{}; ///< "tool": said by ptxas; "ours": mapped through .loc; "setmaxnreg": the kernel's
                          ///< first of them, which the note is about; "kernel": where the kernel starts
    std::string kernel{}; ///< as the note names it, or the only one that it can be of
    std::optional<int> registers{}; ///< that its kernel uses, by ptxas -v
    std::string message{};
    std::string meaning{}; ///< what the message says, in plain words
    std::string usualCause{}; ///< our guess
    std::string lookFor{}; ///< our guess
};

/// ptxas -v for one kernel.
struct KernelResources {
    std::string name{};
    std::optional<int> registers{};
    std::optional<int> spillStoreBytes{};
    std::optional<int> spillLoadBytes{};
    std::optional<int> sharedBytes{}; ///< static
    std::optional<int> stackBytes{};
    std::optional<int> barriers{};
};

/// The highest number of a group; 0: there is none.
int highestGroup(const std::vector<Diagnostic>& diagnostics);

} // namespace ptxwb
