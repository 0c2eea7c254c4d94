// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/module.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ptxwb::emulator {

struct Warp;
struct Instr;

constexpr std::uint32_t laneCount = 32;
constexpr std::uint32_t allLanes = 0xFFFFFFFFU;
constexpr std::uint32_t noPredicate = 0xFFFFFFFFU;
constexpr std::uint32_t truePredicate = 0; ///< preset: true in all lanes
constexpr std::uint32_t sinkPredicate = 1; ///< written, never read

/// What executing one instruction for one split of a warp led to.
enum class Step : std::uint8_t {
    Next, ///< go on with the following instruction
    Jump, ///< the handler has set program counters itself
    Park, ///< the split waits; the instruction is executed again when it wakes
    Stop, ///< a report ends this CTA
};

/// Executes an instruction for the lanes of `mask`.
using Handler = Step (*)(Warp& warp, const Instr& in, std::uint32_t mask);

/// An address operand: a row and a constant.
struct AddressOperand {
    std::uint32_t row = 0;
    bool wide = false;
    std::int64_t offset = 0;
};

/// What does not fit an Instr: vector operands, tensor coordinates, branch tables, messages.
struct Extra {
    std::vector<std::uint32_t> rows{};
    std::vector<std::uint32_t> rowsA{};
    std::vector<std::uint32_t> rowsB{};
    std::vector<std::uint32_t> rowsC{};
    std::vector<std::uint32_t> targets{};
    std::vector<ValueType> types{};
    std::vector<AddressOperand> addresses{};
    std::string text{};
};

/// A decoded instruction. Operands are rows of the register file (32 lanes x 32 bits; two rows for 64 bits)
/// or numbers of predicates; immediates, special registers and addresses of symbols are rows that are filled
/// when a warp starts.
struct Instr {
    Handler run = nullptr;
    std::uint32_t d = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    std::uint32_t e = 0;
    std::int32_t guard = -1; ///< predicate number
    bool guardNegated = false;
    bool aligned = false; ///< all live lanes of the warp must execute it together
    bool undefinedPasses = false; ///< a move: an undefined source makes an undefined result
    bool hasEffect = true; ///< may change memory, a barrier or who waits; false: registers only
    bool ordered = false; ///< volatile, relaxed, acquire, release
    bool touchesWgmma = false; ///< reads or writes a register that some wgmma uses
    bool wideAddress = false; ///< the address register has 64 bits
    Space space = Space::Generic;
    ValueType type = ValueType::None;
    std::uint8_t bytes = 0; ///< of one element
    std::uint8_t count = 1; ///< elements of a vector access
    std::uint32_t mode = 0; ///< flags, meaning by handler
    std::uint64_t imm = 0;
    std::int64_t offset = 0;
    const std::uint32_t* reads = nullptr; ///< indices for Warp::defined
    const std::uint32_t* writes = nullptr;
    std::uint32_t readCount = 0;
    std::uint32_t writeCount = 0;
    std::uint32_t target = 0;
    const Extra* extra = nullptr;
    std::int32_t line = 0;
    std::uint32_t opcode = 0; ///< index of Program::opcodes
};

enum class SpecialRegister : std::uint8_t {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    LaneId,
    WarpId,
    NwarpId,
    SmId,
    NsmId,
    GridId,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    ClusterIdX,
    ClusterIdY,
    ClusterIdZ,
    NclusterIdX,
    NclusterIdY,
    NclusterIdZ,
    ClusterCtaidX,
    ClusterCtaidY,
    ClusterCtaidZ,
    ClusterNctaidX,
    ClusterNctaidY,
    ClusterNctaidZ,
    ClusterCtarank,
    ClusterNctarank,
    TotalSmem,
    DynamicSmem,
    AggrSmem,
    GridBarrierLow, ///< %envreg2: of a cooperative grid, where its CTAs meet
    GridBarrierHigh, ///< %envreg1
    Zero,
};

/// Rows whose content is known when a warp starts.
struct PresetRow {
    enum class Kind : std::uint8_t { Constant, Special, Symbol } kind = Kind::Constant;
    std::uint32_t row = 0;
    bool wide = false;
    std::uint64_t bits = 0; ///< constant, or offset within the variable
    SpecialRegister special = SpecialRegister::Zero;
    int variable = -1;
};

/// Where a variable lies within its space (global and const: the address).
struct Placement {
    std::uint64_t address = 0;
    bool isExternShared = false; ///< starts where dynamic shared memory starts
};

/// Bytes of a lane's local memory.
struct LocalRange {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// What a function of the module has of its own.
struct FunctionPlace {
    std::string name{};
    bool isThere = false; ///< the kernel may call it
    std::uint32_t entry = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> registers{}; ///< first row, rows
    std::uint32_t registerWords = 0; ///< of a saved lane
    std::vector<std::uint32_t> predicates{};
    LocalRange local{};
    std::vector<LocalRange> parameters{}; ///< those in local memory
    std::vector<LocalRange> results{};
};

/// A kernel and the functions that it may call, ready to run. Immutable; any thread may read.
struct Program {
    std::string kernel{};
    std::vector<Instr> code{};
    std::uint32_t entry = 0;
    std::uint32_t rowCount = 0;
    std::uint32_t predicateCount = 0;
    std::vector<PresetRow> presets{};
    std::vector<std::string> names{}; ///< of registers, by index for Warp::defined
    std::vector<std::string> opcodes{}; ///< dotted text
    std::vector<Placement> placements{}; ///< by variable of the module
    std::vector<Variable> variables{};
    std::uint64_t staticSharedBytes = 0; ///< from sharedBase
    std::uint64_t localBytes = 0; ///< per thread
    struct Parameter {
        std::string name{};
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        std::uint64_t alignment = 1;
    };
    std::vector<Parameter> parameters{};
    std::uint64_t parameterBytes = 0;
    std::uint32_t maxThreads = 0;
    std::uint32_t minCtas = 0;
    std::uint32_t registersDeclared = 0; ///< .maxnreg
    std::array<std::uint32_t, 3> requiredCluster{0, 0, 0};
    std::vector<FunctionPlace> functions{}; ///< by function of the module
    bool communicates = false; ///< CTAs may talk through global memory: atomics, volatile, acquire

    std::deque<Extra> extras{};
    std::deque<std::vector<std::uint32_t>> indexLists{};
};

/// Byte offset of the first byte of shared memory that a kernel can use (sm_90: the first KiB is the
/// system's).
constexpr std::uint32_t sharedBase = 1024;
constexpr std::uint32_t maxSharedBytes = 232448; ///< per CTA, sm_90
constexpr std::uint64_t maxGlobalBytes = 1ULL << 32; ///< of the module's variables; our own limit
constexpr std::uint64_t maxLocalBytes = 512U * 1024U; ///< per thread

/// Windows of the generic address space, our own choice.
constexpr std::uint64_t sharedWindow = 0x0001'0000'0000ULL;
constexpr std::uint64_t localWindow = 0x0002'0000'0000ULL;
constexpr std::uint64_t paramWindow = 0x0003'0000'0000ULL;
constexpr std::uint64_t windowBytes = 0x0001'0000'0000ULL;
constexpr std::uint64_t globalWindow = 0x7000'0000'0000ULL;
constexpr std::uint64_t functionWindow = 0x0004'0000'0000ULL; ///< addresses of functions
constexpr std::uint64_t functionStride = 16;
constexpr std::uint32_t clusterRankShift = 24; ///< a shared address carries the CTA's rank from this bit on

/// Decodes a kernel of a module. An instruction or form that is not known decodes to one that stops there and
/// says so. Errors: NotFound (no such kernel), BadFormat with the line (operands that cannot be meant).
Result<std::shared_ptr<const Program>> decodeKernel(const Module& module, std::string_view kernel);

} // namespace ptxwb::emulator
