// SPDX-License-Identifier: Apache-2.0
#include "app/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace ptxwb {

namespace {

QPixmap draw(const QByteArray& drawing, const QColor& ink, int size)
{
    QByteArray inked = drawing;
    inked.replace("#000", ink.name().toUtf8());
    QSvgRenderer renderer(inked);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

} // namespace

QIcon inkedIcon(const QString& name, const QColor& ink, const QColor& disabled)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray drawing = file.readAll();
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64}) {
        icon.addPixmap(draw(drawing, ink, size), QIcon::Normal);
        icon.addPixmap(draw(drawing, disabled, size), QIcon::Disabled);
    }
    return icon;
}

} // namespace ptxwb
