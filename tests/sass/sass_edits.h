// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sass_test_data.h"

#include <cctype>
#include <functional>

namespace ptxwb::testing {

/// Every register of a listing by the name that `rename` gives it.
inline std::string renamed(
    const std::string& text, const std::function<std::string(char kind, bool uniform, int)>& rename)
{
    std::string out;
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
    };
    std::size_t i = 0;
    while (i < text.size()) {
        if (!isWord(text[i]) || (i > 0 && isWord(text[i - 1]))) {
            out += text[i++];
            continue;
        }
        auto end = i;
        while (end < text.size() && isWord(text[end])) {
            ++end;
        }
        const auto word = text.substr(i, end - i);
        const bool uniform = word.size() > 1 && word[0] == 'U';
        const auto rest = word.substr(uniform ? 1 : 0);
        const bool isRegister = rest.size() > 1 && (rest[0] == 'R' || rest[0] == 'P')
            && rest.find_first_not_of("0123456789", 1) == std::string::npos;
        out += isRegister ? rename(rest[0], uniform, std::stoi(rest.substr(1))) : word;
        i = end;
    }
    return out;
}

/// All registers of a listing under other names; runs of registers stay runs.
inline std::string otherRegisters(const std::string& text)
{
    return renamed(text, [](char kind, bool uniform, int index) {
        const int other = kind == 'R' ? (uniform ? index + 16 : (index + 64) % 256) : (index + 3) % 7;
        return std::string(uniform ? "U" : "") + kind + std::to_string(other);
    });
}

inline std::string line(const std::string& text, const std::string& address)
{
    const auto at = text.find("/*" + address + "*/");
    if (at == std::string::npos) {
        throw std::runtime_error("no row " + address);
    }
    const auto begin = text.rfind('\n', at) + 1;
    auto end = text.find('\n', text.find('\n', at) + 1); // a row has two lines
    return text.substr(begin, end + 1 - begin);
}

inline std::string edited(
    const std::string& text, const std::string& address, const std::string& from, const std::string& to)
{
    const auto row = line(text, address);
    const auto changed = replaced(row, from, to);
    if (row == changed) {
        throw std::runtime_error("no " + from + " in row " + address);
    }
    return replaced(text, row, changed);
}

/// `row` (both of its lines) behind the row at `address`.
inline std::string inserted(const std::string& text, const std::string& address, const std::string& row)
{
    const auto before = line(text, address);
    return replaced(text, before, before + row);
}

} // namespace ptxwb::testing
