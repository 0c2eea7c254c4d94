// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/provider_dialog.h"

#include "widgets/chat/chat_colours.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <array>

namespace ptxwb {

namespace {

enum KeySource { NoKey, FromEnvironment, FromKeychain };

struct Preset {
    const char* name;
    const char* address;
    const char* variable;
};

// Names and addresses as their makers document them; not translated.
constexpr std::array<Preset, 6> presets{{{"llama.cpp server", "http://localhost:8080/v1", ""},
    {"Ollama", "http://localhost:11434/v1", ""}, {"LM Studio", "http://localhost:1234/v1", ""},
    {"vLLM", "http://localhost:8000/v1", ""}, {"OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY"},
    {"OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"}}};

} // namespace

ProviderDialog::ProviderDialog(bool keychainAvailable, QWidget* parent)
    : QDialog(parent)
    , m_preset(new QComboBox(this))
    , m_name(new QLineEdit(this))
    , m_address(new QLineEdit(this))
    , m_addressProblem(new QLabel(this))
    , m_model(new QComboBox(this))
    , m_keySource(new QComboBox(this))
    , m_variable(new QLineEdit(this))
    , m_key(new QLineEdit(this))
    , m_variableLabel(new QLabel(tr("&Variable:"), this))
    , m_keyLabel(new QLabel(tr("&Key:"), this))
    , m_test(new QPushButton(tr("&Test connection"), this))
    , m_report(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this))
    , m_keychainAvailable(keychainAvailable)
{
    setWindowTitle(tr("Chat provider"));
    m_preset->addItem(tr("Choose a known server…"));
    for (const auto& preset : presets) {
        m_preset->addItem(QString::fromLatin1(preset.name));
    }
    m_name->setObjectName(QStringLiteral("name"));
    m_address->setObjectName(QStringLiteral("address"));
    m_address->setPlaceholderText(QStringLiteral("http://localhost:8080/v1"));
    m_addressProblem->setWordWrap(true);
    m_addressProblem->setObjectName(QStringLiteral("addressProblem"));
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setObjectName(QStringLiteral("model"));
    m_model->lineEdit()->setPlaceholderText(tr("empty: the server's own choice"));
    m_keySource->setObjectName(QStringLiteral("keySource"));
    m_keySource->addItem(tr("No key"), NoKey);
    m_keySource->addItem(tr("Environment variable"), FromEnvironment);
    if (keychainAvailable) {
        m_keySource->addItem(tr("System keychain"), FromKeychain);
    }
    m_variable->setObjectName(QStringLiteral("variable"));
    m_key->setObjectName(QStringLiteral("key"));
    m_key->setEchoMode(QLineEdit::Password);
    m_key->setPlaceholderText(tr("empty: the stored key stays"));
    m_variableLabel->setBuddy(m_variable);
    m_keyLabel->setBuddy(m_key);
    m_report->setWordWrap(true);
    m_report->setTextFormat(Qt::PlainText);
    m_report->setObjectName(QStringLiteral("report"));
    m_report->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_report->setMinimumHeight(3 * m_report->fontMetrics().lineSpacing());
    m_report->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_test->setObjectName(QStringLiteral("test"));
    m_test->setAutoDefault(false);
    auto* note =
        new QLabel(tr("The key is kept nowhere else: not in the settings, not in logs or exports."), this);
    note->setWordWrap(true);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Server:"), m_preset);
    form->addRow(tr("&Name:"), m_name);
    form->addRow(tr("&Address:"), m_address);
    form->addRow(QString(), m_addressProblem);
    form->addRow(tr("&Model:"), m_model);
    form->addRow(tr("Key &from:"), m_keySource);
    form->addRow(m_variableLabel, m_variable);
    form->addRow(m_keyLabel, m_key);
    auto* testRow = new QHBoxLayout;
    testRow->addWidget(m_test, 0, Qt::AlignTop);
    testRow->addWidget(m_report, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(note);
    layout->addLayout(testRow);
    layout->addStretch(1);
    layout->addWidget(m_buttons);
    resize(520, sizeHint().height());

    connect(m_preset, &QComboBox::activated, this, &ProviderDialog::choosePreset);
    connect(m_keySource, &QComboBox::currentIndexChanged, this, &ProviderDialog::showState);
    for (auto* edit : {m_name, m_address, m_variable}) {
        connect(edit, &QLineEdit::textChanged, this, &ProviderDialog::showState);
    }
    connect(m_test, &QPushButton::clicked, this, [this] {
        m_test->setEnabled(false);
        m_report->setText(tr("Asking %1 …").arg(m_address->text()));
        emit testRequested(settings(), typedKey());
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showState();
}

void ProviderDialog::setSettings(const llm::ProviderSettings& settings)
{
    m_name->setText(QString::fromStdString(settings.name));
    m_address->setText(QString::fromStdString(settings.baseUrl));
    m_model->setEditText(QString::fromStdString(settings.model));
    m_variable->setText(QString::fromStdString(settings.keyEnvironmentVariable));
    const int source = !settings.keychainEntry.empty() && m_keychainAvailable ? FromKeychain
        : !settings.keyEnvironmentVariable.empty()                            ? FromEnvironment
                                                                              : NoKey;
    m_keySource->setCurrentIndex(m_keySource->findData(source));
    showState();
}

llm::ProviderSettings ProviderDialog::settings() const
{
    const auto address = m_address->text().trimmed();
    const auto name = m_name->text().trimmed();
    const int source = m_keySource->currentData().toInt();
    llm::ProviderSettings result{.name = (name.isEmpty() ? address : name).toStdString(),
        .baseUrl = address.toStdString(),
        .model = m_model->currentText().trimmed().toStdString()};
    if (source == FromEnvironment) {
        result.keyEnvironmentVariable = m_variable->text().trimmed().toStdString();
    } else if (source == FromKeychain) {
        // One entry per address: a key is never sent to another server by a change of the address.
        const auto endpoint = llm::resolveEndpoint(result.baseUrl);
        result.keychainEntry = endpoint ? endpoint->chatUrl : result.baseUrl;
    }
    return result;
}

QString ProviderDialog::typedKey() const
{
    return m_keySource->currentData().toInt() == FromKeychain ? m_key->text().trimmed() : QString();
}

void ProviderDialog::setTestReport(const llm::ConnectionReport& report)
{
    m_test->setEnabled(true);
    m_report->setText((report.reachable ? QStringLiteral("✓ ") : QStringLiteral("✗ "))
        + QString::fromStdString(report.sentence));
    const auto typed = m_model->currentText();
    m_model->clear();
    for (const auto& model : report.models) {
        m_model->addItem(QString::fromStdString(model));
    }
    m_model->setEditText(typed.isEmpty() && report.models.size() == 1 ? m_model->itemText(0) : typed);
}

void ProviderDialog::choosePreset(int index)
{
    if (index <= 0) {
        return;
    }
    const auto& preset = presets[static_cast<std::size_t>(index - 1)];
    m_name->setText(QString::fromLatin1(preset.name));
    m_address->setText(QString::fromLatin1(preset.address));
    m_variable->setText(QString::fromLatin1(preset.variable));
    m_keySource->setCurrentIndex(
        m_keySource->findData(m_variable->text().isEmpty() ? NoKey : FromEnvironment));
}

void ProviderDialog::showState()
{
    const auto address = m_address->text().toStdString();
    const auto endpoint = llm::resolveEndpoint(address);
    const bool empty = m_address->text().trimmed().isEmpty();
    const int source = m_keySource->currentData().toInt();
    QString problem;
    if (!endpoint && !empty) {
        problem = QString::fromStdString(describe(endpoint.error()));
    } else if (endpoint && source != NoKey && !endpoint->encrypted && !endpoint->loopback) {
        problem = tr("⚠ The key would travel unencrypted to %1.").arg(QString::fromStdString(endpoint->host));
    }
    m_addressProblem->setText(problem);
    m_addressProblem->setVisible(!problem.isEmpty());
    auto ink = m_addressProblem->palette();
    ink.setColor(QPalette::WindowText, chatColoursFor(palette()).warningText);
    m_addressProblem->setPalette(ink);
    for (auto* widget : std::initializer_list<QWidget*>{m_variable, m_variableLabel}) {
        widget->setVisible(source == FromEnvironment);
    }
    for (auto* widget : std::initializer_list<QWidget*>{m_key, m_keyLabel}) {
        widget->setVisible(source == FromKeychain);
    }
    const bool keyNamed = source != FromEnvironment || !m_variable->text().trimmed().isEmpty();
    m_test->setEnabled(endpoint.has_value() && keyNamed);
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(endpoint.has_value() && keyNamed);
}

} // namespace ptxwb
