// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/scoreboards.h"
#include "widgets/sass/sass_colours.h"

#include <QAbstractTableModel>
#include <QFont>

namespace ptxwb {

/// The rows of one kernel of a listing.
class SassModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        AddressColumn,
        PredicateColumn,
        OpcodeColumn, ///< indented by loop depth
        OperandsColumn,
        WaitColumn, ///< scoreboards that the row waits for
        SetColumn, ///< scoreboards that it sets: W on write, R on read
        StallColumn, ///< cycles, and Y where the scheduler may switch warps
        LiveColumn, ///< live registers, where they were read
        FamiliesColumn,
        PtxLineColumn,
        SourceColumn,
        ColumnCount
    };
    enum Role {
        FamiliesRole = Qt::UserRole, ///< FamilySet as uint
        PtxLineRole,
        SourceLineRole,
        LoopDepthRole,
        TargetRowRole, ///< row of a direct branch's target, -1 none
        RawRole, ///< the row's text as the tool wrote it
    };

    explicit SassModel(QObject* parent = nullptr);

    /// `kernel` indexes the listing's kernels; -1 shows nothing.
    void setKernel(const SassListing& listing, int kernel);
    void setColours(const SassColours& colours);
    void setMonospace(const QFont& font);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    FamilyCounts familyCounts() const { return m_counts; }
    FamilySet families(int row) const { return m_families[static_cast<std::size_t>(row)]; }
    const ControlFlow& flow() const { return m_flow; }
    bool hasControlCodes() const;
    /// Where the row comes from in the file that holds the kernel: of code inlined from another one, such as
    /// a header, the place that it was inlined at. Line 0 where it is not known.
    SourceFrame ownPlace(const SassInstruction& row) const;
    const SassInstruction* instruction(int row) const;
    /// The same listing with its live registers read.
    void setLiveRegisters(const SassListing& listing);
    bool hasLiveRegisters() const { return m_mostLive > 0; }
    int mostLiveRegisters() const { return m_mostLive; } ///< 0: not read
    const std::vector<ScoreboardWait>& waitsOf(int row) const
    {
        return m_waits[static_cast<std::size_t>(row)];
    }

    /// Marks the rows of a PTX line; 0 marks none. Returns the first marked row, -1 if none.
    int markPtxLine(int line);
    /// Marks the rows of a source line, also those that were inlined from elsewhere at that line. `file` is
    /// compared by its last part; empty takes the file of the kernel's first row.
    int markSourceLine(int line, const QString& file);

    QString rowText(int row) const; ///< address and instruction, for the clipboard

private:
    QVariant display(const SassInstruction& row, int index, int column) const;
    QString toolTip(const SassInstruction& row, int index, int column) const;
    QString waitToolTip(const SassInstruction& row, int index) const;
    template <class Belongs> int mark(const Belongs& belongs);
    QString fileName(int file) const;
    static QString inferredText();
    QStringList framesOf(const SassInstruction& row) const;

    SassListing m_listing;
    int m_kernel = -1;
    int m_mostLive = 0;
    ControlFlow m_flow;
    std::vector<std::vector<ScoreboardWait>> m_waits; ///< per row
    FamilyCounts m_counts;
    std::vector<FamilySet> m_families;
    std::vector<QString> m_labels; ///< per row, mostly empty
    std::vector<char> m_marked;
    SassColours m_colours;
    QFont m_font;
    QFont m_boldFont;
};

/// Name of a family as the user reads it: "wgmma", "TMA", "mbarrier" ...
QString familyTitle(SassFamily family);

} // namespace ptxwb
