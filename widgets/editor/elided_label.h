// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace ptxwb {

/// One line of plain text that ends in "…" where there is no room for all of it.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace ptxwb
