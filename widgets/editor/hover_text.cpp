// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/hover_text.h"

#include "widgets/editor/hover_card.h"

namespace ptxwb {

namespace {

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'
        || c == ':' || c == '%' || c == '$';
}

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Fatal:
    case Severity::Error:
        return HoverCard::tr("Error");
    case Severity::Warning:
        return HoverCard::tr("Warning");
    case Severity::Info:
        return HoverCard::tr("Note");
    }
    return {};
}

QString instructionText(const IsaInstruction& instruction)
{
    QString html =
        QStringLiteral("<p><b><code>%1</code></b> &nbsp; <i>%2</i><br>%3</p>")
            .arg(escaped(instruction.mnemonic), escaped(instruction.category), escaped(instruction.summary));
    QStringList forms;
    for (std::size_t i = 0; i < instruction.syntax.size() && i < 3; ++i) {
        forms << QStringLiteral("<code>%1</code>").arg(escaped(instruction.syntax[i]));
    }
    if (!forms.isEmpty()) {
        html += QStringLiteral("<p>%1</p>").arg(forms.join(QStringLiteral("<br>")));
    }
    html += QStringLiteral("<p>%1</p>")
                .arg(HoverCard::tr("Needs PTX %1 and %2.")
                         .arg(escaped(instruction.minPtx), escaped(instruction.minTarget)));
    if (!instruction.manualUrl.empty()) {
        html += QStringLiteral("<p><a href=\"%1\">%2</a></p>")
                    .arg(escaped(instruction.manualUrl), HoverCard::tr("Open in the PTX ISA manual"));
    }
    return html;
}

} // namespace

std::string_view dottedWordAround(std::string_view lineUtf8, int byteOffset)
{
    if (byteOffset < 0 || static_cast<std::size_t>(byteOffset) >= lineUtf8.size()
        || !isWordByte(lineUtf8[static_cast<std::size_t>(byteOffset)])) {
        return {};
    }
    auto from = static_cast<std::size_t>(byteOffset);
    std::size_t to = from;
    while (from > 0 && isWordByte(lineUtf8[from - 1])) {
        --from;
    }
    while (to < lineUtf8.size() && isWordByte(lineUtf8[to])) {
        ++to;
    }
    return lineUtf8.substr(from, to - from);
}

QString symbolText(const PtxSymbol& symbol)
{
    const auto others = static_cast<int>(symbol.uses.size()) - 1;
    return QStringLiteral("<p><b><code>%1</code></b><br>%2</p>")
        .arg(escaped(symbol.declaredAs),
            HoverCard::tr(
                "Declared in line %1; %n more place(s) (F12 goes there, F7 to the next).", nullptr, others)
                .arg(symbol.declaration.line));
}

QString nameText(const IsaName& name)
{
    return QStringLiteral("<p><b><code>%1</code></b><br>%2</p>")
        .arg(escaped(name.name), escaped(name.summary));
}

QString hoverText(const std::vector<const Diagnostic*>& diagnostics, const IsaInstruction* instruction)
{
    QString html;
    for (const Diagnostic* diagnostic : diagnostics) {
        html += QStringLiteral("<p><b>%1</b> %2</p>")
                    .arg(severityWord(diagnostic->severity), escaped(diagnostic->message));
        if (diagnostic->explanation) {
            html += QStringLiteral("<p>%1</p>").arg(escaped(*diagnostic->explanation));
        }
        for (const Fix& fix : diagnostic->fixes) {
            html +=
                QStringLiteral("<p>%1</p>").arg(HoverCard::tr("Fix (Ctrl+.): %1").arg(escaped(fix.title)));
        }
    }
    if (instruction != nullptr) {
        html += instructionText(*instruction);
    }
    return html;
}

} // namespace ptxwb
