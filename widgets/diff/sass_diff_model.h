// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/diff_text.h"
#include "widgets/sass/sass_colours.h"

#include <QAbstractTableModel>
#include <QFont>

namespace ptxwb {

/// One kernel of a diff, both sides in one row. With equal rows hidden, a row stands for each stretch left
/// out.
class SassDiffModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { AddressAColumn, CodeAColumn, KindColumn, AddressBColumn, CodeBColumn, ColumnCount };
    enum Role {
        KindRole = Qt::UserRole, ///< DiffKind as int; -1 for a stretch that is left out
        ChangeRole, ///< index of the change that the row belongs to, -1 none
    };

    explicit SassDiffModel(QObject* parent = nullptr);

    void setDiff(const SassDiff& diff, const SassListing& a, const SassListing& b);
    void setKernel(int kernel); ///< index into SassDiff::kernels
    void setHideEqual(bool hide);
    /// Whether rows that differ in control codes alone count as changes.
    void setShowSchedule(bool show);
    void setColours(const SassColours& colours);
    void setMonospace(const QFont& font);
    void setTitles(const QString& a, const QString& b);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    int changeCount() const { return m_changes; }
    /// The first row of the next change behind `row` (before it when not `forward`), -1 if there is none.
    int nextChange(int row, bool forward) const;

private:
    struct Line {
        int row = -1; ///< of the diff, -1 for rows left out
        int leftOut = 0;
        int change = -1;
    };
    void build();
    bool isChange(DiffKind kind) const;
    const SassInstruction* instruction(const Line& line, bool inB) const;
    QString kindText(const DiffRow& row) const;
    QVariant background(const DiffRow& row, int column) const;

    SassDiff m_diff;
    SassListing m_a;
    SassListing m_b;
    QString m_titleA;
    QString m_titleB;
    int m_kernel = -1;
    bool m_hideEqual = false;
    bool m_showSchedule = false;
    std::vector<Line> m_lines;
    int m_changes = 0;
    SassColours m_colours;
    QFont m_font;
};

/// "changed", "added" ... as the user reads it.
QString diffKindTitle(DiffKind kind);

} // namespace ptxwb
