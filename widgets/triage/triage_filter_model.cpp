// SPDX-License-Identifier: Apache-2.0
#include "widgets/triage/triage_filter_model.h"

#include <algorithm>

namespace ptxwb {

TriageFilterModel::TriageFilterModel(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(TriageModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSortLocaleAware(true);
}

void TriageFilterModel::setBucket(int bucket)
{
    m_bucket = bucket;
    invalidateFilter();
}

void TriageFilterModel::setWords(const QString& words)
{
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool TriageFilterModel::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const
{
    const QModelIndex row = sourceModel()->index(sourceRow, 0, sourceParent);
    if (m_bucket == TriageModel::LacksBucket) {
        if (!row.data(TriageModel::LacksRole).toBool()) {
            return false;
        }
    } else if (m_bucket != TriageModel::AllBucket && row.data(TriageModel::BucketRole).toInt() != m_bucket) {
        return false;
    }
    if (m_words.isEmpty()) {
        return true;
    }
    QString text;
    for (int column = 0; column < TriageModel::ColumnCount; ++column) {
        text += row.siblingAtColumn(column).data().toString() + QLatin1Char('\n');
    }
    return std::all_of(m_words.begin(), m_words.end(),
        [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace ptxwb
