// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>

#include <string>

namespace ptxwb {

/// Translates the closed set of sentences in which core writes its ledger: claims, values, ways of measuring,
/// reasons, verdict explanations. Numbers and names in them stay; what is not of the set (words of a tool)
/// comes back as it is.
class LedgerWords {
    Q_DECLARE_TR_FUNCTIONS(LedgerWords)
public:
    static QString translated(const std::string& text);
    /// The sentence is one of the set.
    static bool knows(const std::string& text);
};

} // namespace ptxwb
