// SPDX-License-Identifier: Apache-2.0
#include "app/build_display.h"

#include "app/build_controller.h"
#include "app/file_controller.h"
#include "app/panes.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/resources_strip.h"
#include "widgets/sass/sass_view.h"

#include <QDockWidget>
#include <QLocale>

#include <algorithm>
#include <iterator>

namespace ptxwb {

namespace {

QString sentence(const Error& error)
{
    return QString::fromStdString(describe(error));
}

} // namespace

BuildDisplay::BuildDisplay(Panes& panes, BuildController& builds, FileController& files, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_builds(builds)
    , m_files(files)
{
    clear();
    connect(&m_builds, &BuildController::buildStarted, this, [this] { emit stateChanged(tr("Compiling…")); });
    connect(&m_builds, &BuildController::buildFinished, this, &BuildDisplay::show);
    connect(&m_builds, &BuildController::buildCancelled, this,
        [this] { emit stateChanged(tr("Compile stopped")); });
    connect(m_panes.editor->editor(), &PtxEditor::cursorLineChanged, this, &BuildDisplay::linkFromEditor);
    connect(m_panes.sass, &SassView::ptxLineActivated, this, &BuildDisplay::linkFromListing);
    connect(m_panes.sass, &SassView::sourceLineActivated, this, [this](int line, const QString&) {
        if (m_files.document().language() == Language::Cuda) {
            linkFromListing(line);
        }
    });
    connect(m_panes.problems, &ProblemsView::placeActivated, this, [this](int line, int column) {
        m_panes.editor->editor()->goTo(line, column);
        m_panes.editor->editor()->setFocus();
    });
}

void BuildDisplay::clear()
{
    if (m_panes.editor->editor()->length() == 0) {
        showNothing(
            tr("The editor is empty. Open a kernel (Ctrl+O) or write one; its machine code is shown here."));
    } else {
        showNothing(tr(
            "Not compiled yet. Ctrl+Enter compiles the text in the editor; its machine code is shown here, "
            "linked with the lines that it came from."));
    }
    m_panes.problems->setProblems({}, {});
    m_panes.problems->setPlaceholder(tr("Not compiled yet. Ctrl+Enter compiles."));
    m_panes.problemsDock->setWindowTitle(tr("Problems"));
    m_panes.editor->editor()->setDiagnostics({});
    m_panes.editor->resources()->setReason(tr("Not compiled yet. Ctrl+Enter compiles."));
}

void BuildDisplay::showNothing(const QString& reason)
{
    m_hasListing = false;
    m_panes.sass->setListing({});
    m_panes.sass->setNotice({});
    m_panes.sass->setEmptyReason(reason);
}

void BuildDisplay::markStale()
{
    m_panes.problems->setStale(true);
    if (m_hasListing && !m_listingIsStale) {
        m_listingIsStale = true;
        m_panes.sass->setNotice(tr("Of an earlier text: the editor has changed since."));
    }
}

void BuildDisplay::show()
{
    const std::shared_ptr<const Build> build = m_builds.current();
    if (build->failure) {
        const QString text = sentence(*build->failure);
        showNothing(text);
        m_panes.problems->setProblems({}, {});
        m_panes.problems->setPlaceholder(text);
        m_panes.editor->resources()->setReason(tr("Not compiled: %1").arg(text));
        emit stateChanged(tr("Not compiled: %1").arg(text));
        raisePanes(false, false);
        return;
    }
    showDiagnostics(*build);
    showListing(*build);
    const ProblemsModel& problems = *m_panes.problems->model();
    raisePanes(build->compile.ok, build->compile.ok && problems.countOf(Severity::Warning) == 0);
}

void BuildDisplay::raisePanes(bool ok, bool good)
{
    // A build that follows an edit by itself moves panes only when its answer changed, and never takes away
    // the one in which the user works.
    const bool asked = m_builds.wasAskedFor();
    const bool news = asked || good != m_wasGood;
    m_wasGood = good;
    if (!news) {
        return;
    }
    if (asked && ok) {
        m_panes.raiseQuietly(m_panes.sassDock);
    }
    if (!good) {
        if (QDockWidget* over = m_panes.raiseQuietly(m_panes.problemsDock)) {
            m_before = over;
        }
        return;
    }
    if (m_before && m_panes.problems->isVisible()) {
        m_panes.raiseQuietly(m_before);
    }
    m_before.clear();
}

void BuildDisplay::showDiagnostics(const Build& build)
{
    const std::vector<Diagnostic>& all = build.compile.diagnostics;
    m_panes.problems->setProblems(all, build.compile.notes, build.source, build.displayName);
    std::vector<Diagnostic> own; // a header's line 7 is not the line 7 of the editor
    std::copy_if(all.begin(), all.end(), std::back_inserter(own),
        [this](const Diagnostic& one) { return m_panes.problems->model()->isOwn(one); });
    m_panes.editor->editor()->setDiagnostics(own);
    const int rows = m_panes.problems->model()->rowCount();
    m_panes.problemsDock->setWindowTitle(rows == 0 ? tr("Problems") : tr("Problems (%1)").arg(rows));
    m_panes.problems->setPlaceholder(rows == 0
            ? tr("No problems: %1 accepts this text for %2.")
                  .arg(build.compile.tools.empty()
                          ? tr("the compiler")
                          : QString::fromUtf8(toolName(build.compile.tools.front().kind).data()),
                      QString::fromStdString(build.compile.target))
            : QString());
    if (build.compile.ok) {
        const std::shared_ptr<const Build> before = m_builds.previous();
        m_panes.editor->resources()->setKernels(
            build.compile.kernels, before ? before->compile.kernels : std::vector<KernelResources>{});
        const QString time = QLocale().toString(build.compile.wallMs, 'f', 0);
        emit stateChanged(build.compile.fromCache
                ? tr("Compiled for %1 (unchanged, from the cache)")
                      .arg(QString::fromStdString(build.compile.target))
                : tr("Compiled for %1 in %2 ms").arg(QString::fromStdString(build.compile.target), time));
    } else {
        // Causes: what follows from one is no error of its own.
        const ProblemsModel& problems = *m_panes.problems->model();
        const int errors = problems.countOf(Severity::Fatal) + problems.countOf(Severity::Error);
        m_panes.editor->resources()->setReason(tr("✗ Does not compile: %n error(s)", nullptr, errors));
        emit stateChanged(tr("✗ Does not compile: %n error(s)", nullptr, errors));
    }
}

void BuildDisplay::showListing(const Build& build)
{
    if (build.listing && !build.listing->kernels.empty()) {
        m_hasListing = true;
        m_listingIsStale = false;
        m_panes.sass->setEmptyReason({});
        m_panes.sass->setNotice({});
        m_panes.sass->setListing(*build.listing, build.compile.kernels);
        m_panes.sass->setTool(
            QString::fromStdString(build.disassembler.version.empty()
                    ? std::string(toolName(build.disassembler.kind))
                    : std::string(toolName(build.disassembler.kind)) + " " + build.disassembler.version),
            QString::fromStdString(build.disassembler.path.string()));
        linkFromEditor(m_panes.editor->editor()->currentLine());
    } else if (!build.compile.ok) {
        if (m_hasListing) {
            m_listingIsStale = true;
            m_panes.sass->setNotice(
                tr("Of the last text that compiled: the present one does not, see Problems."));
        } else {
            showNothing(
                tr("The text does not compile, so there is no machine code. The Problems pane says why."));
        }
    } else if (build.listingFailure && !build.compile.kernels.empty()) {
        showNothing(
            tr("It compiled, but its machine code cannot be shown: %1").arg(sentence(*build.listingFailure)));
    } else {
        showNothing(tr("The file holds no kernel (no .entry), so there is no machine code."));
    }
}

void BuildDisplay::linkFromEditor(int line)
{
    m_panes.editor->editor()->setLinkedLines({}, false);
    if (!m_hasListing || m_listingIsStale) {
        return;
    }
    if (m_files.document().language() == Language::Cuda) {
        m_panes.sass->highlightSourceLine(line);
    } else {
        m_panes.sass->highlightPtxLine(line);
    }
}

void BuildDisplay::linkFromListing(int line)
{
    if (!m_listingIsStale) {
        m_panes.editor->editor()->setLinkedLines({line}, true);
    }
}

} // namespace ptxwb
