// SPDX-License-Identifier: Apache-2.0
#include "app/task_chooser.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFontMetrics>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolBar>

namespace ptxwb {

namespace {

QComboBox* addBox(QToolBar* bar, const QString& label, const QString& toolTip, int characters)
{
    auto* caption = new QLabel(label, bar);
    caption->setContentsMargins(8, 0, 3, 0);
    auto* box = new QComboBox(bar);
    box->setToolTip(toolTip);
    box->setAccessibleName(label);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(characters);
    // In a narrow window the boxes shrink before one of them goes into the bar's overflow.
    constexpr int fewest = 7;
    box->setMinimumWidth(box->fontMetrics().averageCharWidth() * fewest + box->iconSize().width());
    box->setFocusPolicy(Qt::StrongFocus);
    caption->setBuddy(box);
    bar->addWidget(caption);
    bar->addWidget(box);
    return box;
}

QString workloadLabel(const Workload& workload)
{
    QStringList axes;
    for (const auto& [name, extent] : workload.axes) {
        axes << QStringLiteral("%1=%2").arg(QString::fromStdString(name)).arg(extent);
    }
    return QStringLiteral("%1 (%2)").arg(
        QString::fromStdString(workload.name()), axes.join(QStringLiteral(", ")));
}

} // namespace

TaskChooser::TaskChooser(QToolBar* bar, QObject* parent)
    : QObject(parent)
    , m_task(addBox(bar, tr("Task"), tr("What the kernel is meant to compute"), 20))
    , m_workload(addBox(bar, tr("Workload"), tr("The concrete shape"), 15))
    , m_target(addBox(bar, tr("Target"), tr("Architecture to compile for"), 9))
    , m_where(addBox(bar, tr("Where"), tr("Where Evaluate runs the kernel"), 14))
{
    m_task->addItem(tr("(loading…)"));
    m_target->addItem(tr("automatic"), QString());
    m_where->addItem(tr("auto"), QStringLiteral("auto"));
    m_where->addItem(tr("this GPU"), QStringLiteral("gpu"));
    m_where->addItem(tr("the CPU emulator"), QStringLiteral("emulator"));
    m_where->addItem(tr("nowhere (compile and inspect)"), QStringLiteral("none"));
    connect(m_task, &QComboBox::currentIndexChanged, this, [this] {
        fillWorkloads();
        emit taskChanged();
        emit workloadChanged();
    });
    connect(m_task, &QComboBox::activated, this, &TaskChooser::taskPicked);
    connect(m_workload, &QComboBox::currentIndexChanged, this, &TaskChooser::workloadChanged);
    connect(m_target, &QComboBox::currentIndexChanged, this, &TaskChooser::targetChanged);
    connect(m_where, &QComboBox::currentIndexChanged, this, &TaskChooser::whereChanged);
}

void TaskChooser::setTasks(const std::vector<Task>& tasks)
{
    m_tasks = tasks;
    {
        const QSignalBlocker blocker(m_task);
        m_task->clear();
        m_task->addItem(tr("(no task)"));
        for (const Task& task : m_tasks) {
            m_task->addItem(QString::fromStdString(task.name));
        }
    }
    fillWorkloads();
    emit taskChanged();
}

void TaskChooser::setTargets(const std::vector<std::string>& targets)
{
    const QSignalBlocker blocker(m_target);
    const QString before = m_target->currentData().toString();
    m_target->clear();
    m_target->addItem(tr("automatic"), QString());
    for (const std::string& target : targets) {
        m_target->addItem(QString::fromStdString(target), QString::fromStdString(target));
    }
    m_target->setCurrentIndex(std::max(0, m_target->findData(before)));
}

void TaskChooser::setGpu(const QString& deviceName, const QString& problem)
{
    const int row = m_where->findData(QStringLiteral("gpu"));
    m_where->setItemText(row, deviceName.isEmpty() ? tr("this GPU (none found)") : deviceName);
    m_where->setItemData(row, problem, Qt::ToolTipRole);
    m_where->setToolTip(problem.isEmpty() ? tr("Where Evaluate runs the kernel")
                                          : tr("Where Evaluate runs the kernel. Here: %1").arg(problem));
}

bool TaskChooser::chooseTask(const QString& name)
{
    const int row = m_task->findText(name);
    if (row < 0) {
        return false;
    }
    m_task->setCurrentIndex(row);
    return true;
}

bool TaskChooser::chooseWorkload(const QString& tagOrUuid)
{
    const Task* chosen = task();
    if (chosen == nullptr) {
        return false;
    }
    const Result<const Workload*> found = chosen->workload(tagOrUuid.toStdString());
    if (!found) {
        return false;
    }
    const int row = m_workload->findData(QString::fromStdString((*found)->uuid));
    m_workload->setCurrentIndex(row);
    return row >= 0;
}

void TaskChooser::chooseNoTask()
{
    m_task->setCurrentIndex(0);
}

void TaskChooser::chooseTaskOfFile(const QString& path)
{
    if (const Task* found = taskOfFile(path)) {
        chooseTask(QString::fromStdString(found->name));
    }
}

const Task* TaskChooser::taskOfFile(const QString& path) const
{
    const QString file = QFileInfo(path).canonicalFilePath();
    for (const Task& one : m_tasks) {
        const QString folder = QFileInfo(QString::fromStdString(one.directory.string())).canonicalFilePath();
        if (!file.isEmpty() && !folder.isEmpty() && file.startsWith(folder + QLatin1Char('/'))) {
            return &one;
        }
    }
    return nullptr;
}

void TaskChooser::fillWorkloads()
{
    const QSignalBlocker blocker(m_workload);
    m_workload->clear();
    if (const Task* chosen = task()) {
        int paper = 0;
        for (const Workload& workload : chosen->workloads) {
            if (workload.hasTag("paper")) {
                paper = m_workload->count();
            }
            m_workload->addItem(workloadLabel(workload), QString::fromStdString(workload.uuid));
        }
        m_workload->setCurrentIndex(m_workload->count() > 0 ? paper : -1);
    }
    m_workload->setEnabled(m_workload->count() > 0);
}

const Task* TaskChooser::task() const
{
    const auto row = m_task->currentIndex() - 1;
    return row >= 0 && static_cast<std::size_t>(row) < m_tasks.size()
        ? &m_tasks[static_cast<std::size_t>(row)]
        : nullptr;
}

const Workload* TaskChooser::workload() const
{
    const Task* chosen = task();
    const std::string uuid = m_workload->currentData().toString().toStdString();
    if (chosen != nullptr) {
        for (const Workload& workload : chosen->workloads) {
            if (workload.uuid == uuid) {
                return &workload;
            }
        }
    }
    return nullptr;
}

std::optional<std::string> TaskChooser::target() const
{
    const QString chosen = m_target->currentData().toString();
    return chosen.isEmpty() ? std::nullopt : std::optional(chosen.toStdString());
}

void TaskChooser::chooseWhere(const QString& word)
{
    m_where->setCurrentIndex(std::max(0, m_where->findData(word)));
}

QString TaskChooser::whereWord() const
{
    return m_where->currentData().toString();
}

Where TaskChooser::where() const
{
    const QString word = whereWord();
    return word == QLatin1String("gpu")     ? Where::Gpu
        : word == QLatin1String("emulator") ? Where::Emulator
        : word == QLatin1String("none")     ? Where::None
                                            : Where::Auto;
}

} // namespace ptxwb
