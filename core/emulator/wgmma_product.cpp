// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/wgmma_op.h"

#include "core/emulator/matrix_elements.h"
#include "core/emulator/matrix_kernels.h"

#include <algorithm>
#include <cstring>

namespace ptxwb::emulator {

namespace {

struct Scratch {
    std::vector<std::uint32_t> places;
    std::vector<const std::byte*> pointers;
    std::vector<float> a;
    std::vector<float> expanded;
    std::vector<float> b;
    std::vector<float> packed;
    std::vector<float*> accumulators;
    std::vector<float> wide;
};

Scratch& scratch()
{
    thread_local Scratch s;
    return s;
}

bool isSmallFloat(ValueType type)
{
    return type == ValueType::F16 || type == ValueType::Bf16;
}

} // namespace

void WgmmaOp::pieces(const MatrixDescriptor& desc, bool mnMajor, std::uint32_t rows, std::uint32_t bits,
    std::vector<std::uint32_t>& out) const
{
    out.clear();
    if (mnMajor) {
        for (std::uint32_t i = 0; i < rows / 8; ++i) {
            for (std::uint32_t k = 0; k < depth(); ++k) {
                out.push_back(desc.pieceMn(i * 16, k));
            }
        }
        return;
    }
    const std::uint32_t bytes = depth() * bits / 8;
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t kb = 0; kb < bytes; kb += 16) {
            out.push_back(desc.pieceK(r, kb));
        }
    }
}

void WgmmaOp::complete()
{
    readDone = true;
    if (typeA() == ValueType::B1) {
        multiplyBits();
    } else if (typeD() == ValueType::S32) {
        multiplyIntegers();
    } else if (measured()) {
        multiplyMeasured();
    } else {
        multiplyReals();
    }
    if (cta->cluster->launch->perturbed == ResultOf::Wgmma) {
        const auto bytes = typeD() == ValueType::F16 ? 2U : 4U;
        for (auto* member : members) {
            for (const auto row : in->extra->rows) {
                perturbElements(
                    reinterpret_cast<std::byte*>(member->row(row)), laneCount * sizeof(std::uint32_t), bytes);
            }
        }
    }
}

void WgmmaOp::loadA(std::vector<float>& a) const
{
    const std::uint32_t k = depth();
    const bool negate = (in->mode & wgmma_mode::negateA) != 0;
    a.assign(std::size_t{64} * k, 0);
    if (fromRegisters()) {
        const std::uint32_t per = 32U / static_cast<std::uint32_t>(bitsOf(typeA()));
        for (std::uint32_t w = 0; w < 4; ++w) {
            for (std::uint32_t r = 0; r < in->extra->rowsA.size(); ++r) {
                const auto* from = members[w]->row(in->extra->rowsA[r]);
                for (std::uint32_t l = 0; l < laneCount; ++l) {
                    const std::uint32_t row = 16 * w + l / 4 + 8 * (r & 1U);
                    for (std::uint32_t j = 0; j < per; ++j) {
                        const std::uint32_t column = (l & 3U) * per + j + (r >> 1U) * 4 * per;
                        a[row * k + column] = elementOf(from[l], j, typeA());
                    }
                }
            }
        }
    } else {
        auto& s = scratch();
        const bool mn = (in->mode & wgmma_mode::mnMajorA) != 0;
        const auto bits = static_cast<std::uint32_t>(bitsOf(typeA()));
        pieces(MatrixDescriptor(descA), mn, 64, bits, s.places);
        unpackPieces(cta->shared, s.places, typeA(), mn, 64, k, a.data());
    }
    if (negate) {
        for (auto& x : a) {
            x = -x;
        }
    }
}

void WgmmaOp::multiplyReals()
{
    auto& s = scratch();
    const auto& kernels = matrixKernels();
    const std::uint32_t n = columns();
    const std::uint32_t k = depth();
    loadA(s.a);
    s.expanded.resize(std::size_t{k} * 256);
    kernels.expandA(s.a.data(), k, s.expanded.data());

    const bool mn = (in->mode & wgmma_mode::mnMajorB) != 0;
    const float sign = (in->mode & wgmma_mode::negateB) != 0 ? -1.0F : 1.0F;
    pieces(MatrixDescriptor(descB), mn, n, static_cast<std::uint32_t>(bitsOf(typeB())), s.places);
    s.packed.resize(std::size_t{k} * n);
    if (isSmallFloat(typeB())) {
        s.pointers.resize(s.places.size());
        for (std::size_t i = 0; i < s.places.size(); ++i) {
            s.pointers[i] = cta->shared.at(s.places[i]);
        }
        kernels.packB(s.pointers.data(), mn,
            typeB() == ValueType::Bf16 ? SmallFormat::Brain : SmallFormat::Half, n, k, sign, s.packed.data());
    } else {
        s.b.resize(std::size_t{n} * k);
        unpackPieces(cta->shared, s.places, typeB(), mn, n, k, s.b.data());
        for (auto& x : s.b) {
            x *= sign;
        }
        kernels.packFloatB(s.b.data(), n, k, s.packed.data());
    }

    // f16 accumulators hold pairs: they are widened, and rounded once at the end.
    const bool halfD = typeD() == ValueType::F16;
    const std::uint32_t registers = n / 2;
    s.accumulators.resize(std::size_t{4} * registers);
    if (halfD) {
        s.wide.assign(std::size_t{4} * registers * laneCount, 0);
    }
    for (std::uint32_t w = 0; w < 4; ++w) {
        for (std::uint32_t i = 0; i < registers; ++i) {
            float*& at = s.accumulators[w * registers + i];
            if (halfD) {
                at = s.wide.data() + (std::size_t{w} * registers + i) * laneCount;
                const auto* pair = members[w]->row(in->extra->rows[i / 2]);
                for (std::uint32_t l = 0; accumulate && l < laneCount; ++l) {
                    at[l] = elementOf(pair[l], i & 1U, ValueType::F16);
                }
            } else {
                at = reinterpret_cast<float*>(members[w]->row(in->extra->rows[i]));
                if (!accumulate) {
                    std::memset(at, 0, laneCount * sizeof(float));
                }
            }
        }
    }
    kernels.warpgroup(s.accumulators.data(), s.expanded.data(), s.packed.data(), n, k);
    for (std::uint32_t w = 0; halfD && w < 4; ++w) {
        for (std::uint32_t i = 0; i < registers; i += 2) {
            storeHalves(s.accumulators[w * registers + i], s.accumulators[w * registers + i + 1],
                members[w]->row(in->extra->rows[i / 2]));
        }
    }
}

void WgmmaOp::multiplyIntegers()
{
    auto& s = scratch();
    const std::uint32_t n = columns();
    const std::uint32_t k = depth();
    loadA(s.a);
    pieces(MatrixDescriptor(descB), false, n, static_cast<std::uint32_t>(bitsOf(typeB())), s.places);
    s.b.resize(std::size_t{n} * k);
    unpackPieces(cta->shared, s.places, typeB(), false, n, k, s.b.data());
    for (std::uint32_t w = 0; w < 4; ++w) {
        for (std::uint32_t i = 0; i < n / 2; ++i) {
            auto* d = members[w]->row(in->extra->rows[i]);
            for (std::uint32_t l = 0; l < laneCount; ++l) {
                const std::uint32_t row = 16 * w + l / 4 + 8 * (i >> 1U & 1U);
                const std::uint32_t column = 2 * (l & 3U) + (i & 1U) + 8 * (i >> 2U);
                std::int64_t sum = accumulate ? static_cast<std::int32_t>(d[l]) : 0;
                for (std::uint32_t kk = 0; kk < k; ++kk) {
                    sum += static_cast<std::int64_t>(s.a[row * k + kk])
                        * static_cast<std::int64_t>(s.b[column * k + kk]);
                }
                if ((in->mode & wgmma_mode::saturates) != 0) {
                    sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
                }
                d[l] = static_cast<std::uint32_t>(sum);
            }
        }
    }
}

} // namespace ptxwb::emulator
