// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/forms_table.h"

#include "core/support/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

using Json = nlohmann::json;

// "8.0" -> 80
int versionNumber(const std::string& text)
{
    const auto dot = text.find('.');
    int major = 0;
    int minor = 0;
    std::from_chars(text.data(), text.data() + text.size(), major);
    if (dot != std::string::npos) {
        std::from_chars(text.data() + dot + 1, text.data() + text.size(), minor);
    }
    return major * 10 + minor;
}

PtxNeed needOf(const Json& pair)
{
    PtxNeed made;
    made.version = versionNumber(pair.at(0).get_ref<const std::string&>());
    const auto& mask = pair.at(1).get_ref<const std::string&>();
    std::from_chars(mask.data(), mask.data() + mask.size(), made.refusedBy, 16);
    return made;
}

PtxForms formsOf(const std::string& mnemonic, const Json& row)
{
    PtxForms made{.mnemonic = mnemonic, .need = needOf(row.at("needs"))};
    if (const auto operands = row.find("operands"); operands != row.end()) {
        made.minOperands = operands->at(0).get<int>();
        made.maxOperands = operands->at(1).get<int>();
    }
    for (const auto& [word, need] : row.at("words").items()) { // the keys come sorted
        made.words.emplace_back(word, need.empty() ? made.need : needOf(need));
    }
    return made;
}

void sortUnique(std::vector<std::string>& words)
{
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
}

} // namespace

const PtxNeed* PtxForms::word(std::string_view dotted) const
{
    const auto found = std::lower_bound(words.begin(), words.end(), dotted,
        [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
    return found != words.end() && found->first == dotted ? &found->second : nullptr;
}

Result<FormsTable> FormsTable::load(const std::filesystem::path& jsonFile)
{
    const auto text = readFile(jsonFile);
    if (!text) {
        return text.error();
    }
    FormsTable table;
    try {
        const auto document = Json::parse(*text);
        table.m_toolVersion = document.at("ptxas").get<std::string>();
        table.m_targets = document.at("targets").get<std::vector<std::string>>();
        table.m_later = document.at("later").get<std::vector<std::string>>();
        for (const auto& [mnemonic, row] : document.at("instructions").items()) {
            table.m_instructions.push_back(formsOf(mnemonic, row));
        }
    } catch (const Json::exception& failure) {
        return Error{.code = ErrorCode::BadFormat,
            .message = std::string("not a table of PTX forms: ") + failure.what(),
            .hint = "reinstall ptx-workbench, or set PTXWB_SHARE_DIR to its share directory",
            .path = jsonFile.string()};
    }
    table.index();
    return table;
}

void FormsTable::index()
{
    for (std::size_t i = 0; i < m_instructions.size(); ++i) {
        const std::string_view mnemonic = m_instructions[i].mnemonic;
        m_byMnemonic.emplace(mnemonic, i);
        m_firstParts.emplace_back(mnemonic.substr(0, mnemonic.find('.')));
        for (const auto& [word, need] : m_instructions[i].words) {
            m_words.push_back(word);
        }
    }
    for (const std::string_view later : m_later) {
        m_firstParts.emplace_back(later.substr(0, later.find('.')));
    }
    sortUnique(m_words);
    sortUnique(m_firstParts);
}

Result<const FormsTable*> FormsTable::shared()
{
    static const Result<FormsTable> loaded = []() -> Result<FormsTable> {
        const auto share = shareDirectory();
        if (!share) {
            return share.error();
        }
        return load(*share / "resources" / "isa" / "ptx-forms.json");
    }();
    if (!loaded) {
        return loaded.error();
    }
    return &*loaded;
}

const PtxForms* FormsTable::find(std::string_view dottedOpcode) const
{
    constexpr std::size_t longest = 48;
    auto root = dottedOpcode;
    while (!root.empty()) {
        if (root.size() <= longest) {
            if (const auto found = m_byMnemonic.find(root); found != m_byMnemonic.end()) {
                return &m_instructions[found->second];
            }
        }
        const auto dot = root.find_last_of(".:");
        if (dot == std::string_view::npos) {
            return nullptr;
        }
        root = root.substr(0, root[dot] == ':' && dot > 0 ? dot - 1 : dot);
    }
    return nullptr;
}

bool FormsTable::isWord(std::string_view dotted) const
{
    return std::binary_search(m_words.begin(), m_words.end(), dotted, std::less<>{});
}

bool FormsTable::isFirstPart(std::string_view word) const
{
    return std::binary_search(m_firstParts.begin(), m_firstParts.end(), word, std::less<>{});
}

} // namespace ptxwb
