// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/diff.h"
#include "sass_edits.h"

#include <QString>
#include <QStringList>

namespace ptxwb::testing {

/// A kernel of these rows; "name:" is a label.
inline SassListing kernelOf(const std::vector<std::string>& rows)
{
    std::string text = "\t.target\tsm_90a\n\t.section\t.text.k,\"ax\"\n.text.k:\n";
    int address = 0;
    for (const auto& row : rows) {
        if (row.ends_with(':')) {
            text += row + '\n';
            continue;
        }
        text += QStringLiteral("        /*%1*/  ").arg(address, 4, 16, QLatin1Char('0')).toStdString() + row
            + " ;\n";
        address += 16;
    }
    return parsed(text);
}

inline std::vector<std::string> lines(const char* text)
{
    std::vector<std::string> all;
    for (const auto& row : QString::fromUtf8(text).split(QLatin1Char('\n'))) {
        if (!row.trimmed().isEmpty()) {
            all.push_back(row.trimmed().toStdString());
        }
    }
    return all;
}

inline SassDiff diffOf(const char* a, const char* b)
{
    return diffListings(kernelOf(lines(a)), kernelOf(lines(b)));
}

/// What the two sides are, in both directions.
inline QString verdictOf(const char* a, const char* b)
{
    const auto word = [](const SassDiff& diff) {
        return diff.identical && !diff.scheduleOnly ? QStringLiteral("identical")
            : diff.scheduleOnly                     ? QStringLiteral("scheduling")
                                                    : QStringLiteral("different");
    };
    const auto there = word(diffOf(a, b));
    const auto back = word(diffOf(b, a));
    return there == back ? there : there + QStringLiteral(", the other way round ") + back;
}

} // namespace ptxwb::testing
