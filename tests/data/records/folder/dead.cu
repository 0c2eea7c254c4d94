#include <cstdint>
__device__ void never(float (&d)[4], std::uint64_t a, std::uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
__global__ void k(float* out) { out[0] = 1; }
