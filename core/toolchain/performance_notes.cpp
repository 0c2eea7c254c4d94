// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include <array>
#include <utility>

namespace ptxwb {

namespace {

// What ptxas 13.0 says in these codes; causes from experiments and from public reports of users.
constexpr std::array<std::pair<std::string_view, PerformanceNoteText>, 9> notes{{
    {"C7508",
        {"setmaxnreg has no effect: the register count at kernel entry is not known.",
            "The kernel does not promise its block size and one block per SM.",
            "No USETMAXREG in the SASS. Give .maxntid (or .reqntid) together with .minnctapersm 1; in CUDA "
            "__launch_bounds__(threads, 1)."}},
    {"C7509",
        {"wgmma instructions run one after the other because code between them calls an external function.",
            "printf, assert or another function that is not inlined, between wgmma.fence and the wait.",
            "A WARPGROUP.DEPBAR after every HGMMA. Remove the call, or build with -DNDEBUG."}},
    {"C7510",
        {"wgmma instructions run one after the other because of a function call in the pipeline stage.",
            "A helper that was not inlined, between wgmma.fence and wgmma.wait_group.",
            "A WARPGROUP.DEPBAR after every HGMMA. Inline the helper, or move the call out of the stage."}},
    {"C7511",
        {"wgmma instructions run one after the other; ptxas found no registers for the asynchronous form.",
            "Often not the number of registers: ordinary code changes the accumulator while the pipeline "
            "stage is "
            "open, or between a wait and the next fence.",
            "Registers used against the limit. If there is room, keep accumulator arithmetic out of the loop "
            "of "
            "wgmma instructions."}},
    {"C7515",
        {"wgmma instructions run one after the other because other code writes the accumulator inside the "
         "stage.",
            "The accumulator is set or scaled between wgmma.fence and wgmma.wait_group.",
            "Use the scale-d operand for the first step instead of clearing the accumulator by hand."}},
    {"C7517",
        {"ptxas inserted a wait for wgmma, because its result is read before the program waits.",
            "wgmma.wait_group is missing or stands too late.",
            "WARPGROUP.DEPBAR at that place. Write the wait: without it the program is wrong by the PTX "
            "rules."}},
    {"C7519",
        {"ptxas inserted a warpgroup.arrive, because registers change before wgmma reads them.",
            "wgmma.fence is missing after code that writes the accumulator or the A fragment.",
            "WARPGROUP.ARRIVE at that place. Write wgmma.fence before the first wgmma that uses these "
            "registers."}},
    {"C7520",
        {"wgmma instructions run one after the other because the inserted arrive stands in a divergent path.",
            "wgmma inside a condition that ptxas cannot prove to be the same for all threads of the "
            "warpgroup.",
            "Make the condition uniform (a value that all threads share, from a parameter or shfl.sync), or "
            "move wgmma out of "
            "it."}},
    {"C7602",
        {"The kernel needs more registers than the wgmma pipeline leaves.",
            "Too many accumulator registers per thread for the promised block size.",
            "Smaller tile per warpgroup, fewer threads per block, or setmaxnreg."}},
}};

} // namespace

PerformanceNoteText performanceNoteText(std::string_view code)
{
    for (const auto& [known, text] : notes) {
        if (known == code) {
            return text;
        }
    }
    return {};
}

} // namespace ptxwb
