// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"
#include "core/toolchain/diagnostic.h"
#include "widgets/sass/sass_colours.h"

#include <QFont>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QModelIndex;
class QPushButton;

namespace ptxwb {

class FamilyChips;
class ListingTable;
class LoopLabel;
class PlaceholderPane;
class RowReading;
class SassFilterModel;
class SassFindBar;
class SassModel;

/// The machine code of one kernel at a time, linked with the editor by PTX or source line.
class SassView : public QWidget {
    Q_OBJECT
public:
    explicit SassView(QWidget* parent = nullptr);

    /// Shows a listing; keeps the kernel of the same name, the filter and the scroll position where it can.
    void setListing(const SassListing& listing, const std::vector<KernelResources>& resources = {});
    /// The shown listing with its live registers, which are read later; ignored for any other listing.
    void setLiveRegisters(const SassListing& listing);
    /// Why there are none, for the footer; empty: nothing to say.
    void setLiveRegistersProblem(const QString& problem);
    /// Shows why there is no listing and what to do; an empty text shows the listing again.
    void setEmptyReason(const QString& reason);
    /// Of the instructions; until it is set, the system's fixed font.
    void setCodeFont(const QFont& font);
    /// A line above the listing, e.g. that it is of an earlier text; empty hides it.
    void setNotice(const QString& notice);
    /// What made the listing, for the footer, e.g. "nvdisasm 13.2.86" and its path.
    void setTool(const QString& nameAndVersion, const QString& path = {});

    void setCurrentKernel(const QString& name);
    QString currentKernel() const;
    int hiddenRows() const;
    SassModel* model() const { return m_model; }

    /// Marks the rows of an editor line and scrolls to the first; 0 marks none. Emits nothing.
    void highlightPtxLine(int line);
    void highlightSourceLine(int line, const QString& file = {});

    void openFind();

signals:
    /// The user went to a row of this PTX line.
    void ptxLineActivated(int line);
    /// The user went to a row of this source line.
    void sourceLineActivated(int line, const QString& file);
    void currentKernelChanged(const QString& name);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeContent();
    void makeActions();
    void showKernel(int index);
    void showFooter();
    void activate(const QModelIndex& index);
    void scrollTo(int sourceRow);
    void followBranch();
    void goToSetter();
    void goToRow(int row);
    void copySelection() const;
    void applyPalette();
    void sizeColumns();
    void fitOpcodes();
    QString resourceText(const QString& kernel) const;

    SassListing m_listing;
    std::vector<KernelResources> m_resources;
    QString m_tool;
    QString m_toolPath;
    SassModel* m_model;
    SassFilterModel* m_filter;
    PlaceholderPane* m_pane = nullptr;
    int m_opcodeWidth = 0; ///< that shows every opcode measured
    QComboBox* m_kernels = nullptr;
    QLabel* m_resourceLabel = nullptr;
    QLabel* m_notice = nullptr;
    LoopLabel* m_loop = nullptr;
    FamilyChips* m_chips = nullptr;
    QPushButton* m_showAll = nullptr;
    SassFindBar* m_findBar = nullptr;
    ListingTable* m_table = nullptr;
    RowReading* m_reading = nullptr;
    QLabel* m_footer = nullptr;
    QString m_liveProblem;
    bool m_quiet = false; ///< the current row changes by program
    std::optional<QFont> m_codeFont;
};

} // namespace ptxwb
