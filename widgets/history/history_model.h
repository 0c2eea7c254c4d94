// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/history.h"
#include "widgets/editor/theme_colours.h"

#include <QAbstractTableModel>

#include <vector>

namespace ptxwb {

/// Evaluations that were kept, a row each, in the order given.
class HistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        MadeColumn, ///< local time
        CandidateColumn,
        TaskColumn,
        WorkloadColumn,
        VerdictColumn,
        SpeedupColumn,
        MedianColumn, ///< cold, microseconds
        WhereColumn, ///< device, or the emulator
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setEntries(std::vector<records::HistoryEntry> entries);
    const std::vector<records::HistoryEntry>& entries() const { return m_entries; }
    void setColours(const StatusColours& colours);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const records::HistoryEntry& entry, int column) const;
    QVariant sortKey(const records::HistoryEntry& entry, int column) const;

    std::vector<records::HistoryEntry> m_entries;
    StatusColours m_colours;
};

} // namespace ptxwb
