// SPDX-License-Identifier: Apache-2.0
#include "app/prompts.h"

#include "app/main_window.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace ptxwb {

Prompts::SaveChoice DialogPrompts::saveBeforeLeaving(const QString& name)
{
    const auto answer = QMessageBox::question(m_parent, MainWindow::tr("Unsaved changes"),
        MainWindow::tr("%1 has changes that are not saved.").arg(name),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save   ? SaveChoice::Save
        : answer == QMessageBox::Discard ? SaveChoice::Discard
                                         : SaveChoice::Cancel;
}

QString DialogPrompts::fileToOpen(const QString& title, const QString& nearPath)
{
    return QFileDialog::getOpenFileName(
        m_parent, title, nearPath, MainWindow::tr("Kernels (*.ptx *.cu *.cuh);;All files (*)"));
}

QString DialogPrompts::folderToOpen(const QString& title, const QString& nearPath)
{
    return QFileDialog::getExistingDirectory(m_parent, title, nearPath);
}

QString DialogPrompts::fileToSave(const QString& title, const QString& suggested, const QString& filter)
{
    return QFileDialog::getSaveFileName(m_parent, title, suggested, filter);
}

std::optional<QString> DialogPrompts::text(const QString& title, const QString& label, const QString& current)
{
    bool ok = false;
    const QString text = QInputDialog::getText(m_parent, title, label, QLineEdit::Normal, current, &ok);
    return ok ? std::optional(text) : std::nullopt;
}

int DialogPrompts::lineToGoTo(int current, int last)
{
    bool ok = false;
    const int line = QInputDialog::getInt(m_parent, MainWindow::tr("Go to line"),
        MainWindow::tr("Line (1 to %1):").arg(last), current, 1, last, 1, &ok);
    return ok ? line : 0;
}

void DialogPrompts::showText(const QString& title, const QString& richText)
{
    QDialog dialog(m_parent);
    dialog.setWindowTitle(title);
    dialog.resize(680, 520);
    auto* text = new QTextBrowser(&dialog);
    text->setOpenExternalLinks(true);
    text->setHtml(richText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(&dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog.exec();
}

} // namespace ptxwb
