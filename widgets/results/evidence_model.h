// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"
#include "widgets/editor/theme_colours.h"

#include <QAbstractTableModel>

#include <vector>

namespace ptxwb {

/// The evidence ledger: one row per claim. What was not measured has no value but a reason.
class EvidenceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { ClaimColumn, StateColumn, ValueColumn, HowColumn, ToolColumn, ReasonColumn, ColumnCount };

    /// The whole row in sentences, one a line.
    static constexpr int wholeRowRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setEvidence(const std::vector<Evidence>& evidence);
    void setColours(const StatusColours& colours);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The whole table with its header.
    QString asTsv() const;
    QString asMarkdown() const;

private:
    QString cell(const Evidence& row, int column) const;

    std::vector<Evidence> m_rows;
    StatusColours m_colours;
};

} // namespace ptxwb
