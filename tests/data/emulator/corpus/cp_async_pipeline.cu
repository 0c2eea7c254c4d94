// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 4096 },
  "tensors": { "X": { "dtype": "float32", "shape": ["n"] },
               "Y": { "dtype": "float32", "shape": ["n"], "role": "output" },
               "Z": { "dtype": "float32", "shape": ["n"], "role": "output" } },
  "launches": [
    { "kernel": "primitives", "grid": [2], "block": [128], "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"i32":"n/2"} ] },
    { "kernel": "pipelined", "grid": [2], "block": [128], "args": [ {"tensor":"X"}, {"tensor":"Z"}, {"i32":"n/2"} ] } ]
} */
// Copies ahead of their use: by the primitives (cp.async and groups), and by cuda::pipeline shared by a block.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

constexpr int stages = 3;
constexpr int stageFloats = 256;

extern "C" __global__ void primitives(const float* x, float* y, int perBlock)
{
    __shared__ alignas(16) float buffer[stages][stageFloats];
    const float* in = x + blockIdx.x * perBlock;
    float* out = y + blockIdx.x * perBlock;
    const int steps = perBlock / stageFloats;
    const auto load = [&](int step) {
        if (step < steps) {
            __pipeline_memcpy_async(&buffer[step % stages][threadIdx.x * 2], in + step * stageFloats + threadIdx.x * 2, 8);
        }
        __pipeline_commit();
    };
    for (int s = 0; s < stages - 1; ++s) {
        load(s);
    }
    for (int s = 0; s < steps; ++s) {
        load(s + stages - 1);
        __pipeline_wait_prior(stages - 1);
        __syncthreads();
        const float* now = buffer[s % stages];
        out[s * stageFloats + threadIdx.x] = now[stageFloats - 1 - threadIdx.x];
        out[s * stageFloats + threadIdx.x + 128] = now[127 - threadIdx.x];
        __syncthreads();
    }
}

extern "C" __global__ void pipelined(const float* x, float* y, int perBlock)
{
    namespace cg = cooperative_groups;
    __shared__ alignas(16) float buffer[stages][stageFloats];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    const auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    const float* in = x + blockIdx.x * perBlock;
    float* out = y + blockIdx.x * perBlock;
    const int steps = perBlock / stageFloats;
    for (int s = 0, loaded = 0; s < steps; ++s) {
        for (; loaded < steps && loaded < s + stages; ++loaded) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, buffer[loaded % stages], in + loaded * stageFloats,
                cuda::aligned_size_t<16>(sizeof(float) * stageFloats), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        const float* now = buffer[s % stages];
        out[s * stageFloats + threadIdx.x] = now[stageFloats - 1 - threadIdx.x];
        out[s * stageFloats + threadIdx.x + 128] = now[127 - threadIdx.x];
        pipeline.consumer_release();
    }
}
