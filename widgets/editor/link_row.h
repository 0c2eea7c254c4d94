// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>

namespace ptxwb {

/// A line that leads somewhere, with a quieter one below that says where. Each is cut short where it does not
/// fit; the tool tip has all of it.
class LinkRow : public QAbstractButton {
    Q_OBJECT
public:
    LinkRow(const QString& title, const QString& detail, QWidget* parent = nullptr);

    /// Shown at the right end, e.g. a shortcut.
    void setAside(const QString& text);
    QString detail() const { return m_detail; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QFont detailFont() const;
    int lineHeight() const;

    QString m_detail;
    QString m_aside;
};

} // namespace ptxwb
