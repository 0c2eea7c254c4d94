// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPlainTextEdit>

namespace ptxwb {

/// Where the question is written. Enter sends, Shift+Enter makes a new line; it grows with its text up to ten
/// lines.
class Composer : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit Composer(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void submitted();
    void cancelled();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    int heightOf(int lines) const;
};

} // namespace ptxwb
