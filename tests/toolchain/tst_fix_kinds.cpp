// SPDX-License-Identifier: Apache-2.0
// One row for each kind of mistake that has a mechanical remedy: its line, its fix, and the real ptxas over
// the text with the fix applied.
#include "core/toolchain/causes.h"
#include "toolchain_test.h"

#include <QTest>

#include <functional>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

void bytesRows(const std::function<void(const char*, const std::string&, int, const char*)>& row)
{
    const std::string plain = kernelAround("");
    row("comma of full width", kernelAround("add.f32 %f4\uFF0C %f4, %f4;\n"), 11,
        "Replace 1 character beyond ASCII");
    row("semicolon of full width", kernelAround("add.f32 %f4, %f4, %f4\uFF1B\n"), 11,
        "Replace 1 character beyond ASCII");
    row("letters of full width", kernelAround("\uFF4D\uFF4F\uFF56.u32 %r1, \uFF13;\n"), 11,
        "Replace 4 characters beyond ASCII");
    row("Cyrillic letters", kernelAround("m\u043Ev.u32 %r1, 3;\n"), 11, "Replace 1 character beyond ASCII");
    row("curly quotes", kernelAround(".pragma \u201Cnounroll\u201D;\n"), 11,
        "Replace 2 characters beyond ASCII");
    row("blanks of other kinds", kernelAround("\u3000add.f32\u00A0%f4,\u2009%f4, %f4;\n"), 11,
        "Replace 3 characters beyond ASCII");
    row("characters without width", kernelAround("add.f32 %f\u200B4, %f4, %f4;\u2060\n"), 11,
        "Replace 2 characters beyond ASCII");
    row("byte FF", kernelAround("add.f32 %f4, \xFF%f4, %f4;\n"), 11, "Remove 1 byte that is no UTF-8");
    row("stray bytes at the start of a line",
        kernelAround("\x80\x80"
                     "add.f32 %f4, %f4, %f4;\n"),
        11, "Remove 1 byte that is no UTF-8");
    row("byte FF and a dash", kernelAround("// \xFF \u2014\n"), 11,
        "Replace 1 character beyond ASCII and remove 1 stray byte");
    row("four NULs", plain + std::string(4, '\0'), 13, "Remove 4 NUL bytes at the end");
    row("NULs and a line end", plain + std::string("\0\0\n", 3), 13, "Remove 2 NUL bytes at the end");
    row("NUL within", kernelAround(std::string("add.f32 %f4,\0 %f4, %f4;\n", 24)), 11, "Remove the NUL byte");
    row("comment never closed", kernelAround("/* the loop\nadd.f32 %f4, %f4, %f4;\n"), 11,
        "Close the comment at the end of line 11");
    row("comment of a kernelHead never closed", "/* a kernel\n * of ours\n" + plain, 1,
        "Close the comment at the end of line 2");
    row("string never closed", kernelAround(".pragma \"nounroll;\n"), 11, "Close the string");
}

void headRows(const std::function<void(const char*, const std::string&, int, const char*)>& row)
{
    row("no .target", kernelAround("", ".version 8.6\n.address_size 64\n\n"), 2, "Insert .target sm_90a");
    row("target without dot", kernelAround("", ".version 8.6\ntarget sm_90a\n.address_size 64\n"), 2,
        "Change target to .target");
    row("version without dot", kernelAround("", "version 8.6\n.target sm_90a\n.address_size 64\n"), 1,
        "Change version to .version");
    row(".target above .version", kernelAround("", ".target sm_90a\n.version 8.6\n.address_size 64\n"), 2,
        "Move .version to the start");
    row(".target too late", kernelAround("", ".version 8.6\n.address_size 64\n.target sm_90a\n"), 2,
        "Move .target behind .version");
    row("words before the module", "Here is the kernel:\n\n" + kernelAround(""), 1,
        "Remove what stands before line 3");
    row("a word before comments", "x// keep: what it does\n/* keep: the plan\n*/ y\n" + kernelAround(""), 1,
        "Remove what stands before line 4");
    row("reg without dot", kernelAround("reg .f32 %x<6>;\nadd.f32 %x1, %x2, %x3;\n"), 11,
        "Change reg to .reg");
    row("shared without dot", kernelAround("shared .b32 s[4];\nld.shared.u32 %r1, [s];\n"), 11,
        "Change shared to .shared");
    row("visible without dot", kernelHead + "visible .entry k()\n{\nret;\n}\n", 4,
        "Change visible to .visible");
    row("param without dot", kernelAround("", kernelHead, "param .u64 a"), 4, "Change param to .param");
    row("align without dot", kernelAround(".shared align 16 .b8 s[64];\n"), 11, "Change align to .align");
    row("type without dot", kernelAround(".reg b32 %x;\n"), 11, "Change b32 to .b32");
    row("type of C++", kernelAround(".reg .int %x;\n"), 11, "Change .int to .s32");
    row(".entry .visible", kernelHead + ".entry .visible k()\n{\nret;\n}\n", 4, "Write .visible .entry");
    row("comma between parameters", kernelAround("", kernelHead, ".param .u64 a .param .u64 b"), 4,
        "Insert ',' behind a");
    row("comma between lines of parameters", kernelAround("", kernelHead, ".param .u64 a\n .param .u64 b"), 4,
        "Insert ',' behind a");
    row("label without colon", kernelAround("D\nadd.u32 %r1, %r1, 1;\nbra D;\n"), 11, "Write D:");
    row("label with semicolon", kernelAround("LOOP;\nadd.u32 %r1, %r1, 1;\nbra LOOP;\n"), 11, "Write LOOP:");
    row("predicate without sign", kernelAround("%p1 bra D;\nD:\n"), 11, "Write @%p1");
    row("predicate in parentheses", kernelAround("@(%p1) bra D;\nD:\n"), 11, "Write @%p1");
    row("predicate with a comma", kernelAround("@!%p1, bra D;\nD:\n"), 11, "Write @!%p1");
    row("not before the sign", kernelAround("!@%p1 bra D;\nD:\n"), 11, "Write @!%p1");
    row("if", kernelAround("if (%p1) bra D;\nD:\n"), 11, "Write @%p1");
}

void wordRows(const std::function<void(const char*, const std::string&, int, const char*)>& row)
{
    row("tid", kernelAround("mov.u32 %r2, tid.x;\n"), 11, "Change tid to %tid");
    row("%threadIdx", kernelAround("mov.u32 %r2, %threadIdx.x;\n"), 11, "Change %threadIdx to %tid");
    row("%blockIdx", kernelAround("mov.u32 %r2, %blockIdx.x;\n"), 11, "Change %blockIdx to %ctaid");
    row("%blockDim", kernelAround("mov.u32 %r2, %blockDim.x;\n"), 11, "Change %blockDim to %ntid");
    row("%gridDim", kernelAround("mov.u32 %r2, %gridDim.x;\n"), 11, "Change %gridDim to %nctaid");
    row("%lane_id", kernelAround("mov.u32 %r2, %lane_id;\n"), 11, "Change %lane_id to %laneid");
    row("%tid_x", kernelAround("mov.u32 %r2, %tid_x;\n"), 11, "Change %tid_x to %tid.x");
    row("register without percent", kernelAround("@!p1 bra D;\nD:\n"), 11, "Change p1 to %p1");
    row("register with dollar", kernelAround("add.u32 %r1, $r2, 1;\n"), 11, "Change $r2 to %r2");
    row("register in capitals", kernelAround("add.u32 %r1, %R2, 1;\n"), 11, "Change %R2 to %r2");
    row("register with a letter twice", kernelAround("mov.b64 %rd2, 4;\nadd.s64 %rd1, %rd1, %rdd2;\n"), 12,
        "Change '%rdd2' to '%rd2'");
    row("register whose letters are swapped", kernelAround("add.s64 %rd1, %rd1, %dr1;\n"), 11,
        "Change '%dr1' to '%rd1'");
    row("register of two near series", kernelAround("add.s64 %rd1, %rd1, %rr1;\n"), 11,
        "Change '%rr1' to '%rd1'");
    row("new register, written", kernelAround("mov.b64 %rdd2, 4;\nadd.s64 %rd1, %rd1, %rdd2;\n"), 11,
        "Declare %rdd2 as .b64");
    row("misspelt declaration",
        kernelAround(".reg .b32 %sotrage;\nmov.u32 %storage, 1;\nadd.u32 %r1, %storage, %storage;\n"), 11,
        "Declare it as %storage");
    row("generic address of 32 bits",
        kernelAround(".shared .b32 s[4];\ncvta.shared.u32 %r1, s;\nld.shared.u32 %r2, [%r1];\n"), 12,
        "Write mov.u32");
    row("parenthesis of parameters never closed",
        kernelHead + ".visible .entry k(.param .u64 a\n{\nret;\n}\n", 4, "Insert ')' behind a");
    row("parenthesis of parameters on lines never closed",
        kernelHead + ".visible .entry k(\n.param .u64 a,\n.param .u32 n\n{\nret;\n}\n", 6,
        "Insert ')' behind n");
    row("series that all instructions refuse",
        kernelAround(".reg .b32 %w<4>;\nmov.b16 %w1, 3;\nadd.s16 %w2, %w1, %w1;\n"), 11,
        "Change .b32 to .b16");
    row("series in a list with another",
        kernelAround(".reg .b32 %a, %w<4>;\nmov.b32 %a, 1;\nmov.b16 %w1, 3;\nadd.s16 %w2, %w1, %w1;\n"), 11,
        "Declare %w<4> as .b16");
    row("mask of CTAs",
        kernelAround(".reg .b32 %w<4>;\nmov.b16 %w1, "
                     "3;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%r1], [%rd1], 16, [%r2], %w1;\n"),
        11, "Change .b32 to .b16");
    row("second declaration", kernelAround(".reg .b32 %r<4>;\n"), 11, "Remove the second declaration of %r");
    row("second declaration, longer", kernelAround(".reg .b32 %r<9>;\nmov.u32 %r8, 1;\n"), 11,
        "Remove the second declaration of %r and make the first %r<9>");
    row("letters of setp", kernelAround("sept.lt.u32 %p1, %r1, 5;\n"), 11, "Change sept to setp");
    row("mul_wide", kernelAround("mul_wide.u32 %rd2, %r1, 4;\n"), 11, "Change mul_wide to mul.wide");
    row("capitals", kernelAround("Add.u32 %r1, %r1, 1;\n"), 11, "Change Add to add");
    row("return", kernelAround("return;\n"), 11, "Change return to ret");
    row("goto", kernelAround("goto D;\nD:\n"), 11, "Change goto to bra");
    row("gte", kernelAround("setp.gte.u32 %p1, %r1, 5;\n"), 11, "Change .gte to .ge");
    row("neq", kernelAround("setp.neq.f32 %p1, %f1, %f2;\n"), 11, "Change .neq to .ne");
    row("i64", kernelAround("add.i64 %rd1, %rd1, 4;\n"), 11, "Change .i64 to .s64");
    row("float", kernelAround("add.float %f4, %f4, %f4;\n"), 11, "Change .float to .f32");
}

void operandRows(const std::function<void(const char*, const std::string&, int, const char*)>& row)
{
    row("store with its operands swapped", kernelAround("st.global.f32 %f4, [%rd1];\n"), 11,
        "Swap the operands: [%rd1], %f4");
    row("barrier of CUDA C++", kernelAround("__syncthreads();\n"), 11,
        "Change '__syncthreads()' to 'bar.sync 0'");
    row("type of another language, twice",
        kernelAround(
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bfloat16.bfloat16 {%f0, %f1, %f2, %f3}, %rd1, "
            "%rd2, 1, "
            "1, 1, 0, 0;\n"),
        11, "Change .bfloat16 to .bf16");
    row("load with its operands swapped", kernelAround("ld.global.f32 [%rd1+4], %f4;\n"), 11,
        "Swap the operands: %f4, [%rd1+4]");
    row("vector store with its operands swapped", kernelAround("st.global.v2.f32 {%f4, %f5}, [%rd1];\n"), 11,
        "Swap the operands: [%rd1], {%f4, %f5}");
    row("1.0f", kernelAround("mov.f32 %f4, 1.0f;\n"), 11, "Write 0f3F800000 for 1.0f");
    row("-1.5f and more", kernelAround("add.f32 %f4, %f4, -1.5f;\nmov.f32 %f3, 2.0f;\n"), 11,
        "Write 0fBFC00000 for -1.5f, and 1 more like it");
    row("1e-3f", kernelAround("mov.f32 %f4, 1e-3f;\n"), 11, "Write 0f3A83126F for 1e-3f");
    row("10u", kernelAround("mov.u32 %r1, 10u;\n"), 11, "Write 10 for 10u");
    row("INFINITY", kernelAround("mov.f32 %f4, -INFINITY;\n"), 11, "Write 0fFF800000 for -INFINITY");
    row("integer for a float", kernelAround("add.f32 %f4, %f4, 1;\n"), 11, "Write 0f3F800000 for 1");
    row("bits of a float", kernelAround("add.f32 %f4, %f4, 0x3f800000;\n"), 11,
        "Write 0f3f800000 for 0x3f800000");
    row("float for an integer", kernelAround("add.u32 %r1, %r1, 2.0;\n"), 11, "Write 2 for 2.0");
    row("depth of wgmma",
        kernelAround(
            "wgmma.mma_async.sync.aligned.m64n8k32.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, "
            "1, 0, 0;\n"),
        11, "Change .m64n8k32 to .m64n8k16");
    row("depth of mma",
        kernelAround(
            "mma.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, "
            "%r3}, {%r4, "
            "%r5}, {%f0, %f1, %f2, %f3};\n"),
        11, "Change .m16n8k32 to .m16n8k16");
    row("too many columns",
        ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n.shared .align 4 .b32 "
        "s;\n.reg .b32 "
        "%r;\ntcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 1024;\nld.shared.u32 %r, "
        "[s];\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %r, 512;\nret;\n}\n",
        8, "Write 512 for 1024");
    row("number of a barrier", kernelAround("bar.sync 16;\n"), 11, "Write 15 for 16");
    row("address in parentheses", kernelAround("ld.global.f32 %f1, (%rd1);\n"), 11, "Write [ ]");
    row("list in parentheses", kernelAround("mov.b64 %rd1, (%r1, %r2);\n"), 11, "Write { }");
    row("two commas", kernelAround("add.u32 %r1,, %r1, 1;\n"), 11, "Remove ','");
    row("comma behind the opcode", kernelAround("add.u32, %r1, %r1, 1;\n"), 11, "Remove ','");
    row("comma behind the last operand", kernelAround("add.u32 %r1, %r1, 1,;\n"), 11, "Remove ','");
    row("colon for semicolon", kernelAround("add.u32 %r1, %r1, 1:\n"), 11, "Change ':' to ';'");
    row("comma for semicolon", kernelAround("mov.b32 %r1, %r2,\n\nadd.u32 %r1, %r1, 1;\n"), 11,
        "Change ',' to ';'");
    row("comma for semicolon before a guard", kernelAround("mov.b32 %r1, %r2,\n@%p1 add.u32 %r1, %r1, 1;\n"),
        11, "Change ',' to ';'");
    row("comma for semicolon before a bare word", kernelAround("mov.b32 %r1, %r2,\n"), 11,
        "Change ',' to ';'");
    row("comma for semicolon before a label", kernelAround("mov.b32 %r1, %r2,\nD: bra D;\n"), 11,
        "Change ',' to ';'");
    row("equals sign", kernelAround("mov.b32 %r1 = 0;\n"), 11, "Change '=' to ','");
    row("semicolon behind a label", kernelAround("D:;\n"), 11, "Remove ';'");
    row("comment of another language", kernelAround("add.u32 %r1, %r1, 1; -- one more of it\n"), 11,
        "Change '--' to '//'");
    row("bracket never closed", kernelAround("ld.global.f32 %f1, [%rd1;\n"), 11, "Insert ']' behind %rd1");
    row("brace never closed", kernelAround("ld.global.v2.f32 {%f1, %f2, [%rd1];\n"), 11,
        "Insert '}' behind %f2");
    row("comma before a special register", kernelAround("mov.u32 %r1 %tid.x;\n"), 11,
        "Insert ',' before %tid");
}

void opcodeRows(const std::function<void(const char*, const std::string&, int, const char*)>& row)
{
    const std::string mma = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 ";
    row("opcode twice", kernelAround("mov mov.b32 %r1, %r2;\n"), 11, "Remove the second mov");
    row("type twice", kernelAround("add.u32.u32 %r1, %r1, 1;\n"), 11, "Remove the second .u32");
    row("rounding twice", kernelAround("add.rn.rn.f32 %f1, %f1, %f1;\n"), 11, "Remove the second .rn");
    row("mov without type", kernelAround("mov %r1, 5;\n"), 11, "Write mov.b32");
    row("ld without type", kernelAround("ld.global %f1, [%rd1];\n"), 11, "Write ld.global.f32");
    row("add without type", kernelAround("add %rd1, %rd1, 4;\n"), 11, "Write add.u64");
    row("shl of integers", kernelAround("shl.u32 %r1, %r1, 2;\n"), 11, "Change .u32 to .b32");
    row("no .approx", kernelAround("ex2.f32 %f1, %f1;\n"), 11, "Insert .approx");
    row("no dot between shape and count",
        kernelAround("ldmatrix.sync.aligned.m8n8x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r4];\n"), 11,
        "Change .m8n8x4 to .m8n8.x4");
    row("no dot before a type", kernelAround("ld.globalu32 %r1, [%rd1];\n"), 11,
        "Change .globalu32 to .global.u32");
    row("no .aligned", kernelAround("stmatrix.sync.m8n8.x4.shared.b16 [%r1], {%r1, %r2, %r3, %r4};\n"), 11,
        "Insert .aligned");
    row("no count of matrices",
        kernelAround("stmatrix.sync.aligned.m8n8.shared.b16 [%r1], {%r1, %r2, %r3, %r4};\n"), 11,
        "Insert .x4");
    row("register of a series",
        kernelAround(mma + "{%f0, , %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n"),
        11, "Insert %f1");
    row("last register of a series",
        kernelAround(mma + "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, }, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n"),
        11, "Insert %r3");
    row("bracket never opened", kernelAround("ld.global.f32 %f1, %rd1];\n"), 11, "Insert '[' before %rd1");
}

// What models write of GEMM kernels: each fix is found by asking ptxas.
void rewrittenRows(const std::function<void(const char*, const std::string&, int, const char*)>& row)
{
    const std::string mma = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 ";
    const std::string acc = "{%f0, %f1, %f2, %f3}";
    row("wait_all", kernelAround("wgmma.wait_all;\n"), 11, "Write wgmma.wait_group.sync.aligned 0");
    row("wgmma.mma",
        kernelAround(
            "wgmma.mma.sync.aligned.m64n8k16.f32.bf16.bf16 " + acc + ", %rd1, %rd2, 1, 1, 1, 0, 0;\n"),
        11, "Write wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    row("no .sync.aligned", kernelAround("ldmatrix.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r4];\n"), 11,
        "Insert .sync.aligned");
    row("no .row.col",
        kernelAround("mma.sync.aligned.m16n8k16.f32.bf16.bf16.f32 " + acc
            + ", {%r0, %r1, %r2, %r3}, {%r4, %r5}, " + acc + ";\n"),
        11, "Insert .row.col");
    row("no signs", kernelAround(mma + acc + ", %rd1, %rd2, 1, 0, 0;\n"), 11,
        "Insert 1, 1 before the last two");
    row("no transposition", kernelAround(mma + acc + ", %rd1, %rd2, %p1, 1, 1;\n"), 11, "Add 0, 0");
    row("list without its braces", kernelAround(mma + "%f0, %f1, %f2, %f3, %rd1, %rd2, 1, 1, 1, 0, 0;\n"), 11,
        "Write {%f0, %f1, %f2, %f3}");
    row("list without its first brace",
        kernelAround(mma + "%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"), 11, "Insert '{' before %f0");
    row("list without its last brace",
        kernelAround(mma + "{%f0, %f1, %f2, %f3, %rd1, %rd2, 1, 1, 1, 0, 0;\n"), 11, "Insert '}' behind %f3");
    row("expect_tx without a result",
        kernelAround("mbarrier.arrive.expect_tx.shared::cta.b64 [%r1], 16384;\n"), 11,
        "Insert _ before the first operand");
    row("try_wait without its predicate",
        kernelAround("W:\nmbarrier.try_wait.parity.shared::cta.b64 [%r1], %r2;\n@!%p2 bra W;\n"), 12,
        "Insert %p2 before the first operand");
    row("try_wait into a register",
        kernelAround("W:\nmbarrier.try_wait.parity.shared::cta.b64 %r3, [%r1], %r2;\n@!%p2 bra W;\n"), 12,
        "Write %p2 for %r3");
    row("try_wait_parity", kernelAround("mbarrier.try_wait_parity.shared::cta.b64 %p1, [%r1], %r2;\n"), 11,
        "Write mbarrier.try_wait.parity.shared::cta.b64");
    row("try_wait without .parity", kernelAround("mbarrier.try_wait.shared::cta.b64 %p1, [%r1], %r2;\n"), 11,
        "Insert .parity");
    const std::string copy =
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes ";
    row("copy with its operands in another order", kernelAround(copy + "[%r1], [%r2], [%rd1, {%r3, %r4}];\n"),
        11, "Swap the operands: [%rd1, {%r3, %r4}], [%r2]");
    row("coordinates behind the brackets", kernelAround(copy + "[%r1], [%rd1], {%r3, %r4}, [%r2];\n"), 11,
        "Write [%rd1, {%r3, %r4}]");
    row("policy without .L2::cache_hint", kernelAround(copy + "[%r1], [%rd1, {%r3, %r4}], [%r2], %rd2;\n"),
        11, "Insert .L2::cache_hint");
    row("opcode word dropped",
        kernelAround(
            "cp.async.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, "
            "{%r3, %r4}], "
            "[%r2];\n"),
        11, "Write cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes");
    row("elect into one predicate", kernelAround("elect.sync %p1, 0xffffffff;\n"), 11, "Write _|%p1");
    row("shuffle without its mask", kernelAround("shfl.sync.bfly.b32 %r1, %r2, 1, 31;\n"), 11,
        "Add 0xffffffff");
    row("mma without C",
        kernelAround("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " + acc
            + ", {%r0, %r1, %r2, %r3}, {%r4, %r5};\n"),
        11, "Add {%f0, %f1, %f2, %f3}");
    row("mul without .lo", kernelAround("mul.s32 %r1, %r2, 16;\n"), 11, "Insert .lo");
    row("mad without .lo", kernelAround("mad.u32 %r1, %r2, 16, %r1;\n"), 11, "Insert .lo");
    row("setp without type", kernelAround("setp.lt %p1, %r1, 5;\n"), 11, "Write setp.lt.u32");
    row("shr without type", kernelAround("shr %r1, %r1, 2;\n"), 11, "Write shr.b32");
    row("ldparam", kernelAround("ldparam.u64 %rd1, [a];\n"), 11, "Write ld.param.u64");
    row("tid without axis", kernelAround("mov.u32 %r1, %tid;\n"), 11, "Write %tid.x");
    row("types in another order", kernelAround("cvt.u32.u64 %rd1, %r1;\n"), 11, "Write .u64.u32");
    row("sum within an operand", kernelAround("add.u32 %r1, %r2 + 1;\n"), 11, "Write %r2, 1");
    row("selp with its predicate in front", kernelAround("selp.f32 %f0, %p1, %f1, %f2;\n"), 11,
        "Move %p1 to the end");
    row("store of four without braces", kernelAround("st.global.v4.f32 [%rd1], %f0, %f1, %f2, %f3;\n"), 11,
        "Write {%f0, %f1, %f2, %f3}");
    row("store of 32 bytes",
        kernelAround("st.global.v8.f32 [%rd1], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};\n"), 11,
        "Write two st.global.v4.f32");
    row("depth of another type",
        kernelAround(
            "wgmma.mma_async.sync.aligned.m64n8k8.f32.bf16.bf16 " + acc + ", %rd1, %rd2, 1, 1, 1, 0, 0;\n"),
        11, "Change .m64n8k8 to .m64n8k16");
    row("setmaxnreg without type",
        kernelHead
            + ".visible .entry k()\n.reqntid 384, 1, 1\n{\nsetmaxnreg.inc.sync.aligned 232;\nret;\n}\n",
        7, "Write setmaxnreg.inc.sync.aligned.u32");
    row("setmaxnreg between two steps",
        kernelHead
            + ".visible .entry k()\n.reqntid 384, 1, 1\n{\nsetmaxnreg.inc.sync.aligned.u32 230;\nret;\n}\n",
        7, "Write 232 for 230");
    row("setmaxnreg alone",
        kernelHead + ".visible .entry k()\n.reqntid 384, 1, 1\n{\nsetmaxnreg.inc 232;\nret;\n}\n", 7,
        "Write setmaxnreg.inc.sync.aligned.u32");
}

void foreignRows(const std::function<void(const char*, const std::string&, int, const char*)>& row)
{
    row("semicolon behind the parameters", kernelHead + ".visible .entry k();\n{\nret;\n}\n", 4,
        "Remove ';'");
    row("semicolon behind .reqntid", kernelHead + ".visible .entry k()\n.reqntid 128, 1, 1;\n{\nret;\n}\n", 5,
        "Remove ';'");
    row("en dash in an opcode", kernelAround("wgmma\u2013fence.sync.aligned;\n"), 11,
        "Replace 1 character beyond ASCII, change '-' to '.'");
    row("minus sign in a word", kernelAround("wgmma.commit\u2212group.sync.aligned;\n"), 11,
        "Replace 1 character beyond ASCII, change '-' to '_'");
    row("address of", kernelAround(".shared .b64 bar;\nmov.u32 %r1, &bar;\n"), 12, "Remove '&'");
    row("not behind the predicate", kernelAround("D:\n@%p1! bra D;\n"), 12, "Write @!%p1");
    row("if and goto", kernelAround("D:\nif (!%p1) goto D;\n"), 12, "Write @!%p1 bra");
    row("hash behind code", kernelAround("bar.sync 0; # all threads\n"), 11, "Change # to //");
    row("comma of a declaration", kernelAround(".reg .pred p q;\n"), 11, "Insert ',' before q");
    row("__shared__", kernelAround("__shared__ uint64_t bar[2];\nmov.u32 %r1, bar;\n"), 11,
        "Write .shared .align 8 .b64 bar");
    row("__syncwarp", kernelAround("__syncwarp();\n"), 11, "Write bar.warp.sync 0xffffffff");
    row("assignment", kernelAround("%r1 = ld.global.u32 [%rd1];\n"), 11, "Write ld.global.u32 %r1");
    row("sum for two operands", kernelAround("add.s64 %rd1, %rd2 + %rd3;\n"), 11, "Change '+' to ','");
    row("name left out of a list", kernelAround(".reg .b32 %x, , %z;\nmov.u32 %y, 1;\nadd.u32 %x, %y, %y;\n"),
        11, "Insert %y");
    row("last name left out of a list", kernelAround(".reg .b32 %x, ;\nmov.u32 %y, 1;\n"), 11, "Insert %y");
    row("label without its name", kernelAround(":\nadd.u32 %r1, %r1, 1;\nbra D;\n"), 11, "Write D:");
    row("brace too many", kernelAround("") + "}\n", 13, "Remove '}'");
    row("label of another name", kernelAround("WAIT:\n@%p1 bra WAIT_LOOP;\n"), 12,
        "Change WAIT_LOOP to WAIT");
    row("parameter of another name",
        kernelAround("ld.param.u64 %rd1, [out_ptr];\n", kernelHead, ".param .u64 outp"), 11,
        "Change out_ptr to outp");
}

} // namespace

class TestFixKinds : public QObject {
    Q_OBJECT

private slots:
    void fixCompiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line"); // of the only root cause
        QTest::addColumn<QString>("title"); // of its first fix
        const auto row = [](const char* name, const std::string& text, int line, const char* title) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << line << title;
        };
        bytesRows(row);
        headRows(row);
        wordRows(row);
        operandRows(row);
        opcodeRows(row);
        rewrittenRows(row);
        foreignRows(row);
    }

    void fixCompiles()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, title);
        const auto broken = m_compiler.compile(ptxRequest(text.toStdString()));
        QVERIFY2(broken, broken ? "" : describe(broken.error()).c_str());
        QVERIFY(!broken->ok);
        const auto roots = rootErrors(broken->diagnostics);
        const auto all = shown(broken->diagnostics).join('\n');
        QVERIFY2(roots.size() == 1, qPrintable(all));
        QVERIFY2(roots[0]->line.value_or(0) == line, qPrintable(all));
        QVERIFY2(!roots[0]->fixes.empty(), qPrintable(all));
        QCOMPARE(QString::fromStdString(roots[0]->fixes[0].title), title);
        QVERIFY(roots[0]->explanation && !roots[0]->explanation->empty());
        const auto fixed = applyFirstFixes(text.toStdString(), broken->diagnostics);
        QVERIFY(fixed.leftOut.empty());
        QCOMPARE(QByteArray::fromStdString(fixed.text).count("keep:"), text.count("keep:"));
        const auto mended = m_compiler.compile(ptxRequest(fixed.text));
        QVERIFY(mended);
        QVERIFY2(mended->ok,
            qPrintable(QString::fromStdString(fixed.text) + shown(mended->diagnostics).join('\n')));
    }

    void saysWhatTheTextIs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("prose") << QByteArray("Sure! Here is the kernel.\nI hope that it helps.\n") << "prose";
        QTest::newRow("CUDA") << QByteArray("__global__ void k(float* a) { a[0] = 1; }\n")
                              << "CUDA C++; name the file .cu";
        QTest::newRow("Python") << QByteArray("import torch\n\ndef f(x):\n    return x\n") << "Python";
        QTest::newRow("JSON") << QByteArray("{\"ptx\": \".version 8.0\"}\n") << "JSON";
        QTest::newRow("page") << QByteArray("<!DOCTYPE html>\n<html></html>\n") << "web page";
        QTest::newRow("LLVM IR") << QByteArray("define void @k() {\n  ret void\n}\n") << "LLVM IR";
        QTest::newRow("SASS") << QByteArray("        /*0000*/  LDC R1, c[0x0][0x28] ;\n") << "SASS";
        QTest::newRow("patch") << QByteArray("--- a/k.ptx\n+++ b/k.ptx\n@@ -1 +1 @@\n-ret;\n+exit;\n")
                               << "patch";
    }

    // No kernelHead of a module is put before what is no PTX.
    void saysWhatTheTextIs()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        const auto outcome = m_compiler.compile(ptxRequest(text.toStdString()));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(roots[0]->explanation.value_or("")).contains(words),
            roots[0]->explanation.value_or("").c_str());
        QVERIFY(roots[0]->fixes.empty());
    }

    void namesTheFirstDefinition_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("other type") << QByteArray::fromStdString(
            kernelAround(".reg .f32 %x;\n.reg .b32 %x;\n"))
                                    << ".f32 %x is declared in line 11 already. Here it is .b32";
        QTest::newRow("label") << QByteArray::fromStdString(kernelAround("D:\nbra D;\nD:\n"))
                               << "The label 'D' is defined in line 11";
        QTest::newRow("parameter") << QByteArray::fromStdString(
            kernelAround("", kernelHead, ".param .u64 a, .param .u64 a"))
                                   << "The variable 'a' is defined in line 4";
        QTest::newRow("kernel") << QByteArray::fromStdString(kernelAround("") + kernelAround("", ""))
                                << "The function 'k' is defined in line 4";
    }

    void namesTheFirstDefinition()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        const auto outcome = m_compiler.compile(ptxRequest(text.toStdString()));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(roots[0]->explanation.value_or("")).contains(words),
            roots[0]->explanation.value_or("").c_str());
    }

    // A note of ours with a fix is applied as well as a warning.
    void appliesNotes()
    {
        const auto text = kernelAround("ld.f32.global %f4, [%rd1];\nst.global.f32 [%rd1], %f4;\n");
        const auto outcome = m_compiler.compile(ptxRequest(text));
        QVERIFY(outcome && outcome->ok);
        const auto fixed = applyFirstFixes(text, outcome->diagnostics);
        QVERIFY(fixed.text.find("ld.global.f32 %f4") != std::string::npos);
    }

private:
    Compiler m_compiler{realToolchain()};
};

QTEST_GUILESS_MAIN(TestFixKinds)
#include "tst_fix_kinds.moc"
