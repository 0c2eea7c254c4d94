// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/loop_label.h"

#include <algorithm>

namespace ptxwb {

namespace {

QString address(const SassKernel& kernel, int row)
{
    const auto at = kernel.instructions[static_cast<std::size_t>(row)].address;
    return QStringLiteral("%1").arg(at, 4, 16, QLatin1Char('0'));
}

QString slotsText(const std::vector<int>& between)
{
    const auto [least, most] = std::minmax_element(between.begin(), between.end());
    return *least == *most ? LoopLabel::tr("issue slots between products: %1").arg(*least)
                           : LoopLabel::tr("issue slots between products: %1 to %2").arg(*least).arg(*most);
}

QStringList partsOf(const LoopSummary& loop)
{
    QStringList parts{LoopLabel::tr("rows: %1").arg(loop.counts.rows),
        LoopLabel::tr("tensor core products: %1").arg(loop.counts.tensorProducts)};
    const auto add = [&](int number, const QString& text) {
        if (number > 0) {
            parts << text.arg(number);
        }
    };
    add(loop.counts.tensorWaits, LoopLabel::tr("waits for them: %1"));
    add(loop.counts.mbarrierWaits, LoopLabel::tr("mbarrier wait rows: %1"));
    add(loop.counts.tmaCopies, LoopLabel::tr("TMA copies: %1"));
    add(loop.counts.ctaBarriers, LoopLabel::tr("CTA barriers: %1"));
    add(loop.counts.localAccesses, LoopLabel::tr("local memory accesses: %1"));
    if (!loop.slotsBetweenProducts.empty()) {
        parts << slotsText(loop.slotsBetweenProducts);
    }
    return parts;
}

} // namespace

LoopLabel::LoopLabel(QWidget* parent)
    : WrappedLabel(parent)
{
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(
        this, &QLabel::linkActivated, this, [this](const QString& row) { emit loopActivated(row.toInt()); });
    hide();
}

void LoopLabel::setKernel(const SassKernel* kernel, const ControlFlow& flow)
{
    const auto loops = kernel == nullptr ? std::vector<LoopSummary>() : summarise(*kernel, flow).tensorLoops;
    setVisible(!loops.empty());
    if (loops.empty()) {
        clear();
        return;
    }
    const auto main = std::ranges::max_element(
        loops, {}, [](const LoopSummary& loop) { return loop.counts.tensorProducts; });
    setText(tr("Main loop <a href=\"%1\">%2 to %3</a>: %4")
                .arg(QString::number(main->first), address(*kernel, main->first),
                    address(*kernel, main->last), partsOf(*main).join(QStringLiteral(" · "))));
    const auto cycles =
        tr("Issuing one trip takes %L1 cycles by its stall fields; the products themselves take longer. "
           "Rows out of line, such as the retries of a wait: %2.");
    setToolTip(main->stallCycles > 0 ? cycles.arg(main->stallCycles).arg(main->rowsOutOfLine) : QString());
}

} // namespace ptxwb
