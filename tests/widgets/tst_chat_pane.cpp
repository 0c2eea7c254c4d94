// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/chat_pane.h"

#include "widgets/chat/code_block_view.h"
#include "widgets/chat/composer.h"
#include "widgets/chat/message_view.h"
#include "widgets/chat/prose_view.h"
#include "widgets/chat/transcript_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>
#include <QToolButton>

using namespace ptxwb;
using llm::FinishState;

namespace {

const std::string module = ".version 8.0\n.target sm_90a\n.entry k()\n{\n    ret;\n}\n";

llm::Message question(const std::string& text)
{
    return {.role = llm::Role::User, .content = {llm::TextBlock{text}}};
}

llm::Message answer(
    const std::string& text, FinishState state = FinishState::Complete, const std::string& failure = {})
{
    return {
        .role = llm::Role::Assistant, .content = {llm::TextBlock{text}}, .state = state, .failure = failure};
}

template <class T> T* child(QWidget& parent, const char* name)
{
    return parent.findChild<T*>(QLatin1String(name));
}

// A pane with a provider, shown.
struct Shown {
    Shown()
    {
        pane.setProvider(QStringLiteral("local"), QStringLiteral("tiny"));
        pane.resize(400, 600);
        pane.show();
    }
    void converse(std::vector<llm::Message> messages)
    {
        pane.setConversation({std::move(messages)});
        QTest::qWait(60);
    }
    ChatPane pane;
};

} // namespace

class TestChatPane : public QObject {
    Q_OBJECT
private slots:
    void withoutAProviderItSaysSoAndOffersTheSetup()
    {
        ChatPane pane;
        pane.show();
        QVERIFY(child<QLabel>(pane, "noProvider")->isVisible());
        QVERIFY(!child<Composer>(pane, "composer")->isVisible());
        QSignalSpy asked(&pane, &ChatPane::providerSetupRequested);
        child<QPushButton>(pane, "setUpProvider")->click();
        QCOMPARE(asked.size(), 1);
        pane.setProvider(QStringLiteral("local"), {});
        QVERIFY(child<Composer>(pane, "composer")->isVisible());
    }
    void enterSendsAndShiftEnterMakesALine()
    {
        Shown shown;
        shown.pane.setContextChips({{QStringLiteral("buffer"), QStringLiteral("a.ptx"), 10, {}}});
        auto* composer = child<Composer>(shown.pane, "composer");
        QSignalSpy sent(&shown.pane, &ChatPane::sendRequested);
        QTest::keyClicks(composer, QStringLiteral("why"));
        QTest::keyClick(composer, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(composer, QStringLiteral("so?"));
        QCOMPARE(sent.size(), 0);
        QTest::keyClick(composer, Qt::Key_Return);
        QCOMPARE(sent.size(), 1);
        QCOMPARE(sent[0][0].toString(), QStringLiteral("why\nso?"));
        QCOMPARE(sent[0][1].toStringList(), QStringList{QStringLiteral("buffer")});
        QVERIFY(composer->toPlainText().isEmpty());
    }
    void sendsNothingThatIsBlank()
    {
        Shown shown;
        QSignalSpy sent(&shown.pane, &ChatPane::sendRequested);
        shown.pane.setQuestion(QStringLiteral("  \n "));
        QTest::keyClick(child<Composer>(shown.pane, "composer"), Qt::Key_Return);
        QCOMPARE(sent.size(), 0);
        QVERIFY(!child<QPushButton>(shown.pane, "send")->isEnabled());
    }
    void aRemovedChipStaysRemovedAndCanComeBack()
    {
        Shown shown;
        const std::vector<ContextChip> chips{{QStringLiteral("buffer"), QStringLiteral("a.ptx"), 10, {}},
            {QStringLiteral("verdict"), QStringLiteral("correct"), 5, {}}};
        shown.pane.setContextChips(chips);
        shown.pane.findChildren<QToolButton*>(QStringLiteral("chip")).front()->click();
        QCOMPARE(shown.pane.includedContextIds(), QStringList{QStringLiteral("verdict")});
        QTRY_COMPARE(shown.pane.findChildren<QToolButton*>(QStringLiteral("chip")).size(), 1);
        auto grown = chips;
        grown.front().bytes = 99;
        shown.pane.setContextChips(grown);
        QCOMPARE(shown.pane.includedContextIds(), QStringList{QStringLiteral("verdict")});
        auto* add = child<QToolButton>(shown.pane, "addContext");
        QVERIFY(add->isVisible());
        add->menu()->actions().front()->trigger();
        QCOMPARE(shown.pane.includedContextIds().size(), 2);
    }
    void whileItStreamsSendIsStop()
    {
        Shown shown;
        shown.converse({question("hi"), answer("a", FinishState::Streaming)});
        auto* send = child<QPushButton>(shown.pane, "send");
        QSignalSpy stopped(&shown.pane, &ChatPane::stopRequested);
        QSignalSpy sent(&shown.pane, &ChatPane::sendRequested);
        QVERIFY(send->isEnabled());
        send->click();
        QTest::keyClick(child<Composer>(shown.pane, "composer"), Qt::Key_Escape);
        QCOMPARE(stopped.size(), 2);
        shown.pane.setQuestion(QStringLiteral("next"));
        QTest::keyClick(child<Composer>(shown.pane, "composer"), Qt::Key_Return);
        QCOMPARE(sent.size(), 0);
        shown.converse({question("hi"), answer("a")});
        send->click();
        QCOMPARE(sent.size(), 1);
    }
    void showsProseAndCodeAndHidesSystemMessages()
    {
        Shown shown;
        shown.converse({{.role = llm::Role::System, .content = {llm::TextBlock{"secret"}}}, question("hi"),
            answer("Some **bold** text\n\n```ptx\n" + module + "```\n\nEnd.")});
        const auto messages = shown.pane.findChildren<MessageView*>();
        QCOMPARE(messages.size(), 2);
        const auto prose = messages[1]->findChildren<ProseView*>(QStringLiteral("prose"));
        QCOMPARE(prose.size(), 2);
        QCOMPARE(prose[0]->toPlainText(), QStringLiteral("Some bold text"));
        QCOMPARE(child<CodeBlockView>(shown.pane, "codeBlock")->code(), QString::fromStdString(module));
    }
    void applyGivesTheCodeAndTheMessage()
    {
        Shown shown;
        shown.converse({question("hi"), answer("```ptx\n" + module + "```")});
        QSignalSpy applied(&shown.pane, &ChatPane::applyRequested);
        child<QPushButton>(shown.pane, "applyCode")->click();
        QCOMPARE(applied.size(), 1);
        QCOMPARE(applied[0][0].toString(), QString::fromStdString(module));
        QCOMPARE(applied[0][1].toInt(), 1);
    }
    void copyFillsTheClipboard()
    {
        Shown shown;
        shown.converse({question("hi"), answer("```ptx\n" + module + "```")});
        child<QPushButton>(shown.pane, "copyCode")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(module));
    }
    void onlyAnAnswerThatEndedWellIsApplied_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("complete") << static_cast<int>(FinishState::Complete) << true;
        QTest::newRow("cut by the limit") << static_cast<int>(FinishState::CutByLimit) << true;
        QTest::newRow("streaming") << static_cast<int>(FinishState::Streaming) << false;
        QTest::newRow("ended early") << static_cast<int>(FinishState::EndedEarly) << false;
        QTest::newRow("stopped") << static_cast<int>(FinishState::Stopped) << false;
        QTest::newRow("failed") << static_cast<int>(FinishState::Failed) << false;
    }
    void onlyAnAnswerThatEndedWellIsApplied()
    {
        QFETCH(int, state);
        QFETCH(bool, allowed);
        Shown shown;
        shown.converse(
            {question("hi"), answer("```ptx\n" + module + "```", static_cast<FinishState>(state))});
        QCOMPARE(child<QPushButton>(shown.pane, "applyCode")->isEnabled(), allowed);
        QVERIFY(child<QPushButton>(shown.pane, "copyCode")->isEnabled());
        QVERIFY(!child<QPushButton>(shown.pane, "applyCode")->toolTip().isEmpty());
    }
    void aFailureIsShownWithRetry()
    {
        Shown shown;
        shown.converse({question("hi"), answer("", FinishState::Failed, "HTTP 429: too many requests.")});
        auto* end = child<QLabel>(*shown.pane.findChildren<MessageView*>().back(), "end");
        QVERIFY(end->isVisible());
        QVERIFY(end->text().contains(QLatin1String("429")));
        QSignalSpy retried(&shown.pane, &ChatPane::retryRequested);
        child<QPushButton>(*shown.pane.findChildren<MessageView*>().back(), "retry")->click();
        QCOMPARE(retried.size(), 1);
    }
    void onlyTheLastFailureHasRetry()
    {
        Shown shown;
        shown.converse({question("a"), answer("", FinishState::Failed, "no"), question("b"),
            answer("", FinishState::Failed, "no")});
        const auto buttons = shown.pane.findChildren<QPushButton*>(QStringLiteral("retry"));
        QCOMPARE(std::count_if(
                     buttons.begin(), buttons.end(), [](const QPushButton* b) { return b->isVisible(); }),
            1);
    }
    void aServersTextIsNotTakenForMarkup()
    {
        Shown shown;
        shown.converse(
            {question("<b>a</b>"), answer("", FinishState::Failed, "<img src='file:///etc/passwd'>")});
        QCOMPARE(child<QLabel>(*shown.pane.findChildren<MessageView*>().back(), "end")->textFormat(),
            Qt::PlainText);
        QCOMPARE(child<ProseView>(shown.pane, "prose")->toPlainText(), QStringLiteral("<b>a</b>"));
    }
    void anAnswerLoadsNoFile()
    {
        ProseView view;
        view.setMarkdownText(QStringLiteral("![x](file:///etc/hostname) <img src=\"file:///etc/hostname\">"));
        // A QTextDocument reads local files by itself when its view gives it nothing.
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write("private");
        file.close();
        const auto url = QUrl::fromLocalFile(file.fileName());
        QCOMPARE(
            view.document()->resource(QTextDocument::ImageResource, url).value<QImage>().size(), QSize(1, 1));
        QVERIFY(view.document()->resource(QTextDocument::StyleSheetResource, url).toByteArray().isEmpty());
    }
    void onlyLinksOfTheWebAreFollowed()
    {
        Shown shown;
        shown.converse(
            {question("hi"), answer("[a](https://h.example/) [b](file:///etc/passwd) [c](ms-cmd:x)")});
        QSignalSpy activated(&shown.pane, &ChatPane::linkActivated);
        auto* prose = child<ProseView>(*shown.pane.findChildren<MessageView*>().back(), "prose");
        for (const char* link :
            {"https://h.example/", "file:///etc/passwd", "ms-cmd:x", "javascript:alert(1)"}) {
            emit prose->anchorClicked(QUrl(QLatin1String(link)));
        }
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toUrl(), QUrl(QStringLiteral("https://h.example/")));
    }
    void reasoningIsFoldedAndNeverCode()
    {
        auto message = answer("done");
        message.reasoning = "```ptx\n" + module + "```";
        Shown shown;
        shown.converse({question("hi"), message});
        auto* reasoning = child<ProseView>(shown.pane, "reasoning");
        auto* fold = shown.pane.findChildren<MessageView*>()[1]->findChild<QToolButton*>(
            QStringLiteral("reasoningFold"));
        reasoning =
            shown.pane.findChildren<MessageView*>()[1]->findChild<ProseView*>(QStringLiteral("reasoning"));
        QVERIFY(fold->isVisible() && !reasoning->isVisible());
        QVERIFY(child<CodeBlockView>(shown.pane, "codeBlock") == nullptr);
        fold->click();
        QVERIFY(reasoning->isVisible());
        QVERIFY(reasoning->toPlainText().contains(QLatin1String(".version")));
    }
    void showsModelAndTokens()
    {
        auto message = answer("x");
        message.model = "tiny";
        message.usage = llm::Usage{.promptTokens = 12, .completionTokens = 3};
        Shown shown;
        shown.converse({question("hi"), message});
        const auto facts =
            shown.pane.findChildren<MessageView*>()[1]->findChild<QLabel*>(QStringLiteral("facts"))->text();
        QVERIFY(facts.contains(QLatin1String("tiny")) && facts.contains(QLatin1String("12"))
            && facts.contains(QLatin1Char('3')));
    }
    void editPutsTheQuestionBackAndResendsInItsPlace()
    {
        Shown shown;
        shown.converse({question("first"), answer("x")});
        child<QPushButton>(shown.pane, "edit")->click();
        auto* composer = child<Composer>(shown.pane, "composer");
        QCOMPARE(composer->toPlainText(), QStringLiteral("first"));
        QTest::keyClicks(composer, QStringLiteral("!"));
        QSignalSpy resent(&shown.pane, &ChatPane::resendRequested);
        QTest::keyClick(composer, Qt::Key_Return);
        QCOMPARE(resent.size(), 1);
        QCOMPARE(resent[0][0].toInt(), 0);
        QCOMPARE(resent[0][1].toString(), QStringLiteral("first!"));
    }
    void streamingKeepsTheWidgetsOfWhatIsDone()
    {
        Shown shown;
        const std::string head = "Text\n\n```ptx\n" + module + "```\n\n";
        shown.converse({question("hi"), answer(head + "mo", FinishState::Streaming)});
        auto* code = child<CodeBlockView>(shown.pane, "codeBlock");
        shown.converse({question("hi"), answer(head + "more text", FinishState::Streaming)});
        QCOMPARE(child<CodeBlockView>(shown.pane, "codeBlock"), code);
        shown.converse({question("hi"), answer(head + "more text.")});
        QCOMPARE(child<CodeBlockView>(shown.pane, "codeBlock"), code);
    }
    void everyPrefixOfAnAnswerCanBeShown()
    {
        Shown shown;
        const std::string text = "A\n\n1. x\n\n   ```ptx\n   mov;\n   ```\n\nB\n\n~~~\ny\n~~~\n";
        for (std::size_t length = 0; length <= text.size(); ++length) {
            shown.pane.findChild<TranscriptView*>()->setConversation(
                {{question("hi"), answer(text.substr(0, length), FinishState::Streaming)}});
        }
        QCOMPARE(shown.pane.findChildren<CodeBlockView*>().size(), 2);
    }
    void followsTheEndUnlessTheUserScrolledUp()
    {
        Shown shown;
        std::string text;
        for (int i = 0; i < 100; ++i) {
            text += "line\n\n";
        }
        shown.converse({question("hi"), answer(text, FinishState::Streaming)});
        auto* bar = shown.pane.findChild<TranscriptView*>()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        QTRY_COMPARE(bar->value(), bar->maximum());
        bar->setValue(0);
        shown.converse({question("hi"), answer(text + text, FinishState::Streaming)});
        QCOMPARE(bar->value(), 0);
    }
    void aHugeAnswerIsDrawnInBoundedPieces()
    {
        std::string text;
        std::size_t paragraphs = 0;
        for (; text.size() < 1'000'000; ++paragraphs) {
            text += "Paragraph " + std::to_string(paragraphs) + ' ' + std::string(900, 'x') + "\n\n";
        }
        const auto pieces = piecesOf(text);
        const auto shorter = piecesOf(std::string_view(text).substr(0, text.size() / 2));
        std::string joined;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            joined += pieces[i];
            QVERIFY(pieces[i].size() <= 24'000);
            QVERIFY(i + 1 >= shorter.size() || pieces[i] == shorter[i]);
        }
        QVERIFY(joined == text);
        Shown shown;
        shown.converse({question("?"), answer(text + "```ptx\n" + module + "```\n")});
        auto* transcript = shown.pane.findChild<TranscriptView*>();
        const auto proseNow = [&] {
            return transcript->findChildren<ProseView*>(QStringLiteral("prose")).size();
        };
        const auto before = proseNow();
        QVERIFY(before > 10 && before < 30);
        auto* more = child<QPushButton>(*transcript->findChildren<MessageView*>().back(), "more");
        QVERIFY(!more->isHidden());
        auto* first = transcript->findChild<ProseView*>(QStringLiteral("prose"));
        more->click();
        QVERIFY(proseNow() > before);
        QCOMPARE(transcript->findChild<ProseView*>(QStringLiteral("prose")), first);
        while (!more->isHidden()) {
            more->click();
        }
        QCOMPARE(transcript->findChildren<CodeBlockView*>().size(), 1);
    }
    void aTurnWithoutAnAnswerIsMarked()
    {
        Shown shown;
        shown.converse(
            {question("one"), answer({}, FinishState::Failed, "no"), question("two"), answer("yes")});
        QList<bool> marked;
        for (const auto* mark : shown.pane.findChildren<QLabel*>(QStringLiteral("leftOutMark"))) {
            marked << !mark->isHidden();
        }
        QCOMPARE(marked, (QList<bool>{true, false, false, false}));
    }
    void saysWhatWasLeftOut()
    {
        Shown shown;
        shown.pane.setLeftOut({{"buffer", "big.ptx", 200000, 200000}});
        QVERIFY(child<QLabel>(shown.pane, "leftOut")->text().contains(QLatin1String("big.ptx")));
        QVERIFY(child<QLabel>(shown.pane, "leftOut")->isVisible());
        shown.pane.setLeftOut({});
        QVERIFY(!child<QLabel>(shown.pane, "leftOut")->isVisible());
    }
    void nothingIsClippedAtANarrowWidth()
    {
        Shown shown;
        shown.pane.resize(260, 500);
        shown.converse({question("A question that is longer than one line of a narrow pane, for sure."),
            answer("Prose that wraps. " + std::string(90, 'x') + "\n\n```ptx\n" + module + "```")});
        auto* transcript = shown.pane.findChild<TranscriptView*>();
        QTRY_VERIFY(transcript->widget()->width() <= transcript->viewport()->width());
        for (const auto* prose : shown.pane.findChildren<ProseView*>(QStringLiteral("prose"))) {
            QVERIFY(prose->document()->size().height() <= prose->height() + 1);
        }
        for (const auto* button : shown.pane.findChildren<QPushButton*>()) {
            if (button->isVisible()) {
                QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(button->text()));
            }
        }
    }
};

QTEST_MAIN(TestChatPane)
#include "tst_chat_pane.moc"
