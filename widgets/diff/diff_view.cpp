// SPDX-License-Identifier: Apache-2.0
#include "widgets/diff/diff_view.h"

#include "core/sass/diff_text.h"
#include "core/support/kernel_name.h"
#include "widgets/diff/sass_diff_model.h"
#include "widgets/editor/placeholder_pane.h"
#include "widgets/sass/listing_table.h"
#include "widgets/sass/sass_colours.h"
#include "widgets/sass/sass_model.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb {

namespace {

QString kernelTitle(const std::string& name)
{
    const auto written = demangled(name);
    return QString::fromStdString(written.empty() ? name : written);
}

} // namespace

DiffView::DiffView(QWidget* parent)
    : QWidget(parent)
    , m_model(new SassDiffModel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_pane = new PlaceholderPane(makeContent(), this);
    layout->addWidget(m_pane);
    setFocusProxy(m_pane);
    makeActions();
    applyPalette();
    setEmptyReason(
        tr("Nothing compared yet. Compile, then compare the buffer with the last build or with a file."));
}

QWidget* DiffView::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(4, 4, 4, 2);
    layout->setSpacing(4);

    m_summary = new QLabel(content);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_summary->setAccessibleName(tr("Summary of the differences"));
    auto bold = m_summary->font();
    bold.setBold(true);
    m_summary->setFont(bold);
    layout->addWidget(m_summary);

    auto* head = new QHBoxLayout;
    m_kernels = new QComboBox(content);
    m_kernels->setAccessibleName(tr("Kernel"));
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernels->setMinimumContentsLength(16);
    m_hideEqual = new QCheckBox(tr("&Hide equal rows"), content);
    m_showSchedule = new QCheckBox(tr("&Scheduling"), content);
    m_showSchedule->setToolTip(
        tr("Also show rows that differ only in stall cycles, waits, scoreboards or reuse"));
    m_position = new QLabel(content);
    auto* previous = new QToolButton(content);
    previous->setText(QStringLiteral("▲"));
    previous->setToolTip(tr("Previous change (Shift+F7)"));
    previous->setAccessibleName(tr("Previous change"));
    auto* next = new QToolButton(content);
    next->setText(QStringLiteral("▼"));
    next->setToolTip(tr("Next change (F7)"));
    next->setAccessibleName(tr("Next change"));
    head->addWidget(m_kernels, 1);
    head->addWidget(m_hideEqual);
    head->addWidget(m_showSchedule);
    head->addWidget(m_position);
    head->addWidget(previous);
    head->addWidget(next);
    layout->addLayout(head);

    m_table = new ListingTable(m_model, tr("Differences"), content);
    layout->addWidget(m_table, 1);
    content->setFocusProxy(m_table);

    m_footer = new QLabel(content);
    m_footer->setWordWrap(true); // else the longest list of families would be the least width of the window
    m_footer->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_footer);

    connect(m_kernels, &QComboBox::currentIndexChanged, this, &DiffView::showKernel);
    connect(m_hideEqual, &QCheckBox::toggled, this, [this](bool on) {
        m_model->setHideEqual(on);
        showPosition();
    });
    connect(m_showSchedule, &QCheckBox::toggled, this, [this](bool on) {
        m_model->setShowSchedule(on);
        sizeColumns();
        showPosition();
    });
    connect(previous, &QToolButton::clicked, this, &DiffView::previousChange);
    connect(next, &QToolButton::clicked, this, &DiffView::nextChange);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DiffView::showPosition);
    return content;
}

void DiffView::makeActions()
{
    const auto add = [this](
                         const QString& title, const QKeySequence& keys, const std::function<void()>& work) {
        m_table->addPaneAction(this, title, keys, work);
    };
    add(tr("Next Change"), QKeySequence(Qt::Key_F7), [this] { nextChange(); });
    add(tr("Previous Change"), QKeySequence(Qt::SHIFT | Qt::Key_F7), [this] { previousChange(); });
    add(tr("Copy as Markdown"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] { copyMarkdown(); });
}

void DiffView::setDiff(const SassDiff& diff, const SassListing& a, const SassListing& b,
    const QString& titleA, const QString& titleB, const QString& summary)
{
    m_diff = diff;
    if (!summary.isEmpty()) {
        m_diff.summary = summary.toStdString();
    }
    m_a = a;
    m_b = b;
    m_titles = {titleA.toStdString(), titleB.toStdString()};
    const auto kept = m_kernels->currentData().toString();
    m_model->setDiff(m_diff, a, b);
    m_model->setTitles(titleA, titleB);
    m_summary->setText(QString::fromStdString(m_diff.summary));
    QStringList beside; // the sentence names the first ones only
    for (const auto& fact : m_diff.facts) {
        beside << QString::fromStdString(factText(fact));
    }
    m_summary->setToolTip(beside.join(QLatin1Char('\n')));
    int wanted = -1;
    {
        const QSignalBlocker blocker(m_kernels);
        m_kernels->clear();
        for (const auto& kernel : m_diff.kernels) {
            auto name = QString::fromStdString(kernel.name);
            auto title = kernelTitle(kernel.name);
            if (isRenamed(kernel)) {
                title += QStringLiteral(" → ") + kernelTitle(kernel.nameInB);
            }
            if (kernel.onlyInA || kernel.onlyInB) {
                title = tr("%1 (only in %2)").arg(title, kernel.onlyInA ? titleA : titleB);
            }
            const bool differs = kernel.changed + kernel.added + kernel.removed + kernel.moved > 0
                || std::any_of(m_diff.facts.begin(), m_diff.facts.end(),
                    [&kernel](const FactDifference& fact) { return fact.kernel == kernel.name; });
            if (wanted < 0 && name == kept) {
                wanted = m_kernels->count();
            }
            m_kernels->addItem(differs ? QStringLiteral("≠ ") + title : title, name);
            m_kernels->setItemData(m_kernels->count() - 1, name, Qt::ToolTipRole);
        }
        m_kernels->setCurrentIndex(m_diff.kernels.empty() ? -1 : qMax(0, wanted));
    }
    showKernel(m_kernels->currentIndex());
    setEmptyReason(m_diff.kernels.empty() ? tr("Neither side holds a kernel.") : QString());
}

void DiffView::setEmptyReason(const QString& reason)
{
    m_pane->setPlaceholder(reason);
}

void DiffView::setHideEqual(bool hide)
{
    m_hideEqual->setChecked(hide);
}

void DiffView::setCurrentKernel(const QString& name)
{
    if (const int at = m_kernels->findData(name); at >= 0) {
        m_kernels->setCurrentIndex(at);
    }
}

int DiffView::changeCount() const
{
    return m_model->changeCount();
}

QString DiffView::markdown() const
{
    return QString::fromStdString(diffMarkdown(m_diff, m_a, m_b, m_titles));
}

void DiffView::copyMarkdown() const
{
    QGuiApplication::clipboard()->setText(markdown());
}

void DiffView::nextChange()
{
    goToChange(true);
}

void DiffView::previousChange()
{
    goToChange(false);
}

void DiffView::goToChange(bool forward)
{
    const auto current = m_table->currentIndex();
    const int from = current.isValid() ? current.row() : forward ? -1 : m_model->rowCount();
    int row = m_model->nextChange(from, forward);
    if (row < 0) { // wrap around
        row = m_model->nextChange(forward ? -1 : m_model->rowCount(), forward);
    }
    if (row >= 0) {
        m_table->goTo(m_model->index(row, SassDiffModel::KindColumn));
    }
}

void DiffView::showKernel(int index)
{
    m_model->setKernel(index);
    sizeColumns();
    showPosition();
    if (index < 0) {
        m_footer->clear();
        return;
    }
    const auto& kernel = m_diff.kernels[static_cast<std::size_t>(index)];
    QStringList parts{tr("equal %L1").arg(kernel.equal)};
    const auto add = [&parts](const QString& title, int count) {
        if (count > 0) {
            parts << QStringLiteral("%1 %L2").arg(title).arg(count);
        }
    };
    add(diffKindTitle(DiffKind::Changed), kernel.changed);
    add(diffKindTitle(DiffKind::Added), kernel.added);
    add(diffKindTitle(DiffKind::Removed), kernel.removed);
    add(diffKindTitle(DiffKind::Moved), kernel.moved);
    add(diffKindTitle(DiffKind::Schedule), kernel.schedule);
    for (const auto& [family, delta] : kernel.familyDeltas) {
        parts << QStringLiteral("%1 %2%3")
                     .arg(familyTitle(family), delta > 0 ? QStringLiteral("+") : QStringLiteral("−"))
                     .arg(qAbs(delta));
    }
    m_footer->setText(parts.join(QStringLiteral(" · ")));
}

void DiffView::showPosition()
{
    const int change = m_table->currentIndex().data(SassDiffModel::ChangeRole).isValid()
        ? m_table->currentIndex().data(SassDiffModel::ChangeRole).toInt()
        : -1;
    const int count = changeCount();
    m_position->setText(count == 0 ? tr("no changes")
            : change < 0           ? tr("changes: %L1").arg(count)
                                   : tr("change %L1 of %L2").arg(change + 1).arg(count));
}

void DiffView::setCodeFont(const QFont& font)
{
    m_codeFont = font;
    applyPalette();
}

void DiffView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyPalette();
    }
}

void DiffView::applyPalette()
{
    m_model->setColours(sassColours(palette()));
    const QFont mono = m_codeFont.value_or(ListingTable::monospace(font()));
    m_model->setMonospace(mono);
    m_table->setRowFont(mono);
    sizeColumns();
}

void DiffView::sizeColumns()
{
    auto* header = m_table->horizontalHeader();
    for (const int column : {SassDiffModel::AddressAColumn, SassDiffModel::AddressBColumn}) {
        header->setSectionResizeMode(column, QHeaderView::Interactive);
        m_table->resizeColumnToContents(column);
    }
    header->setSectionResizeMode(SassDiffModel::KindColumn, QHeaderView::Interactive);
    const QFontMetrics metrics(m_table->font());
    header->resizeSection(
        SassDiffModel::KindColumn, metrics.averageCharWidth() * (m_showSchedule->isChecked() ? 24 : 18));
    header->setSectionResizeMode(SassDiffModel::CodeAColumn, QHeaderView::Stretch);
    header->setSectionResizeMode(SassDiffModel::CodeBColumn, QHeaderView::Stretch);
}

} // namespace ptxwb
