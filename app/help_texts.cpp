// SPDX-License-Identifier: Apache-2.0
#include "app/help_texts.h"

#include "app/command_palette.h"
#include "app/main_window.h"
#include "core/support/version.h"

#include <QAction>

namespace ptxwb {

namespace {

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<int>(view.size()));
}

QString row(const QStringList& cells)
{
    return QStringLiteral("<tr><td>%1</td></tr>")
        .arg(cells.join(QStringLiteral("&nbsp;&nbsp;&nbsp;</td><td>")));
}

QString unlocks(ToolKind kind)
{
    switch (kind) {
    case ToolKind::Ptxas:
        return MainWindow::tr("compiles PTX");
    case ToolKind::Nvcc:
        return MainWindow::tr("compiles CUDA");
    case ToolKind::Nvdisasm:
        return MainWindow::tr("shows machine code with lines");
    case ToolKind::Cuobjdump:
        return MainWindow::tr("opens programs and libraries");
    }
    return {};
}

} // namespace

QString shortcutsHtml(const QList<QAction*>& actions)
{
    QString rows;
    for (const QAction* action : actions) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts()) {
            keys << key.toString(QKeySequence::NativeText);
        }
        const QString shown = action->text().section(QLatin1Char('\t'), 1);
        if (!shown.isEmpty()) {
            keys << shown;
        }
        if (!keys.isEmpty()) {
            rows += row({CommandPalette::title(*action).toHtmlEscaped(),
                QStringLiteral("<code>%1</code>").arg(keys.join(QStringLiteral(", ")).toHtmlEscaped())});
        }
    }
    return QStringLiteral("<table>%1%2</table>")
        .arg(rows,
            row({MainWindow::tr("Text size, in the editor"),
                QStringLiteral("<code>Ctrl+%1</code>").arg(MainWindow::tr("wheel"))}));
}

QString doctorHtml(const Toolchain* toolchain, const std::optional<GpuReport>& gpu)
{
    QString html;
    if (toolchain == nullptr) {
        html = QStringLiteral("<p>%1</p>").arg(MainWindow::tr("Still looking for the tools."));
    } else {
        QString rows;
        for (const ToolKind kind :
            {ToolKind::Ptxas, ToolKind::Nvcc, ToolKind::Nvdisasm, ToolKind::Cuobjdump}) {
            const std::optional<Tool>& tool = toolchain->chosen(kind);
            rows += tool
                ? row({QStringLiteral("✓ <b>%1</b>").arg(text(toolName(kind))), escaped(tool->version),
                    unlocks(kind), QStringLiteral("<code>%1</code>").arg(escaped(tool->path.string()))})
                : row({QStringLiteral("✗ <b>%1</b>").arg(text(toolName(kind))), MainWindow::tr("missing"),
                    unlocks(kind), escaped(howToGet(kind))});
        }
        html = QStringLiteral("<table>%1</table>").arg(rows);
    }
    QString device = MainWindow::tr("Still looking for a GPU.");
    if (gpu) {
        device = gpu->device
            ? MainWindow::tr("✓ GPU: %1 (%2), driver %3")
                  .arg(escaped(gpu->device->name), escaped(gpu->device->target), escaped(gpu->device->driver))
            : MainWindow::tr("✗ No GPU to run on: %1").arg(escaped(gpu->problem));
    }
    html += QStringLiteral("<p>%1</p>").arg(device);
    html +=
        QStringLiteral("<p>%1</p>").arg(MainWindow::tr("The command <code>ptxwb doctor</code> says more."));
    return html;
}

QString aboutHtml()
{
    return QStringLiteral("<h3>PTX Workbench %1</h3>").arg(text(productVersion()))
        + QStringLiteral("<p>%1</p>")
              .arg(MainWindow::tr("Write, inspect, check and time architecture-specific PTX kernels."))
        + QStringLiteral("<p>%1</p>")
              .arg(MainWindow::tr(
                  "The sources are under the Apache License 2.0. This window uses QScintilla and Qt Charts, "
                  "which are under the GNU GPL version 3; the program as a whole is therefore "
                  "distributed under the GNU GPL version 3. It links none of NVIDIA's libraries: kernels "
                  "run in ptxwb-runner, a program of its own."));
}

} // namespace ptxwb
