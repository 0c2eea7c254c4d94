// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/connection_test.h"
#include "core/llm/provider.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ptxwb {

/// Address, model and the place of the key. Tests and saves nothing itself: the app does, on its signals.
class ProviderDialog : public QDialog {
    Q_OBJECT
public:
    /// `keychainAvailable`: whether the app can read and write the system keychain.
    explicit ProviderDialog(bool keychainAvailable, QWidget* parent = nullptr);

    void setSettings(const llm::ProviderSettings& settings);
    llm::ProviderSettings settings() const;
    /// A key typed for the keychain; empty when the stored one is to stay.
    QString typedKey() const;
    /// Shows how the test ended and offers the server's models.
    void setTestReport(const llm::ConnectionReport& report);

signals:
    void testRequested(const llm::ProviderSettings& settings, const QString& typedKey);

private:
    void choosePreset(int index);
    void showState();

    QComboBox* m_preset;
    QLineEdit* m_name;
    QLineEdit* m_address;
    QLabel* m_addressProblem;
    QComboBox* m_model;
    QComboBox* m_keySource;
    QLineEdit* m_variable;
    QLineEdit* m_key;
    QLabel* m_variableLabel;
    QLabel* m_keyLabel;
    QPushButton* m_test;
    QLabel* m_report;
    QDialogButtonBox* m_buttons;
    bool m_keychainAvailable;
};

} // namespace ptxwb
