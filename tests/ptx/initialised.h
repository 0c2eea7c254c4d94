// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace ptxwb::test {

/// Instructions that write every register of the series %r, %rd, %f, %h and %p which a body of PTX reads
/// before it writes it: with values that no rule knows.
inline std::string initialised(const std::string& body)
{
    const auto isResult = [&](std::size_t at) {
        const auto start = body.find_last_of(";\n", at);
        auto text = body.substr(start == std::string::npos ? 0 : start + 1, at - start - 1);
        text.erase(0, std::min(text.find_first_not_of(" \n"), text.size()));
        if (text.starts_with("@")) {
            if (text.find(' ') == std::string::npos) {
                return false; // the guard itself
            }
            text.erase(0, text.find(' ') + 1);
        }
        const auto opcode = text.substr(0, text.find(' '));
        const bool isVector = text.find('{') != std::string::npos && text.find('}') == std::string::npos
            && text.find('{') < text.find(',');
        return opcode != text && text.find('[') == std::string::npos
            && opcode.find("dealloc") == std::string::npos && opcode.find("wgmma.mma") == std::string::npos
            && !opcode.starts_with("bar") && !opcode.starts_with("brx")
            && (isVector || text.find(',') == std::string::npos);
    };
    std::set<std::string> seen;
    std::string writes;
    for (auto at = body.find('%'); at != std::string::npos; at = body.find('%', at + 1)) {
        const auto digit = body.find_first_not_of("rdfhp", at + 1);
        if (digit == std::string::npos || body[digit] < '1' || body[digit] > '8') {
            continue;
        }
        const auto name = body.substr(at, digit + 1 - at);
        const auto again = body.find(name, at + 1);
        const bool readsItself = again < body.find(';', at);
        if (!seen.insert(name).second || (isResult(at) && !readsItself)) {
            continue;
        }
        const auto series = name.substr(1, name.size() - 2);
        writes += series == "rd" ? "    mov.b64 " + name + ", %clock64;\n"
            : series == "h"      ? "    mov.b16 " + name + ", 0;\n"
            : series == "p"      ? "    setp.ne.u32 " + name + ", %r0, 0;\n"
                                 : "    mov.b32 " + name + ", %clock;\n";
    }
    return writes;
}

} // namespace ptxwb::test
