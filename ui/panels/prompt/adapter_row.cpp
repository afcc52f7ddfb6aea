#include "panels/prompt/adapter_row.h"

#include "panels/widgets/panel_widgets.h"

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

constexpr int kSteps = 20;  // of a dial, for strength 1
constexpr int kMostStrength = 2;
constexpr int kDialWidth = 160;

}  // namespace

/// The widgets of one adapter.
struct AdapterRow::Dial {
    Shown shown;
    QWidget* widget;
    QSlider* slider;
    QLabel* strength;
};

AdapterRow::AdapterRow(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer), m_row(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("adapterRow"));
    m_row->setContentsMargins(0, 2, 0, 0);
    m_row->setSpacing(16);
    m_row->addStretch(1);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &AdapterRow::showDocument);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &AdapterRow::showDocument);
    showDocument();
}

AdapterRow::~AdapterRow() = default;

bool AdapterRow::isNeeded() const
{
    return !m_dials.empty();
}

/// The adapter that a model was opened as is in its runs at full strength unless the document says otherwise.
std::vector<AdapterRow::Shown> AdapterRow::adapters() const
{
    std::vector<Shown> found;
    for (const Side side : kSides) {
        const auto& model = m_explorer.state(side).model;
        const std::string own = model ? model->ownAdapter : std::string();
        const auto& chosen = m_explorer.document().side(side).adapters;
        if (!own.empty() && std::ranges::find(chosen, own, &engine::AdapterChoice::folder) == chosen.end())
            found.push_back({side, {own, 1}, true});
        for (const engine::AdapterChoice& choice : chosen)
            found.push_back({side, choice, choice.folder == own});
    }
    return found;
}

void AdapterRow::showDocument()
{
    const std::vector<Shown> wanted = adapters();
    const bool isSame = std::ranges::equal(wanted, m_dials, [](const Shown& one, const Dial& other) {
        return one.side == other.shown.side && one.choice.folder == other.shown.choice.folder &&
               one.isOwn == other.shown.isOwn;
    });
    if (!isSame)
        rebuild(wanted);
    for (std::size_t index = 0; index < wanted.size(); ++index) {
        Dial& dial = m_dials[index];
        dial.shown = wanted[index];
        const QSignalBlocker quiet(dial.slider);
        dial.slider->setValue(qRound(dial.shown.choice.strength * kSteps));
        dial.strength->setText(QLocale().toString(dial.shown.choice.strength, 'g', 3));
    }
}

void AdapterRow::rebuild(const std::vector<Shown>& wanted)
{
    for (const Dial& dial : m_dials) {
        dial.widget->hide();
        dial.widget->deleteLater();
    }
    m_dials.clear();
    for (const Shown& shown : wanted) {
        m_dials.push_back(newDial(shown));
        m_row->insertWidget(static_cast<int>(m_dials.size()) - 1, m_dials.back().widget);
    }
}

AdapterRow::Dial AdapterRow::newDial(const Shown& shown)
{
    const QString folder = QString::fromStdString(shown.choice.folder);
    const QString name = QFileInfo(folder).fileName();
    auto* const widget = new QWidget(this);
    auto* const label = newQuietLabel(widget, {});
    label->setWordWrap(false);
    label->setText((shown.side == Side::Left ? tr("Left: %1") : tr("Right: %1")).arg(name));
    label->setToolTip(folder);
    auto* const slider = new QSlider(Qt::Horizontal, widget);
    slider->setObjectName(QStringLiteral("adapterDial"));
    slider->setAccessibleName(tr("Strength of %1").arg(name));
    slider->setToolTip(tr("How much of the adapter is added: 0 is the base, 1 what was trained"));
    slider->setRange(0, kMostStrength * kSteps);
    slider->setTickInterval(kSteps);
    slider->setTickPosition(QSlider::TicksBelow);
    slider->setFixedWidth(kDialWidth);
    auto* const strength = new QLabel(widget);
    strength->setMinimumWidth(strength->fontMetrics().horizontalAdvance(QStringLiteral("0.00")));
    auto* const remove = new QToolButton(widget);
    remove->setText(QStringLiteral("✕"));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Take the adapter away"));
    remove->setAccessibleName(tr("Take %1 away").arg(name));
    remove->setVisible(!shown.isOwn);
    auto* const line = new QHBoxLayout(widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    line->addWidget(label);
    line->addWidget(slider);
    line->addWidget(strength);
    line->addWidget(remove);
    connect(slider, &QSlider::valueChanged, this,
            [this, side = shown.side, of = shown.choice.folder](int value) {
                turn(side, of, static_cast<double>(value) / kSteps);
            });
    connect(slider, &QSlider::sliderReleased, this, [this] { ++m_turn; });
    connect(remove, &QToolButton::clicked, this, [this, side = shown.side, of = shown.choice.folder] {
        m_explorer.edit(tr("Take adapter away"), [&](control::Document& document) {
            std::erase_if(document.side(side).adapters,
                          [&](const auto& choice) { return choice.folder == of; });
        });
    });
    return {shown, widget, slider, strength};
}

void AdapterRow::turn(Side side, const std::string& folder, double strength)
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
        QStringLiteral("adapter-%1-%2-%3")
            .arg(indexOf(side))
            .arg(QString::fromStdString(folder))
            .arg(m_turn));
}

}  // namespace hs::panels
