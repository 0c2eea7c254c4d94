// SPDX-License-Identifier: Apache-2.0
// Twins of the rules about whole roles: who waits for which barrier, in which phase, with how many registers.
#include "lint_kernels.h"

namespace ptxwb::test {

void addBarrierTwins(const AddTwin& row)
{
    const std::string dec40 = "    setmaxnreg.dec.sync.aligned.u32 40;\n";
    const std::string inc40 = "    setmaxnreg.inc.sync.aligned.u32 40;\n";
    const std::string inc232 = "    setmaxnreg.inc.sync.aligned.u32 232;\n";
    const std::string inc168 = "    setmaxnreg.inc.sync.aligned.u32 168;\n";
    const auto ofThree = [](const std::string& body) { return kernel(body, "9.0", "sm_90a", limits); };
    row("producer that gives nothing back", "setmaxnreg-budget", ofThree(roles("", inc232)),
        ofThree(roles(dec40, inc232)), "setmaxnreg.inc.sync.aligned.u32 232");
    row("nothing to give back", "setmaxnreg-budget", ofThree(roles("", inc232)), ofThree(roles("", inc168)),
        "setmaxnreg.inc.sync.aligned.u32 232");
    row("increase to fewer", "setmaxnreg-budget", ofThree(roles(inc40, inc168)),
        ofThree(roles(dec40, inc168)), "setmaxnreg.inc.sync.aligned.u32 40");
    // ptxas 13.0 gives the kernel of the twin 240 registers at entry, not the 256 that would fit.
    const auto ofTwo = [](const std::string& body) {
        return kernel(body, "9.0", "sm_90a", ".maxntid 256\n.minnctapersm 1\n");
    };
    const std::string inc240 = "    setmaxnreg.inc.sync.aligned.u32 240;\n";
    row("entry at the largest increase", "setmaxnreg-budget", ofTwo(roles(inc40, inc240)),
        ofTwo(roles(dec40, inc240)), "setmaxnreg.inc.sync.aligned.u32 40");

    row("waits again when it is over", "wait-result", kernel("W:\n" + tryWait + "    @%p1 bra W;\n"),
        kernel("W:\n" + tryWait + "    @!%p1 bra W;\n"), "@%p1 bra W");
    row("goes on when it is over", "wait-result", kernel("W:\n" + tryWait + "    @%p1 bra W;\n"),
        kernel("W:\n" + tryWait + "    @%p1 bra D;\n    bra W;\nD:\n"), "@%p1 bra W");

    const std::string remote = "    mapa.shared::cluster.u32 %r3, %r2, 0;\n"
                               "    mbarrier.arrive.shared::cluster.b64 _, [%r3];\n";
    const auto cluster = [&](const std::string& size) {
        return kernel(remote, "9.0", "sm_90a", ".reqnctapercluster " + size + "\n");
    };
    row("cluster of two", "cluster-barrier", cluster("2, 1, 1"), cluster("1, 1, 1"),
        "mapa.shared::cluster.u32");
}

} // namespace ptxwb::test
