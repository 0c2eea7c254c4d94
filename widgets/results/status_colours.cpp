// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/status_colours.h"

#include <QString>

namespace ptxwb {

const QColor& StatusColours::ink(Tone tone) const
{
    switch (tone) {
    case Tone::Good:
        return goodInk;
    case Tone::Bad:
        return badInk;
    case Tone::Caution:
        return cautionInk;
    case Tone::Neutral:
        return neutralInk;
    }
    return neutralInk;
}

const QColor& StatusColours::fill(Tone tone) const
{
    switch (tone) {
    case Tone::Good:
        return goodFill;
    case Tone::Bad:
        return badFill;
    case Tone::Caution:
        return cautionFill;
    case Tone::Neutral:
        return neutralFill;
    }
    return neutralFill;
}

QString glyphOf(Tone tone)
{
    switch (tone) {
    case Tone::Good:
        return QStringLiteral("✓");
    case Tone::Bad:
        return QStringLiteral("✗");
    case Tone::Caution:
        return QStringLiteral("?");
    case Tone::Neutral:
        return QStringLiteral("–");
    }
    return {};
}

} // namespace ptxwb
