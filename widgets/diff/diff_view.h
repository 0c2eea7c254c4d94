// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/diff_text.h"

#include <QFont>
#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;

namespace ptxwb {

class ListingTable;
class PlaceholderPane;
class SassDiffModel;

/// Two listings side by side, with the sentence that sums up how they differ.
class DiffView : public QWidget {
    Q_OBJECT
public:
    explicit DiffView(QWidget* parent = nullptr);

    /// `summary` overrides the sentence of the diff, e.g. one with resources; the titles name both sides with
    /// what made them (file, target, options).
    void setDiff(const SassDiff& diff, const SassListing& a, const SassListing& b, const QString& titleA,
        const QString& titleB, const QString& summary = {});
    /// Shows why there is no diff and what to do; an empty text shows the diff again.
    void setEmptyReason(const QString& reason);
    /// Of the instructions; until it is set, the system's fixed font.
    void setCodeFont(const QFont& font);

    void setHideEqual(bool hide);
    void setCurrentKernel(const QString& name);
    int changeCount() const;
    QString markdown() const;
    SassDiffModel* model() const { return m_model; }

public slots:
    void nextChange();
    void previousChange();
    void copyMarkdown() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeContent();
    void makeActions();
    void showKernel(int index);
    void goToChange(bool forward);
    void showPosition();
    void applyPalette();
    void sizeColumns();

    SassDiff m_diff;
    SassListing m_a;
    SassListing m_b;
    DiffTitles m_titles;
    SassDiffModel* m_model;
    PlaceholderPane* m_pane = nullptr;
    QLabel* m_summary = nullptr;
    QComboBox* m_kernels = nullptr;
    QCheckBox* m_hideEqual = nullptr;
    QCheckBox* m_showSchedule = nullptr;
    QLabel* m_position = nullptr;
    ListingTable* m_table = nullptr;
    QLabel* m_footer = nullptr;
    std::optional<QFont> m_codeFont;
};

} // namespace ptxwb
