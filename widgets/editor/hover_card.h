// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QLabel;
class QTimer;

namespace ptxwb {

/// A card of rich text near the mouse or the caret. It stays while the mouse is on it, so that its link can
/// be used.
class HoverCard : public QFrame {
    Q_OBJECT
public:
    explicit HoverCard(QWidget* parent);

    /// Shows the text below the rectangle (in the parent's coordinates), or above it where there is no room.
    void showFor(const QRect& anchor, const QString& html);
    void hideSoon();
    QString html() const;

signals:
    void linkActivated(const QString& url);

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QLabel* m_label;
    QTimer* m_hideTimer;
};

} // namespace ptxwb
