// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The part of CUDA's runtime that the candidate of these tests calls, declared by hand: it is built without a
// toolkit, as nvcc's own code would call it.
struct Extent {
    unsigned x;
    unsigned y;
    unsigned z;
};

extern "C" {
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFunction(void** handle, const char* function, char* device, const char* name, int threads,
    void* tid, void* bid, void* block, void* grid, int* warp);
void __cudaRegisterVar(void** handle, char* symbol, char* device, const char* name, int isExtern,
    std::size_t bytes, int isConstant, int isGlobal);
int cudaLaunchKernel(
    const void* function, Extent grid, Extent block, void** arguments, std::size_t shared, void* stream);
int cudaLaunchCooperativeKernel(
    const void* function, Extent grid, Extent block, void** arguments, std::size_t shared, void* stream);
int cudaFuncSetAttribute(const void* function, int attribute, int value);
int cudaMalloc(void** pointer, std::size_t bytes);
int cudaFree(void* pointer);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind);
int cudaMemset(void* at, int value, std::size_t bytes);
int cudaStreamCreate(void** stream);
int cudaStreamDestroy(void* stream);
int cudaStreamWaitEvent(void* stream, void* event, unsigned flags);
int cudaEventCreate(void** event);
int cudaEventRecord(void* event, void* stream);
int cudaEventElapsedTime(float* milliseconds, void* from, void* to);
int cudaGetLastError();
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags, int* status);
}
