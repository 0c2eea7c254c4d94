// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/families.h"

#include <QSortFilterProxyModel>

namespace ptxwb {

/// Shows the rows of any of the chosen families; with none chosen, all rows.
class SassFilterModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setFamilies(FamilySet families);
    FamilySet families() const { return m_families; }
    int hiddenRows() const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    FamilySet m_families = 0;
};

} // namespace ptxwb
