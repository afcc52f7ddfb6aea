#include "base/failure.h"
#include "composer/head_order_list.h"
#include "composer/preset_uses.h"
#include "composer/side_form.h"
#include "control/document/shown_heads.h"
#include "control/figures/figure_maker.h"
#include "control/figures/figure_runs.h"
#include "panels/widgets/metric_names.h"
#include "panels/widgets/panel_widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace hs::composer {
namespace {

std::vector<HeadId> headsIn(const QString& text, const HeadShape& shape)
{
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    std::vector<HeadId> heads;
    for (const QString& item : text.split(separators, Qt::SkipEmptyParts))
        for (const HeadId head : orThrow(parseHeads(item.toStdString(), shape)))
            heads.push_back(head);
    return heads;
}

SpecForm::Choices<QString> orders()
{
    SpecForm::Choices<QString> choices = {{SideForm::tr("As listed"), QString()}};
    for (const stats::Metric* const metric : panels::metricsInTableOrder())
        choices.emplace_back(SideForm::tr("By %1").arg(panels::metricTitle(*metric)),
                             panels::nameOf(*metric));
    choices.emplace_back(SideForm::tr("By kind"), control::kByKind);
    choices.emplace_back(SideForm::tr("By likeness"), control::kByLikeness);
    return choices;
}

/// Panels are in the order of the sides that are shown and have a model.
std::size_t panelOf(const control::MadeFigure& figure, Side side)
{
    return side == Side::Right && figure.runs.front() ? 1 : 0;
}

template <class Panels, class Heads>
std::optional<std::vector<HeadId>> headsOf(const Panels& panels, std::size_t index, Heads heads)
{
    return index < panels.size() ? std::optional(heads(panels[index])) : std::nullopt;
}

/// The heads of a side that a figure draws, in its order; none if it does not draw heads one by one.
std::optional<std::vector<HeadId>> drawnHeads(const std::shared_ptr<const control::MadeFigure>& figure,
                                              Side side)
{
    if (!figure || !figure->runs[indexOf(side)])
        return std::nullopt;
    const std::size_t panel = panelOf(*figure, side);
    if (const auto* const grids = std::get_if<figures::GridFigure>(&figure->content))
        return headsOf(grids->panels, panel, [](const figures::TilePanel& tiles) { return tiles.heads; });
    if (const auto* const cells = std::get_if<figures::KeyQueryFigure>(&figure->content))
        return headsOf(cells->sides, panel,
                       [](const figures::KeyQuerySide& tiles) { return tiles.all.heads; });
    if (const auto* const scatter = std::get_if<figures::ScatterFigure>(&figure->content))
        return headsOf(scatter->panels, panel,
                       [](const figures::ScatterPanel& plots) { return plots.heads; });
    return std::nullopt;
}

}  // namespace

void SideForm::addList()
{
    const auto isList = [this](const control::FigureSpec& spec) {
        return uses(spec.preset, FigureKnob::Heads) && grid(spec).form == control::GridChoice::Form::List;
    };
    const std::size_t index = indexOf(m_side);
    addChoice({"order", tr("Order"), tr("As listed below, or ranked by a metric"), isList}, orders(),
              [index](auto& spec) -> auto& { return spec.sides[index].grid.order; });
    addSwitch({"isAscending", tr("Smallest first"), tr("Instead of the largest"),
               [this, isList](const control::FigureSpec& spec) {
                   return isList(spec) && !grid(spec).order.isEmpty();
               }},
              [index](auto& spec) -> auto& { return spec.sides[index].grid.isAscending; });
    m_list = new HeadOrderList;
    connect(m_list, &HeadOrderList::reordered, this, &SideForm::takeOrder);
    addControl(
        {"list", tr("Drag to order"),
         tr("Drag heads into another order, or move them with Alt+Up and Alt+Down; Delete takes them out"),
         isList},
        m_list, [this](const control::FigureSpec&) { listHeads(); });
    addControl({"listButtons", QString(), QString(), isList}, newListButtons(),
               [](const control::FigureSpec&) {});
    addNumber({"columns", tr("Columns"), tr("Tiles in a row"),
               [isList](const control::FigureSpec& spec) {
                   return isList(spec) && uses(spec.preset, FigureKnob::Columns);
               }},
              {0, 999, 1, 0, {}, tr("automatic")},
              [index](auto& spec) -> auto& { return spec.sides[index].grid.columns; });
}

QWidget* SideForm::newListButtons()
{
    auto* const group = new QWidget;
    m_more = new QLineEdit;
    m_more->setObjectName(QStringLiteral("moreHeads"));
    m_more->setAccessibleName(tr("Heads to add"));
    m_more->setPlaceholderText(tr("Add L0H5, L4H*"));
    m_more->setToolTip(tr("Names of heads, in any order; L4H* is a whole layer. Enter adds them."));
    auto* const all = new QPushButton(tr("All"));
    all->setObjectName(QStringLiteral("allHeads"));
    all->setAccessibleName(tr("List all heads"));
    all->setToolTip(tr("Every head again, by layer and head"));
    all->setAutoDefault(false);
    m_problem = panels::newQuietLabel(group, QStringLiteral("headsProblem"));
    m_problem->hide();
    auto* const row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(m_more, 1);
    row->addWidget(all);
    auto* const column = new QVBoxLayout(group);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_problem);
    connect(m_more, &QLineEdit::returnPressed, this, &SideForm::addNamedHeads);
    connect(m_more, &QLineEdit::textEdited, m_problem, &QWidget::hide);
    connect(all, &QPushButton::clicked, this, [this] {
        edit(tr("All heads"), [this](control::FigureSpec& spec) {
            grid(spec).list.clear();
            grid(spec).order.clear();
            grid(spec).hidden.clear();
        });
    });
    return group;
}

bool SideForm::isRankedByResult() const
{
    return spec().preset == control::FigurePreset::RankedHeads &&
           !spec().sides[indexOf(m_side)].result.empty();
}

void SideForm::listHeads()
{
    if (!m_list || grid(spec()).form != control::GridChoice::Form::List)
        return;
    std::vector<HeadId> heads = explorer().shownHeads(m_side, grid(spec()));
    std::set<HeadId> undrawn;
    const control::FigureRuns& figures = explorer().figures();
    if (const auto drawn = figures.isStale() ? std::nullopt : drawnHeads(figures.figure(), m_side)) {
        if (isRankedByResult())
            heads = *drawn;
        undrawn.insert(heads.begin(), heads.end());
        for (const HeadId head : *drawn)
            undrawn.erase(head);
    }
    std::set<HeadId> ablated;
    for (const auto& [head, kind] : explorer().document().side(m_side).ablations)
        ablated.insert(head);
    m_list->setHeads(heads, undrawn, ablated);
}

void SideForm::takeOrder()
{
    std::vector<HeadId> heads = m_list->heads();
    // An empty list would mean all heads.
    if (heads.empty())
        return listHeads();
    // If only the first few of all heads are drawn, their number stays the same.
    const auto drawn = drawnHeads(explorer().figures().figure(), m_side);
    if (spec().preset == control::FigurePreset::ScatterMatrix && grid(spec()).list.empty() && drawn)
        heads.resize(std::min(heads.size(), drawn->size()));
    edit(tr("Order of heads"), [&](control::FigureSpec& spec) {
        grid(spec).list = std::move(heads);
        if (isRankedByResult())
            spec.sides[indexOf(m_side)].result.clear();  // its order would take precedence
        grid(spec).order.clear();
        grid(spec).hidden.clear();
    });
}

void SideForm::addNamedHeads()
{
    const Result<std::vector<HeadId>> named = guarded([this] { return headsIn(m_more->text(), shape()); });
    if (!named)
        return panels::showText(*m_problem, QString::fromStdString(named.error().message));
    std::vector<HeadId> heads = grid(spec()).list;  // an empty list, which means all heads, is replaced
    for (const HeadId head : *named)
        if (std::find(heads.begin(), heads.end(), head) == heads.end())
            heads.push_back(head);
    edit(tr("Add heads"), [&](control::FigureSpec& spec) { grid(spec).list = heads; });
    m_more->clear();
}

}  // namespace hs::composer
