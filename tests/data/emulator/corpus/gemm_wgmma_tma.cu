// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "m": 128, "n": 128, "k": 320 },
  "tensors": { "A": { "dtype": "bfloat16", "shape": ["m", "k"] },
               "B": { "dtype": "bfloat16", "shape": ["n", "k"] },
               "C": { "dtype": "float32", "shape": ["m", "n"], "role": "output" } },
  "tensor_maps": { "mapA": { "tensor": "A", "box": [64, 64], "swizzle": "128B" },
                   "mapB": { "tensor": "B", "box": [64, 64], "swizzle": "128B" } },
  "launches": [ { "kernel": "gemmWgmmaTma", "grid": ["n/64", "m/64"], "block": [256], "shared_bytes": 66560,
    "args": [ {"tensor_map":"mapA"}, {"tensor_map":"mapB"}, {"tensor":"C"}, {"i32":"n"}, {"i32":"k"} ] } ]
} */
// C = A B^T by two warpgroups: one asks for boxes of 64 x 64 (TMA), the other multiplies (wgmma); four stages.
#include <cuda_bf16.h>

struct alignas(64) TensorMap {
    unsigned char opaque[128];
};

constexpr int stages = 4;
constexpr unsigned tileBytes = 64 * 64 * 2;

__device__ unsigned sharedAddress(const void* p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void initBarrier(unsigned long long& barrier, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(&barrier)), "r"(count) : "memory");
}
__device__ void waitFor(unsigned long long& barrier, unsigned parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "WAIT_%=:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra WAIT_%=;\n"
                 "}" ::"r"(sharedAddress(&barrier)),
        "r"(parity)
        : "memory");
}
__device__ void arrive(unsigned long long& barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(&barrier)) : "memory");
}
__device__ void expect(unsigned long long& barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&barrier)), "r"(bytes)
                 : "memory");
}
__device__ void loadBox(void* to, const TensorMap& map, unsigned long long& barrier, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
                 "[%2];" ::"r"(sharedAddress(to)),
        "l"(&map), "r"(sharedAddress(&barrier)), "r"(x), "r"(y)
        : "memory");
}
/// Rows of 128 bytes, swizzled by 128 bytes: eight rows are 1024 bytes.
__device__ unsigned long long descriptorOf(const void* tile)
{
    const unsigned long long start = (sharedAddress(tile) & 0x3FFFF) >> 4;
    return start | (1ULL << 16) | (64ULL << 32) | (1ULL << 62);
}
__device__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
                 "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
                 "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
                 "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
                 "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                 : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(256) gemmWgmmaTma(const __grid_constant__ TensorMap mapA,
    const __grid_constant__ TensorMap mapB, float* c, int n, int k)
{
    extern __shared__ unsigned char raw[];
    __shared__ alignas(8) unsigned long long full[stages];
    __shared__ alignas(8) unsigned long long empty[stages];
    unsigned char* tiles = raw + ((1024 - (sharedAddress(raw) & 1023)) & 1023);
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            initBarrier(full[s], 1);
            initBarrier(empty[s], 128);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const int steps = k / 64;
    if (threadIdx.x < 128) {
        if (threadIdx.x == 0) {
            for (int s = 0; s < steps; ++s) {
                const int slot = s % stages;
                waitFor(empty[slot], (s / stages % 2) ^ 1);
                expect(full[slot], 2 * tileBytes);
                loadBox(tiles + slot * 2 * tileBytes, mapA, full[slot], s * 64, blockIdx.y * 64);
                loadBox(tiles + slot * 2 * tileBytes + tileBytes, mapB, full[slot], s * 64, blockIdx.x * 64);
            }
        }
        return;
    }
    float sums[32] = {};
    for (int s = 0; s < steps; ++s) {
        const int slot = s % stages;
        waitFor(full[slot], s / stages % 2);
        const auto a = descriptorOf(tiles + slot * 2 * tileBytes);
        const auto b = descriptorOf(tiles + slot * 2 * tileBytes + tileBytes);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            multiply(sums, a + i * 2, b + i * 2);
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        arrive(empty[slot]);
    }
    const int t = threadIdx.x - 128;
    const int row = blockIdx.y * 64 + t / 32 * 16 + t % 32 / 4;
    for (int j = 0; j < 8; ++j) {
        const int column = blockIdx.x * 64 + j * 8 + t % 4 * 2;
        *reinterpret_cast<float2*>(c + row * n + column) = make_float2(sums[j * 4], sums[j * 4 + 1]);
        *reinterpret_cast<float2*>(c + (row + 8) * n + column) = make_float2(sums[j * 4 + 2], sums[j * 4 + 3]);
    }
}
