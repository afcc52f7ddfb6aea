#include "panels/heads/head_toggles_panel.h"

#include "panels/heads/head_preset_menu.h"
#include "panels/heads/head_toggle_matrix.h"
#include "panels/widgets/ablation_names.h"
#include "panels/widgets/accent_button.h"
#include "panels/widgets/flow_layout.h"
#include "panels/widgets/panel_widgets.h"
#include "panels/widgets/shown_tokens.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace hs::panels {
namespace {

constexpr int kPauseMilliseconds = 250;
constexpr int kWidestTitle = 110;

}  // namespace

HeadTogglesPanel::HeadTogglesPanel(control::Explorer& explorer, QWidget* parent)
    : QWidget(parent), m_explorer(explorer)
{
    setObjectName(QStringLiteral("headTogglesPanel"));
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMilliseconds);
    compose();
    connectParts();
    showDocument();
    showState();
}

QWidget* HeadTogglesPanel::newSideSwitch()
{
    auto* const row = new QWidget(this);
    auto* const flow = new FlowLayout(4, row);
    auto* const group = new QButtonGroup(row);
    for (const Side side : kSides) {
        auto* const button = new AccentButton(row);
        button->setObjectName(side == Side::Left ? QStringLiteral("leftSide") : QStringLiteral("rightSide"));
        button->setCheckable(true);
        button->setAutoDefault(false);
        group->addButton(button);
        flow->addWidget(button);
        m_sides[indexOf(side)] = button;
        connect(button, &QPushButton::clicked, this, [this, side] {
            const auto& model = m_explorer.state(side).model;
            const auto head = m_explorer.currentHead();
            const bool isKept = head && model && model->heads.contains(*head);
            m_explorer.setCurrent(side, isKept ? head : std::nullopt);
        });
    }
    return row;
}

QWidget* HeadTogglesPanel::newTools()
{
    auto* const row = new QWidget(this);
    auto* const flow = new FlowLayout(8, row);
    m_presets = new QPushButton(tr("Pre&sets"), row);
    m_presets->setObjectName(QStringLiteral("presetsButton"));
    m_presets->setAccessibleName(tr("Presets"));
    m_presets->setAutoDefault(false);
    m_presets->setMenu(new HeadPresetMenu(m_explorer, m_presets));
    m_kind = new QComboBox(row);
    m_kind->setObjectName(QStringLiteral("ablationKind"));
    m_kind->setAccessibleName(tr("Kind of ablation"));
    m_kind->addItem(tr("Zero"), static_cast<int>(engine::HeadAblation::Kind::Zero));
    m_kind->addItem(tr("Mean"), static_cast<int>(engine::HeadAblation::Kind::Mean));
    m_kind->addItem(tr("Patch"), static_cast<int>(engine::HeadAblation::Kind::Replace));
    m_group = new QCheckBox(tr("Key/value &groups"), row);
    m_group->setObjectName(QStringLiteral("ablationGroup"));
    m_group->setAccessibleName(tr("Ablate whole key/value groups"));
    for (QWidget* const widget : std::initializer_list<QWidget*>{m_presets, m_kind, m_group})
        flow->addWidget(widget);
    return row;
}

void HeadTogglesPanel::compose()
{
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(newSideSwitch());
    column->addWidget(newTools());
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(QStringLiteral("headFilter"));
    m_filter->setAccessibleName(tr("Filter of heads"));
    m_filter->setPlaceholderText(tr("Filter: L5H* or density<0.01 & entropy<1"));
    m_filter->setToolTip(tr("Dims the heads that do not match.\n"
                            "Heads: L5H3, L5H*, L2-4H0-3. Numbers: density<0.01, peak>=0.5.\n"
                            "Combine with & (and), | (or), ! (not) and brackets."));
    m_filter->setClearButtonEnabled(true);
    m_filterNote = newQuietLabel(this, QStringLiteral("filterNote"));
    auto* const filter = new QVBoxLayout;
    filter->setSpacing(2);
    filter->addWidget(m_filter);
    filter->addWidget(m_filterNote);
    column->addLayout(filter);
    m_empty = newQuietLabel(this, QStringLiteral("togglesEmpty"));
    column->addWidget(m_empty);
    m_matrix = new HeadToggleMatrix(m_explorer, this);
    column->addWidget(m_matrix, 1);
    m_count = newQuietLabel(this, QStringLiteral("ablatedCount"));
    column->addWidget(m_count);
}

void HeadTogglesPanel::connectParts()
{
    connect(m_kind, &QComboBox::activated, this, [this](int index) {
        const auto kind = static_cast<engine::HeadAblation::Kind>(m_kind->itemData(index).toInt());
        m_explorer.edit(tr("Choose ablation"),
                        [kind](control::Document& document) { document.tool.kind = kind; });
    });
    connect(m_group, &QCheckBox::clicked, this, [this](bool isOn) {
        m_explorer.edit(tr("Choose ablation"),
                        [isOn](control::Document& document) { document.tool.isWholeGroup = isOn; });
    });
    connect(m_filter, &QLineEdit::textEdited, this, [this] { m_pause.start(); });
    connect(m_filter, &QLineEdit::returnPressed, this, &HeadTogglesPanel::finishFilter);
    connect(m_filter, &QLineEdit::editingFinished, this, &HeadTogglesPanel::finishFilter,
            Qt::QueuedConnection);
    connect(&m_pause, &QTimer::timeout, this, &HeadTogglesPanel::commitFilter);
    connect(&m_explorer, &control::Explorer::documentChanged, this, &HeadTogglesPanel::showDocument);
    connect(&m_explorer, &control::Explorer::stateChanged, this, &HeadTogglesPanel::showState);
    connect(&m_explorer, &control::Explorer::currentChanged, this, &HeadTogglesPanel::showState);
}

void HeadTogglesPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void HeadTogglesPanel::commitFilter()
{
    m_pause.stop();
    const QString filter = m_filter->text();
    m_shownFilter = filter;
    m_explorer.edit(
        tr("Filter heads"), [&](control::Document& document) { document.filter = filter; },
        QStringLiteral("filter-%1").arg(m_typing));
}

void HeadTogglesPanel::finishFilter()
{
    commitFilter();
    ++m_typing;
}

void HeadTogglesPanel::showDocument()
{
    const control::Document& document = m_explorer.document();
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(document.tool.kind)));
    m_group->setChecked(document.tool.isWholeGroup);
    if (document.filter != m_shownFilter) {
        m_shownFilter = document.filter;
        if (m_filter->text() != m_shownFilter)
            m_filter->setText(m_shownFilter);
    }
    showState();
}

void HeadTogglesPanel::showState()
{
    const Side active = m_explorer.activeSide();
    for (const Side side : kSides) {
        QPushButton& button = *m_sides[indexOf(side)];
        const QString title = sideTitle(m_explorer, side);
        button.setChecked(side == active);
        button.setText(fontMetrics()
                           .elidedText(title, Qt::ElideRight, kWidestTitle)
                           .replace(QLatin1Char('&'), QStringLiteral("&&")));
        button.setToolTip(title);
        button.setAccessibleName(side == Side::Left ? tr("Heads of the left side, %1").arg(title)
                                                    : tr("Heads of the right side, %1").arg(title));
    }
    const auto& model = m_explorer.state(active).model;
    const HeadShape shape = model ? model->heads : HeadShape();
    const bool hasGroups = shape.kvHeads > 0 && shape.kvHeads < shape.heads;
    m_group->setEnabled(hasGroups);
    m_group->setToolTip(hasGroups ? tr("Ablates all query heads that share a key/value head.")
                                  : tr("Every head of this model has its own keys and values."));
    const QString reason = m_explorer.whyNoRun(active);
    const bool canAblate = model && reason.isEmpty();
    m_matrix->setVisible(canAblate);
    showText(*m_empty, canAblate ? QString()
                       : model   ? reason
                                 : tr("Open a model to switch its heads on and off."));
    greyOut(*m_presets, reason);
    greyOut(
        *m_kind, reason,
        tr("What an ablated head writes: nothing, its mean over the prompt's positions, or what it writes "
           "on the corrupted prompt."));

    const auto count = static_cast<int>(shape.all().size());
    const auto& ablations = m_explorer.document().side(active).ablations;
    showText(*m_count,
             !canAblate ? QString()
             : ablations.empty()
                 ? tr("All %n heads run.", nullptr, count)
                 : tr("%1 of %2 heads ablated: %3").arg(ablations.size()).arg(count).arg(namesOf(ablations)));
    const QString problem = m_explorer.filterProblem();
    const bool isFiltered = model && !m_explorer.document().filter.trimmed().isEmpty();
    showText(*m_filterNote,
             !problem.isEmpty() ? problem
             : isFiltered
                 ? tr("%1 of %2 heads match.").arg(m_explorer.matchingHeads(active).size()).arg(count)
                 : QString());
}

}  // namespace hs::panels
