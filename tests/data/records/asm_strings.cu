// asm("wgmma.fence.sync.aligned;");
const char* words = "asm(\"wgmma.fence.sync.aligned;\")";
char quote = '"';
__device__ void a() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void b(unsigned x) {
    asm volatile ("{\n.reg .pred p;\n" // a comment
        "setp.ne.b32 p, %0, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n" NAME "k16.f32.bf16.bf16 {%1}, %2, %3, p, 1, 1, 0, 0;\n}\n"
        : "+f"(d[0]) : "r"(x ? 1 : 2));
}
__device__ void c() { __asm__(R"ptx(cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%0], [%1, {%2, %3}], [%4])ptx" :: "r"(0)); }
void asmlike(const char* wgmma);
