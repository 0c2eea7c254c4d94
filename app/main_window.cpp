// SPDX-License-Identifier: Apache-2.0
#include "app/main_window.h"

#include "app/background_job.h"
#include "app/build_controller.h"
#include "app/build_display.h"
#include "app/comparison_controller.h"
#include "app/debug_controller.h"
#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/layouts.h"
#include "app/live_registers_controller.h"
#include "app/pane_navigation.h"
#include "app/pane_titles.h"
#include "app/result_display.h"
#include "app/run_controller.h"
#include "app/status_display.h"
#include "app/task_chooser.h"
#include "app/welcome_controller.h"
#include "core/bench/launch_plan.h"
#include "core/support/files.h"
#include "widgets/diff/diff_view.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/notice_bar.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/results/ledger_words.h"
#include "widgets/sass/sass_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QScreen>
#include <QStatusBar>
#include <QTabWidget>
#include <QTimer>

namespace ptxwb {

namespace {

/// How long after the last key the results are compared with the new text.
constexpr int textSettledMs = 250;

} // namespace

MainWindow::MainWindow(const WindowOptions& options, Settings& settings, std::unique_ptr<Prompts> prompts)
    : m_options(options)
    , m_settings(settings)
    , m_prompts(prompts ? std::move(prompts) : std::make_unique<DialogPrompts>(this))
    , m_panes(*this)
    , m_actions(*this, m_panes)
    , m_tasks(new TaskChooser(m_actions.bar, this))
    , m_files(new FileController(m_panes.editor, m_settings, *m_prompts, this))
    , m_builds(new BuildController([this] { return buildRequest(); }, this))
    , m_evaluations(new EvaluationController(this))
    , m_comparisons(new ComparisonController(this))
    , m_liveRegisters(new LiveRegistersController(*m_builds, this))
    , m_buildDisplay(new BuildDisplay(m_panes, *m_builds, *m_files, this))
    , m_resultDisplay(new ResultDisplay(m_panes, *m_evaluations, *m_tasks, *m_files, this))
    , m_runs(new RunController(m_panes, *m_files, this))
    , m_debug(new DebugController(m_panes, *m_files, *m_tasks, this))
    , m_environmentJob(new BackgroundJob(this))
    , m_gpuJob(new BackgroundJob(this))
    , m_textSettled(new QTimer(this))
    , m_navigation(new PaneNavigation(m_panes, this))
    , m_status(new StatusDisplay(*statusBar(), m_panes, *m_builds, *m_files, *m_tasks, this))
    , m_welcome(new WelcomeController(m_panes, m_actions, *m_files, this))
{
    setObjectName(QStringLiteral("mainWindow"));
    if (m_options.fresh) {
        m_settings.forgetSession();
    }
    m_textSettled->setSingleShot(true);
    m_textSettled->setInterval(textSettledMs);
    useTheme(m_options.theme.isEmpty() ? m_settings.theme() : m_options.theme);
    m_tasks->chooseWhere(m_settings.where());
    m_actions.liveCompile->setChecked(m_settings.liveCompile());
    m_builds->setLive(m_settings.liveCompile());
    connectControllers();
    connectActions();
    connectChat();
    connectRuns();
    connectDebugger();
    m_panes.diff->setEmptyReason(
        tr("Nothing is compared yet. The Compare menu sets the text in the editor against a "
           "file, or against the build before this one."));
    new PaneTitles(*this, m_panes.docks(), this);
    restoreWindow();
    openAtStart();
    m_welcome->update();
    m_panes.editor->setFocus();
    loadEnvironmentInBackground();
}

MainWindow::~MainWindow()
{
    endRuns();
    // Jobs are joined while the panes that they report to are still there.
    for (QObject* job : std::initializer_list<QObject*>{
             m_builds, m_liveRegisters, m_evaluations, m_comparisons, m_environmentJob, m_gpuJob}) {
        job->disconnect();
        delete job;
    }
}

void MainWindow::connectControllers()
{
    PtxEditor* editor = m_panes.editor->editor();
    connect(m_files, &FileController::documentChanged, this, &MainWindow::documentChanged);
    connect(m_files, &FileController::textChanged, this, [this] {
        m_buildDisplay->markStale();
        m_builds->scheduleBuild();
        m_textSettled->start();
    });
    connect(editor, &QsciScintilla::modificationChanged, this, [this](bool modified) {
        setWindowModified(modified);
        m_welcome->update();
    });
    connect(m_textSettled, &QTimer::timeout, m_resultDisplay, &ResultDisplay::refresh);
    connect(m_buildDisplay, &BuildDisplay::stateChanged, this, &MainWindow::showState);
    connect(m_resultDisplay, &ResultDisplay::stateChanged, this, &MainWindow::showState);
    connect(m_tasks, &TaskChooser::targetChanged, m_builds, &BuildController::scheduleBuild);
    connect(m_tasks, &TaskChooser::whereChanged, this, [this] { m_settings.setWhere(m_tasks->whereWord()); });
    connect(m_tasks, &TaskChooser::taskChanged, this, [this] {
        if (const Task* task = m_tasks->task()) {
            m_settings.setTaskName(QString::fromStdString(task->name));
        }
    });
    connect(m_comparisons, &ComparisonController::compared, this,
        [this](const std::shared_ptr<const Comparison>& done) {
            m_panes.diff->setDiff(done->diff, *done->a->listing, *done->b->listing,
                QString::fromStdString(done->a->title), QString::fromStdString(done->b->title));
            m_panes.diff->setEmptyReason({});
            updateBusy();
        });
    connect(m_comparisons, &ComparisonController::failed, this, [this](const Error& error) {
        const QString sentence = tr("Cannot compare: %1").arg(QString::fromStdString(describe(error)));
        m_panes.diff->setEmptyReason(sentence);
        if (!m_options.compare.isEmpty() && m_startProblem.isEmpty()) {
            m_startProblem = sentence;
        }
        updateBusy();
    });
    connect(m_liveRegisters, &LiveRegistersController::ready, m_panes.sass, &SassView::setLiveRegisters);
    connect(m_liveRegisters, &LiveRegistersController::failed, m_panes.sass, [this](const Error& error) {
        m_panes.sass->setLiveRegistersProblem(QString::fromStdString(error.message));
    });
    connect(m_builds, &BuildController::buildStarted, this, &MainWindow::updateBusy);
    connect(m_builds, &BuildController::buildFinished, this, &MainWindow::updateBusy);
    connect(m_builds, &BuildController::buildCancelled, this, &MainWindow::updateBusy);
    for (const auto signal :
        {&EvaluationController::started, &EvaluationController::finished, &EvaluationController::cancelled}) {
        connect(m_evaluations, signal, this, &MainWindow::updateBusy);
    }
    connect(m_evaluations, &EvaluationController::failed, this, &MainWindow::updateBusy);
}

void MainWindow::updateBusy()
{
    // After the present event: a job says that it ended before it counts itself out.
    QTimer::singleShot(0, this, [this] {
        m_actions.cancel->setEnabled(
            m_builds->isBusy() || m_evaluations->isRunning() || m_comparisons->isRunning() || !runsAreIdle());
    });
}

BuildRequest MainWindow::buildRequest() const
{
    BuildRequest request;
    const Document& document = m_files->document();
    request.compile.displayName = document.displayName().toStdString();
    request.compile.text = m_files->fileBytes();
    request.compile.language = document.language();
    request.compile.directory = document.directory();
    request.compile.target = m_tasks->target();
    if (m_gpu && m_gpu->device) {
        request.compile.preferredTarget = m_gpu->device->target;
    }
    return request;
}

void MainWindow::loadEnvironmentInBackground()
{
    m_environmentJob->start<Environment>([](std::stop_token stop) { return loadEnvironment(stop); },
        [this](Environment environment) { takeEnvironment(std::move(environment)); });
    m_gpuJob->start<GpuReport>([](std::stop_token stop) { return probeGpu(stop); },
        [this](GpuReport report) { takeGpu(std::move(report)); });
}

void MainWindow::takeEnvironment(Environment environment)
{
    m_environment = std::move(environment);
    m_panes.editor->editor()->setIsaTable(m_environment.isaTable);
    QStringList problems;
    for (const Error& problem : m_environment.problems) {
        problems << QString::fromStdString(describe(problem));
    }
    m_resultDisplay->setTasksProblem(problems.join(QLatin1Char('\n')));
    m_tasks->setTargets(m_environment.compiler->toolchain().targets);
    m_tasks->setTasks(m_environment.tasks);
    m_welcome->setTasks(m_environment.tasks);
    if (!m_options.task.isEmpty()) {
        m_resultDisplay->setTaskPicked(true);
        if (!m_tasks->chooseTask(m_options.task)) {
            QStringList names;
            for (const Task& task : m_environment.tasks) {
                names << QString::fromStdString(task.name);
            }
            refuse(tr("There is no task '%1'. There are: %2.")
                       .arg(m_options.task, names.join(QStringLiteral(", "))));
        }
    } else {
        m_tasks->chooseTask(m_settings.taskName());
        chooseTaskOfDocument();
    }
    if (!m_options.workload.isEmpty() && !m_tasks->chooseWorkload(m_options.workload)) {
        QStringList names;
        if (const Task* task = m_tasks->task()) {
            for (const Workload& workload : task->workloads) {
                names << QString::fromStdString(workload.name());
            }
        }
        refuse(names.isEmpty() ? tr("There is no workload '%1': no task is chosen. Choose one with --task.")
                                     .arg(m_options.workload)
                               : tr("The task has no workload '%1'. It has: %2.")
                                     .arg(m_options.workload, names.join(QStringLiteral(", "))));
    }
    m_liveRegisters->setCompiler(m_environment.compiler);
    m_builds->setCompiler(m_environment.compiler);
    m_runs->setCompiler(m_environment.compiler);
    if (!m_options.triage.isEmpty()) {
        startTriage(m_options.triage);
    }
    if (m_options.debug) {
        m_debug->start();
    }
    if (m_options.run) {
        m_runs->run();
    }
    if (!m_options.compare.isEmpty()) {
        compareWithFile(m_options.compare, ComparisonController::Order::BufferFirst);
    }
}

void MainWindow::takeGpu(GpuReport report)
{
    m_gpu = std::move(report);
    const QString problem = LedgerWords::translated(m_gpu->problem);
    const QString name = m_gpu->device ? QString::fromStdString(m_gpu->device->name) : QString();
    m_status->setGpu(name, problem);
    m_tasks->setGpu(name, problem);
    m_resultDisplay->setGpuProblem(problem);
}

void MainWindow::refuse(const QString& sentence)
{
    m_panes.editor->notice()->showNotice(NoticeBar::Tone::Failure, sentence);
    if (m_startProblem.isEmpty()) {
        m_startProblem = sentence;
    }
}

void MainWindow::restoreWindow()
{
    const std::optional<Layout> asked = layoutByName(m_options.layout);
    resize(m_options.size);
    if (!m_options.fresh) {
        restoreGeometry(m_settings.geometry());
        // A window that was on a screen which is gone comes back onto one that is there.
        const QRect frame = frameGeometry();
        bool visible = false;
        for (const QScreen* screen : QGuiApplication::screens()) {
            const QRect shown = screen->availableGeometry().intersected(frame);
            visible = visible || (shown.width() > 100 && shown.height() > 100);
        }
        if (const QScreen* screen = QGuiApplication::primaryScreen(); screen != nullptr && !visible) {
            const QRect room = screen->availableGeometry();
            resize(size().boundedTo(room.size()));
            move(room.center() - rect().center());
        }
    }
    applyLayout(*this, m_panes, asked.value_or(Layout::Edit));
    if (!asked && !m_options.fresh && !m_settings.windowState().isEmpty()) {
        if (!restoreState(m_settings.windowState(), layoutVersion)) {
            applyLayout(*this, m_panes, Layout::Edit);
        }
    }
    // Sizes of docks hold only once the window has its own.
    QTimer::singleShot(0, this, [this, asked] {
        if (asked || m_options.fresh || m_settings.windowState().isEmpty()) {
            applyLayout(*this, m_panes, asked.value_or(Layout::Edit));
        }
    });
}

void MainWindow::openAtStart()
{
    m_files->setUntitledText({});
    if (!m_options.fresh) {
        m_files->openSession(QString::fromStdString((userDataDirectory() / "session").string()));
    }
    const bool unsaved = m_files->hasRestored() && m_files->isModified();
    if (m_options.file.isEmpty()) {
        return;
    }
    if (unsaved && m_files->document().path() != QFileInfo(m_options.file).absoluteFilePath()) {
        // The named file would push out text that exists nowhere else: the user decides.
        m_panes.editor->notice()->showNotice(NoticeBar::Tone::Warning,
            tr("Unsaved changes to %1 are still here; %2 was not opened.")
                .arg(m_files->document().displayName(), m_options.file),
            {{tr("Open it"), [this] { m_files->open(m_options.file); }}});
        return;
    }
    const bool opened = !unsaved && m_files->open(m_options.file);
    if (!unsaved && !opened) {
        m_startProblem = m_panes.editor->notice()->text();
    }
    if (opened && m_options.line > 0) {
        // After the window got its size, so that the line stands in the middle.
        QTimer::singleShot(0, this, [this] { m_panes.editor->editor()->goTo(m_options.line); });
    }
}

// A plan that declares its own tensors belongs to no task: the Run pane runs it.
void MainWindow::chooseTaskOfDocument()
{
    const auto declared = resolveDeclaredPlan(m_panes.editor->editor()->text().toStdString());
    if (declared && declared->declaresTensors) {
        m_tasks->chooseNoTask();
    } else {
        m_tasks->chooseTaskOfFile(m_files->document().path());
    }
}

void MainWindow::documentChanged()
{
    const Document& document = m_files->document();
    setWindowTitle(QStringLiteral("%1[*] — PTX Workbench").arg(document.displayName()));
    setWindowModified(m_files->isModified());
    m_buildDisplay->clear();
    m_resultDisplay->forgetChoice();
    m_resultDisplay->setTaskPicked(false);
    m_runs->textChanged(true);
    m_debug->textChanged(true);
    chooseTaskOfDocument();
    m_resultDisplay->refresh();
    fillRecentMenu();
    if (m_panes.editor->editor()->length() > 0) {
        m_builds->buildNow();
    } else {
        m_builds->cancel();
    }
}

void MainWindow::useTheme(const QString& name)
{
    const Theme theme = loadTheme(themeChoice(name));
    applyToApplication(theme);
    m_panes.setTheme(theme);
    m_actions.setTheme(theme);
    m_panes.setCodeFont(fixedFont(m_settings.fontPoints()));
    for (QAction* action : m_actions.themes->actions()) {
        action->setChecked(action->data().toString() == name);
    }
}

void MainWindow::evaluate()
{
    const Task* task = m_tasks->task();
    if (task == nullptr || m_tasks->workload() == nullptr) {
        m_panes.editor->notice()->showNotice(NoticeBar::Tone::Warning,
            tr("Choose a task and a workload in the tool bar first: they say what the kernel is checked "
               "against."));
        return;
    }
    if (!m_environment.compiler) {
        showState(tr("Still looking for the tools; try again in a moment."));
        return;
    }
    EvaluationRequest request;
    const Document& document = m_files->document();
    request.displayName = (document.isUntitled() ? document.displayName() : document.path()).toStdString();
    request.text = m_files->fileBytes();
    request.directory = document.directory();
    request.task = *task;
    request.workload = m_tasks->workload()->uuid;
    if (m_tasks->workload()->hasTag("paper")) {
        request.workloadOnEmulator = "emulator"; // the paper's shape takes minutes without a GPU
    }
    request.where = m_tasks->where();
    request.target = m_tasks->target();
    m_evaluations->setCurrentText(m_files->sha256(), request.displayName);
    m_evaluations->evaluate(m_environment.compiler, std::move(request));
}

void MainWindow::showState(const QString& text)
{
    m_status->setState(text);
}

QString MainWindow::stateText() const
{
    return m_status->stateText();
}

bool MainWindow::isIdle() const
{
    return m_environment.compiler && m_gpu && !m_environmentJob->isRunning() && !m_gpuJob->isRunning()
        && !m_builds->isBusy() && !m_liveRegisters->isRunning() && !m_evaluations->isRunning()
        && !m_evaluations->isLoading() && !m_comparisons->isRunning() && runsAreIdle()
        && !m_textSettled->isActive();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files->mayClose()) {
        event->ignore();
        return;
    }
    cancelAll();
    if (!m_options.fresh) {
        m_settings.setWindow(saveGeometry(), saveState(layoutVersion));
    }
    m_files->closeSession();
    event->accept();
}

} // namespace ptxwb
