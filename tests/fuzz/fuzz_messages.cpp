// SPDX-License-Identifier: Apache-2.0
// Any bytes as the words of a compiler.
#include "core/toolchain/ptxas_messages.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto messages = ptxwb::parseCompilerMessages(text, "kernel.ptx", "mine.ptx");
    for (const auto& said : messages.diagnostics) {
        if (said.line && *said.line < 0) {
            std::abort();
        }
    }
    ptxwb::markRootCauses(messages.diagnostics);
    ptxwb::locateColumns(messages.diagnostics, text);
    return 0;
}
