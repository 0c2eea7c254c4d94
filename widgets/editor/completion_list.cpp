// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/completion_list.h"

#include "widgets/editor/ptx_editor.h"

#include <algorithm>
#include <utility>

namespace ptxwb {

namespace {

constexpr std::size_t mostRows = 300;
constexpr std::size_t widestRow = 76; ///< bytes; a wider one would make the list scroll sideways
constexpr std::size_t widestText = 30; ///< details of longer rows are not aligned
constexpr long textLimitWhileTyping = 2 << 20; ///< bytes; larger texts would be felt at each list
constexpr char rowSeparator = '\n';

std::string shortened(const std::string& detail, std::size_t most)
{
    if (detail.size() <= most) {
        return detail;
    }
    const auto end = detail.rfind(' ', most - 4);
    return end == std::string::npos ? std::string() : detail.substr(0, end) + " ...";
}

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'
        || c == '%' || c == '.' || c == ':';
}

} // namespace

CompletionList::CompletionList(PtxEditor* editor)
    : QObject(editor)
    , m_editor(editor)
{
    using Scintilla = QsciScintillaBase;
    editor->SendScintilla(Scintilla::SCI_AUTOCSETSEPARATOR, static_cast<unsigned long>(rowSeparator));
    editor->SendScintilla(Scintilla::SCI_AUTOCSETTYPESEPARATOR, 1UL); // no pictures: '?' is text
    editor->SendScintilla(
        Scintilla::SCI_AUTOCSETORDER, static_cast<unsigned long>(Scintilla::SC_ORDER_CUSTOM));
    editor->SendScintilla(Scintilla::SCI_AUTOCSETMAXHEIGHT, 12UL);
    editor->SendScintilla(Scintilla::SCI_AUTOCSETMAXWIDTH, 100UL);
    editor->SendScintilla(Scintilla::SCI_AUTOCSETCHOOSESINGLE, 0UL);
    connect(editor, &Scintilla::SCN_CHARADDED, this, &CompletionList::charAdded);
    connect(
        editor, qOverload<const char*, int>(&Scintilla::SCN_AUTOCSELECTION), this, &CompletionList::accept);
}

bool CompletionList::isShown() const
{
    return m_editor->SendScintilla(QsciScintillaBase::SCI_AUTOCACTIVE) != 0;
}

void CompletionList::hide()
{
    m_editor->SendScintilla(QsciScintillaBase::SCI_AUTOCCANCEL);
}

Completions CompletionList::atCaret() const
{
    if (m_isaTable == nullptr || m_editor->syntax() == PtxEditor::Syntax::Plain) {
        return {};
    }
    const QByteArray text = m_editor->utf8();
    const std::string_view source(text.constData(), static_cast<std::size_t>(text.size()));
    const auto caret =
        static_cast<std::uint32_t>(m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS));
    return m_editor->syntax() == PtxEditor::Syntax::Cuda ? completeCuda(source, caret, *m_isaTable)
                                                         : completePtx(source, caret, *m_isaTable);
}

bool CompletionList::showNow()
{
    if (m_editor->isReadOnly()) {
        return false;
    }
    m_shown = atCaret();
    return show(m_shown);
}

void CompletionList::charAdded(int character)
{
    const auto typed = static_cast<char>(character);
    if (isShown() && narrow(typed)) {
        return;
    }
    if (!m_whileTyping || m_editor->SendScintilla(QsciScintillaBase::SCI_GETLENGTH) > textLimitWhileTyping
        || m_editor->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONS) > 1) {
        return;
    }
    const bool isLetter = (typed >= 'a' && typed <= 'z') || (typed >= 'A' && typed <= 'Z') || typed == '_';
    if (!isLetter && typed != '.' && typed != '%') {
        return;
    }
    const long caret = m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS);
    const auto byteAt = [this](long position) {
        return static_cast<char>(m_editor->SendScintilla(
            QsciScintillaBase::SCI_GETCHARAT, static_cast<unsigned long>(std::max(position, 0L))));
    };
    // One letter says too little, and a word in the middle of another is being mended, not written.
    if ((isLetter && (caret < 2 || !isWordByte(byteAt(caret - 2)))) || isWordByte(byteAt(caret))) {
        return;
    }
    m_shown = atCaret();
    show(m_shown);
}

// Scintilla itself only moves its bar: rows that no longer fit are taken out here.
bool CompletionList::narrow(char typed)
{
    if (!isWordByte(typed) || typed == '.') {
        return false;
    }
    const long caret = m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS);
    const auto from = static_cast<long>(m_shown.from);
    if (caret <= from) {
        return false;
    }
    const QByteArray bytes = m_editor->bytes(static_cast<int>(from), static_cast<int>(caret));
    const std::string_view begun(bytes.constData(), static_cast<std::size_t>(caret - from));
    Completions fitting{.from = m_shown.from};
    for (const auto& one : m_shown.items) {
        if (one.text.starts_with(begun) && one.text != begun) {
            fitting.items.push_back(one);
        }
    }
    hide();
    return show(fitting);
}

bool CompletionList::show(const Completions& found)
{
    if (found.items.empty()) {
        return false;
    }
    const auto count = std::min(found.items.size(), mostRows);
    std::size_t width = 0;
    for (std::size_t i = 0; i < count; ++i) {
        width = std::max(width, std::min(found.items[i].text.size(), widestText));
    }
    QByteArray rows;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& one = found.items[i];
        if (!rows.isEmpty()) {
            rows += rowSeparator;
        }
        rows += QByteArray::fromStdString(one.text);
        if (!one.detail.empty()) {
            rows += QByteArray(static_cast<qsizetype>(width - std::min(width, one.text.size()) + 2), ' ');
            rows += QByteArray::fromStdString(shortened(
                one.detail, widestRow - std::max(width, std::min(one.text.size(), widestRow / 2)) - 2));
        }
    }
    const long caret = m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS);
    m_editor->SendScintilla(QsciScintillaBase::SCI_AUTOCSHOW,
        static_cast<unsigned long>(caret - static_cast<long>(found.from)), rows.constData());
    return true;
}

void CompletionList::accept(const char* row, int from)
{
    // The row says more than what is to be written.
    const QByteArray text = QByteArray(row).split(' ').first();
    hide();
    const long caret = m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS);
    m_editor->SendScintilla(QsciScintillaBase::SCI_SETTARGETRANGE, static_cast<unsigned long>(from), caret);
    m_editor->SendScintilla(
        QsciScintillaBase::SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
    m_editor->SendScintilla(QsciScintillaBase::SCI_GOTOPOS, static_cast<unsigned long>(from + text.size()));
}

} // namespace ptxwb
