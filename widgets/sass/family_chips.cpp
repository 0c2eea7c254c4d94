// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/family_chips.h"

#include "widgets/sass/sass_model.h"

#include <QLayout>
#include <QStyle>
#include <QToolButton>

namespace ptxwb {

namespace {

/// Places items in lines, as many as fit.
class WrapLayout : public QLayout {
public:
    explicit WrapLayout(QWidget* parent)
        : QLayout(parent)
    {
        setContentsMargins(0, 0, 0, 0);
        setSpacing(4);
    }
    ~WrapLayout() override
    {
        for (auto* item : m_items) {
            delete item;
        }
    }

    void addItem(QLayoutItem* item) override { m_items.append(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override
    {
        return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
    }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override
    {
        QSize size;
        for (const auto* item : m_items) {
            size = size.expandedTo(item->minimumSize());
        }
        return size;
    }
    void setGeometry(const QRect& rect) override
    {
        QLayout::setGeometry(rect);
        place(rect, true);
    }

private:
    int place(const QRect& rect, bool apply) const
    {
        int x = rect.x();
        int y = rect.y();
        int lineHeight = 0;
        for (auto* item : m_items) {
            if (item->isEmpty()) {
                continue; // a hidden chip
            }
            const auto hint = item->sizeHint();
            if (x > rect.x() && x + hint.width() > rect.right() + 1) {
                x = rect.x();
                y += lineHeight + spacing();
                lineHeight = 0;
            }
            if (apply) {
                item->setGeometry({QPoint(x, y), hint});
            }
            x += hint.width() + spacing();
            lineHeight = qMax(lineHeight, hint.height());
        }
        return y + lineHeight - rect.y();
    }

    QList<QLayoutItem*> m_items;
};

} // namespace

FamilyChips::FamilyChips(QWidget* parent)
    : QWidget(parent)
{
    setLayout(new WrapLayout(this));
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    policy.setVerticalPolicy(QSizePolicy::Maximum); // its hint is for one chip a row
    setSizePolicy(policy);
}

void FamilyChips::setCounts(const FamilyCounts& counts)
{
    const auto before = chosen();
    m_quiet = true;
    for (const auto family : allSassFamilies()) {
        const auto at = counts.find(family);
        auto& chip = m_chips[family];
        if (chip == nullptr) {
            chip = new QToolButton(this);
            chip->setCheckable(true);
            chip->setAutoRaise(false);
            connect(chip, &QToolButton::toggled, this, &FamilyChips::announce);
            layout()->addWidget(chip);
        }
        const int sites = at == counts.end() ? 0 : at->second;
        chip->setText(QStringLiteral("%1 %2").arg(familyTitle(family)).arg(sites));
        chip->setToolTip(tr("Show only rows of this family; several add up"));
        chip->setAccessibleName(tr("Filter %1, rows: %2").arg(familyTitle(family)).arg(sites));
        chip->setVisible(sites > 0);
        if (sites == 0) {
            chip->setChecked(false);
        }
    }
    m_quiet = false;
    paintChips();
    updateGeometry();
    if (chosen() != before) {
        announce();
    }
}

void FamilyChips::setColours(const SassColours& colours)
{
    m_colours = colours;
    paintChips();
}

void FamilyChips::paintChips()
{
    for (const auto& [family, chip] : m_chips) {
        const auto ink = m_colours.ink(FamilySet{1} << static_cast<unsigned>(family));
        const auto back = m_colours.dark ? QColor(0x1b, 0x1d, 0x22) : QColor(Qt::white);
        chip->setStyleSheet(
            QStringLiteral("QToolButton { border: 1px solid %1; border-radius: 9px; padding: 1px 7px; "
                           "color: %1; background: transparent; }"
                           "QToolButton:checked { background: %1; color: %2; }"
                           "QToolButton:focus { border: 2px solid %1; padding: 0px 6px; }")
                .arg(ink.name(), back.name()));
    }
}

FamilySet FamilyChips::chosen() const
{
    FamilySet set = 0;
    for (const auto& [family, chip] : m_chips) {
        if (chip->isChecked()) {
            set |= FamilySet{1} << static_cast<unsigned>(family);
        }
    }
    return set;
}

void FamilyChips::setChosen(FamilySet families)
{
    m_quiet = true;
    for (const auto& [family, chip] : m_chips) {
        chip->setChecked(contains(families, family) && !chip->isHidden());
    }
    m_quiet = false;
    announce();
}

void FamilyChips::announce()
{
    if (!m_quiet) {
        emit chosenChanged(chosen());
    }
}

} // namespace ptxwb
