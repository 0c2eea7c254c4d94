// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QScrollArea>

#include <vector>

class QVBoxLayout;

namespace ptxwb {

class LinkRow;

/// A file that the welcome pane offers.
struct WelcomeEntry {
    QString title{};
    QString detail{}; ///< one line about it
    QString path{};
};

/// Files under one heading.
struct WelcomeGroup {
    QString title{};
    std::vector<WelcomeEntry> entries{};
};

/// What stands in the place of the editor while it is empty: how to begin, files opened lately, example
/// kernels.
class WelcomePane : public QScrollArea {
    Q_OBJECT
public:
    explicit WelcomePane(QWidget* parent = nullptr);

    void setRecent(const std::vector<WelcomeEntry>& entries);
    void setExamples(const std::vector<WelcomeGroup>& groups);

signals:
    void newRequested();
    void openRequested();
    void pasteRequested();
    void commandsRequested();
    void fileChosen(const QString& path);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void orderTabs();
    void fill(QVBoxLayout* column, const std::vector<WelcomeGroup>& groups);

    QWidget* m_page;
    QWidget* m_left;
    QWidget* m_right;
    QList<LinkRow*> m_start;
    QVBoxLayout* m_recent;
    QVBoxLayout* m_examples;
    bool m_isWide = true;
};

} // namespace ptxwb
