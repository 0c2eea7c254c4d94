// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "app/layouts.h"
#include "core/support/version.h"

#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <sys/stat.h>

namespace ptxwb {

namespace {

ParsedCommandLine wrongUsage(const QString& message)
{
    ParsedCommandLine parsed;
    parsed.go = false;
    parsed.exitStatus = 2;
    parsed.message =
        QStringLiteral("ptx-workbench: %1\nptx-workbench --help lists the options.\n").arg(message);
    return parsed;
}

/// Why a picture cannot be written there; empty when it can.
QString pictureRefused(const QString& path, const QStringList& arguments)
{
    const QFileInfo picture(path);
    if (path.isEmpty() || picture.isDir()) {
        return QStringLiteral("--screenshot needs the name of a picture, e.g. window.png");
    }
    const auto format = picture.suffix().toLower();
    if (format != QLatin1String("png") && format != QLatin1String("jpg") && format != QLatin1String("bmp")) {
        return QStringLiteral("--screenshot writes .png, .jpg or .bmp, not '%1'").arg(path);
    }
    if (!picture.absoluteDir().exists()) {
        return QStringLiteral("the folder of %1 does not exist").arg(path);
    }
    // A source, also by another of its names, must not become a picture.
    for (const QString& word : arguments.mid(1)) {
        const QFileInfo other(word);
        struct stat a { };
        struct stat b { };
        const bool isOption = word == path; // the value of --screenshot itself
        if (!isOption && picture.exists() && other.isFile()
            && ::stat(QFile::encodeName(path).constData(), &a) == 0
            && ::stat(QFile::encodeName(word).constData(), &b) == 0 && a.st_dev == b.st_dev
            && a.st_ino == b.st_ino) {
            return QStringLiteral("--screenshot would overwrite %1").arg(word);
        }
    }
    if (arguments.count(path) > 1) {
        return QStringLiteral("--screenshot would overwrite %1").arg(path);
    }
    return {};
}

} // namespace

ParsedCommandLine parseCommandLine(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Write, inspect, check and time architecture-specific PTX kernels."));
    const QCommandLineOption help(
        {QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help."));
    const QCommandLineOption version(QStringLiteral("version"), QStringLiteral("Show the version."));
    const QCommandLineOption task(
        QStringLiteral("task"), QStringLiteral("Choose a task."), QStringLiteral("NAME"));
    const QCommandLineOption workload(QStringLiteral("workload"),
        QStringLiteral("Choose its workload: a tag or uuid."), QStringLiteral("W"));
    const QCommandLineOption theme(
        QStringLiteral("theme"), QStringLiteral("dark, light or system."), QStringLiteral("NAME"));
    const QCommandLineOption layout(
        QStringLiteral("layout"), QStringLiteral("edit, inspect or compare."), QStringLiteral("NAME"));
    const QCommandLineOption compare(QStringLiteral("compare"),
        QStringLiteral(
            "Show how the machine code of OTHER differs from that of FILE, as `ptxwb diff FILE OTHER`."),
        QStringLiteral("OTHER"));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
        QStringLiteral("Compile, wait until idle, write a picture of the window and end."),
        QStringLiteral("OUT.png"));
    const QCommandLineOption size(
        QStringLiteral("size"), QStringLiteral("Size of the picture, e.g. 1280x800."), QStringLiteral("WxH"));
    const QCommandLineOption line(
        QStringLiteral("line"), QStringLiteral("Put the caret on this line of FILE."), QStringLiteral("N"));
    const QCommandLineOption fresh(
        QStringLiteral("fresh"), QStringLiteral("Start without the last session and keep none."));
    const QCommandLineOption run(
        QStringLiteral("run"), QStringLiteral("Run the kernel by its own launch plan, as `ptxwb run FILE`."));
    const QCommandLineOption debug(
        QStringLiteral("debug"), QStringLiteral("Start the kernel in the debugger, as `ptxwb debug FILE`."));
    const QCommandLineOption triage(QStringLiteral("triage"),
        QStringLiteral("Look through a folder of answers, as `ptxwb triage PATH`."), QStringLiteral("PATH"));
    parser.addOptions({help, version, task, workload, theme, layout, compare, run, debug, triage, screenshot,
        size, line, fresh});
    parser.addPositionalArgument(
        QStringLiteral("FILE"), QStringLiteral("A .ptx or .cu file."), QStringLiteral("[FILE]"));
    if (!parser.parse(arguments)) {
        return wrongUsage(parser.errorText());
    }
    ParsedCommandLine parsed;
    if (parser.isSet(help) || parser.isSet(version)) {
        parsed.go = false;
        parsed.message = parser.isSet(help)
            ? parser.helpText().replace(QLatin1String("<executable_name>"), QLatin1String("ptx-workbench"))
            : QStringLiteral("ptx-workbench %1\n")
                  .arg(QString::fromUtf8(productVersion().data(), static_cast<int>(productVersion().size())));
        return parsed;
    }
    WindowOptions& options = parsed.options;
    if (parser.positionalArguments().size() > 1) {
        return wrongUsage(
            QStringLiteral("one file at a time; got %1").arg(parser.positionalArguments().size()));
    }
    options.file = parser.positionalArguments().value(0);
    options.task = parser.value(task);
    options.workload = parser.value(workload);
    options.theme = parser.value(theme);
    options.layout = parser.value(layout);
    options.compare = parser.value(compare);
    options.run = parser.isSet(run);
    options.debug = parser.isSet(debug);
    options.triage = parser.value(triage);
    if (parser.isSet(triage) && !QFileInfo::exists(options.triage)) {
        return wrongUsage(QStringLiteral("--triage: there is no %1").arg(options.triage));
    }
    if ((options.run || options.debug) && options.file.isEmpty()) {
        return wrongUsage(QStringLiteral("--run and --debug need a FILE"));
    }
    options.screenshot = parser.value(screenshot);
    if (parser.isSet(screenshot)) {
        if (const QString refused = pictureRefused(options.screenshot, arguments); !refused.isEmpty()) {
            return wrongUsage(refused);
        }
    }
    options.fresh = parser.isSet(fresh) || parser.isSet(screenshot);
    const QStringList themes{QStringLiteral("dark"), QStringLiteral("light"), QStringLiteral("system")};
    if (parser.isSet(theme) && !themes.contains(options.theme)) {
        return wrongUsage(
            QStringLiteral("there is no theme '%1'; known: dark, light, system").arg(options.theme));
    }
    if (parser.isSet(layout) && !layoutByName(options.layout)) {
        return wrongUsage(
            QStringLiteral("there is no layout '%1'; known: edit, inspect, compare").arg(options.layout));
    }
    if (parser.isSet(line)) {
        options.line = parser.value(line).toInt();
        if (options.line < 1) {
            return wrongUsage(QStringLiteral("--line '%1' is not a line number").arg(parser.value(line)));
        }
    }
    if (parser.isSet(size)) {
        const QRegularExpressionMatch match =
            QRegularExpression(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$")).match(parser.value(size));
        if (!match.hasMatch()) {
            return wrongUsage(QStringLiteral("--size '%1' is not like 1280x800").arg(parser.value(size)));
        }
        options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    }
    return parsed;
}

} // namespace ptxwb
