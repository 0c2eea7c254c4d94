// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/provider_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;

namespace {

const llm::ProviderSettings remote{.name = "Remote",
    .baseUrl = "https://h.example/v1",
    .model = "big",
    .keyEnvironmentVariable = "REMOTE_KEY"};

template <class T> T* child(QWidget& parent, const char* name)
{
    return parent.findChild<T*>(QLatin1String(name));
}

QPushButton* saveOf(ProviderDialog& dialog)
{
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
}

} // namespace

class TestChatProviderDialog : public QObject {
    Q_OBJECT
private slots:
    void givesBackTheSettings()
    {
        ProviderDialog dialog(true);
        dialog.setSettings(remote);
        QVERIFY(dialog.settings() == remote);
        QVERIFY(dialog.typedKey().isEmpty());
    }
    void aBadAddressCannotBeSaved()
    {
        ProviderDialog dialog(true);
        dialog.show();
        QVERIFY(!saveOf(dialog)->isEnabled());
        child<QLineEdit>(dialog, "address")->setText(QStringLiteral("localhost"));
        QVERIFY(!saveOf(dialog)->isEnabled());
        QVERIFY(child<QLabel>(dialog, "addressProblem")->isVisible());
        child<QLineEdit>(dialog, "address")->setText(QStringLiteral("http://localhost:8080"));
        QVERIFY(saveOf(dialog)->isEnabled());
        QVERIFY(!child<QLabel>(dialog, "addressProblem")->isVisible());
    }
    void warnsOfAKeyThatTravelsUnencrypted()
    {
        ProviderDialog dialog(true);
        auto settings = remote;
        settings.baseUrl = "http://h.example/v1";
        dialog.setSettings(settings);
        QVERIFY(child<QLabel>(dialog, "addressProblem")->text().contains(QLatin1String("unencrypted")));
    }
    void aVariableMustBeNamed()
    {
        ProviderDialog dialog(true);
        dialog.setSettings(remote);
        child<QLineEdit>(dialog, "variable")->clear();
        QVERIFY(!saveOf(dialog)->isEnabled());
    }
    void hidesAKeyAndTiesItToTheAddress()
    {
        ProviderDialog dialog(true);
        auto settings = remote;
        settings.keyEnvironmentVariable.clear();
        settings.keychainEntry = "x";
        dialog.setSettings(settings);
        auto* key = child<QLineEdit>(dialog, "key");
        QCOMPARE(key->echoMode(), QLineEdit::Password);
        key->setText(QStringLiteral("sk-1"));
        QCOMPARE(dialog.typedKey(), QStringLiteral("sk-1"));
        const auto entry = dialog.settings().keychainEntry;
        QVERIFY(!entry.empty());
        child<QLineEdit>(dialog, "address")->setText(QStringLiteral("https://other.example/v1"));
        QVERIFY(dialog.settings().keychainEntry != entry);
    }
    void offersNoKeychainWhereThereIsNone()
    {
        ProviderDialog dialog(false);
        QCOMPARE(child<QComboBox>(dialog, "keySource")->count(), 2);
    }
    void theTestEndsInItsSentenceAndOffersTheModels()
    {
        ProviderDialog dialog(true);
        dialog.setSettings({.baseUrl = "http://localhost:8080/v1"});
        auto* test = child<QPushButton>(dialog, "test");
        QSignalSpy asked(&dialog, &ProviderDialog::testRequested);
        test->click();
        QCOMPARE(asked.size(), 1);
        QVERIFY(!test->isEnabled());
        dialog.setTestReport({true, "It answers.", {"tiny"}});
        QVERIFY(test->isEnabled());
        QVERIFY(child<QLabel>(dialog, "report")->text().contains(QLatin1String("It answers.")));
        QCOMPARE(child<QComboBox>(dialog, "model")->currentText(), QStringLiteral("tiny"));
    }
    void aFailedTestKeepsTheTypedModel()
    {
        ProviderDialog dialog(true);
        dialog.setSettings(remote);
        dialog.setTestReport({false, "No.", {}});
        QCOMPARE(dialog.settings().model, std::string("big"));
    }
};

QTEST_MAIN(TestChatProviderDialog)
#include "tst_chat_provider_dialog.moc"
