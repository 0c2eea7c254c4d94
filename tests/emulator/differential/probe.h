// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Kernels of one CTA or cluster whose output on a GPU is recorded and compared with the emulator's. As
/// forms.h, the standard library alone.
namespace ptxwb::differential {

/// A tensor map over the input (dimension 0 innermost), passed as third parameter.
struct ProbeMap {
    char type = 'h'; ///< b = u8, h = f16, B = bf16, w = u32, f = f32
    std::vector<std::uint64_t> dims{};
    std::vector<std::uint64_t> stridesBytes{}; ///< of dimensions 1..
    std::vector<std::uint32_t> box{};
    std::vector<std::uint32_t> elementStrides{};
    std::uint32_t span = 0; ///< of the swizzle in bytes
    bool nanFill = false;
    bool ofOutput = false; ///< over the output
};

/// `k(const void* in, void* out[, tensor map])`, one CTA or one cluster.
struct Probe {
    std::string name{};
    std::string text{}; ///< a whole module
    std::uint32_t threads = 32;
    std::uint32_t ctas = 1; ///< of one cluster
    std::uint32_t sharedBytes = 0; ///< dynamic
    std::vector<std::uint8_t> input{};
    std::vector<std::uint8_t> output{}; ///< before the run
    std::vector<ProbeMap> maps{}; ///< one at most
};

std::vector<Probe> mmaProbes(); ///< mma.sync, ldmatrix, stmatrix, movmatrix
std::vector<Probe> wgmmaProbes();
std::vector<Probe> copyProbes(); ///< tensor maps, bulk copies and reductions
std::vector<Probe> programProbes(); ///< random programs, atomics
std::vector<Probe> clusterProbes(); ///< shared memory of other CTAs, multicast
std::vector<Probe> pairProbes(); ///< two results, pairs of halves, 128 bits
std::vector<Probe> mapProbes(); ///< tensor maps that the kernel changes
inline std::vector<Probe> allProbes()
{
    std::vector<Probe> all;
    for (const auto& part : {mmaProbes(), wgmmaProbes(), copyProbes(), programProbes(), clusterProbes(),
             pairProbes(), mapProbes()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// What the environment adds to every seed (PTXWB_DIFFERENTIAL_SEED), so that the same forms and probes run
/// on other values and the random programs are others; empty for the recording of the tree.
std::string seedOfEnvironment();

/// A stream of 64-bit values from a seed and that of the environment.
class Values {
public:
    explicit Values(const std::string& seed); ///< of a name
    std::uint64_t next();

private:
    std::uint64_t m_state = 0;
};

/// Which numbers an operand holds.
enum class Range : std::uint8_t {
    Small, ///< whole, -4 to 4: sums are exact
    Near, ///< 1/8 to 8 with all fractions
    Wide, ///< any exponent that the sums can take, subnormals and zeros too
    Special, ///< Near, with infinities and NaN between
    Zero,
    NegativeZero,
};

/// Element bits of a matrix type ("f16", "bf16", "tf32", "e4m3", "e5m2", "f32", "f64", else any bits).
std::uint64_t elementBits(const std::string& type, Range range, Values& values);
std::uint32_t elementWidth(const std::string& type); ///< bits in memory
/// `count` 32-bit words full of elements.
std::vector<std::uint32_t> wordsOf(const std::string& type, Range range, std::size_t count, Values& values);
void appendWords(std::vector<std::uint8_t>& bytes, const std::vector<std::uint32_t>& words);
std::string registerVector(const std::string& prefix, std::size_t count); ///< "{%a0, %a1}"
std::uint64_t hashOf(const std::uint8_t* bytes, std::size_t count); ///< FNV-1a

} // namespace ptxwb::differential
