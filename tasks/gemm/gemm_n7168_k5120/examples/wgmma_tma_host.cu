// SPDX-License-Identifier: Apache-2.0
//
// C[M,N] = A[M,K] B[N,K]^T, bfloat16 with float32 sums, by the host contract: the file brings its own launch code and the
// TVM-FFI entry of the paper. N = 7168 and K = 5120 are the task's; M is any multiple of 128.
//
// A block makes 128 x 256 of C. One warp fills a ring of four stages by TMA; two warpgroups multiply 64 rows each with
// wgmma m64n256k16, whose operands lie in shared memory under the 128-byte swizzle.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>

namespace {

constexpr int tileM = 128;
constexpr int tileN = 256;
constexpr int tileK = 64; // 128 bytes: one row of the swizzle
constexpr int stages = 4;
constexpr std::uint32_t bytesA = tileM * tileK * 2;
constexpr std::uint32_t bytesB = tileN * tileK * 2;
constexpr std::uint32_t stageBytes = bytesA + bytesB;
constexpr std::uint32_t sharedBytes = stages * stageBytes + 1024; // the swizzle wants 1024-byte alignment
constexpr int threads = 3 * 128;
constexpr int groupM = 16; // tiles of M that share columns of B in the L2

__device__ std::uint32_t sharedAddress(const void* pointer)
{
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void makeBarrier(std::uint32_t barrier, std::uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

__device__ void arrive(std::uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ void expectBytes(std::uint32_t barrier, std::uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ void waitFor(std::uint32_t barrier, std::uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

__device__ void copyTile(std::uint32_t to, const CUtensorMap* map, int k, int row, std::uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(map), "r"(k), "r"(row), "r"(barrier)
                 : "memory");
}

// Matrix descriptor: start address and the 1024 bytes between groups of eight rows in units of 16, 128-byte swizzle.
__device__ std::uint64_t descriptorOf(std::uint32_t address)
{
    return static_cast<std::uint64_t>((address & 0x3FFFFU) >> 4) | (1ULL << 16) | (64ULL << 32) | (1ULL << 62);
}

__device__ void multiply(float (&d)[128], std::uint64_t a, std::uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, "
                 "%8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, "
                 "%24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, "
                 "%40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, "
                 "%56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, "
                 "%72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, "
                 "%88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, "
                 "%104, %105, %106, %107, %108, %109, %110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, "
                 "%120, %121, %122, %123, %124, %125, %126, %127}, "
                 "%128, %129, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                   "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
                   "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
                   "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
                   "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
                   "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
                   "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
                   "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
                   "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
                   "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
                   "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
                   "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
                   "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
                   "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
                   "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
                 : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(threads, 1) gemm(const __grid_constant__ CUtensorMap mapA,
    const __grid_constant__ CUtensorMap mapB, __nv_bfloat16* c, int m, int n, int k)
{
    extern __shared__ unsigned char raw[];
    __shared__ std::uint64_t barriers[2 * stages];
    const std::uint32_t ring = (sharedAddress(raw) + 1023U) & ~1023U;
    const auto full = [&](int stage) { return sharedAddress(&barriers[stage]); };
    const auto empty = [&](int stage) { return sharedAddress(&barriers[stages + stage]); };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < stages; ++stage) {
            makeBarrier(full(stage), 1);
            makeBarrier(empty(stage), 2);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    const int tilesM = m / tileM;
    const int perGroup = groupM * (n / tileN);
    const int first = static_cast<int>(blockIdx.x) / perGroup * groupM;
    const int rows = min(groupM, tilesM - first);
    const int inGroup = static_cast<int>(blockIdx.x) % perGroup;
    const int beginM = (first + inGroup % rows) * tileM;
    const int beginN = inGroup / rows * tileN;
    const int steps = k / tileK;
    const int group = static_cast<int>(threadIdx.x) / 128;

    if (group == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 2 * 128) {
            for (int step = 0; step < steps; ++step) {
                const int stage = step % stages;
                // The first round finds the ring empty: the phase "before" the first counts as over.
                waitFor(empty(stage), static_cast<std::uint32_t>(step / stages + 1) & 1U);
                const std::uint32_t place = ring + static_cast<std::uint32_t>(stage) * stageBytes;
                expectBytes(full(stage), stageBytes);
                copyTile(place, &mapA, step * tileK, beginM, full(stage));
                copyTile(place + bytesA, &mapB, step * tileK, beginN, full(stage));
            }
        }
        return;
    }

    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[128];
#pragma unroll
    for (float& value : d) {
        value = 0;
    }
    for (int step = 0; step < steps; ++step) {
        const int stage = step % stages;
        waitFor(full(stage), static_cast<std::uint32_t>(step / stages) & 1U);
        const std::uint32_t place = ring + static_cast<std::uint32_t>(stage) * stageBytes;
        const std::uint64_t a = descriptorOf(place + static_cast<std::uint32_t>(group) * (bytesA / 2));
        const std::uint64_t b = descriptorOf(place + bytesA);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int i = 0; i < tileK / 16; ++i) {
            multiply(d, a + 2 * i, b + 2 * i); // 16 elements of K are 32 bytes
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // All but the newest are done with their stage, so that one is always under way.
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (step > 0 && threadIdx.x % 128 == 0) {
            arrive(empty((step - 1) % stages));
        }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int row = beginM + group * 64 + static_cast<int>(threadIdx.x) % 128 / 32 * 16 + lane / 4;
    auto* const upper = c + static_cast<std::int64_t>(row) * n + beginN + lane % 4 * 2;
    auto* const lower = upper + static_cast<std::int64_t>(8) * n;
#pragma unroll
    for (int j = 0; j < tileN / 8; ++j) {
        *reinterpret_cast<__nv_bfloat162*>(upper + 8 * j) = __floats2bfloat162_rn(d[4 * j], d[4 * j + 1]);
        *reinterpret_cast<__nv_bfloat162*>(lower + 8 * j) = __floats2bfloat162_rn(d[4 * j + 2], d[4 * j + 3]);
    }
}

CUtensorMap mapOf(const tvm::ffi::TensorView& matrix, std::uint32_t rows)
{
    CUtensorMap map{};
    const cuuint64_t extents[]{static_cast<cuuint64_t>(matrix.size(1)), static_cast<cuuint64_t>(matrix.size(0))};
    const cuuint64_t strides[]{extents[0] * 2};
    const cuuint32_t box[]{tileK, rows};
    const cuuint32_t steps[]{1, 1};
    const CUresult code = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix.data_ptr(),
        extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    TVM_FFI_ICHECK(code == CUDA_SUCCESS) << "cuTensorMapEncodeTiled gave " << static_cast<int>(code);
    return map;
}

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b, tvm::ffi::TensorView c)
{
    const DLDevice device = a.device();
    cudaSetDevice(device.device_id);
    const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
    const int m = static_cast<int>(a.size(0));
    const int n = static_cast<int>(b.size(0));
    const int k = static_cast<int>(a.size(1));
    TVM_FFI_ICHECK(m % tileM == 0 && n % tileN == 0 && k % tileK == 0) << "M " << m << ", N " << n << ", K " << k;
    static const cudaError_t allowed =
        cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes);
    TVM_FFI_ICHECK(allowed == cudaSuccess) << cudaGetErrorString(allowed);
    gemm<<<m / tileM * (n / tileN), threads, sharedBytes, stream>>>(
        mapOf(a, tileM), mapOf(b, tileN), static_cast<__nv_bfloat16*>(c.data_ptr()), m, n, k);
    const cudaError_t launched = cudaGetLastError();
    TVM_FFI_ICHECK(launched == cudaSuccess) << cudaGetErrorString(launched);
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
