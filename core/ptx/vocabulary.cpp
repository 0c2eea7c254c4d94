// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/vocabulary.h"

#include <algorithm>
#include <array>

namespace ptxwb {

namespace {

// Roots of two and more parts. Single-part roots need no list: the first part of an opcode is always one.
constexpr std::array<std::string_view, 98> multiPartRoots{"add.cc", "applypriority.async.bulk",
    "applypriority.async.bulk.tensor", "bar.arrive", "bar.red", "bar.sync", "bar.warp.sync", "barrier.arrive",
    "barrier.cluster.arrive", "barrier.cluster.wait", "barrier.red", "barrier.sync", "brx.idx",
    "clusterlaunchcontrol.query_cancel", "clusterlaunchcontrol.try_cancel", "cp.async", "cp.async.bulk",
    "cp.async.bulk.commit_group", "cp.async.bulk.prefetch", "cp.async.bulk.prefetch.tensor",
    "cp.async.bulk.tensor", "cp.async.bulk.wait_group", "cp.async.commit_group", "cp.async.mbarrier.arrive",
    "cp.async.wait_all", "cp.async.wait_group", "cp.reduce.async.bulk", "cp.reduce.async.bulk.tensor",
    "createpolicy.range.fabric", "cvt.pack", "elect.sync", "fabric.submit", "fabric.try_atom",
    "fabric.try_get", "fabric.try_get.async.tensor", "fabric.try_pullred", "fabric.try_put",
    "fabric.try_put.async.tensor", "fabric.try_red", "fabric.try_red.async.tensor", "fabric.wait",
    "fence.mbarrier_init", "fence.proxy", "fence.proxy.async::generic", "fence.proxy.tensormap::generic",
    "mad.cc", "match.sync", "mbarrier.arrive", "mbarrier.arrive_drop", "mbarrier.check_layout",
    "mbarrier.complete_tx", "mbarrier.expect_tx", "mbarrier.init", "mbarrier.inval", "mbarrier.pending_count",
    "mbarrier.test_wait", "mbarrier.try_wait", "mma.sp", "mma.sp::ordered_metadata", "multimem.cp.async.bulk",
    "multimem.cp.reduce.async.bulk", "multimem.ld_reduce", "multimem.red", "multimem.red.async",
    "multimem.st", "multimem.st.async", "red.async", "redux.sync", "shfl.sync", "st.async", "st.bulk",
    "sub.cc", "tcgen05.alloc", "tcgen05.commit", "tcgen05.cp", "tcgen05.dealloc", "tcgen05.fence",
    "tcgen05.ld", "tcgen05.ld.red", "tcgen05.mma", "tcgen05.mma.sp", "tcgen05.mma.ws", "tcgen05.mma.ws.sp",
    "tcgen05.relinquish_alloc_permit", "tcgen05.shift", "tcgen05.st", "tcgen05.wait",
    "tensormap.cp_fenceproxy", "tensormap.replace", "vote.sync", "wgmma.commit_group", "wgmma.fence",
    "wgmma.mma_async", "wgmma.mma_async.sp", "wgmma.wait_group", "wmma.load", "wmma.mma", "wmma.store"};

constexpr std::array<std::string_view, 56> typeWords{".b1", ".b1024", ".b128", ".b16", ".b32", ".b4x16",
    ".b4x16_p64", ".b64", ".b6p2x16", ".b6x16_p32", ".b8", ".b8x16", ".bf16", ".bf16x2", ".e2m1", ".e2m1x2",
    ".e2m1x4", ".e2m3", ".e2m3x2", ".e2m3x4", ".e3m2", ".e3m2x2", ".e3m2x4", ".e4m3", ".e4m3x2", ".e4m3x4",
    ".e5m2", ".e5m2x2", ".e5m2x4", ".f16", ".f16x2", ".f32", ".f32x2", ".f64", ".pred", ".s16", ".s16x2",
    ".s2", ".s32", ".s4", ".s64", ".s8", ".samplerref", ".surfref", ".texref", ".tf32", ".u16", ".u16x2",
    ".u2", ".u32", ".u4", ".u64", ".u8", ".ue4m3", ".ue8m0", ".ue8m0x2"};

constexpr std::array<std::string_view, 35> specialRegisters{"%aggr_smem_size", "%clock", "%clock64",
    "%clock_hi", "%cluster_ctaid", "%cluster_ctarank", "%cluster_nctaid", "%cluster_nctarank", "%clusterid",
    "%ctaid", "%current_graph_exec", "%dynamic_smem_size", "%globaltimer", "%globaltimer_hi",
    "%globaltimer_lo", "%gridid", "%is_explicit_cluster", "%laneid", "%lanemask_eq", "%lanemask_ge",
    "%lanemask_gt", "%lanemask_le", "%lanemask_lt", "%nclusterid", "%nctaid", "%nsmid", "%ntid", "%nwarpid",
    "%reserved_smem_offset_begin", "%reserved_smem_offset_cap", "%reserved_smem_offset_end", "%smid", "%tid",
    "%total_smem_size", "%warpid"};

// Registers of a numbered series: the name with its digits removed.
constexpr std::array<std::string_view, 3> numberedSpecialRegisters{
    "%envreg", "%pm", "%reserved_smem_offset_"};

constexpr std::array<std::string_view, 7> lineDirectives{
    ".address_size", ".file", ".loc", ".target", ".version", "@@DWARF", "@@dwarf"};

// .weak is not among them: it is a modifier of ld and st as well.
constexpr std::array<std::string_view, 4> functionHeadWords{".entry", ".extern", ".func", ".visible"};

template <std::size_t N> bool contains(const std::array<std::string_view, N>& sorted, std::string_view word)
{
    return std::binary_search(sorted.begin(), sorted.end(), word);
}

static_assert(std::is_sorted(multiPartRoots.begin(), multiPartRoots.end()));
static_assert(std::is_sorted(typeWords.begin(), typeWords.end()));
static_assert(std::is_sorted(specialRegisters.begin(), specialRegisters.end()));
static_assert(std::is_sorted(lineDirectives.begin(), lineDirectives.end()));

} // namespace

std::size_t opcodeRootLength(std::string_view dottedOpcode)
{
    // From the whole opcode downwards, part by part; a root has at most five parts, so long operands cost
    // nothing.
    constexpr std::size_t maxRootLength = 40;
    std::size_t end = dottedOpcode.size();
    const std::size_t first = std::min(dottedOpcode.find('.'), end);
    while (end > first) {
        if (end <= maxRootLength && contains(multiPartRoots, dottedOpcode.substr(0, end))) {
            return end;
        }
        end = dottedOpcode.rfind('.', end - 1);
    }
    return first;
}

bool isPtxTypeWord(std::string_view word)
{
    return contains(typeWords, word);
}

bool isPtxSpecialRegister(std::string_view name)
{
    if (contains(specialRegisters, name)) {
        return true;
    }
    if (name.starts_with("%pm") && name.ends_with("_64")) { // %pm0_64
        name.remove_suffix(3);
    }
    const auto lastLetter = name.find_last_not_of("0123456789");
    return lastLetter != std::string_view::npos && lastLetter + 1 < name.size()
        && contains(numberedSpecialRegisters, name.substr(0, lastLetter + 1));
}

std::string_view specialRegisterNamed(std::string_view bareName)
{
    const auto found = std::find_if(specialRegisters.begin(), specialRegisters.end(),
        [&](std::string_view name) { return name.substr(1) == bareName; });
    return found == specialRegisters.end() ? std::string_view{} : *found;
}

bool isLineDirective(std::string_view word)
{
    return contains(lineDirectives, word);
}

bool isFunctionHeadWord(std::string_view word)
{
    return contains(functionHeadWords, word);
}

} // namespace ptxwb
