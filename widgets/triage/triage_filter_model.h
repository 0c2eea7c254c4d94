// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/triage/triage_model.h"

#include <QSortFilterProxyModel>

namespace ptxwb {

/// Sorts answers, and keeps those of one bucket with some words in them.
class TriageFilterModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit TriageFilterModel(QObject* parent = nullptr);

    void setBucket(int bucket);
    int bucket() const { return m_bucket; }
    /// Every word must stand somewhere in a row.
    void setWords(const QString& words);

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

private:
    int m_bucket = TriageModel::AllBucket;
    QStringList m_words;
};

} // namespace ptxwb
