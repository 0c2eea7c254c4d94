// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/debug_table_model.h"

#include <QFont>

namespace ptxwb {

DebugTableModel::DebugTableModel(const QStringList& headers, QObject* parent)
    : QAbstractTableModel(parent)
    , m_headers(headers)
{
}

void DebugTableModel::setRows(std::vector<DebugRow> rows)
{
    if (rows.size() == m_rows.size()) {
        m_rows = std::move(rows);
        if (!m_rows.empty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        }
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void DebugTableModel::setHeaders(const QStringList& headers)
{
    if (headers != m_headers) {
        beginResetModel();
        m_headers = headers;
        m_rows.clear();
        endResetModel();
    }
}

int DebugTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DebugTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant DebugTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const DebugRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.cells.value(index.column());
    case Qt::ToolTipRole:
        return row.toolTip;
    case LineRole:
        return row.line;
    case ItemRole:
        return row.item;
    case Qt::FontRole:
        if (row.strong) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    default:
        return {};
    }
}

QVariant DebugTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return orientation == Qt::Horizontal && role == Qt::DisplayRole ? QVariant(m_headers.value(section))
                                                                    : QVariant();
}

} // namespace ptxwb
