// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPlainTextEdit>

namespace ptxwb {

/// Read-only code, unwrapped, as high as its lines up to a bound and without room for a scroll bar that is
/// not there.
class CodeText : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeText(QWidget* parent = nullptr);

    void setCode(const QString& code);
    /// Beyond it the view scrolls; 0: no bound.
    void setMostLines(int lines);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitHeight();
    void applyColours();

    int m_mostLines = 0;
    bool m_colouring = false;
};

} // namespace ptxwb
