// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/resources_strip.h"

#include "core/support/kernel_name.h"

#include <algorithm>

namespace ptxwb {

namespace {

/// " (+8)", or nothing where it did not change or was not known.
QString delta(const std::optional<int>& now, const std::optional<int>& before)
{
    if (!now || !before || *now == *before) {
        return {};
    }
    const int change = *now - *before;
    return QStringLiteral(" (%1%2)")
        .arg(change > 0 ? QStringLiteral("+") : QStringLiteral("−"))
        .arg(std::abs(change));
}

std::optional<int> spillBytes(const KernelResources& kernel)
{
    if (!kernel.spillStoreBytes && !kernel.spillLoadBytes) {
        return {};
    }
    return kernel.spillStoreBytes.value_or(0) + kernel.spillLoadBytes.value_or(0);
}

} // namespace

ResourcesStrip::ResourcesStrip(QWidget* parent)
    : ElidedLabel(parent)
{
    setObjectName(QStringLiteral("resourcesStrip"));
    setMargin(4);
    setAccessibleName(tr("Resources of the kernels"));
    setReason(tr("Not compiled yet. Ctrl+Enter compiles."));
}

QString ResourcesStrip::describe(const KernelResources& kernel, const KernelResources* before)
{
    const auto old = [before](
                         auto member) { return before != nullptr ? before->*member : std::optional<int>(); };
    QStringList parts;
    if (kernel.registers) {
        parts << tr("%n register(s)", nullptr, *kernel.registers)
                + delta(kernel.registers, old(&KernelResources::registers));
    }
    if (const std::optional<int> spills = spillBytes(kernel)) {
        const QString change = delta(spills, before != nullptr ? spillBytes(*before) : std::nullopt);
        parts << (*spills == 0 ? tr("no spills") : tr("⚠ %1 bytes spilled").arg(*spills)) + change;
    }
    if (kernel.sharedBytes) {
        parts << tr("%1 bytes static shared").arg(*kernel.sharedBytes)
                + delta(kernel.sharedBytes, old(&KernelResources::sharedBytes));
    }
    if (kernel.stackBytes.value_or(0) > 0) {
        parts << tr("%1 bytes stack").arg(*kernel.stackBytes);
    }
    if (kernel.barriers) {
        parts << tr("%n barrier(s)", nullptr, *kernel.barriers)
                + delta(kernel.barriers, old(&KernelResources::barriers));
    }
    const auto written = demangled(kernel.name);
    return QStringLiteral("%1: %2").arg(
        QString::fromStdString(written.empty() ? kernel.name : written), parts.join(QStringLiteral(" · ")));
}

void ResourcesStrip::setKernels(
    const std::vector<KernelResources>& kernels, const std::vector<KernelResources>& before)
{
    QStringList lines;
    for (const KernelResources& kernel : kernels) {
        const auto same = std::find_if(before.begin(), before.end(),
            [&kernel](const KernelResources& other) { return other.name == kernel.name; });
        lines << describe(kernel, same != before.end() ? &*same : nullptr);
    }
    if (lines.isEmpty()) {
        setReason(tr("This file holds no kernel (no .entry)."));
        return;
    }
    setText(lines.size() == 1
            ? lines.front()
            : tr("%1   (+%n more)", nullptr, static_cast<int>(lines.size()) - 1).arg(lines.front()));
    setToolTip(lines.join(QLatin1Char('\n')));
}

void ResourcesStrip::setReason(const QString& text)
{
    setText(text);
    setToolTip({});
}

} // namespace ptxwb
