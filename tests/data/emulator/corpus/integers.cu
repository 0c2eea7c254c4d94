// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 256 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "W": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": ["n", 24], "role": "output" } },
  "launches": [ { "kernel": "integers", "grid": ["n/128"], "block": [128],
    "args": [ {"tensor":"X"}, {"tensor":"W"}, {"tensor":"Y"} ] } ]
} */
// Integers: division in every width, bits, bytes, dot products, video instructions, 128 bits.

extern "C" __global__ void integers(const int* x, const int* w, int* y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int a = x[i] * 7919;
    const int b = w[i] * 104729 + 1;
    const unsigned ua = static_cast<unsigned>(a);
    const unsigned ub = static_cast<unsigned>(b) | 1U;
    const long long la = static_cast<long long>(a) * 123456789LL;
    int* out = y + i * 24;
    out[0] = a / (b | 1);
    out[1] = static_cast<int>(ua % ub);
    out[2] = static_cast<int>(la / (b | 1));
    out[3] = static_cast<int>(static_cast<unsigned long long>(la) % (ub * 3ULL));
    out[4] = __mulhi(a, b);
    out[5] = static_cast<int>(__umul64hi(static_cast<unsigned long long>(la), 0x9E3779B97F4A7C15ULL));
    out[6] = __popc(ua) + 100 * __clz(a) + 10000 * __ffs(a);
    out[7] = static_cast<int>(__brev(ua));
    out[8] = static_cast<int>(__byte_perm(ua, ub, 0x2516));
    out[9] = static_cast<int>(__funnelshift_l(ua, ub, 13));
    out[10] = static_cast<int>(__funnelshift_rc(ua, ub, 40));
    out[11] = __dp4a(a, b, 5);
    out[12] = static_cast<int>(__vadd4(ua, ub));
    out[13] = static_cast<int>(__vabsdiffu4(ua, ub));
    out[14] = static_cast<int>(__vmaxs2(ua, ub));
    out[15] = static_cast<int>(__vcmpgtu4(ua, ub));
    out[16] = static_cast<int>(__sad(a, b, 3U));
    out[17] = static_cast<int>(__vsadu4(ua, ub));
    out[18] = static_cast<int>((static_cast<__int128>(la) * la) >> 64);
    out[19] = static_cast<int>(static_cast<unsigned char>(a) * static_cast<signed char>(b) + static_cast<short>(a));
    out[20] = __dp2a_lo(a, b, 1);
    out[21] = __clzll(la) + 100 * __popcll(static_cast<unsigned long long>(la));
    out[22] = a << (b & 31) ^ a >> (b & 15);
    out[23] = static_cast<int>(__viaddmax_s32(a & 0xFFFF, b & 0xFFFF, 70000));
}
