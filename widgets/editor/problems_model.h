// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"
#include "widgets/editor/theme_colours.h"

#include <QAbstractTableModel>

#include <vector>

namespace ptxwb {

/// Diagnostics and performance notes of the last build, in the order in which the tools gave them.
class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { SeverityColumn, LineColumn, ColumnColumn, MessageColumn, ToolColumn, ColumnCount };
    enum Role { SortRole = Qt::UserRole, LineRole, ColumnRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setProblems(const std::vector<Diagnostic>& diagnostics, const std::vector<PerformanceNote>& notes);
    int countOf(Severity severity) const;
    void setColours(const StatusColours& colours);
    /// The row of the first problem behind this place (or before it), by line and column and around the end;
    /// -1 when none has a line.
    int nextRow(int line, int column, bool forward) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// "Error", "Warning" ... translated.
    static QString severityText(Severity severity);

private:
    std::vector<Diagnostic> m_rows;
    StatusColours m_colours;
};

} // namespace ptxwb
