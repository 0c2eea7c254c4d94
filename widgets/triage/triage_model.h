// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/triage_row.h"
#include "widgets/editor/theme_colours.h"

#include <QAbstractTableModel>

#include <vector>

namespace ptxwb {

/// Answers that were looked through, a row each.
class TriageModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        AnswerColumn,
        ResultColumn,
        CauseColumn,
        LineColumn, ///< of the answer where there is one, else of the code
        MessageColumn,
        AskedColumn, ///< instruction families in the text
        PresentColumn, ///< in the SASS, as the paper counts
        SaidColumn, ///< by the file itself
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole,
        BucketRole, ///< of countBuckets()
        LacksRole, ///< whether it compiles without the instructions that its text asks for
    };
    /// Buckets beside the classes of causes, whose bucket is their number.
    enum Bucket { AllBucket = -1, CompilesBucket = -2, LacksBucket = -3 };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<records::TriageRow> rows);
    void addRow(const records::TriageRow& row);
    const std::vector<records::TriageRow>& rows() const { return m_rows; }
    void setColours(const StatusColours& colours);

    struct Count {
        int bucket = AllBucket;
        int answers = 0;
    };
    /// All, those that compile, those of them that lack what they ask for, then causes, most frequent first.
    std::vector<Count> counts() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const records::TriageRow& row, int column) const;
    QVariant sortKey(const records::TriageRow& row, int column) const;
    QString toolTip(const records::TriageRow& row) const;

    std::vector<records::TriageRow> m_rows;
    StatusColours m_colours;
};

} // namespace ptxwb
