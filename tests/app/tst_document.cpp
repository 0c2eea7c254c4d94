// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/document.h"
#include "app/session_store.h"
#include "app/theme.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace ptxwb;

namespace {

QString write(const QTemporaryDir& directory, const char* name, const QByteArray& bytes)
{
    const QString path = directory.filePath(QString::fromUtf8(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        return {};
    }
    return path;
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

private slots:
    void byteOrderMarkAndLineEndsAreKept()
    {
        QTemporaryDir directory;
        const QByteArray bytes = "\xEF\xBB\xBF"
                                 ".version 8.0\r\n// \xC3\xA9\r\n";
        const QString path = write(directory, "a b$'.ptx", bytes);
        const Result<LoadedText> loaded = readTextFile(path);
        QVERIFY(loaded.has_value());
        QVERIFY(loaded->hasByteOrderMark);
        QCOMPARE(loaded->text, bytes.mid(3));
        Document document;
        document.setFile(path, *loaded);
        QVERIFY(document.save(path, loaded->text + "x").has_value());
        QCOMPARE(read(path), bytes + "x");
    }

    void badFilesGetASentence_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("word");
        QTest::newRow("utf-16") << QByteArray("\xFF\xFEx\0", 4) << QStringLiteral("UTF-16");
        QTest::newRow("binary") << QByteArray("ab\0cd", 5) << QStringLiteral("binary");
        QTest::newRow("elf") << QByteArray("\x7F"
                                           "ELF\2\1\1\0",
            8) << QStringLiteral("compiled");
        QTest::newRow("latin-1") << QByteArray("// ok\n// caf\xE9\n") << QStringLiteral("UTF-8");
    }
    void badFilesGetASentence()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, word);
        QTemporaryDir directory;
        const Result<LoadedText> loaded = readTextFile(write(directory, "x.ptx", bytes));
        QVERIFY(!loaded.has_value());
        QVERIFY2(
            QString::fromStdString(loaded.error().message).contains(word), loaded.error().message.c_str());
        QVERIFY(!loaded.error().hint.empty());
        if (word == QLatin1String("UTF-8")) {
            QCOMPARE(loaded.error().line, std::optional<int>(2));
        }
    }

    void aDirectoryAndAMissingFileAreErrors()
    {
        QTemporaryDir directory;
        QVERIFY(!readTextFile(directory.path()).has_value());
        QVERIFY(!readTextFile(directory.filePath(QStringLiteral("nowhere.ptx"))).has_value());
        QVERIFY(!readTextFile(QStringLiteral("/dev/zero")).has_value());
        const QString pipe = directory.filePath(QStringLiteral("pipe.ptx"));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        QVERIFY(!readTextFile(pipe).has_value()); // at once, though nobody writes into it
        const Result<LoadedText> empty = readTextFile(write(directory, "empty.ptx", {}));
        QVERIFY(empty.has_value() && empty->text.isEmpty());
    }

    void unsavedTextSurvivesWithoutAnyClose()
    {
        QTemporaryDir directory;
        SessionText session;
        session.path = QStringLiteral("/somewhere/gemm.ptx");
        session.text = "unsaved \xC3\xA9";
        session.modified = true;
        session.line = 3;
        {
            Result<SessionStore> store = SessionStore::open(directory.path());
            QVERIFY(store.has_value());
            QCOMPARE(store->crashesInARow(), 0);
            QVERIFY(store->save(session).has_value());
        } // no close(): as after a kill
        Result<SessionStore> again = SessionStore::open(directory.path());
        QVERIFY(again.has_value());
        QCOMPARE(again->crashesInARow(), 1);
        QVERIFY(again->restored().has_value());
        QCOMPARE(again->restored()->text, session.text);
        QCOMPARE(again->restored()->path, session.path);
        QCOMPARE(again->restored()->line, 3);
    }

    void aCrashLoopEndsInASafeStart()
    {
        QTemporaryDir directory;
        for (int start = 0; start < 2; ++start) {
            QVERIFY(!SessionStore::open(directory.path())->isSafeStart());
        }
        Result<SessionStore> third = SessionStore::open(directory.path());
        QVERIFY(third->isSafeStart());
        third->close();
        QVERIFY(!SessionStore::open(directory.path())->isSafeStart());
    }

    void twoWindowsDoNotShareASession()
    {
        QTemporaryDir directory;
        Result<SessionStore> first = SessionStore::open(directory.path());
        Result<SessionStore> second = SessionStore::open(directory.path());
        QVERIFY(first.has_value() && second.has_value());
        SessionText session;
        session.text = "first";
        session.modified = true;
        QVERIFY(first->save(session).has_value());
        session.text = "second";
        QVERIFY(second->save(session).has_value());
        first->close();
        second->close();
        // A slot with unsaved text is taken over before a fresh one is made.
        Result<SessionStore> a = SessionStore::open(directory.path());
        Result<SessionStore> b = SessionStore::open(directory.path());
        QCOMPARE((QSet<QByteArray>{a->restored()->text, b->restored()->text}),
            (QSet<QByteArray>{"first", "second"}));
    }

    void everyTextCanBeRead_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void everyTextCanBeRead()
    {
        QFETCH(bool, dark);
        const Theme theme = loadTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        QCOMPARE(theme.dark, dark);
        constexpr double readable = 4.5; // WCAG AA
        for (std::size_t i = 0; i < ptxStyleCount; ++i) {
            for (const QColor& paper :
                {theme.editor.paper, theme.editor.caretLine, theme.editor.linkedLine}) {
                QVERIFY2(contrastRatio(theme.editor.styles[i], paper) >= readable,
                    qPrintable(
                        QStringLiteral("%1 on %2")
                            .arg(QLatin1String(ptxStyleName(static_cast<PtxStyle>(i))), paper.name())));
            }
        }
        QVERIFY(contrastRatio(theme.editor.marginText, theme.editor.marginPaper) >= readable);
        for (const Tone tone : {Tone::Good, Tone::Bad, Tone::Caution, Tone::Neutral}) {
            QVERIFY(contrastRatio(theme.status.ink(tone), theme.status.fill(tone)) >= readable);
            QVERIFY(contrastRatio(theme.status.ink(tone), theme.palette.color(QPalette::Base)) >= readable);
        }
        const QPalette& palette = theme.palette;
        const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
            {QPalette::WindowText, QPalette::Window}, {QPalette::Text, QPalette::Base},
            {QPalette::Text, QPalette::AlternateBase}, {QPalette::ButtonText, QPalette::Button},
            {QPalette::ToolTipText, QPalette::ToolTipBase}, {QPalette::HighlightedText, QPalette::Highlight},
            {QPalette::Link, QPalette::Base}, {QPalette::PlaceholderText, QPalette::Base}};
        for (const auto& [ink, paper] : pairs) {
            QVERIFY2(contrastRatio(palette.color(ink), palette.color(paper)) >= readable,
                qPrintable(
                    QStringLiteral("%1 on %2").arg(palette.color(ink).name(), palette.color(paper).name())));
        }
        for (const QColor& ink : {theme.chart.text, theme.chart.reference}) {
            QVERIFY(contrastRatio(ink, theme.chart.paper) >= readable);
        }
    }

    void wrongUsageIsSaid()
    {
        const auto parse = [](const QStringList& arguments) {
            return parseCommandLine(QStringList{QStringLiteral("ptx-workbench")} + arguments);
        };
        QCOMPARE(parse({QStringLiteral("--theme"), QStringLiteral("pink")}).exitStatus, 2);
        QCOMPARE(parse({QStringLiteral("--layout"), QStringLiteral("pink")}).exitStatus, 2);
        QCOMPARE(parse({QStringLiteral("--nonsense")}).exitStatus, 2);
        QCOMPARE(parse({QStringLiteral("a"), QStringLiteral("b")}).exitStatus, 2);
        QCOMPARE(parse({QStringLiteral("--size"), QStringLiteral("big")}).exitStatus, 2);
        const auto picture = [&](const QString& source, const QString& path) {
            return parse({source, QStringLiteral("--screenshot"), path}).exitStatus;
        };
        QTemporaryDir directory;
        const QString source = write(directory, "kernel.png", "// a source all the same");
        QVERIFY(QFile::link(source, directory.filePath(QStringLiteral("link.png"))));
        QCOMPARE(picture(source, {}), 2);
        QCOMPARE(picture(source, directory.path()), 2);
        QCOMPARE(picture(source, source), 2);
        QCOMPARE(picture(source, directory.filePath(QStringLiteral("link.png"))), 2);
        QCOMPARE(picture(source, directory.filePath(QStringLiteral("x.xyz"))), 2);
        QCOMPARE(picture(source, directory.filePath(QStringLiteral("nowhere/x.png"))), 2);
        QCOMPARE(picture(source, directory.filePath(QStringLiteral("x.png"))), 0);
        QCOMPARE(parse({QStringLiteral("--help")}).exitStatus, 0);
        const ParsedCommandLine good = parse({QStringLiteral("k.ptx"), QStringLiteral("--task"),
            QStringLiteral("t"), QStringLiteral("--screenshot"), QStringLiteral("o.png"),
            QStringLiteral("--size"), QStringLiteral("1280x800")});
        QVERIFY(good.go);
        QCOMPARE(good.options.file, QStringLiteral("k.ptx"));
        QCOMPARE(good.options.size, QSize(1280, 800));
        QVERIFY(good.options.fresh);
    }
};

QTEST_MAIN(TestDocument)
#include "tst_document.moc"
