// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace ptxwb {

/// A row of a table of the debugger.
struct DebugRow {
    QStringList cells{};
    bool strong = false; ///< current, or changed since the last stop
    QString toolTip{};
    int line = 0; ///< of the source, 0 none
    int item = -1; ///< which of the snapshot's items it shows
};

/// A table that is replaced whole at every stop; where it keeps its number of rows, selection and scroll
/// position stay.
class DebugTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { LineRole = Qt::UserRole, ItemRole };

    DebugTableModel(const QStringList& headers, QObject* parent);

    void setRows(std::vector<DebugRow> rows);
    void setHeaders(const QStringList& headers);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_headers;
    std::vector<DebugRow> m_rows;
};

} // namespace ptxwb
