// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include <array>

namespace ptxwb {

namespace {

struct Row {
    std::string_view code; ///< empty where no output with the number was at hand
    std::string_view words; ///< of the message; they decide, because numbers are the compiler's own affair
    PerformanceNoteText text;
};

// The messages are those that ptxas 13.0 holds; causes from experiments (tests/data/notes) and from public
// reports of users. The numbers C7512 and C7516 follow from the order of the messages between numbers that
// were seen.
constexpr std::array<Row, 19> rows{{
    {"C7508", "unable to determine register count at entry",
        {"setmaxnreg has no effect: the register count at kernel entry is not known.",
            "The kernel does not promise its block size and one block per SM.",
            "No USETMAXREG in the SASS. Give .maxntid (or .reqntid) together with .minnctapersm 1; in CUDA "
            "__launch_bounds__(threads, 1)."}},
    {"C7505", "'setmaxnreg' ignored to allow debugging",
        {"setmaxnreg has no effect: the code is built for the debugger.", "-g or -G among the options.",
            "No USETMAXREG in the SASS. Leave the option out when you measure; -lineinfo keeps the lines."}},
    {"C7504", "'setmaxnreg' ignored to maintain compatibility across compilation units",
        {"setmaxnreg has no effect: code of other compilation units may run in the kernel, and it expects "
         "the usual "
         "registers.",
            "Relocatable device code (-c, -rdc=true).",
            "No USETMAXREG in the SASS. Compile the kernel as a whole."}},
    {"C7506", "'setmaxnreg' ignored to maintain compatibility into 'extern' call",
        {"setmaxnreg has no effect: the kernel calls a function that is not in this module.",
            "A call through a pointer, or of a function declared .extern.",
            "No USETMAXREG in the SASS. Remove the call, or build with -DNDEBUG."}},
    {"C7507", "'setmaxnreg' ignored to maintain minimum register requirements",
        {"setmaxnreg has no effect: the code after it needs more registers than it leaves.",
            "The count of setmaxnreg.dec is below what that part of the kernel uses.",
            "No USETMAXREG in the SASS; registers used against the count. Raise the count, or shorten that "
            "part."}},
    {"C7509", "due to the presence of Extern calls",
        {"wgmma instructions run one after the other because code between them calls an external function.",
            "printf, assert or another function that is not inlined, between wgmma.fence and the wait.",
            "A WARPGROUP.DEPBAR after every HGMMA. Remove the call, or build with -DNDEBUG."}},
    {"C7510", "crossing function boundary",
        {"wgmma instructions run one after the other because of a function call in the pipeline stage.",
            "A helper that was not inlined, or printf, while accumulators live: also behind the wait.",
            "A WARPGROUP.DEPBAR after every HGMMA. Inline the helper, or move the call out of the stage."}},
    {"C7511", "insufficient register resources for the wgmma pipeline",
        {"wgmma instructions run one after the other; ptxas found no registers for the asynchronous form.",
            "Often not the number of registers: ordinary code changes the accumulator while the pipeline "
            "stage is "
            "open, or between a wait and the next fence.",
            "Registers used against the limit. If there is room, keep accumulator arithmetic out of the loop "
            "of wgmma "
            "instructions."}},
    {"C7512", "insufficient register resources for the function",
        {"wgmma instructions run one after the other; the function as a whole has too few registers.",
            "Accumulators, addresses and the rest together pass the limit that -maxrregcount, .maxnreg or "
            "the promised "
            "block size leaves.",
            "Registers used and spills. Use a smaller tile per warpgroup, fewer threads per block, or "
            "setmaxnreg."}},
    {"C7513", "non wgmma instructions defining input registers",
        {"wgmma instructions run one after the other because other code writes the registers of A inside the "
         "stage.",
            "A fragments are loaded or converted between wgmma.fence and wgmma.wait_group, as in a loop that "
            "loads the next ones before it waits.",
            "Load the fragments before the fence, or into registers that no running wgmma reads."}},
    {"C7514", "non wgmma instructions reading accumulator registers",
        {"wgmma instructions run one after the other because other code reads the accumulator before the "
         "wait.",
            "A store, conversion or scaling of the result stands before wgmma.wait_group.",
            "WARPGROUP.DEPBAR after every HGMMA. Put the wait before the first read of the accumulator."}},
    {"C7515", "non wgmma instructions defining accumulator registers",
        {"wgmma instructions run one after the other because other code writes the accumulator inside the "
         "stage.",
            "The accumulator is set or scaled between wgmma.fence and wgmma.wait_group.",
            "Use the scale-d operand for the first step instead of clearing the accumulator by hand."}},
    {"C7516", "ill formed pipeline stage",
        {"wgmma instructions run one after the other because ptxas sees no stage of fence, wgmma, commit and "
         "wait.",
            "A fence, commit or wait is missing on some path, or stands in another branch or loop than its "
            "wgmma.",
            "On every path: wgmma.fence, the wgmma instructions, wgmma.commit_group, wgmma.wait_group."}},
    {"C7517", "warpgroup.wait is injected",
        {"ptxas inserted a wait for wgmma, because its result is read before the program waits.",
            "wgmma.wait_group is missing or stands too late.",
            "WARPGROUP.DEPBAR at that place. Write the wait: without it the program is wrong by the PTX "
            "rules."}},
    {"C7518", "compiler-inserted WG.DP in divergent path",
        {"wgmma instructions run one after the other because the inserted wait stands in a divergent path.",
            "The result is read inside a condition that ptxas cannot prove to be the same for all threads of "
            "the "
            "warpgroup.",
            "Write wgmma.wait_group before the condition, or make the condition uniform."}},
    {"C7519", "warpgroup.arrive is injected",
        {"ptxas inserted a warpgroup.arrive, because registers change before wgmma reads them.",
            "wgmma.fence is missing after code that writes the accumulator or the A fragment.",
            "WARPGROUP.ARRIVE at that place. Write wgmma.fence before the first wgmma that uses these "
            "registers."}},
    {"C7520", "compiler-inserted WG.AR in divergent path",
        {"wgmma instructions run one after the other because the inserted arrive stands in a divergent path.",
            "wgmma inside a condition that ptxas cannot prove to be the same for all threads of the "
            "warpgroup.",
            "Make the condition uniform (a value that all threads share, from a parameter or shfl.sync), or "
            "move wgmma "
            "out of it."}},
    {"C7602", "",
        {"The kernel needs more registers than it may have.",
            "A limit of its own: -maxrregcount, .maxnreg, or the block size and CTAs that .maxntid, .reqntid "
            "and "
            ".minnctapersm promise; in a wgmma kernel too many accumulators per thread.",
            "No SASS comes of it. Raise the limit, promise less, or hold less per thread."}},
    {"", "wgmma.mma_async instructions are serialized",
        {"wgmma instructions run one after the other, for a reason that this program has no words for.", "",
            "A WARPGROUP.DEPBAR after every HGMMA."}},
}};

} // namespace

PerformanceNoteText performanceNoteText(std::string_view code, std::string_view message)
{
    for (const auto& row : rows) {
        if (!row.words.empty() && message.find(row.words) != std::string_view::npos) {
            return row.text;
        }
    }
    for (const auto& row : rows) {
        if (!row.code.empty() && row.code == code) {
            return row.text;
        }
    }
    return {};
}

} // namespace ptxwb
