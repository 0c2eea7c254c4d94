// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/prose_view.h"

#include <QEvent>
#include <QImage>
#include <QTextDocument>
#include <QWheelEvent>

namespace ptxwb {

ProseView::ProseView(QWidget* parent)
    : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(2);
}

void ProseView::setMarkdownText(const QString& markdown)
{
    if (!m_isMarkdown || markdown != m_source) {
        m_source = markdown;
        m_isMarkdown = true;
        render();
    }
}

void ProseView::setLiteralText(const QString& text)
{
    if (m_isMarkdown || text != m_source) {
        m_source = text;
        m_isMarkdown = false;
        render();
    }
}

QVariant ProseView::loadResource(int type, const QUrl& /*name*/)
{
    // Something valid: for nothing at all the document would look on its own, also in local files.
    if (type == QTextDocument::ImageResource) {
        QImage empty(1, 1, QImage::Format_ARGB32_Premultiplied);
        empty.fill(Qt::transparent);
        return empty;
    }
    return QByteArray("");
}

QSize ProseView::sizeHint() const
{
    return {320, height()};
}

QSize ProseView::minimumSizeHint() const
{
    return {40, height()};
}

void ProseView::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    fitHeight();
}

void ProseView::wheelEvent(QWheelEvent* event)
{
    event->ignore(); // the transcript scrolls
}

void ProseView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        render(); // colours of links and the sizes of headings are baked into the document
    }
}

void ProseView::render()
{
    if (m_isMarkdown) {
        QTextDocument::MarkdownFeatures features(QTextDocument::MarkdownDialectGitHub);
        features.setFlag(QTextDocument::MarkdownNoHTML);
        document()->setMarkdown(m_source, features);
    } else {
        document()->setPlainText(m_source);
    }
    fitHeight();
}

void ProseView::fitHeight()
{
    document()->setTextWidth(viewport()->width());
    const int wanted = static_cast<int>(document()->size().height()) + 1;
    if (wanted != height()) {
        setFixedHeight(wanted);
        updateGeometry();
    }
}

} // namespace ptxwb
