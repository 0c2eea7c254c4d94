// SPDX-License-Identifier: Apache-2.0
#include "app/main_window.h"

#include <QDir>
#include <QFile>
#include <QLibraryInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace ptxwb;

namespace {

struct Message {
    QString source;
    QStringList translations;
    bool finished = true;
};

QList<Message> messagesOf(const QString& path)
{
    QFile file(path);
    QList<Message> messages;
    if (!file.open(QIODevice::ReadOnly)) {
        return messages;
    }
    QXmlStreamReader reader(&file);
    bool inTranslation = false;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement() && reader.name() == QLatin1String("source")) {
            messages.append({reader.readElementText(), {}, true});
        } else if (reader.isStartElement() && reader.name() == QLatin1String("translation")) {
            messages.last().finished = !reader.attributes().hasAttribute(QLatin1String("type"));
            inTranslation = true;
            messages.last().translations << QString();
        } else if (reader.isEndElement() && reader.name() == QLatin1String("translation")) {
            inTranslation = false;
        } else if (reader.isStartElement() && reader.name() == QLatin1String("numerusform")) {
            messages.last().translations.removeAll(QString());
            messages.last().translations << reader.readElementText();
        } else if (reader.isCharacters() && inTranslation && !reader.isWhitespace()) {
            messages.last().translations.last() += reader.text().toString();
        }
    }
    return messages;
}

QString tool(const QString& name)
{
    const QString inPath = QStandardPaths::findExecutable(name);
    return inPath.isEmpty() ? QStandardPaths::findExecutable(name,
               {QLibraryInfo::path(QLibraryInfo::BinariesPath),
                   QLibraryInfo::path(QLibraryInfo::LibraryExecutablesPath)})
                            : inPath;
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void brazilianPortugueseIsComplete()
    {
        const QList<Message> messages =
            messagesOf(QStringLiteral(PTXWB_SOURCE_ROOT "/translations/ptxwb_pt_BR.ts"));
        QVERIFY(messages.size() > 300);
        for (const Message& message : messages) {
            QVERIFY2(message.finished, qPrintable(message.source));
            for (const QString& translation : message.translations) {
                QVERIFY2(!translation.isEmpty(), qPrintable(message.source));
            }
        }
    }

    void placeholdersAreKept()
    {
        for (const Message& message :
            messagesOf(QStringLiteral(PTXWB_SOURCE_ROOT "/translations/ptxwb_pt_BR.ts"))) {
            for (const QString& translation : message.translations) {
                for (int i = 1; i <= 4; ++i) {
                    for (const QString& form : QStringList{QLatin1Char('%') + QString::number(i),
                             QStringLiteral("%L") + QString::number(i)}) {
                        QVERIFY2(message.source.contains(form) == translation.contains(form),
                            qPrintable(message.source));
                    }
                }
                QVERIFY2(
                    message.source.contains(QLatin1String("%n")) == translation.contains(QLatin1String("%n")),
                    qPrintable(message.source));
            }
        }
    }

    void theFileHoldsEveryStringOfTheSources()
    {
        const QString lupdate = tool(QStringLiteral("lupdate"));
        if (lupdate.isEmpty()) {
            QSKIP("no lupdate here");
        }
        QTemporaryDir directory;
        const QString copy = directory.filePath(QStringLiteral("copy_pt_BR.ts"));
        QVERIFY(QFile::copy(QStringLiteral(PTXWB_SOURCE_ROOT "/translations/ptxwb_pt_BR.ts"), copy));
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        QProcess process;
        process.setWorkingDirectory(QStringLiteral(PTXWB_SOURCE_ROOT));
        process.start(lupdate,
            {QStringLiteral("-silent"), QStringLiteral("-I"), QStringLiteral("."),
                QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("widgets"),
                QStringLiteral("app"), QStringLiteral("-ts"), copy});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        for (const Message& message : messagesOf(copy)) {
            // An obsolete string is no harm; one without a translation is.
            QVERIFY2(!message.translations.join(QString()).isEmpty(), qPrintable(message.source));
        }
    }
};

QTEST_MAIN(TestTranslations)
#include "tst_translations.moc"
