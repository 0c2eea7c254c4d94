// SPDX-License-Identifier: Apache-2.0
// The chat as the window has it: pane, controller, provider and apply dialogs, against a scripted server.
#include "app/chat_room.h"

#include "app/provider_store.h"
#include "tests/llm/scripted_server.h"
#include "widgets/chat/apply_dialog.h"
#include "widgets/chat/chat_pane.h"
#include "widgets/chat/composer.h"
#include "widgets/chat/provider_dialog.h"

#include <nlohmann/json.hpp>

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace ptxwb;
using End = ScriptedServer::End;

namespace {

const std::string kernel = ".version 8.0\n.target sm_90a\n.entry k()\n{\n    mov.u32 %r1, 0;\n    ret;\n}\n";
const std::string mended = ".version 8.0\n.target sm_90a\n.entry k()\n{\n    mov.u32 %r1, 7;\n    ret;\n}\n";

std::string say(const std::string& text)
{
    const nlohmann::json event{{"choices", {{{"index", 0}, {"delta", {{"content", text}}}}}}};
    return "data: " + event.dump() + "\n\n";
}

const std::string answerWithCode = say("Try this:\n\n```ptx\n" + mended + "```\n");

// A room around a buffer, with a provider already set up where there is a server.
struct Room {
    explicit Room(const ScriptedServer* server)
        : settings(directory.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat)
    {
        if (server != nullptr) {
            saveProvider(settings, {.name = "test", .baseUrl = server->baseUrl()});
        }
        room = std::make_unique<ChatRoom>(&pane, settings,
            ChatRoom::Sources{.buffer =
                                  [this] {
                                      return ChatRoom::Buffer{QStringLiteral("k.ptx"), buffer};
                                  },
                .evidence =
                    [this] {
                        return std::vector<llm::ContextItem>{{llm::ContextKind::Buffer,
                            {.id = "buffer",
                                .title = "k.ptx",
                                .language = "ptx",
                                .text = buffer.toStdString()}}};
                    }});
        pane.resize(420, 640);
        pane.show();
    }
    void ask(const QString& text)
    {
        pane.setQuestion(text);
        QTest::keyClick(pane.findChild<Composer*>(), Qt::Key_Return);
    }
    QPushButton* button(const char* name) const { return pane.findChild<QPushButton*>(QLatin1String(name)); }
    ApplyDialog* applyDialog() const { return pane.findChild<ApplyDialog*>(); }

    QTemporaryDir directory;
    QSettings settings;
    QString buffer = QString::fromStdString(kernel);
    ChatPane pane;
    std::unique_ptr<ChatRoom> room;
};

} // namespace

class TestChatRoom : public QObject {
    Q_OBJECT
private slots:
    void fromTheQuestionToTheAppliedHunk()
    {
        const ScriptedServer server(
            {{.bytes = eventStream(answerWithCode + "data: [DONE]\n\n"), .pieceBytes = 1}});
        Room room(&server);
        QSignalSpy accepted(room.room.get(), &ChatRoom::textAccepted);
        room.ask(QStringLiteral("Make it seven"));
        QTRY_VERIFY(room.button("applyCode") != nullptr && room.button("applyCode")->isEnabled());
        QVERIFY(server.requests().front().find("mov.u32 %r1, 0;") != std::string::npos);
        room.button("applyCode")->click();
        QTRY_VERIFY(room.applyDialog() != nullptr);
        QCOMPARE(accepted.size(), 0);
        room.applyDialog()->findChild<QPushButton*>(QStringLiteral("apply"))->click();
        QCOMPARE(accepted.size(), 1);
        QCOMPARE(accepted[0][0].toString(), QString::fromStdString(mended));
    }
    void aBrokenStreamAppliesNothing()
    {
        const ScriptedServer server({{.bytes = eventStream(answerWithCode)}});
        Room room(&server);
        room.ask(QStringLiteral("Make it seven"));
        QTRY_VERIFY(!room.room->controller().isBusy());
        QTRY_VERIFY(room.button("applyCode") != nullptr);
        QVERIFY(!room.button("applyCode")->isEnabled());
        const auto ends = room.pane.findChildren<QLabel*>(QStringLiteral("end"));
        QTRY_VERIFY(ends.back()->isVisible()); // shown with the next event
        QVERIFY(ends.back()->text().contains(QLatin1String("ended early")));
    }
    void aBufferThatChangesUnderTheOpenDialogIsNotTouched()
    {
        const ScriptedServer server({{.bytes = eventStream(answerWithCode + "data: [DONE]\n\n")}});
        Room room(&server);
        QSignalSpy accepted(room.room.get(), &ChatRoom::textAccepted);
        QSignalSpy noticed(room.room.get(), &ChatRoom::noticed);
        room.ask(QStringLiteral("Make it seven"));
        QTRY_VERIFY(room.button("applyCode") != nullptr && room.button("applyCode")->isEnabled());
        room.button("applyCode")->click();
        room.buffer += QStringLiteral("// typed meanwhile\n");
        room.applyDialog()->findChild<QPushButton*>(QStringLiteral("apply"))->click();
        QCOMPARE(accepted.size(), 0);
        QCOMPARE(noticed.size(), 1);
    }
    void aBufferThatMovedOnSinceTheQuestionKeepsItsChanges()
    {
        const ScriptedServer server({{.bytes = eventStream(answerWithCode + "data: [DONE]\n\n")}});
        Room room(&server);
        QSignalSpy accepted(room.room.get(), &ChatRoom::textAccepted);
        room.ask(QStringLiteral("Make it seven"));
        QTRY_VERIFY(room.button("applyCode") != nullptr && room.button("applyCode")->isEnabled());
        room.buffer.prepend(QStringLiteral("// mine\n"));
        room.button("applyCode")->click();
        room.applyDialog()->findChild<QPushButton*>(QStringLiteral("apply"))->click();
        QCOMPARE(accepted.size(), 1);
        QCOMPARE(accepted[0][0].toString(), QStringLiteral("// mine\n") + QString::fromStdString(mended));
    }
    void stopAndNewChat()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a")), .end = End::HoldOpen}});
        Room room(&server);
        room.ask(QStringLiteral("hello"));
        QTRY_COMPARE(room.button("send")->text(), QStringLiteral("Stop"));
        QTRY_VERIFY(!server.requests().empty());
        room.button("send")->click();
        QTRY_COMPARE(room.button("send")->text(), QStringLiteral("Send"));
        room.button("newChat")->click();
        QVERIFY(room.room->controller().conversation().messages.empty());
    }
    void aChipThatWasRemovedIsNotSent()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a") + "data: [DONE]\n\n")}});
        Room room(&server);
        room.pane.findChild<QToolButton*>(QStringLiteral("chip"))->click();
        room.ask(QStringLiteral("hello"));
        QTRY_VERIFY(!server.requests().empty());
        QVERIFY(server.requests().front().find("mov.u32") == std::string::npos);
    }
    void withoutAProviderNothingIsSentUntilOneIsSaved()
    {
        const ScriptedServer server(
            {{.bytes = httpAnswer("200 OK", "application/json", R"({"data":[{"id":"tiny"}]})")},
                {.bytes = eventStream(say("a") + "data: [DONE]\n\n")}});
        Room room(nullptr);
        QVERIFY(room.button("setUpProvider")->isVisible());
        room.button("setUpProvider")->click();
        auto* dialog = room.pane.findChild<ProviderDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->findChild<QLineEdit*>(QStringLiteral("address"))
            ->setText(QString::fromStdString(server.baseUrl()));
        QVERIFY(server.requests().empty());
        dialog->findChild<QPushButton*>(QStringLiteral("test"))->click();
        QTRY_VERIFY(
            dialog->findChild<QLabel*>(QStringLiteral("report"))->text().contains(QLatin1String("tiny")));
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
        QVERIFY(!room.button("setUpProvider")->isVisible());
        QCOMPARE(loadProvider(room.settings).baseUrl, server.baseUrl());
        room.ask(QStringLiteral("hello"));
        QTRY_COMPARE(server.requests().size(), std::size_t{2});
        QTRY_VERIFY(!room.room->controller().isBusy());
    }
};

QTEST_MAIN(TestChatRoom)
#include "tst_chat_room.moc"
