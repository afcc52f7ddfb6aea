#include "panels/prompt/dial_row.h"

#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/training_steps.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kDialSteps = 20;  // of an adapter's dial, for strength 1
constexpr int kMostStrength = 2;
constexpr int kDialWidth = 160;

QString labelOf(Side side, const QString& name)
{
    return (side == Side::Left ? DialRow::tr("Left: %1") : DialRow::tr("Right: %1")).arg(name);
}

}  // namespace

/// The widgets of one dial.
struct DialRow::Dial {
    Setting setting;
    QWidget* widget;
    QSlider* slider;
    QLabel* reading;
};

DialRow::DialRow(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_row(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("dialRow"));
    m_row->setContentsMargins(0, 2, 0, 0);
    m_row->setSpacing(16);
    m_row->addStretch(1);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &DialRow::showDocument);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &DialRow::showDocument);
    showDocument();
}

DialRow::~DialRow() = default;

bool DialRow::isNeeded() const
{
    return !m_dials.empty();
}

std::vector<DialRow::Setting> DialRow::settings() const
{
    std::vector<Setting> found;
    for (const Side side : kSides) {
        addAdapters(side, found);
        addTraining(side, found);
    }
    return found;
}

/// The adapter that a model was opened as is in its runs at full strength unless the document says otherwise.
void DialRow::addAdapters(Side side, std::vector<Setting>& settings) const
{
    const auto& model = m_explorer.state(side).model;
    const std::string own = model ? model->ownAdapter : std::string();
    std::vector<engine::AdapterChoice> choices = m_explorer.document().side(side).adapters;
    if (!own.empty() && std::ranges::find(choices, own, &engine::AdapterChoice::folder) == choices.end())
        choices.insert(choices.begin(), {own, 1});
    for (const engine::AdapterChoice& choice : choices) {
        const QString folder = QString::fromStdString(choice.folder);
        const QString name = QFileInfo(folder).fileName();
        Setting setting;
        setting.name = QStringLiteral("adapterDial");
        setting.of = QStringLiteral("%1-%2").arg(indexOf(side)).arg(folder);
        setting.label = labelOf(side, name);
        setting.toolTip =
            tr("%1\nHow much of the adapter is added: 0 is the base, 1 what was trained").arg(folder);
        setting.what = tr("Strength of %1").arg(name);
        setting.most = kMostStrength * kDialSteps;
        setting.tick = kDialSteps;
        setting.value = qRound(choice.strength * kDialSteps);
        setting.reading = QLocale().toString(choice.strength, 'g', 3);
        setting.turn = [this, side, of = choice.folder](int value) {
            turnAdapter(side, of, static_cast<double>(value) / kDialSteps);
        };
        if (choice.folder != own)
            setting.remove = [this, side, of = choice.folder] { removeAdapter(side, of); };
        settings.push_back(std::move(setting));
    }
}

void DialRow::addTraining(Side side, std::vector<Setting>& settings) const
{
    const auto shown = stepShown(m_explorer, side);
    if (!shown)
        return;
    const service::OpenModel& model = *m_explorer.state(side).model;
    Setting setting;
    setting.name = QStringLiteral("trainingDial");
    setting.of = QStringLiteral("%1-%2")
                     .arg(indexOf(side))
                     .arg(QString::fromStdString(model.revisions.front().source));
    setting.label = labelOf(side, tr("training"));
    setting.toolTip = tr("The steps of its training at which this model was kept: %1, from %2 to %3")
                          .arg(QLocale().toString(static_cast<qlonglong>(model.revisions.size())),
                               stepWords(model, 0), stepWords(model, model.revisions.size() - 1));
    setting.what = tr("Step of the training");
    setting.most = static_cast<int>(model.revisions.size()) - 1;
    setting.value = static_cast<int>(*shown);
    setting.reading = stepWords(model, *shown);
    setting.turn = [this, side, of = setting.of](int value) {
        showStep(m_explorer, side, static_cast<std::size_t>(value), mergeKey(of));
    };
    settings.push_back(std::move(setting));
}

void DialRow::showDocument()
{
    const std::vector<Setting> wanted = settings();
    const bool isSame = std::ranges::equal(wanted, m_dials, [](const Setting& one, const Dial& other) {
        return one.of == other.setting.of && one.most == other.setting.most &&
               one.remove.operator bool() == other.setting.remove.operator bool();
    });
    if (!isSame)
        rebuild(wanted);
    for (std::size_t index = 0; index < wanted.size(); ++index) {
        Dial& dial = m_dials[index];
        dial.setting = wanted[index];
        const QSignalBlocker quiet(dial.slider);
        dial.slider->setValue(dial.setting.value);
        dial.reading->setText(dial.setting.reading);
    }
}

void DialRow::rebuild(const std::vector<Setting>& wanted)
{
    for (const Dial& dial : m_dials) {
        dial.widget->hide();
        dial.widget->deleteLater();
    }
    m_dials.clear();
    for (const Setting& setting : wanted) {
        m_dials.push_back(newDial(setting));
        m_row->insertWidget(static_cast<int>(m_dials.size()) - 1, m_dials.back().widget);
    }
}

DialRow::Dial DialRow::newDial(const Setting& setting)
{
    auto* const widget = new QWidget(this);
    auto* const label = newQuietLabel(widget, {});
    label->setWordWrap(false);
    label->setText(setting.label);
    label->setToolTip(setting.toolTip);
    auto* const slider = new QSlider(Qt::Horizontal, widget);
    slider->setObjectName(setting.name);
    slider->setAccessibleName(setting.what);
    slider->setToolTip(setting.toolTip);
    slider->setRange(0, setting.most);
    slider->setPageStep(std::max(1, setting.most / 10));
    slider->setTickInterval(setting.tick);
    slider->setTickPosition(QSlider::TicksBelow);
    slider->setFixedWidth(kDialWidth);
    auto* const reading = new QLabel(widget);
    reading->setMinimumWidth(reading->fontMetrics().horizontalAdvance(QStringLiteral("0.00")));
    auto* const remove = new QToolButton(widget);
    remove->setText(QStringLiteral("✕"));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Take the adapter away"));
    remove->setAccessibleName(tr("Take the adapter away"));
    remove->setVisible(static_cast<bool>(setting.remove));
    auto* const line = new QHBoxLayout(widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    line->addWidget(label);
    line->addWidget(slider);
    line->addWidget(reading);
    line->addWidget(remove);
    connect(slider, &QSlider::valueChanged, this, [turn = setting.turn](int value) { turn(value); });
    connect(slider, &QSlider::sliderReleased, this, [this] { ++m_turn; });
    if (setting.remove)
        connect(remove, &QToolButton::clicked, this, [take = setting.remove] { take(); });
    return {setting, widget, slider, reading};
}

QString DialRow::mergeKey(const QString& of) const
{
    return QStringLiteral("dial-%1-%2").arg(of).arg(m_turn);
}

void DialRow::turnAdapter(Side side, const std::string& folder, double strength) const
{
    m_explorer.edit(
        tr("Turn adapter"),
        [&](control::Document& document) {
            auto& chosen = document.side(side).adapters;
            const auto found = std::ranges::find(chosen, folder, &engine::AdapterChoice::folder);
            if (found == chosen.end())
                chosen.push_back({folder, strength});
            else
                found->strength = strength;
        },
        mergeKey(QStringLiteral("%1-%2").arg(indexOf(side)).arg(QString::fromStdString(folder))));
}

void DialRow::removeAdapter(Side side, const std::string& folder) const
{
    m_explorer.edit(tr("Take adapter away"), [&](control::Document& document) {
        std::erase_if(document.side(side).adapters,
                      [&](const auto& choice) { return choice.folder == folder; });
    });
}

}  // namespace hs::panels
