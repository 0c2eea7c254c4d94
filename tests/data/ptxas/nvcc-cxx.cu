#include "args.h"
__device__ int f(int a, int b);
__device__ int f(float* a);
__global__ void k(float* x)
{
	int unused = 3;
	x[0] = f("text");
	x[1] = undefinedThing + 1;
}
