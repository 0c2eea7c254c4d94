// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/isa_table.h"

#include "core/ptx/vocabulary.h"
#include "core/support/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ptxwb {

namespace {

using Json = nlohmann::json;

Error badTable(const std::filesystem::path& file, const std::string& why)
{
    return {.code = ErrorCode::BadFormat,
        .message = "not an ISA table: " + why,
        .hint = "reinstall ptx-workbench, or set PTXWB_SHARE_DIR to its share directory",
        .path = file.string()};
}

std::vector<std::string> typesOf(const Json& row)
{
    std::vector<std::string> types;
    const auto modifiers = row.find("modifiers");
    if (modifiers == row.end() || !modifiers->is_object()) {
        return types;
    }
    for (const auto& [group, words] : modifiers->items()) {
        if (!words.is_array()) {
            continue;
        }
        for (const auto& word : words) {
            if (word.is_string() && isPtxTypeWord(word.get_ref<const std::string&>())) {
                types.push_back(word.get<std::string>());
            }
        }
    }
    return types;
}

// The dotted words in a text: ".sync" and ".inc" of "setmaxnreg.inc|.dec.sync".
// A syntax line writes ".m64nNkK" for many shapes, and a range ("8..256") ends in what looks like a word.
bool isPlaceholder(std::string_view word)
{
    return (word.starts_with(".m") && word.find_first_of("NK") != std::string_view::npos)
        || word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

void collectDottedWords(std::string_view text, std::vector<std::string>& words)
{
    const auto isWordByte = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
            || c == ':';
    };
    for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
        auto end = dot + 1;
        while (end < text.size() && isWordByte(text[end])) {
            ++end;
        }
        if (end > dot + 1 && !isPlaceholder(text.substr(dot, end - dot))) {
            words.emplace_back(text.substr(dot, end - dot));
        }
    }
}

std::vector<std::string> modifiersOf(const Json& row)
{
    std::vector<std::string> words;
    const auto collect = [&](const Json& value, const auto& self) -> void {
        if (value.is_string()) {
            collectDottedWords(value.get_ref<const std::string&>(), words);
        } else if (value.is_structured()) {
            for (const auto& inner : value) {
                self(inner, self);
            }
        }
    };
    for (const char* key : {"modifiers", "syntax"}) {
        if (const auto found = row.find(key); found != row.end()) {
            collect(*found, collect);
        }
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

IsaInstruction instructionOf(const Json& row)
{
    IsaInstruction made;
    made.mnemonic = row.at("mnemonic").get<std::string>();
    made.category = row.value("category", std::string());
    made.summary = row.value("summary", std::string());
    made.minPtx = row.value("min_ptx", std::string());
    made.minTarget = row.value("min_target", std::string());
    made.manualUrl = row.value("doc_anchor", std::string());
    if (const auto syntax = row.find("syntax"); syntax != row.end() && syntax->is_array()) {
        for (const auto& line : *syntax) {
            made.syntax.push_back(line.get<std::string>());
        }
    }
    made.execScope = row.value("exec_scope", std::string());
    made.proxy = row.value("proxy", std::string());
    made.completion = row.value("completion", std::string());
    for (const auto& form : row.value("forms", Json::array())) {
        made.forms.push_back({form.value("form", std::string()), form.value("min_ptx", std::string()),
            form.value("min_target", std::string())});
    }
    // null where no `.version` up to the table's own took it
    const auto wordOf = [](const Json& example, const char* key) {
        const auto found = example.find(key);
        return found != example.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    for (const auto& example : row.value("checked", Json::array())) {
        made.examples.push_back(
            {wordOf(example, "ptx"), wordOf(example, "min_ptx"), wordOf(example, "accepted")});
    }
    made.types = typesOf(row);
    made.modifiers = modifiersOf(row);
    made.family = ptxFamilyOf(made.mnemonic);
    return made;
}

void collectTypes(const Json& value, std::vector<std::string>& words)
{
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        words.push_back(text.substr(0, text.find(' ')));
    } else if (value.is_structured()) {
        for (const auto& inner : value) {
            collectTypes(inner, words);
        }
    }
}

void sortUnique(std::vector<std::string>& words)
{
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
}

bool hasWord(const std::vector<std::string>& sorted, std::string_view word)
{
    return std::binary_search(sorted.begin(), sorted.end(), word, std::less<>{});
}

std::vector<std::string> namesOf(const Json& rows, const char* key)
{
    std::vector<std::string> names;
    for (const auto& row : rows) {
        names.push_back(row.at(key).get<std::string>());
    }
    return names;
}

std::vector<IsaName> summariesOf(const Json& rows)
{
    std::vector<IsaName> names;
    for (const auto& row : rows) {
        names.push_back({row.at("name").get<std::string>(), row.value("summary", std::string())});
    }
    return names;
}

void sortUnique(std::vector<IsaName>& names)
{
    std::stable_sort(
        names.begin(), names.end(), [](const IsaName& a, const IsaName& b) { return a.name < b.name; });
    names.erase(std::unique(names.begin(), names.end(),
                    [](const IsaName& a, const IsaName& b) { return a.name == b.name; }),
        names.end());
}

const IsaName* nameIn(const std::vector<IsaName>& sorted, std::string_view word)
{
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), word,
        [](const IsaName& one, std::string_view wanted) { return one.name < wanted; });
    return found != sorted.end() && found->name == word ? &*found : nullptr;
}

// "add.s32" names type ".s32" as a whole dotted word.
bool namesType(std::string_view opcode, std::string_view type)
{
    for (auto at = opcode.find(type); at != std::string_view::npos; at = opcode.find(type, at + 1)) {
        const auto end = at + type.size();
        if (end == opcode.size() || opcode[end] == '.') {
            return true;
        }
    }
    return false;
}

} // namespace

Result<IsaTable> IsaTable::load(const std::filesystem::path& jsonFile)
{
    const auto text = readFile(jsonFile);
    if (!text) {
        return text.error();
    }
    IsaTable table;
    try {
        const auto document = Json::parse(*text);
        for (const auto& row : document.at("instructions")) {
            if (row.value("kind", std::string()) != "syntax") {
                table.m_instructions.push_back(instructionOf(row));
            }
        }
        table.m_directives = summariesOf(document.at("directives"));
        table.m_specialRegisters = summariesOf(document.at("special_registers"));
        table.m_targets = namesOf(document.at("targets"), "target");
        table.m_targetVersions = namesOf(document.at("targets"), "min_ptx");
        for (const auto& space : document.at("state_spaces")) {
            table.m_directives.push_back({space.get<std::string>(), {}});
        }
        collectTypes(document.at("types"), table.m_types);
    } catch (const Json::exception& failure) {
        return badTable(jsonFile, failure.what());
    }
    std::stable_sort(table.m_instructions.begin(), table.m_instructions.end(),
        [](const IsaInstruction& a, const IsaInstruction& b) { return a.mnemonic < b.mnemonic; });
    sortUnique(table.m_directives);
    sortUnique(table.m_specialRegisters);
    sortUnique(table.m_types);
    return table;
}

Result<const IsaTable*> IsaTable::shared()
{
    static const Result<IsaTable> loaded = []() -> Result<IsaTable> {
        const auto share = shareDirectory();
        if (!share) {
            return share.error();
        }
        return load(*share / "resources" / "isa" / "ptx-instructions.json");
    }();
    if (!loaded) {
        return loaded.error();
    }
    return &*loaded;
}

const IsaInstruction* IsaTable::find(std::string_view dottedOpcode) const
{
    for (auto root = dottedOpcode; !root.empty();) {
        const auto first = std::lower_bound(m_instructions.begin(), m_instructions.end(), root,
            [](const IsaInstruction& row, std::string_view word) { return row.mnemonic < word; });
        if (first != m_instructions.end() && first->mnemonic == root) {
            for (auto row = first; row != m_instructions.end() && row->mnemonic == root; ++row) {
                if (std::any_of(row->types.begin(), row->types.end(),
                        [&](const std::string& type) { return namesType(dottedOpcode, type); })) {
                    return &*row;
                }
            }
            return &*first;
        }
        const auto dot = root.rfind('.');
        root = dot == std::string_view::npos ? std::string_view{} : root.substr(0, dot);
    }
    return nullptr;
}

std::string_view IsaTable::minPtxOfTarget(std::string_view target) const
{
    const auto found = std::find(m_targets.begin(), m_targets.end(), target);
    return found == m_targets.end()
        ? std::string_view{}
        : std::string_view(m_targetVersions[static_cast<std::size_t>(found - m_targets.begin())]);
}

bool IsaTable::isDirective(std::string_view word) const
{
    return nameIn(m_directives, word) != nullptr;
}

const IsaName* IsaTable::name(std::string_view word) const
{
    return word.starts_with('%') ? nameIn(m_specialRegisters, word.substr(0, word.find('.')))
                                 : nameIn(m_directives, word);
}

bool IsaTable::isSpecialRegister(std::string_view word) const
{
    const auto name = word.substr(0, word.find('.'));
    return nameIn(m_specialRegisters, name) != nullptr || isPtxSpecialRegister(name);
}

bool IsaTable::isType(std::string_view word) const
{
    return hasWord(m_types, word);
}

} // namespace ptxwb
