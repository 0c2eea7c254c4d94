// SPDX-License-Identifier: Apache-2.0
// A shared object that is no candidate.
extern "C" __attribute__((visibility("default"))) int somethingElse()
{
    return 0;
}
