// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

class QWidget;

namespace ptxwb {

/// The window's modal questions, behind a seam so that tests can answer them.
class Prompts {
public:
    enum class SaveChoice { Save, Discard, Cancel };

    virtual ~Prompts() = default;
    virtual SaveChoice saveBeforeLeaving(const QString& name) = 0;
    /// Empty: the user chose none.
    virtual QString fileToOpen(const QString& title, const QString& nearPath) = 0;
    virtual QString folderToOpen(const QString& title, const QString& nearPath) = 0;
    virtual QString fileToSave(const QString& title, const QString& suggested, const QString& filter) = 0;
    /// The text that was edited; nothing: it was not confirmed.
    virtual std::optional<QString> text(
        const QString& title, const QString& label, const QString& current) = 0;
    virtual int lineToGoTo(int current, int last) = 0; ///< 0: none
    virtual void showText(const QString& title, const QString& richText) = 0;
};

/// The real dialogs.
class DialogPrompts : public Prompts {
public:
    explicit DialogPrompts(QWidget* parent)
        : m_parent(parent)
    {
    }
    SaveChoice saveBeforeLeaving(const QString& name) override;
    QString fileToOpen(const QString& title, const QString& nearPath) override;
    QString folderToOpen(const QString& title, const QString& nearPath) override;
    QString fileToSave(const QString& title, const QString& suggested, const QString& filter) override;
    std::optional<QString> text(const QString& title, const QString& label, const QString& current) override;
    int lineToGoTo(int current, int last) override;
    void showText(const QString& title, const QString& richText) override;

private:
    QWidget* m_parent;
};

} // namespace ptxwb
