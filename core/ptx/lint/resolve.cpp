// SPDX-License-Identifier: Apache-2.0
// What names, numbers and type words of PTX mean.
#include "core/ptx/lint/program.h"

#include <algorithm>
#include <charconv>

namespace ptxwb::lint {

RegisterType registerTypeOf(std::string_view word)
{
    if (word == ".pred") {
        return {.kind = 'p', .bits = 1};
    }
    if (word.size() < 3 || (word[1] != 'b' && word[1] != 'u' && word[1] != 's' && word[1] != 'f')) {
        return {};
    }
    int bits = 0;
    const auto parsed = std::from_chars(word.data() + 2, word.data() + word.size(), bits);
    if (parsed.ec != std::errc{}) {
        return {};
    }
    if (parsed.ptr == word.data() + word.size()) {
        return {.kind = word[1], .bits = bits};
    }
    return word == ".f16x2" ? RegisterType{.kind = 'f', .bits = 32} : RegisterType{};
}

namespace {

bool isWithin(const Function& function, Index outer, Index inner)
{
    while (inner != none && inner != outer) {
        inner = function.scopes[inner];
    }
    return inner == outer;
}

const Declaration* innermost(
    const Function& function, std::string_view name, Index scope, std::optional<Index> number)
{
    const auto found = function.byName.find(name);
    if (found == function.byName.end()) {
        return nullptr;
    }
    const auto fits = [&](const Declaration& one) { return number ? *number < one.count : one.count == 0; };
    const auto& places = found->second;
    if (places.size() == 1) {
        const auto& one = function.declarations[places.front()];
        return fits(one) && isWithin(function, one.scope, scope) ? &one : nullptr;
    }
    // One name in thousands of small scopes is what inline assembly makes: sought scope by scope.
    for (auto at = scope; at != none; at = function.scopes[at]) {
        auto place = std::lower_bound(places.begin(), places.end(), at,
            [&](Index i, Index wanted) { return function.declarations[i].scope < wanted; });
        for (; place != places.end() && function.declarations[*place].scope == at; ++place) {
            if (fits(function.declarations[*place])) {
                return &function.declarations[*place];
            }
        }
    }
    return nullptr;
}

} // namespace

Resolved resolve(const Function& function, std::string_view name, Index scope)
{
    if (const auto* one = innermost(function, name, scope, std::nullopt)) {
        return {.declaration = one, .number = one->firstRegister};
    }
    const auto lastLetter = name.find_last_not_of("0123456789");
    const auto digits = lastLetter == std::string_view::npos ? 0 : lastLetter + 1;
    // A series may end its name with digits itself: %r1<4> is %r10 to %r13. ptxas takes %r05 for %r5.
    for (auto split = digits; split < name.size(); ++split) {
        Index number = 0;
        const auto tail = name.substr(split);
        const auto parsed = std::from_chars(tail.data(), tail.data() + tail.size(), number);
        if (parsed.ec != std::errc{}) {
            continue;
        }
        if (const auto* one = innermost(function, name.substr(0, split), scope, number)) {
            return {.declaration = one, .number = one->firstRegister + number};
        }
    }
    return {};
}

namespace {

const Variable* among(std::initializer_list<const std::vector<Variable>*> lists, std::string_view name)
{
    for (const auto* list : lists) {
        for (const auto& one : *list) {
            if (one.name == name) {
                return &one;
            }
        }
    }
    return nullptr;
}

} // namespace

const Variable* sharedNamed(const Function& function, const ModuleFacts& facts, std::string_view name)
{
    return among({&function.shared, &facts.shared}, name);
}

const Variable* variableNamed(const Function& function, const ModuleFacts& facts, std::string_view name)
{
    return among(
        {&function.shared, &function.local, &function.parameters, &facts.shared, &facts.global}, name);
}

std::optional<std::int64_t> literalValue(std::string_view text)
{
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) {
        text.remove_suffix(1);
    }
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.starts_with("0b") || text.starts_with("0B")) {
        base = 2;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text.front() == '0') {
        base = 8;
        text.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || text.empty()) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(negative ? 0 - value : value);
}

} // namespace ptxwb::lint
