// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/editor_pane.h"

#include "widgets/editor/find_bar.h"
#include "widgets/editor/notice_bar.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/resources_strip.h"
#include "widgets/editor/welcome_pane.h"

#include <QApplication>
#include <QVBoxLayout>

namespace ptxwb {

EditorPane::EditorPane(QWidget* parent)
    : QWidget(parent)
    , m_notice(new NoticeBar(this))
    , m_editor(new PtxEditor(this))
    , m_welcome(new WelcomePane(this))
    , m_resources(new ResourcesStrip(this))
    , m_findBar(new FindBar(m_editor, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notice);
    layout->addWidget(m_editor, 1);
    layout->addWidget(m_welcome, 1);
    layout->addWidget(m_resources);
    layout->addWidget(m_findBar);
    setFocusProxy(m_editor);
    m_welcome->hide();
}

void EditorPane::showWelcome(bool on)
{
    if (m_welcome->isHidden() != on) {
        return; // as it is
    }
    const bool focused = isAncestorOf(QApplication::focusWidget());
    m_welcome->setVisible(on);
    m_editor->setVisible(!on);
    m_resources->setVisible(!on);
    setFocusProxy(on ? static_cast<QWidget*>(m_welcome) : m_editor);
    if (focused) {
        setFocus();
    }
}

} // namespace ptxwb
