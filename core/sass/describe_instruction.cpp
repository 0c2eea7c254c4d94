// SPDX-License-Identifier: Apache-2.0
#include "core/sass/opcode_reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

namespace ptxwb {

namespace {

/// A modifier and what it says; several opcodes of one group share the row.
struct ModifierWords {
    std::string_view opcodes{}; ///< "|MUFU|" or "|LDG|STG|..."; empty: every opcode
    std::string_view modifier{};
    std::string_view words{};
};

constexpr std::string_view memoryOpcodes =
    "|LD|LDG|LDL|LDS|LDC|LDCU|ULDC|ST|STG|STL|STS|LDGSTS|ATOM|ATOMG|ATOMS|RED|REDG|";
constexpr std::string_view loadOpcodes = "|LD|LDG|LDL|LDS|LDC|LDCU|ULDC|";
constexpr std::string_view atomicOpcodes =
    "|ATOM|ATOMG|ATOMS|RED|REDG|REDAS|UREDGR|REDUX|CREDUX|UTMAREDG|UBLKRED|";
constexpr std::string_view packedIntegers = "|VIADD|VIMNMX|VIMNMX3|VIADDMNMX|UVIADD|UVIMNMX|";
constexpr std::string_view roundedOpcodes =
    "|FADD|FADD2|FMUL|FMUL2|FFMA|FFMA2|DADD|DMUL|DFMA|F2F|F2FP|F2I|I2F|I2FP|MUFU|FRND|";
constexpr std::string_view globalOpcodes = "|LD|LDG|ST|STG|LDGSTS|ATOM|ATOMG|RED|REDG|";
constexpr std::string_view tensorCopies = "|UTMALDG|UTMASTG|UTMAREDG|UTMAPF|";
constexpr std::string_view compares = "|ISETP|UISETP|FSETP|DSETP|FSET|HSETP2|UFSETP|";

constexpr std::array modifierWords = std::to_array<ModifierWords>({
    {loadOpcodes, "U8", "8 bits, zero extended"},
    {loadOpcodes, "S8", "8 bits, sign extended"},
    {loadOpcodes, "U16", "16 bits, zero extended"},
    {loadOpcodes, "S16", "16 bits, sign extended"},
    {memoryOpcodes, "U8", "8 bits"},
    {memoryOpcodes, "S8", "8 bits"},
    {memoryOpcodes, "U16", "16 bits"},
    {memoryOpcodes, "S16", "16 bits"},
    {memoryOpcodes, "64", "64 bits"},
    {memoryOpcodes, "128", "128 bits"},
    {memoryOpcodes, "256", "256 bits"},
    {globalOpcodes, "CONSTANT", "through the read-only path"},
    {globalOpcodes, "BYPASS", "past the L1 cache"},
    {globalOpcodes, "LTC64B", "L2 fetches 64 bytes"},
    {globalOpcodes, "LTC128B", "L2 fetches 128 bytes"},
    {globalOpcodes, "LTC256B", "L2 fetches 256 bytes"},
    {globalOpcodes, "EF", "evicted first from the cache"},
    {globalOpcodes, "EL", "evicted last from the cache"},
    {globalOpcodes, "STRONG", "ordered with other threads' accesses"},
    {globalOpcodes, "SYS", "visible to the whole system"},
    {"|MUFU|", "EX2", "2 to the power of x"},
    {"|MUFU|", "LG2", "logarithm to the base 2"},
    {"|MUFU|", "RCP", "reciprocal"},
    {"|MUFU|", "RCP64H", "reciprocal of a float64's upper half"},
    {"|MUFU|", "RSQ", "reciprocal square root"},
    {"|MUFU|", "RSQ64H", "reciprocal square root of a float64's upper half"},
    {"|MUFU|", "SQRT", "square root"},
    {"|MUFU|", "SIN", "sine"},
    {"|MUFU|", "COS", "cosine"},
    {"|MUFU|", "TANH", "hyperbolic tangent"},
    {"|SYNCS|", "EXCH", "sets the barrier's word (mbarrier.init)"},
    {"|SYNCS|", "ARRIVE", "arrives"},
    {"|SYNCS|", "A1T0", "counts one arrival and no bytes"},
    {"|SYNCS|", "A0TR", "expects bytes without arriving"},
    {"|SYNCS|", "RED", "in another CTA of the cluster"},
    {"|SYNCS|", "PHASECHK", "asks whether the phase has ended"},
    {"|SYNCS|", "TRYWAIT", "may sleep until it has"},
    {"|SYNCS|", "IV", "gives up the barrier (mbarrier.inval)"},
    {"|SYNCS|", "IVALL", "drops what is cached of every barrier"},
    {"|WARPGROUP|", "ARRIVE", "registers and shared memory are ready for wgmma (wgmma.fence)"},
    {"|WARPGROUP|", "DEPBAR", "waits until at most N groups are under way (wgmma.wait_group)"},
    {"|USETMAXREG|", "DEALLOC", "gives back down to this many"},
    {"|USETMAXREG|", "TRY_ALLOC", "asks for up to this many; the predicate says whether it got them"},
    {tensorCopies, "1D", "a 1-dimensional tile"},
    {tensorCopies, "2D", "a 2-dimensional tile"},
    {tensorCopies, "3D", "a 3-dimensional tile"},
    {tensorCopies, "4D", "a 4-dimensional tile"},
    {tensorCopies, "5D", "a 5-dimensional tile"},
    {tensorCopies, "MULTICAST", "to several CTAs of the cluster"},
    {tensorCopies, "IM2COL", "in im2col mode"},
    {tensorCopies, "2CTA", "for a pair of CTAs"},
    {"|UBLKCP|", "MULTICAST", "to several CTAs of the cluster"},
    {"|UBLKCP|", "S", "to shared memory"},
    {"|UBLKCP|", "G", "to or from global memory"},
    {"|IMAD|UIMAD|", "MOV", "here a copy"},
    {"|IMAD|UIMAD|", "IADD", "here a sum"},
    {"|IMAD|UIMAD|", "SHL", "here a shift left"},
    {"|IMAD|UIMAD|", "WIDE", "64-bit result"},
    {"|IMAD|UIMAD|", "HI", "the upper 32 bits"},
    {"|LDSM|", "MT88", "transposed"},
    {"|STSM|", "MT88", "transposed"},
    {"|LDSM|STSM|", "2", "two matrices"},
    {"|LDSM|STSM|", "4", "four matrices"},
    {"|BAR|", "SYNC", "arrive and wait"},
    {"|BAR|", "ARV", "arrive only"},
    {"|BAR|", "RED", "with a reduction of a predicate"},
    {"|MEMBAR|", "CTA", "of the CTA"},
    {"|MEMBAR|", "GPU", "of the GPU"},
    {"|MEMBAR|", "SYS", "of the system"},
    {"|FENCE|", "S", "for shared memory"},
    {"|FENCE|", "G", "for global memory"},
    {"|SHFL|", "IDX", "from a given lane"},
    {"|SHFL|", "BFLY", "with the lane whose number differs by a mask"},
    {"|SHFL|", "UP", "from a lower lane"},
    {"|SHFL|", "DOWN", "from a higher lane"},
    {compares, "LT", "less"},
    {compares, "LE", "less or equal"},
    {compares, "GT", "greater"},
    {compares, "GE", "greater or equal"},
    {compares, "EQ", "equal"},
    {compares, "NE", "not equal"},
    {compares, "LTU", "less or unordered"},
    {compares, "LEU", "less, equal or unordered"},
    {compares, "GTU", "greater or unordered"},
    {compares, "GEU", "greater, equal or unordered"},
    {compares, "EQU", "equal or unordered"},
    {compares, "NEU", "not equal or unordered"},
    {compares, "NAN", "one of them is NaN"},
    {compares, "NUM", "none of them is NaN"},
    {atomicOpcodes, "ADD", "adds"},
    {atomicOpcodes, "SUM", "adds"},
    {atomicOpcodes, "MIN", "minimum"},
    {atomicOpcodes, "MAX", "maximum"},
    {atomicOpcodes, "INC", "counts up to a bound, then starts again at 0"},
    {atomicOpcodes, "DEC", "counts down, from 0 to a bound"},
    {atomicOpcodes, "AND", "bitwise and"},
    {atomicOpcodes, "OR", "bitwise or"},
    {atomicOpcodes, "XOR", "bitwise exclusive or"},
    {atomicOpcodes, "EXCH", "exchange"},
    {atomicOpcodes, "CAS", "compare and swap"},
    {atomicOpcodes, "CAST", "compare and swap"},
    {atomicOpcodes, "F64", "of a float64"},
    {atomicOpcodes, "F32", "of a float32"},
    {atomicOpcodes, "F16x2", "of packed f16 pairs"},
    {atomicOpcodes, "BF16x2", "of packed bf16 pairs"},
    {atomicOpcodes, "S32", "of a signed integer"},
    {roundedOpcodes, "RM", "rounded down"},
    {roundedOpcodes, "RP", "rounded up"},
    {roundedOpcodes, "RZ", "rounded toward zero"},
    {roundedOpcodes, "FLOOR", "rounded down"},
    {roundedOpcodes, "CEIL", "rounded up"},
    {roundedOpcodes, "TRUNC", "rounded toward zero"},
    {packedIntegers, "16x2", "of two packed 16-bit integers"},
    {packedIntegers, "U16x2", "of two packed unsigned 16-bit integers"},
    {packedIntegers, "S16x2", "of two packed signed 16-bit integers"},
    {packedIntegers, "U8x4", "of four packed unsigned bytes"},
    {packedIntegers, "S8x4", "of four packed signed bytes"},
    {"|VABSDIFF4|", "ACC", "summed onto the last operand"},
    {"|HADD2|", "F32", "of one half only, as a float32; with a zero a conversion"},
    {"|MOVM|", "MT88", "an 8x8 matrix transposed (movmatrix)"},
    {"|TEX|TLD|TLD4|", "LL", "at a given level"},
    {"|TEX|TLD|TLD4|", "LZ", "at level 0"},
    {"|TEX|TLD|TLD4|", "LB", "at a level with a bias"},
    {"|F2FP|", "BF16", "bf16"},
    {"|F2FP|", "F16", "f16"},
    {"|F2FP|", "E4M3", "e4m3"},
    {"|F2FP|", "E5M2", "e5m2"},
    {"|CCTL|", "IVALL", "invalidates all of L1"},
    {"|CCTL|", "IV", "invalidates the line"},
    {"|CCTL|", "PF2", "prefetches into L2"},
    {"|UTCHMMA|UTCQMMA|UTCIMMA|UTCOMMA|UTCMXQMMA|UTCBAR|UTCCP|", "2CTA", "by a pair of CTAs"},
});

std::vector<std::string_view> wordsOf(std::string_view dotted)
{
    std::vector<std::string_view> words;
    for (std::size_t at = dotted.find('.'); at != std::string_view::npos;) {
        const auto next = dotted.find('.', at + 1);
        words.push_back(dotted.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
        at = next;
    }
    return words;
}

bool isListed(std::string_view list, std::string_view opcode)
{
    const auto at = list.find(opcode);
    return at != std::string_view::npos && at > 0 && list[at - 1] == '|'
        && list.substr(at + opcode.size()).starts_with('|');
}

std::string floatName(std::string_view word)
{
    if (word == "F32" || word == "F64") {
        return fmt::format("fp{}", word.substr(1));
    }
    std::string name(word);
    std::transform(name.begin(), name.end(), name.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

bool isElementType(std::string_view word)
{
    constexpr std::string_view types = "|F64|F32|F16|BF16|TF32|E4M3|E5M2|E3M2|E2M3|E2M1|S8|U8|S4|U4|B1|";
    return isListed(types, word);
}

/// "16816" is 16x8x16: the digits of HMMA without their separators.
std::string_view shapeOfMma(std::string_view word)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> shapes{
        {{"884", "8x8x4"}, {"1684", "16x8x4"}, {"1688", "16x8x8"}, {"16816", "16x8x16"}, {"16832", "16x8x32"},
            {"16864", "16x8x64"}, {"168128", "16x8x128"}, {"168256", "16x8x256"}, {"8816", "8x8x16"},
            {"8832", "8x8x32"}, {"88128", "8x8x128"}}};
    for (const auto& [digits, shape] : shapes) {
        if (digits == word) {
            return shape;
        }
    }
    return word.find('x') != std::string_view::npos ? word : std::string_view();
}

std::string tensorWords(const SassInstruction& instruction, std::string_view opcode)
{
    std::string_view shape;
    std::vector<std::string_view> types;
    std::vector<std::string_view> others;
    for (const auto word : wordsOf(instruction.opcode)) {
        if (const auto named = shapeOfMma(word); !named.empty()) {
            shape = named;
        } else if (isElementType(word)) {
            types.push_back(word);
        } else {
            others.push_back(word);
        }
    }
    std::string text = fmt::format("{}{}{}", opcode, shape.empty() ? "" : " ", shape);
    const bool asynchronous = opcode.find("GMMA") != std::string_view::npos;
    if (asynchronous && !instruction.operands.empty()) {
        // "R24, gdesc[UR8], R24": one descriptor pair; "R24, R4, gdesc[UR8], R24": A in registers.
        const auto comma = instruction.operands.find(", ");
        const bool shared =
            comma != std::string_view::npos && instruction.operands.substr(comma + 2).starts_with("gdesc");
        text += shared ? ", A and B from shared" : ", A from registers, B from shared";
    }
    if (!types.empty() && (opcode == "HGMMA" || opcode == "QGMMA" || opcode == "HMMA" || opcode == "QMMA")) {
        const auto inputs = types.size() > 1 ? types[1] : std::string_view("F16");
        text += fmt::format(", {} inputs{}, {} accumulate", floatName(inputs),
            types.size() > 2 && types[2] != inputs ? " x " + floatName(types[2]) : std::string(),
            floatName(types[0]));
    } else if (!types.empty()) {
        text += fmt::format(", {}", fmt::join(types, " x "));
    }
    if (instruction.operands.find("tnspA") != std::string_view::npos) {
        text += ", A transposed";
    }
    if (instruction.operands.find("tnspB") != std::string_view::npos) {
        text += ", B transposed";
    }
    return text;
}

/// "F2I.U64.F64": "from fp64 to u64". One name alone stands for the side whose kind it is; the other side is
/// 32 bits wide.
std::string conversionWords(std::string_view opcode, const std::vector<std::string_view>& words)
{
    constexpr std::string_view floats = "|F64|F32|F16|BF16|TF32|";
    constexpr std::string_view integers = "|U8|S8|U16|S16|U32|S32|U64|S64|";
    std::vector<std::string_view> types;
    std::ranges::copy_if(words, std::back_inserter(types),
        [](std::string_view word) { return isListed(floats, word) || isListed(integers, word); });
    if (types.size() == 2) {
        return fmt::format("; from {} to {}", floatName(types[1]), floatName(types[0]));
    }
    if (types.size() != 1 || opcode == "F2F") {
        return {};
    }
    const bool isSource = isListed(floats, types[0]) == (opcode == "F2I");
    return fmt::format("; {} {}", isSource ? "from" : "to", floatName(types[0]));
}

/// The number that "at most N" of a wait stands for is the row's last operand.
void nameTheNumber(std::string& text, std::string_view operands)
{
    constexpr std::string_view unknown = "at most N";
    const auto at = text.find(unknown);
    const auto comma = operands.rfind(", ");
    if (at == std::string::npos || comma == std::string_view::npos
        || !operands.substr(comma + 2).starts_with("0x")) {
        return;
    }
    const auto digits = operands.substr(comma + 4);
    int number = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    if (failed == std::errc() && end == digits.data() + digits.size()) {
        text.replace(at, unknown.size(), number == 0 ? "no" : fmt::format("at most {}", number));
    }
}

} // namespace

std::string describeInstruction(const SassInstruction& instruction)
{
    const auto* reading = opcodeReading(instruction.opcode);
    if (reading == nullptr) {
        return {};
    }
    const auto opcode = reading->opcode;
    if (opcode.ends_with("GMMA") || (opcode.ends_with("MMA") && !opcode.starts_with("UTC"))) {
        return tensorWords(instruction, opcode);
    }
    std::string text(reading->words);
    const auto words = wordsOf(instruction.opcode);
    if (isListed("|F2F|F2I|I2F|I2FP|", opcode)) {
        text += conversionWords(opcode, words);
    }
    if (opcode == "IMAD" && words == std::vector<std::string_view>{"U32"}
        && instruction.operands.find(", RZ, RZ, ") != std::string_view::npos) {
        text += "; here a copy";
    }
    for (const auto word : words) {
        for (const auto& row : modifierWords) {
            if (row.modifier == word && isListed(row.opcodes, opcode)) {
                text += fmt::format("; {}", row.words);
                break;
            }
        }
    }
    nameTheNumber(text, instruction.operands);
    return text;
}

} // namespace ptxwb
