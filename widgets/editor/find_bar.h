// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace ptxwb {

class PtxEditor;

/// Find and replace below an editor. Enter and Shift+Enter go on and back, Esc closes.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(PtxEditor* editor, QWidget* parent = nullptr);

    void openFind();
    void openReplace();
    void findNext();
    void findPrevious();
    int replaceAll();
    void replaceOne();

    void setNeedle(const QString& text);
    QString statusText() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void open(bool withReplace);
    bool find(bool forward, bool fromSelectionStart);
    void showCount();
    unsigned searchFlags() const;
    std::vector<std::pair<long, long>> matches() const;

    PtxEditor* m_editor;
    QLineEdit* m_needle;
    QLineEdit* m_replacement;
    QCheckBox* m_caseSensitive;
    QCheckBox* m_wholeWord;
    QCheckBox* m_regex;
    QLabel* m_status;
    QWidget* m_replaceRow;
};

} // namespace ptxwb
