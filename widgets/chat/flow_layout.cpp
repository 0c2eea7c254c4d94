// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/flow_layout.h"

#include <QWidget>

namespace ptxwb {

namespace {
constexpr int gap = 4;
}

FlowLayout::FlowLayout(QWidget* parent)
    : QLayout(parent)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    for (auto* item : m_items) {
        delete item;
    }
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.push_back(item);
}

int FlowLayout::count() const
{
    return static_cast<int>(m_items.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    auto* item = itemAt(index);
    if (item != nullptr) {
        m_items.erase(m_items.begin() + index);
    }
    return item;
}

int FlowLayout::heightForWidth(int width) const
{
    return arrange({0, 0, width, 0}, false);
}

QSize FlowLayout::sizeHint() const
{
    return minimumSize();
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto* item : m_items) {
        size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool place) const
{
    int x = rect.x();
    int y = rect.y();
    int rowHeight = 0;
    for (auto* item : m_items) {
        if (item->isEmpty()) {
            continue; // hidden
        }
        QSize size = item->sizeHint();
        size.setWidth(qMin(size.width(), rect.width()));
        if (x > rect.x() && x + size.width() > rect.right() + 1) {
            x = rect.x();
            y += rowHeight + gap;
            rowHeight = 0;
        }
        if (place) {
            item->setGeometry({{x, y}, size});
        }
        x += size.width() + gap;
        rowHeight = qMax(rowHeight, size.height());
    }
    return y + rowHeight - rect.y();
}

} // namespace ptxwb
