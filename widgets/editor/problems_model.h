// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"
#include "widgets/editor/theme_colours.h"

#include <QAbstractItemModel>

#include <string>
#include <vector>

namespace ptxwb {

/// One cause, or one message that stands alone, with the messages that follow from it.
struct Problem {
    Diagnostic cause{};
    std::vector<Diagnostic> consequences{};
    std::string usualCause{}; ///< of a performance note
    std::string lookFor{}; ///< of a performance note
    std::string lineBy{}; ///< of a performance note, as in PerformanceNote
    std::string kernel{}; ///< of a performance note
    std::optional<int> registers{}; ///< that the note's kernel uses
    bool isNote = false; ///< a performance note; its consequences are equal notes of other lines
};

/// Diagnostics and performance notes of the last build as a tree: causes in the order in which the tools gave
/// them, beneath each the other messages of its group.
class ProblemsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column {
        SeverityColumn,
        LineColumn,
        ColumnColumn,
        MessageColumn,
        FixColumn,
        ToolColumn,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole, LineRole, ColumnRole };

    using QAbstractItemModel::QAbstractItemModel;

    /// `ownFile`: the name under which the tools know the editor's text; messages on other files get no place
    /// in it. Empty: all are the editor's.
    void setProblems(const std::vector<Diagnostic>& diagnostics, const std::vector<PerformanceNote>& notes,
        const std::string& ownFile = {});
    const std::vector<Problem>& problems() const { return m_problems; }
    /// The cause to which a row belongs; null for an invalid index.
    const Problem* problem(const QModelIndex& index) const;
    /// The message of a row itself; null for an invalid index.
    const Diagnostic* message(const QModelIndex& index) const;
    /// Whether it speaks of the editor's text.
    bool isOwn(const Diagnostic& diagnostic) const;
    /// Causes of that severity.
    int countOf(Severity severity) const;
    /// Causes with at least one fix.
    int fixableCount() const;
    void setColours(const StatusColours& colours);
    /// The row of the first problem behind this place (or before it), by line and column and around the end;
    /// -1 when none has a line.
    int nextRow(int line, int column, bool forward) const;
    /// All rows, one a line, cells divided by tabs; consequences are indented.
    QString asText() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// "Error", "Warning" ... translated.
    static QString severityText(Severity severity);
    /// The message on one line, behind its code.
    QString messageText(const Diagnostic& diagnostic) const;

private:
    QVariant display(const Diagnostic& row, const Problem* cause, int column) const;

    std::vector<Problem> m_problems;
    std::string m_ownFile;
    StatusColours m_colours;
};

} // namespace ptxwb
