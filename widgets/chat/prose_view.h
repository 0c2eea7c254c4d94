// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTextBrowser>

namespace ptxwb {

/// Text as high as its content. Loads nothing: an image or a link in a model's answer fetches no file and no
/// address.
class ProseView : public QTextBrowser {
    Q_OBJECT
public:
    explicit ProseView(QWidget* parent = nullptr);

    void setMarkdownText(const QString& markdown);
    void setLiteralText(const QString& text);
    QVariant loadResource(int type, const QUrl& name) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitHeight();
    void render();

    QString m_source;
    bool m_isMarkdown = false;
};

} // namespace ptxwb
