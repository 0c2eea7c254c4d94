// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/use_type.h"

#include "core/ptx/vocabulary.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxwb::detail {

namespace {

std::vector<std::string_view> partsOf(std::string_view opcode)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < opcode.size();) {
        const auto end = opcode.find('.', at + 1);
        parts.push_back(opcode.substr(at, end == std::string_view::npos ? end : end - at));
        at = end == std::string_view::npos ? opcode.size() : end;
    }
    return parts;
}

int bitsOf(std::string_view type)
{
    const auto digits = type.find_first_of("0123456789");
    int bits = 0;
    if (digits == std::string_view::npos) {
        return 0;
    }
    const auto parsed = std::from_chars(type.data() + digits, type.data() + type.size(), bits);
    int lanes = 1;
    if (parsed.ptr != type.data() + type.size() && *parsed.ptr == 'x') {
        std::from_chars(parsed.ptr + 1, type.data() + type.size(), lanes);
    }
    // .e4m3x2 and the like spell no width: eight bits each.
    return type.starts_with(".e") ? 16 : bits * lanes;
}

std::string bitType(int bits)
{
    return bits == 0 ? std::string() : ".b" + std::to_string(std::max(bits, 16));
}

// A register for values of the type: floats keep theirs, all else is untyped.
std::string registerType(std::string_view type)
{
    if (type == ".pred" || type == ".f32" || type == ".f64") {
        return std::string(type);
    }
    return type == ".tf32" ? ".b32" : bitType(bitsOf(type));
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

struct Use {
    std::size_t operand = 0;
    bool inAddress = false;
    std::size_t vectorSize = 0; ///< 0: no vector
    bool behindBar = false; ///< q of p|q
};

Use useOf(const CodeText& code, const PtxStatement& statement, std::size_t i)
{
    Use use;
    for (std::size_t k = 0; k < statement.operands.size(); ++k) {
        const auto [first, end] = statement.operands[k];
        if (i < first || i >= end) {
            continue;
        }
        use.operand = k;
        int brackets = 0;
        for (auto at = first; at < i; ++at) {
            brackets += code.text(at) == "[" ? 1 : (code.text(at) == "]" ? -1 : 0);
        }
        use.inAddress = brackets > 0;
        use.behindBar = i > first && code.text(i - 1) == "|";
        auto open = i;
        while (open > first && code.text(open) != "{" && code.text(open) != "}") {
            --open;
        }
        if (code.text(open) == "{") {
            use.vectorSize = 1;
            for (auto at = open; at < end && code.text(at) != "}"; ++at) {
                use.vectorSize += code.text(at) == "," ? 1 : 0;
            }
        }
    }
    return use;
}

std::string wgmmaType(const Use& use, const std::vector<std::string_view>& types)
{
    if (use.operand == 0) {
        return types.empty() ? std::string() : registerType(types.front() == ".s32" ? ".b32" : types.front());
    }
    if (use.vectorSize > 0) {
        return ".b32"; // fragments of A
    }
    return use.operand <= 2 ? ".b64" : ".pred"; // descriptors, then scale-d
}

} // namespace

std::string registerTypeAt(const CodeText& code, const PtxStatement& statement, std::size_t i)
{
    if (i < statement.opcodeFirst) {
        return ".pred";
    }
    const auto parts = partsOf(statement.opcode);
    std::vector<std::string_view> types;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(types), isPtxTypeWord);
    const auto has = [&](std::string_view part) {
        return std::find(parts.begin(), parts.end(), part) != parts.end();
    };
    const auto root = parts.front();
    const auto use = useOf(code, statement, i);

    if (use.inAddress) {
        const bool coordinate = use.vectorSize > 0;
        const bool shared = statement.opcode.find(".shared") != std::string_view::npos || root == "mbarrier";
        const bool globalSide = statement.opcode.find(".global") != std::string_view::npos;
        return coordinate || (shared && !globalSide) ? ".b32" : ".b64";
    }
    if (root == "wgmma" && has(".mma_async")) {
        return wgmmaType(use, types);
    }
    if (root == "setp" || root == "set" || root == "testp" || root == "isspacep") {
        const bool predicate = use.operand == 0 ? root != "set" : (use.operand == 3);
        return predicate ? ".pred" : registerType(types.empty() ? std::string_view{} : types.back());
    }
    if (root == "mbarrier") {
        const bool test = has(".test_wait") || has(".try_wait");
        if (use.operand == 0) {
            return test ? ".pred" : ".b64";
        }
        return has(".parity") || !test ? ".b32" : ".b64";
    }
    if (types.empty()) {
        return isOneOf(root, {"bar", "barrier", "cp", "nanosleep", "griddepcontrol"}) ? ".b32"
                                                                                      : std::string();
    }
    const auto type = types.front();
    if (root == "cvt") {
        return registerType(use.operand == 0 || types.size() < 2 ? types.front() : types[1]);
    }
    if (root == "selp" && use.operand == 3) {
        return ".pred";
    }
    if ((root == "mul" || root == "mad") && has(".wide") && (use.operand == 0 || use.operand == 3)) {
        return bitType(2 * bitsOf(type));
    }
    if ((root == "shl" || root == "shr") && use.operand == 2) {
        return ".b32";
    }
    if (isOneOf(root, {"popc", "clz", "bfind"}) && use.operand == 0) {
        return ".b32";
    }
    if (root == "shfl" || root == "vote") {
        const bool predicate =
            use.behindBar || (root == "vote" && (use.operand == 1 || !has(".ballot")) && use.operand < 2);
        return predicate ? ".pred" : ".b32";
    }
    if (root == "mov" && use.vectorSize > 0) {
        return bitType(bitsOf(type) / static_cast<int>(use.vectorSize));
    }
    return registerType(type);
}

} // namespace ptxwb::detail
