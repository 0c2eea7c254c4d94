// SPDX-License-Identifier: Apache-2.0
#include "core/support/kernel_name.h"

#include "core/support/mangled_size.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cxxabi.h>
#include <utility>

namespace ptxwb {

namespace {

std::string demangledWhole(std::string_view name)
{
    if (!name.starts_with("_Z") || !staysReadable(name)) {
        return {};
    }
    int status = 0;
    char* text = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
    std::string written = status == 0 && text != nullptr ? text : "";
    std::free(text); // NOLINT(cppcoreguidelines-no-malloc): the ABI's function allocates with malloc
    return written;
}

constexpr bool opens(char c)
{
    return c == '(' || c == '<' || c == '[' || c == '{';
}

constexpr bool closes(char c)
{
    return c == ')' || c == '>' || c == ']' || c == '}';
}

/// Where the bracket opens that `text` ends with.
std::size_t openOfLast(std::string_view text)
{
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        depth += closes(text[i]) ? 1 : opens(text[i]) ? -1 : 0;
        if (depth == 0) {
            return i;
        }
    }
    return std::string_view::npos;
}

/// Behind the last `separator` that stands in no bracket.
std::string_view behindLast(std::string_view text, std::string_view separator)
{
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        depth += closes(text[i]) ? 1 : opens(text[i]) ? -1 : 0;
        if (depth == 0 && text.substr(i).starts_with(separator)) {
            return text.substr(i + separator.size());
        }
    }
    return text;
}

std::string_view withoutLastBracket(std::string_view text, char close)
{
    if (!text.ends_with(close)) {
        return text;
    }
    const auto open = openOfLast(text);
    return open == std::string_view::npos ? text : text.substr(0, open);
}

} // namespace

std::string demangled(std::string_view name)
{
    if (!name.starts_with('$')) {
        return demangledWhole(name);
    }
    const auto second = name.find('$', 1);
    if (second == std::string_view::npos) {
        return demangledWhole(name.substr(1));
    }
    const auto kernel = name.substr(1, second - 1);
    const auto function = name.substr(second + 1);
    const auto writtenKernel = demangledWhole(kernel);
    const auto writtenFunction = demangledWhole(function);
    if (writtenKernel.empty() && writtenFunction.empty()) {
        return {};
    }
    return (writtenFunction.empty() ? std::string(function) : writtenFunction) + " in "
        + (writtenKernel.empty() ? std::string(kernel) : writtenKernel);
}

std::string titleOfKernel(std::string_view name)
{
    const auto written = demangled(name);
    return written.empty() ? std::string(name) : written + " [" + std::string(name) + "]";
}

std::string qualifiedName(std::string_view name)
{
    const auto written = demangled(name);
    return std::string(withoutLastBracket(behindLast(withoutLastBracket(written, ')'), " "), '>'));
}

namespace {

constexpr std::string_view internalUnit = "_INTERNAL_";
constexpr std::string_view anonymousUnit = "_GLOBAL__N__";
constexpr std::size_t hashDigits = 8;
constexpr std::string_view hexDigits = "0123456789abcdef";

bool isHash(std::string_view text)
{
    return text.size() >= hashDigits
        && text.substr(0, hashDigits).find_first_not_of(hexDigits) == std::string_view::npos;
}

/// How many of the digits in front of `at` say the length of the identifier that begins there, and that
/// length.
std::pair<std::size_t, std::size_t> lengthInFront(std::string_view name, std::size_t at, std::size_t least)
{
    const auto before = name.substr(0, at);
    const auto other = before.find_last_not_of("0123456789");
    for (auto first = other == std::string_view::npos ? 0 : other + 1; first < at; ++first) {
        std::size_t length = 0;
        const auto digits = before.substr(first);
        const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
        if (failed == std::errc() && length >= least && length <= name.size() - at) {
            return {digits.size(), length};
        }
    }
    return {};
}

} // namespace

std::string withoutBuildHash(std::string_view name)
{
    std::string plain(name);
    if (name.find(internalUnit) == std::string_view::npos
        && name.find(anonymousUnit) == std::string_view::npos) {
        return plain;
    }
    for (const auto before : {internalUnit, anonymousUnit, std::string_view("_cu_")}) {
        for (auto at = plain.find(before); at != std::string::npos; at = plain.find(before, at + 1)) {
            const auto hash = at + before.size();
            if (isHash(std::string_view(plain).substr(hash))) {
                plain.replace(hash, hashDigits, hashDigits, '0');
            }
        }
    }
    return plain;
}

std::string withoutFileOfUnit(std::string_view name)
{
    std::string plain;
    while (true) {
        const auto at = std::min(name.find(internalUnit), name.find(anonymousUnit));
        if (at == std::string_view::npos) {
            return plain += name;
        }
        const bool anonymous = name.substr(at).starts_with(anonymousUnit);
        const auto mark = anonymous ? anonymousUnit.size() : internalUnit.size();
        const auto [digits, length] = lengthInFront(name, at, mark + hashDigits);
        if (digits == 0 || !isHash(name.substr(at + mark))) {
            plain += name.substr(0, at + mark);
            name.remove_prefix(at + mark);
            continue;
        }
        plain += name.substr(0, at - digits);
        plain += anonymous ? "12_GLOBAL__N_1" : "9_INTERNAL";
        name.remove_prefix(at + length);
    }
}

bool isNamed(std::string_view name, std::string_view word)
{
    if (name == word) {
        return true;
    }
    const auto written = demangled(name);
    if (written.empty()) {
        return false;
    }
    if (written == word) {
        return true;
    }
    const auto call = withoutLastBracket(written, ')'); // "void ns::gemm<128>"
    const auto qualified = behindLast(call, " ");
    const auto plain = withoutLastBracket(qualified, '>');
    return call == word || qualified == word || plain == word || behindLast(qualified, "::") == word
        || behindLast(plain, "::") == word;
}

} // namespace ptxwb
