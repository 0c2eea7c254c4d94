// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace ptxwb {

class FindBar;
class NoticeBar;
class PtxEditor;
class ResourcesStrip;
class WelcomePane;

/// The editor with its notices above, and resources and the find bar below.
class EditorPane : public QWidget {
    Q_OBJECT
public:
    explicit EditorPane(QWidget* parent = nullptr);

    PtxEditor* editor() const { return m_editor; }
    FindBar* findBar() const { return m_findBar; }
    WelcomePane* welcome() const { return m_welcome; }
    /// The welcome pane stands in the place of the editor and its resources.
    void showWelcome(bool on);
    NoticeBar* notice() const { return m_notice; }
    ResourcesStrip* resources() const { return m_resources; }

private:
    NoticeBar* m_notice;
    PtxEditor* m_editor;
    WelcomePane* m_welcome;
    ResourcesStrip* m_resources;
    FindBar* m_findBar;
};

} // namespace ptxwb
