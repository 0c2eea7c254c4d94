// SPDX-License-Identifier: Apache-2.0
#include "core/support/kernel_name.h"

#include "core/support/mangled_size.h"

#include <cstdlib>
#include <cxxabi.h>

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
