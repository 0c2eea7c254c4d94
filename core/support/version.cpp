// SPDX-License-Identifier: Apache-2.0
#include "core/support/version.h"

namespace ptxwb {

std::string_view productVersion()
{
    return PTXWB_VERSION;
}

} // namespace ptxwb
