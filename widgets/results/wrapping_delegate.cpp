// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/wrapping_delegate.h"

#include <QHeaderView>
#include <QTreeView>

namespace ptxwb {

WrappingDelegate::WrappingDelegate(QTreeView* view)
    : RoomyDelegate(view)
    , m_view(view)
{
    connect(m_view->header(), &QHeaderView::sectionResized, this,
        [this](int section) { emit sizeHintChanged(m_view->model()->index(0, section)); });
}

QSize WrappingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    constexpr int mostLines = 6;
    const QSize oneLine = RoomyDelegate::sizeHint(option, index);
    const int margin = m_view->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &option, m_view) + 1;
    const int width = m_view->header()->sectionSize(index.column()) - 2 * margin;
    const QString text = index.data().toString();
    if (width <= 0 || text.isEmpty()) {
        return oneLine;
    }
    const QFontMetrics metrics(option.font);
    const QRect needed = metrics.boundingRect(
        QRect(0, 0, width, mostLines * metrics.lineSpacing()), Qt::TextWordWrap | Qt::AlignLeft, text);
    const int lines =
        qBound(1, (needed.height() + metrics.lineSpacing() - 1) / metrics.lineSpacing(), mostLines);
    return {oneLine.width(), oneLine.height() + (lines - 1) * metrics.lineSpacing()};
}

} // namespace ptxwb
