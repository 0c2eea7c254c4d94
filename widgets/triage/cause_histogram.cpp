// SPDX-License-Identifier: Apache-2.0
#include "widgets/triage/cause_histogram.h"

#include "widgets/triage/triage_words.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <utility>

namespace ptxwb {

namespace {

/// Title and number, and beneath them a bar as long as the share.
class BarDelegate : public QStyledItemDelegate {
public:
    BarDelegate(const StatusColours& colours, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_colours(colours)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, barHeight + 8);
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem styled = option;
        initStyleOption(&styled, index);
        styled.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &styled, painter, option.widget);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        painter->save();
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        const QRect inner = option.rect.adjusted(6, 2, -6, -2);
        const QString number = index.data(CauseHistogram::CountRole).toString();
        const int room = option.fontMetrics.horizontalAdvance(number) + 8;
        painter->drawText(inner.adjusted(0, 0, 0, -barHeight - 2), Qt::AlignRight | Qt::AlignVCenter, number);
        painter->drawText(inner.adjusted(0, 0, -room, -barHeight - 2), Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, inner.width() - room));
        const int bucket = index.data(CauseHistogram::BucketRole).toInt();
        const Tone tone = bucket == TriageModel::CompilesBucket ? Tone::Good
            : bucket == TriageModel::LacksBucket                ? Tone::Caution
            : bucket == TriageModel::AllBucket                  ? Tone::Neutral
                                                                : Tone::Bad;
        const double share = index.data(CauseHistogram::ShareRole).toDouble();
        QRect bar = inner;
        bar.setTop(inner.bottom() - barHeight + 1);
        painter->fillRect(bar, m_colours.fill(Tone::Neutral));
        bar.setWidth(qRound(share * inner.width()));
        painter->fillRect(bar, m_colours.ink(tone));
        painter->restore();
    }

private:
    static constexpr int barHeight = 4;
    const StatusColours& m_colours;
};

QString titleOf(int bucket)
{
    switch (bucket) {
    case TriageModel::AllBucket:
        return CauseHistogram::tr("All answers");
    case TriageModel::CompilesBucket:
        return CauseHistogram::tr("Compiles");
    case TriageModel::LacksBucket:
        return CauseHistogram::tr("… but lacks what its text asks for");
    default:
        return TriageWords::cause(static_cast<records::CauseClass>(bucket));
    }
}

} // namespace

CauseHistogram::CauseHistogram(QWidget* parent)
    : QListWidget(parent)
{
    setItemDelegate(new BarDelegate(m_colours, this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setAccessibleName(tr("Causes"));
    connect(this, &QListWidget::currentRowChanged, this, [this] {
        if (!m_quiet) {
            emit bucketChosen(bucket());
        }
    });
}

int CauseHistogram::bucket() const
{
    return currentItem() == nullptr ? int{TriageModel::AllBucket} : currentItem()->data(BucketRole).toInt();
}

void CauseHistogram::setCounts(const std::vector<TriageModel::Count>& counts)
{
    const int before = bucket();
    m_quiet = true;
    clear();
    const int all = counts.empty() ? 0 : counts.front().answers;
    for (const TriageModel::Count& count : counts) {
        const double share = all > 0 ? count.answers / static_cast<double>(all) : 0.0;
        auto* item = new QListWidgetItem(titleOf(count.bucket), this);
        item->setData(BucketRole, count.bucket);
        item->setData(ShareRole, share);
        item->setData(
            CountRole, QStringLiteral("%1 · %2 %").arg(count.answers).arg(100.0 * share, 0, 'f', 0));
        item->setToolTip(item->text());
        if (count.bucket == before) {
            setCurrentItem(item);
        }
    }
    if (currentRow() < 0) {
        setCurrentRow(0);
    }
    m_quiet = false;
    if (bucket() != before) {
        emit bucketChosen(bucket());
    }
}

void CauseHistogram::setColours(const StatusColours& colours)
{
    m_colours = colours;
    viewport()->update();
}

} // namespace ptxwb
