#include "panels/prompt/generation_options.h"

#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_widgets.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <limits>

namespace hs::panels {
namespace {

constexpr int kMostSteps = 100'000;
constexpr int kStopLetters = 10;

/// A field behind its name, which stay together.
void addNamed(FlowLayout& flow, const QString& name, QWidget& field, const QString& toolTip)
{
    auto* const pair = new QWidget(field.parentWidget());
    auto* const row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(4);
    auto* const label = new QLabel(name, pair);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setBuddy(&field);
    row->addWidget(label);
    row->addWidget(&field);
    field.setAccessibleName(name);
    field.setToolTip(toolTip);
    flow.addWidget(pair);
}

}  // namespace

GenerationOptions::GenerationOptions(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_temperature(new QDoubleSpinBox(this)),
      m_topK(new QSpinBox(this)), m_seed(new QSpinBox(this)), m_stop(new QLineEdit(this)),
      m_ablateFrom(new QSpinBox(this))
{
    setObjectName(QStringLiteral("generationOptions"));
    m_temperature->setObjectName(QStringLiteral("temperatureBox"));
    m_temperature->setRange(0, 100);
    m_temperature->setSingleStep(0.1);
    m_topK->setObjectName(QStringLiteral("topKBox"));
    m_topK->setRange(0, kMostSteps);
    m_topK->setSpecialValueText(tr("all"));
    m_seed->setObjectName(QStringLiteral("seedBox"));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setMaximumWidth(m_topK->sizeHint().width());
    m_stop->setObjectName(QStringLiteral("stopEdit"));
    m_stop->setFixedWidth(kStopLetters * fontMetrics().averageCharWidth());
    m_ablateFrom->setObjectName(QStringLiteral("ablateFromBox"));
    m_ablateFrom->setRange(0, kMostSteps);

    auto* const flow = new FlowLayout(4, this);
    addNamed(*flow, tr("Temperature"), *m_temperature,
             tr("0: always the most probable token. Above it tokens are drawn by their probability, which is "
                "sharpened below 1 and flattened above."));
    addNamed(*flow, tr("Top-k"), *m_topK,
             tr("Draws among that many most probable tokens. It takes a temperature."));
    addNamed(*flow, tr("Seed"), *m_seed, tr("The same seed draws the same tokens. It takes a temperature."));
    addNamed(*flow, tr("Stop at"), *m_stop, tr("Nothing is written behind this text."));
    addNamed(*flow, tr("Ablate from step"), *m_ablateFrom,
             tr("Heads that you ablate are off from this step on, in the whole text; tokens before it are "
                "chosen with all heads."));

    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        change([value](auto& setup) { setup.temperature = value; }, "temperature");
    });
    connect(m_topK, &QSpinBox::valueChanged, this,
            [this](int value) { change([value](auto& setup) { setup.topK = value; }, "topK"); });
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int value) {
        change([value](auto& setup) { setup.seed = static_cast<std::uint64_t>(value); }, "seed");
    });
    connect(m_stop, &QLineEdit::editingFinished, this, [this] {
        m_stop->setModified(false);
        change([this](auto& setup) { setup.stop = m_stop->text().toStdString(); }, "stop");
    });
    connect(m_ablateFrom, &QSpinBox::valueChanged, this,
            [this](int value) { change([value](auto& setup) { setup.ablateFrom = value; }, "ablateFrom"); });
    connect(&m_explorer, &control::Explorer::documentChanged, this, &GenerationOptions::showDocument);
    showDocument();
}

bool GenerationOptions::isUsed() const
{
    service::GenerationSetup setup = m_explorer.document().generation;
    setup.count = service::GenerationSetup().count;
    return setup != service::GenerationSetup();
}

void GenerationOptions::change(const std::function<void(service::GenerationSetup&)>& how, const char* field)
{
    m_explorer.edit(
        tr("Change generation"), [&](control::Document& document) { how(document.generation); },
        QLatin1String(field));
}

void GenerationOptions::showDocument()
{
    const service::GenerationSetup& setup = m_explorer.document().generation;
    const auto show = [](auto& box, auto value) {
        const QSignalBlocker quiet(box);
        if (box.value() != value)  // what is being typed stays as it is
            box.setValue(value);
    };
    show(*m_temperature, setup.temperature);
    show(*m_topK, setup.topK);
    show(*m_seed, static_cast<int>(setup.seed));
    show(*m_ablateFrom, setup.ablateFrom);
    if (!m_stop->isModified())
        m_stop->setText(QString::fromStdString(setup.stop));
    for (QSpinBox* const box : {m_topK, m_seed})
        box->setEnabled(setup.temperature > 0);
}

}  // namespace hs::panels
