// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/apply_dialog.h"
#include "widgets/chat/apply_view.h"
#include "widgets/chat/hunk_view.h"

#include "core/llm/markdown.h"

#include <QCheckBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;

namespace {

const std::string buffer = "a\nb\nc\nd\ne\nf\ng\nh\n";

llm::Proposal proposalOf(const std::string& text, const std::string& current = buffer,
    const std::optional<std::string>& prompt = std::nullopt)
{
    return llm::propose(current, llm::codeBlockFrom(text), prompt);
}

template <class T> T* child(QWidget& parent, const char* name)
{
    return parent.findChild<T*>(QLatin1String(name));
}

} // namespace

class TestChatApply : public QObject {
    Q_OBJECT
private slots:
    void acceptsHunkByHunk()
    {
        ApplyView view;
        view.setProposal(proposalOf("A\nb\nc\nd\ne\nf\ng\nH\n"), false);
        view.show();
        QCOMPARE(view.hunkCount(), 2);
        QCOMPARE(view.acceptedCount(), 2);
        view.findChildren<QCheckBox*>().front()->click();
        QCOMPARE(view.acceptedCount(), 1);
        QSignalSpy accepted(&view, &ApplyView::accepted);
        child<QPushButton>(view, "apply")->click();
        QCOMPARE(accepted.size(), 1);
        QCOMPARE(accepted[0][0].toString(), QStringLiteral("a\nb\nc\nd\ne\nf\ng\nH\n"));
        QCOMPARE(accepted[0][1].toString(), QString::fromStdString(buffer));
    }
    void allAndNone()
    {
        ApplyView view;
        view.setProposal(proposalOf("A\nb\nc\nd\ne\nf\ng\nH\n"), false);
        child<QPushButton>(view, "acceptNone")->click();
        QCOMPARE(view.acceptedCount(), 0);
        QVERIFY(!child<QPushButton>(view, "apply")->isEnabled());
        QCOMPARE(view.resultText(), QString::fromStdString(buffer));
        child<QPushButton>(view, "acceptAll")->click();
        QCOMPARE(view.acceptedCount(), 2);
        QVERIFY(child<QPushButton>(view, "apply")->isEnabled());
    }
    void showsLinesWithSignsAndSurroundings()
    {
        ApplyView view;
        view.setProposal(proposalOf("a\nb\nc\nD\ne\nf\ng\nh\n"), false);
        QCOMPARE(view.findChildren<HunkView*>().front()->findChild<QPlainTextEdit*>()->toPlainText(),
            QStringLiteral("  a\n  b\n  c\n- d\n+ D\n  e\n  f\n  g"));
    }
    void refusesTheWholeFileWhenCodeIsLeftOut()
    {
        ApplyView view;
        view.setProposal(proposalOf("a\n// ... existing code ...\nH\n"), false);
        view.show();
        QVERIFY(!child<QPushButton>(view, "acceptAll")->isEnabled());
        QVERIFY(child<QLabel>(view, "notice")->isVisible());
        view.acceptAll();
        QVERIFY(!view.resultText().contains(QLatin1String("...")));
        QVERIFY(view.resultText().contains(QLatin1String("d\ne")));
    }
    void saysThatTheAnswerWasCut()
    {
        ApplyView view;
        view.setProposal(proposalOf("x\n"), true);
        QVERIFY(child<QLabel>(view, "notice")->text().contains(QLatin1String("token limit")));
    }
    void aConflictCannotBeChecked()
    {
        ApplyView view;
        const std::string now = "a\nb\nmine\nd\ne\nf\ng\nh\n";
        view.setProposal(proposalOf("a\nb\nTHEIRS\nd\ne\nf\ng\nh\n", now, buffer), false);
        QCOMPARE(view.hunkCount(), 1);
        QVERIFY(!view.findChildren<QCheckBox*>().front()->isEnabled());
        view.acceptAll();
        QCOMPARE(view.acceptedCount(), 0);
        QCOMPARE(view.resultText(), QString::fromStdString(now));
        QVERIFY(child<QLabel>(view, "notice")->text().contains(QLatin1String("changed since")));
    }
    void sameCodeHasNothingToApply()
    {
        ApplyView view;
        view.setProposal(proposalOf(buffer), false);
        view.show();
        QVERIFY(child<QLabel>(view, "nothing")->isVisible());
        QVERIFY(!child<QPushButton>(view, "apply")->isEnabled());
    }
    void theDialogClosesWithTheText()
    {
        ApplyDialog dialog(proposalOf("A\nb\nc\nd\ne\nf\ng\nh\n"), false, QStringLiteral("k.ptx"));
        QSignalSpy accepted(&dialog, &ApplyDialog::textAccepted);
        dialog.open();
        child<QPushButton>(dialog, "apply")->click();
        QCOMPARE(accepted.size(), 1);
        QVERIFY(!dialog.isVisible());
    }
    void spaceOnAHunkTogglesItFromTheKeyboard()
    {
        ApplyView view;
        view.setProposal(proposalOf("A\nb\nc\nd\ne\nf\ng\nh\n"), false);
        view.show();
        auto* check = view.findChildren<QCheckBox*>().front();
        check->setFocus();
        QTest::keyClick(check, Qt::Key_Space);
        QCOMPARE(view.acceptedCount(), 0);
    }
};

QTEST_MAIN(TestChatApply)
#include "tst_chat_apply.moc"
