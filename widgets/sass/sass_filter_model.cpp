// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/sass_filter_model.h"

#include "widgets/sass/sass_model.h"

namespace ptxwb {

void SassFilterModel::setFamilies(FamilySet families)
{
    if (families != m_families) {
        m_families = families;
        invalidateFilter();
    }
}

int SassFilterModel::hiddenRows() const
{
    return sourceModel() == nullptr ? 0 : sourceModel()->rowCount() - rowCount();
}

bool SassFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (m_families == 0) {
        return true;
    }
    return (sourceModel()->index(row, 0, parent).data(SassModel::FamiliesRole).toUInt() & m_families) != 0;
}

} // namespace ptxwb
