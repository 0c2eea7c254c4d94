// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/sass/sass_colours.h"

#include <QWidget>

#include <map>

class QToolButton;

namespace ptxwb {

/// One toggle per instruction family that a kernel has, with its number of sites. They wrap like words.
class FamilyChips : public QWidget {
    Q_OBJECT
public:
    explicit FamilyChips(QWidget* parent = nullptr);

    /// Keeps the chosen families that are still there.
    void setCounts(const FamilyCounts& counts);
    void setColours(const SassColours& colours);
    FamilySet chosen() const;
    void setChosen(FamilySet families);

signals:
    void chosenChanged(ptxwb::FamilySet families);

private:
    void announce();
    void paintChips();

    std::map<SassFamily, QToolButton*> m_chips;
    SassColours m_colours;
    bool m_quiet = false;
};

} // namespace ptxwb
