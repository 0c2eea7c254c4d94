// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace ptxwb {

namespace {

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

std::string quoted(std::string_view message)
{
    const auto open = message.find('\'');
    const auto close = message.rfind('\'');
    return open == std::string_view::npos || close == open
        ? std::string()
        : std::string(message.substr(open + 1, close - open - 1));
}

bool holds(std::string_view message, std::string_view words)
{
    return message.find(words) != std::string_view::npos;
}

enum class Kind { Declaration, Symbol, Modifier, Instruction, OldForm, Target, Version, Other, Mismatch };

Kind kindOf(const Diagnostic& said)
{
    const std::string_view message = said.message;
    if (holds(message, "cannot be allocated into a register")) {
        return Kind::Declaration;
    }
    if (message.starts_with("Unknown symbol")) {
        return Kind::Symbol;
    }
    if (message.starts_with("Unknown modifier")) {
        return Kind::Modifier;
    }
    if (message.starts_with("Not a name of any known instruction")) {
        return Kind::Instruction;
    }
    if (message.starts_with("Arguments mismatch")) {
        return Kind::Mismatch;
    }
    if (holds(message, "without '.sync' is not supported on")) {
        return Kind::OldForm;
    }
    if (holds(message, "requires PTX ISA .version") || holds(message, "does not support .target")) {
        return Kind::Version;
    }
    const bool ofInstruction = said.line && holds(message, "cannot be compiled for architecture");
    if (holds(message, "not supported on .target") || holds(message, "requires .target") || ofInstruction) {
        return Kind::Target;
    }
    return Kind::Other;
}

using Place = std::pair<std::string, int>;

// What the messages of one line say together.
struct LineWords {
    std::string instruction; ///< of "Not a name of any known instruction"
    std::string firstModifier;
    std::string firstSymbol;
    bool hasSymbol = false;
};

// Of two messages of one cause the one that is nearer to it; a place is better than none.
bool isNearer(const Diagnostic& said, const Diagnostic& best)
{
    const auto kind = kindOf(said);
    const auto bestKind = kindOf(best);
    return kind < bestKind || (kind == bestKind && said.line && !best.line);
}

// What a tool says of text of its own follows from an error of the file: the last one before it, or the
// first.
void foldToolText(std::vector<Diagnostic>& diagnostics)
{
    const auto isOfFile = [](const Diagnostic& said) {
        return isError(said) && !said.isOfToolText && said.line && said.rootCause;
    };
    for (auto at = diagnostics.begin(); at != diagnostics.end(); ++at) {
        if (!at->isOfToolText || !at->rootCause || !isError(*at)) {
            continue;
        }
        const auto before = std::find_if(std::make_reverse_iterator(at), diagnostics.rend(), isOfFile);
        const auto behind = std::find_if(at, diagnostics.end(), isOfFile);
        const auto* cause = before != diagnostics.rend() ? &*before
            : behind != diagnostics.end()                ? &*behind
                                                         : nullptr;
        if (cause == nullptr) {
            continue;
        }
        const int group = at->group;
        for (auto& said : diagnostics) {
            if (said.group == group) {
                said.group = cause->group;
                said.rootCause = false;
            }
        }
    }
}

// "Program uses 32-bit address on line '9'" is the warning that says why the 32-bit ABI is refused.
void foldNarrowAddresses(std::vector<Diagnostic>& diagnostics)
{
    const auto refused = std::find_if(diagnostics.begin(), diagnostics.end(),
        [](const Diagnostic& said) { return isError(said) && said.message.starts_with("32-Bit ABI"); });
    if (refused == diagnostics.end()) {
        return;
    }
    for (auto& said : diagnostics) {
        if (!isError(said) && said.message.starts_with("Program uses 32-bit address")) {
            said.group = refused->group;
            said.rootCause = false;
        }
    }
}

// A word that is the same for every message of one cause. ptxas tells the consequences of an unknown symbol
// or modifier on the same line, before or after the cause, in the words of the instruction.
std::string causeOf(const Diagnostic& said, const LineWords& line)
{
    const auto kind = kindOf(said);
    if (kind == Kind::Declaration) {
        return said.file + "\nvariable " + quoted(said.message);
    }
    if (kind == Kind::OldForm) {
        return said.file + "\nold form";
    }
    if (kind == Kind::Target) {
        return "target";
    }
    if (kind == Kind::Version) {
        return "version";
    }
    if (kind == Kind::Symbol) {
        return said.file + "\nsymbol " + quoted(said.message);
    }
    if (!line.instruction.empty()) {
        return said.file + "\ninstruction " + line.instruction + ' ' + line.firstModifier;
    }
    if (kind == Kind::Modifier) {
        return said.file + "\nmodifier " + quoted(said.message);
    }
    if (!line.firstModifier.empty()) {
        return said.file + "\nmodifier " + line.firstModifier;
    }
    if (line.hasSymbol) {
        return said.file + "\nsymbol " + line.firstSymbol;
    }
    return {};
}

/// Where a message stands: its file and line, or the first line of its statement.
class Places {
public:
    Places(const StatementLines& statements, std::string_view file)
        : m_statements(statements)
        , m_file(file)
    {
    }

    Place of(const Diagnostic& said) const
    {
        const auto line = static_cast<std::size_t>(said.line.value_or(0));
        const bool known = said.file == m_file && line < m_statements.size();
        return {said.file, known ? m_statements[line] : said.line.value_or(0)};
    }

private:
    const StatementLines& m_statements;
    std::string_view m_file;
};

std::map<Place, LineWords> wordsOfLines(const std::vector<Diagnostic>& diagnostics, const Places& places)
{
    std::map<Place, LineWords> lines;
    for (const auto& said : diagnostics) {
        if (!said.line || !isError(said)) {
            continue;
        }
        auto& words = lines[places.of(said)];
        const auto kind = kindOf(said);
        const auto name = quoted(said.message);
        if (kind == Kind::Instruction) {
            words.instruction = name;
        } else if (kind == Kind::Modifier && words.firstModifier.empty()) {
            words.firstModifier = name;
        } else if (kind == Kind::Symbol && !words.hasSymbol) {
            words.hasSymbol = true;
            words.firstSymbol = name;
        }
    }
    return lines;
}

} // namespace

void markRootCauses(
    std::vector<Diagnostic>& diagnostics, const StatementLines& statements, std::string_view ofFile)
{
    const Places places(statements, ofFile);
    const auto lines = wordsOfLines(diagnostics, places);
    std::map<std::string, std::size_t> rootOfCause; // index of the best message so far
    int groups = 0;
    int lastErrorGroup = 0;
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
        auto& said = diagnostics[i];
        said.rootCause = true;
        if (isAftermath(said) && lastErrorGroup > 0) {
            said.rootCause = false;
            said.group = lastErrorGroup;
            continue;
        }
        if (!isError(said)) {
            said.group = ++groups;
            continue;
        }
        std::string cause;
        if (said.line) {
            const auto place = places.of(said);
            cause = causeOf(said, lines.at(place));
            if (cause.empty()) {
                cause = said.file + "\nline " + std::to_string(place.second);
            }
        } else if (const auto kind = kindOf(said); kind == Kind::Version || kind == Kind::Target) {
            cause = causeOf(said, {});
        } else {
            lastErrorGroup = said.group = ++groups;
            continue;
        }
        const auto [root, isNew] = rootOfCause.try_emplace(cause, i);
        if (isNew) {
            said.group = ++groups;
        } else {
            auto& best = diagnostics[root->second];
            said.group = best.group;
            const bool nearer = isNearer(said, best);
            best.rootCause = !nearer;
            said.rootCause = nearer;
            root->second = nearer ? i : root->second;
        }
        lastErrorGroup = std::max(lastErrorGroup, said.group);
    }
    foldToolText(diagnostics);
    foldNarrowAddresses(diagnostics);
}

} // namespace ptxwb
