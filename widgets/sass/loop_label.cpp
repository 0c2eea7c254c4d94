// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/loop_label.h"

#include <algorithm>
#include <optional>
#include <utility>

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
    QStringList parts{LoopLabel::tr("rows: %1").arg(loop.counts.rows)};
    const auto add = [&](int number, const QString& text) {
        if (number > 0) {
            parts << text.arg(number);
        }
    };
    add(loop.counts.tensorProducts, LoopLabel::tr("tensor core products: %1"));
    add(loop.counts.tensorWaits, LoopLabel::tr("waits for them: %1"));
    add(loop.counts.mbarrierWaits, LoopLabel::tr("mbarrier wait rows: %1"));
    add(loop.counts.tmaCopies, LoopLabel::tr("TMA copies: %1"));
    add(loop.counts.asyncCopies, LoopLabel::tr("cp.async copies: %1"));
    add(loop.counts.asyncWaits,
        loop.counts.asyncCopies > 0 && loop.counts.tmaCopies == 0
            ? LoopLabel::tr("waits for them: %1")
            : LoopLabel::tr("waits for groups of copies: %1"));
    add(loop.counts.ctaBarriers, LoopLabel::tr("CTA barriers: %1"));
    add(loop.counts.clusterBarriers, LoopLabel::tr("cluster barriers: %1"));
    add(loop.counts.localAccesses, LoopLabel::tr("local memory accesses: %1"));
    if (loop.counts.tensorProducts + loop.counts.tmaCopies == 0) {
        add(loop.counts.globalLoads, LoopLabel::tr("loads from global memory: %1"));
        add(loop.counts.sharedLoads, LoopLabel::tr("loads from shared memory: %1"));
        add(loop.counts.stores, LoopLabel::tr("stores: %1"));
        add(loop.counts.atomics, LoopLabel::tr("atomics: %1"));
    }
    if (!loop.slotsBetweenProducts.empty()) {
        parts << slotsText(loop.slotsBetweenProducts);
    }
    return parts;
}

QString cyclesText(const LoopSummary& loop)
{
    if (loop.fewestStallCycles < loop.stallCycles) {
        return LoopLabel::tr("Issuing one trip takes %L1 to %L2 cycles by its stall fields, by the way it "
                             "takes; the products themselves take longer. "
                             "Rows out of line, such as the retries of a wait: %3.")
            .arg(loop.fewestStallCycles)
            .arg(loop.stallCycles)
            .arg(loop.rowsOutOfLine);
    }
    return LoopLabel::tr(
        "Issuing one trip takes %L1 cycles by its stall fields; the products themselves take longer. "
        "Rows out of line, such as the retries of a wait: %2.")
        .arg(loop.stallCycles)
        .arg(loop.rowsOutOfLine);
}

/// The loop of most tensor work, else the longest one.
std::optional<LoopSummary> mainLoopOf(const KernelSummary& summary)
{
    const auto weight = [](const LoopSummary& loop) {
        return std::pair(loop.counts.tensorProducts, loop.counts.rows);
    };
    for (const auto* loops : {&summary.tensorLoops, &summary.copyLoops, &summary.otherLoops}) {
        if (!loops->empty()) {
            return *std::ranges::max_element(*loops, {}, weight);
        }
    }
    return {};
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
    const auto summary = kernel == nullptr ? KernelSummary() : summarise(*kernel, flow);
    const auto main = mainLoopOf(summary);
    setVisible(main.has_value());
    if (!main) {
        clear();
        return;
    }
    setText(tr("Main loop <a href=\"%1\">%2 to %3</a>: %4")
                .arg(QString::number(main->first), address(*kernel, main->first),
                    address(*kernel, main->last), partsOf(*main).join(QStringLiteral(" · "))));
    const bool hasProducts = main->stallCycles > 0 && main->counts.tensorProducts > 0;
    setToolTip(hasProducts ? cyclesText(*main) : QString());
}

} // namespace ptxwb
