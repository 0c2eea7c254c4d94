// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/opcode_topics.h"

#include <algorithm>
#include <initializer_list>

namespace ptxwb::lint {

namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

Topics topicsOf(std::string_view opcode)
{
    const auto family = opcode.substr(0, opcode.find('.'));
    const auto has = [&](std::string_view word) { return opcode.find(word) != std::string_view::npos; };
    if (family == "cp") {
        const Topics copies = has("bulk") ? topic::bulk : topic::copy | topic::bulk;
        return has("bulk") && !has("mbarrier") ? copies : copies | topic::mbarrier;
    }
    if (family == "tcgen05") {
        return has("commit") || has("mbarrier") ? topic::tcgen05 | topic::mbarrier : topic::tcgen05;
    }
    if (family == "mbarrier") {
        return topic::mbarrier;
    }
    if (isOneOf(family, {"call", "clusterlaunchcontrol", "getctarank", "mapa"}) || has(".async")) {
        return topic::all;
    }
    return family == "wgmma"                   ? topic::wgmma
        : isOneOf(family, {"fence", "membar"}) ? topic::fence
        : isOneOf(family, {"bar", "barrier"})  ? topic::barrier | topic::fence
        : family == "griddepcontrol"           ? topic::barrier
        : family == "setmaxnreg"               ? topic::registerCount
                                               : topic::values;
}

bool isOrdering(std::string_view opcode)
{
    return isOneOf(opcode.substr(0, opcode.find('.')),
        {"bar", "barrier", "cp", "fence", "mbarrier", "setmaxnreg", "tcgen05", "wgmma"});
}

int leastOperands(std::string_view opcode)
{
    const bool isBulk = opcode.starts_with("cp.async.bulk.") || opcode.starts_with("cp.reduce.async.bulk.");
    if (!isBulk || opcode.find(".mbarrier::complete_tx::bytes") == std::string_view::npos) {
        return 0;
    }
    return opcode.starts_with("cp.async.bulk.tensor.") ? 3 : 4;
}

} // namespace ptxwb::lint
