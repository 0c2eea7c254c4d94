// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/main_window.h"
#include "app/screenshot.h"
#include "app/settings.h"
#include "app/theme.h"
#include "core/support/temporary_directory.h"
#include "core/support/version.h"

#include <QApplication>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <cstdio>
#include <thread>

namespace {

QStringList argumentsOf(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments << QString::fromLocal8Bit(argv[i]);
    }
    return arguments;
}

QtMessageHandler toldBefore = nullptr;

// Said of every window where there is no window system; a picture is wanted there, and it is right.
void leaveOutSizeHints(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (!message.contains(QLatin1String("does not support propagateSizeHints"))) {
        toldBefore(type, context, message);
    }
}

void loadTranslations(QApplication& application)
{
    static QTranslator ours;
    static QTranslator qts;
    // English too has a file: it holds the plural forms.
    if (ours.load(QLocale(), QStringLiteral("ptxwb"), QStringLiteral("_"), QStringLiteral(":/i18n"))
        || ours.load(QStringLiteral(":/i18n/ptxwb_en.qm"))) {
        QApplication::installTranslator(&ours);
    }
    if (qts.load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"),
            QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QApplication::installTranslator(&qts);
    }
    Q_UNUSED(application);
}

} // namespace

int main(int argc, char** argv)
{
    // Before a display is asked for, so that --help works without one.
    const ptxwb::ParsedCommandLine parsed = ptxwb::parseCommandLine(argumentsOf(argc, argv));
    if (!parsed.go) {
        std::fputs(qPrintable(parsed.message), parsed.exitStatus == 0 ? stdout : stderr);
        return parsed.exitStatus;
    }
    toldBefore = qInstallMessageHandler(leaveOutSizeHints);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("ptx-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("PTX Workbench"));
    QApplication::setApplicationVersion(
        QString::fromUtf8(ptxwb::productVersion().data(), static_cast<int>(ptxwb::productVersion().size())));
    QApplication::setDesktopFileName(QStringLiteral("ptx-workbench"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/ptx-workbench.svg")));
    loadTranslations(application);

    ptxwb::Settings settings;
    ptxwb::MainWindow window(parsed.options, settings);
    window.show();
    const std::jthread sweep(
        [] { ptxwb::sweepStaleTemporaryDirectories(); }); // of processes that were killed
    if (!parsed.options.screenshot.isEmpty()) {
        ptxwb::takeScreenshot(window, parsed.options.screenshot);
    }
    return QApplication::exec();
}
