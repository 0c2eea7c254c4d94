// SPDX-License-Identifier: Apache-2.0
// How panes come forward, share titles, and are reached by the keyboard.
#include "window_fixture.h"

#include "app/build_controller.h"
#include "app/file_controller.h"
#include "app/pane_navigation.h"
#include "app/welcome_controller.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/link_row.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/welcome_pane.h"
#include "widgets/results/results_pane.h"
#include "widgets/sass/sass_view.h"

#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTabWidget>

using namespace ptxwb;

namespace {

const char* const goodKernel = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                               ".visible .entry k()\n{\n    ret;\n}\n";
const char* const badKernel = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                              ".visible .entry k()\n{\n    nonsense;\n    ret;\n}\n";

WindowOptions freshOptions()
{
    WindowOptions options;
    options.fresh = true;
    return options;
}

bool build(MainWindow& window, const char* text)
{
    window.panes().editor->editor()->replaceAllText(text);
    window.builds().buildNow();
    return waitUntilIdle(window) && window.builds().current() && !window.builds().current()->failure;
}

} // namespace

class TestPanes : public QObject {
    Q_OBJECT

private slots:
    void aFailedBuildShowsItsProblemsAndAGoodOneItsMachineCode()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        QVERIFY(waitUntilIdle(*window));
        Panes& panes = window->panes();
        if (!build(*window, goodKernel)) {
            QSKIP("no ptxas here");
        }
        if (panes.chatDock != nullptr) {
            panes.chatDock->raise();
        }
        panes.resultsDock->raise();
        panes.editor->editor()->setFocus();
        const QWidget* focus = QApplication::focusWidget();
        QVERIFY(build(*window, badKernel));
        QTRY_VERIFY(panes.isInFront(panes.problemsDock));
        QCOMPARE(QApplication::focusWidget(), focus);
        QVERIFY(build(*window, goodKernel));
        QTRY_VERIFY(panes.isInFront(panes.sassDock));
        QTRY_VERIFY2(panes.isInFront(panes.resultsDock), "what Problems came before comes back");
    }

    void theProblemsDoNotTakeThePaneInWhichTheUserWorks()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        if (!build(*window, goodKernel)) {
            QSKIP("no ptxas here");
        }
        window->navigation().goTo(4);
        QVERIFY(window->panes().results->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(build(*window, badKernel));
        QTest::qWait(50);
        QVERIFY(window->panes().isInFront(window->panes().resultsDock));
    }

    void panesThatShareTabsHaveNoTitleBesides()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        Panes& panes = window->panes();
        const auto titleHeight = [](const QDockWidget* dock) {
            return dock->titleBarWidget() == nullptr ? -1 : dock->titleBarWidget()->height();
        };
        QTRY_COMPARE(titleHeight(panes.problemsDock), 0);
        QTRY_COMPARE(titleHeight(panes.resultsDock), 0);
        QTRY_VERIFY(titleHeight(panes.speedupDock) > 0);
        for (QDockWidget* other : window->tabifiedDockWidgets(panes.resultsDock)) {
            other->close();
        }
        QTRY_VERIFY2(titleHeight(panes.resultsDock) > 0, "the last of the tabs has no tab");
        panes.taskDock->show();
        QTRY_COMPARE(titleHeight(panes.resultsDock), 0);
        panes.taskDock->setFloating(true);
        QTRY_VERIFY(titleHeight(panes.taskDock) > 0);
    }

    void everyPaneIsReachedByItsKeyAndInTheRound()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        QVERIFY(waitUntilIdle(*window));
        const QList<QAction*> actions = window->actions().goToPane;
        QCOMPARE(actions.size(), 12);
        for (int number = 0; number < actions.size(); ++number) {
            if (actions[number] != nullptr) {
                actions[number]->trigger();
                QCOMPARE(window->navigation().current(), number);
            }
        }
        actions[0]->trigger();
        QList<int> round;
        do {
            window->actions().nextPane->trigger();
            round << window->navigation().current();
        } while (round.last() != 0 && round.size() < 12);
        QVERIFY2(round.size() >= 4, "editor, right, bottom, bottom right");
        window->actions().previousPane->trigger();
        QCOMPARE(window->navigation().current(), round[round.size() - 2]);
    }

    void anEmptyWindowOffersExamplesUntilOneIsOpened()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        QVERIFY(waitUntilIdle(*window));
        WelcomePane* welcome = window->panes().editor->welcome();
        QVERIFY(welcome->isVisible());
        QVERIFY(!window->panes().editor->editor()->isVisible());
        LinkRow* example = nullptr;
        for (LinkRow* row : welcome->findChildren<LinkRow*>()) {
            example = row->text() == QLatin1String("wgmma_tma.ptx") ? row : example;
        }
        QVERIFY(example != nullptr);
        QVERIFY(!example->detail().isEmpty());
        example->click();
        QVERIFY(!welcome->isVisible());
        QVERIFY(window->panes().editor->editor()->isVisible());
        QVERIFY(window->files().document().path().endsWith(QLatin1String("wgmma_tma.ptx")));
        QVERIFY(waitUntilIdle(*window));
        window->actions().newFile->trigger();
        QVERIFY2(!welcome->isVisible(), "who asked for an empty text gets it");
    }

    void aNewKernelIsWrittenAtOnce()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        WelcomePane* welcome = window->panes().editor->welcome();
        QVERIFY(waitUntilIdle(*window));
        QList<QWidget*> reached;
        for (int i = 0; i < 6; ++i) {
            QVERIFY(welcome->isAncestorOf(QApplication::focusWidget()));
            reached << QApplication::focusWidget();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        }
        QCOMPARE(QSet<QWidget*>(reached.begin(), reached.end()).size(), 6);
        window->actions().newFile->trigger();
        QCOMPARE(QApplication::focusWidget(), window->panes().editor->editor());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("ret;"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("x"));
        QCOMPARE(window->panes().editor->editor()->utf8(), QByteArray("ret;\nx"));
    }

    void theFirstSentenceOfAKernel()
    {
        QCOMPARE(firstSentence("// SPDX-License-Identifier: Apache-2.0\n//\n// C = A * B.\n//   More.\n"),
            QStringLiteral("C = A * B."));
        QCOMPARE(firstSentence("/* Adds.\n */\n.version 8.0\n"), QStringLiteral("Adds."));
        QCOMPARE(firstSentence(".version 8.0\n"), QString());
        QCOMPARE(firstSentence(""), QString());
    }

    void closingDoesNotWaitForAHangingTool()
    {
        WindowFixture fixture;
        const QString tool = fixture.path(QStringLiteral("ptxas"));
        QFile file(tool);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nexec sleep 300\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("PTXWB_PTXAS", tool.toUtf8());
        auto window = fixture.open(freshOptions());
        QTest::qWait(300);
        QVERIFY(!window->isIdle());
        QElapsedTimer clock;
        clock.start();
        window->close();
        window.reset();
        qunsetenv("PTXWB_PTXAS");
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
    }
};

QTEST_MAIN(TestPanes)
#include "tst_panes.moc"
