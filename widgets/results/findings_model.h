// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/report.h"
#include "widgets/editor/theme_colours.h"

#include <QAbstractTableModel>

#include <vector>

namespace ptxwb {

/// What the emulator found in a run: rule, lines, what happened, how to mend it.
class FindingsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { RuleColumn, LinesColumn, MessageColumn, FixColumn, ColumnCount };
    enum Role { LineRole = Qt::UserRole }; ///< the line that met it first, 0 for none

    using QAbstractTableModel::QAbstractTableModel;

    void setReports(const std::vector<emulator::Report>& reports);
    /// Null for a row that there is not.
    const emulator::Report* report(int row) const;
    void setColours(const StatusColours& colours);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const emulator::Report& report, int column) const;
    QString details(const emulator::Report& report) const;

    std::vector<emulator::Report> m_rows;
    StatusColours m_colours;
};

} // namespace ptxwb
