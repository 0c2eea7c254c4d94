// SPDX-License-Identifier: Apache-2.0
// What the process that holds host code asks of libtvm_ffi.so, so that the tests need no such library.
#include "core/bench/host_abi.h"

namespace {
constexpr char kind[] = "ValueError";
constexpr char message[] = "the candidate of the tests says no";
ptxwb::ffi::Error error{{}, {kind, sizeof kind - 1}, {message, sizeof message - 1}};
} // namespace

extern "C" {
__attribute__((visibility("default"))) int TVMFFIEnvSetStream(
    int /*deviceType*/, int /*device*/, void* /*stream*/, void** /*before*/)
{
    return 0;
}
__attribute__((visibility("default"))) void TVMFFIErrorMoveFromRaised(void** raised)
{
    *raised = &error;
}
}
