// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/asm_template.h"
#include "core/ptx/text_places.h"
#include "core/toolchain/diagnostic.h"
#include "core/toolchain/loc_map.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace ptxwb::detail {

/// Leads from lines of the PTX that nvcc made back into the asm strings of the CUDA C++ that it came from.
class AsmPlaces {
public:
    /// The text of a file by the name that .file gives it; nothing if it cannot be had.
    using ReadText = std::function<std::optional<std::string>(const std::string& file)>;

    /// `generatedPtx` and `map` must outlive this.
    AsmPlaces(std::string_view generatedPtx, const LocMap& map, ReadText readText);

    struct Place {
        std::string file{};
        int line = 0;
        int column = 0;
    };
    /// The place in an asm string of what stands at a place of the PTX; nothing outside of inline asm, and
    /// where no asm statement of the file reads like it (its text came from a macro).
    std::optional<Place> placeOf(int ptxLine, int ptxColumn);
    /// An edit of the PTX as one of the file, if all of it is text of one asm string.
    std::optional<TextEdit> editOf(const TextEdit& edit, std::string_view file);
    struct Operand {
        std::string name{}; ///< "%1"
        std::string constraint{}; ///< "r"
        std::string expression{}; ///< of C++
        std::optional<Fix> widened{}; ///< takes a 64-bit value that the expression narrows by a cast
        std::optional<Fix> recast{}; ///< an input of 32 bits takes 64 by a cast, one of 64 bits 32
    };
    /// The operand of the asm statement that stands at a place of the PTX.
    std::optional<Operand> operandAt(int ptxLine, int ptxColumn);
    /// Words about a place of the PTX with %n for the registers that nvcc gave the operands of its asm
    /// statement.
    std::string withOperandNames(std::string text, int ptxLine);
    /// The line of PTX without its indentation.
    std::string_view ptxLine(int line) const;

private:
    struct File {
        std::string text{};
        CudaAsm found{};
        std::unique_ptr<TextPlaces> places{};
    };
    struct Block {
        std::size_t first = 0; ///< in the PTX
        std::size_t end = 0;
        const File* file = nullptr;
        std::string name{};
        const AsmStatement* statement = nullptr; ///< null: none reads like it
        std::vector<std::uint32_t> textOffsets{}; ///< of each byte, into the statement's text
    };
    const Block* blockAt(std::size_t offset);
    const File* fileOf(const std::string& name);
    std::optional<std::uint32_t> sourceOf(const Block& block, std::size_t ptxOffset) const;
    Operand describe(const Block& block, std::size_t number) const;

    std::string_view m_ptx;
    const LocMap& m_map;
    ReadText m_readText;
    TextPlaces m_ptxPlaces;
    std::map<std::string, std::unique_ptr<File>> m_files;
    std::map<std::size_t, Block> m_blocks; ///< by first
};

/// Whether the text between nvcc's "begin inline asm" and "end inline asm" is the statement with its
/// operands put in; then each of its bytes' offset in the statement's text. Pure.
std::optional<std::vector<std::uint32_t>> matchAsm(const AsmStatement& statement, std::string_view block);

/// Tells messages about the generated PTX at the user's place: in an asm string, else at the line that .loc
/// names, else without a line. Messages that fall on one another become one. The diagnostics have columns,
/// causes and fixes as of the PTX.
void mapGeneratedErrors(std::vector<Diagnostic>& diagnostics, std::string_view generatedPtxFile,
    std::string_view toolFile, std::string_view userFile, const LocMap& map, AsmPlaces& places);

} // namespace ptxwb::detail
