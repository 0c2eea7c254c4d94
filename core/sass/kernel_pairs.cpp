// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_diff.h"
#include "core/support/kernel_name.h"

#include <functional>
#include <unordered_map>

namespace ptxwb {

namespace {

constexpr int none = -1;

class KernelPairs {
public:
    KernelPairs(const SassListing& a, const SassListing& b)
        : m_a(a)
        , m_b(b)
        , m_ofA(a.kernels.size(), none)
        , m_takenInB(b.kernels.size(), 0)
    {
    }

    /// Kernels that are left, with the same key on both sides; those that repeat it in their order. With
    /// `onlyUnique` an empty key is none.
    void pairBy(const std::function<std::string(std::string_view)>& key, bool onlyUnique)
    {
        std::unordered_map<std::string, std::vector<int>> left;
        std::unordered_map<std::string, int> countInA;
        for (auto j = m_b.kernels.size(); j-- > 0;) {
            if (m_takenInB[j] == 0) {
                left[key(m_b.kernels[j].name)].push_back(static_cast<int>(j));
            }
        }
        for (std::size_t i = 0; i < m_ofA.size(); ++i) {
            countInA[m_ofA[i] == none ? key(m_a.kernels[i].name) : std::string()] += 1;
        }
        for (std::size_t i = 0; i < m_ofA.size(); ++i) {
            if (m_ofA[i] != none) {
                continue;
            }
            const auto word = key(m_a.kernels[i].name);
            const auto at = left.find(word);
            if ((onlyUnique && word.empty()) || at == left.end() || at->second.empty()
                || (onlyUnique && (at->second.size() > 1 || countInA[word] > 1))) {
                continue;
            }
            m_ofA[i] = at->second.back();
            m_takenInB[static_cast<std::size_t>(m_ofA[i])] = 1;
            at->second.pop_back();
        }
    }

    std::vector<std::pair<int, int>> pairs() const
    {
        std::vector<std::pair<int, int>> pairs;
        for (std::size_t i = 0; i < m_ofA.size(); ++i) {
            pairs.emplace_back(static_cast<int>(i), m_ofA[i]);
        }
        for (std::size_t j = 0; j < m_takenInB.size(); ++j) {
            if (m_takenInB[j] == 0) {
                pairs.emplace_back(none, static_cast<int>(j));
            }
        }
        return pairs;
    }

private:
    const SassListing& m_a;
    const SassListing& m_b;
    std::vector<int> m_ofA; ///< the kernel of B, by that of A
    std::vector<char> m_takenInB;
};

} // namespace

std::vector<std::pair<int, int>> pairKernels(const SassListing& a, const SassListing& b)
{
    if (a.kernels.size() == 1 && b.kernels.size() == 1) {
        return {{0, 0}};
    }
    KernelPairs pairs(a, b);
    pairs.pairBy([](std::string_view name) { return std::string(name); }, false);
    pairs.pairBy(withoutBuildHash, true);
    pairs.pairBy(withoutFileOfUnit, true);
    pairs.pairBy(qualifiedName, true);
    return pairs.pairs();
}

} // namespace ptxwb
