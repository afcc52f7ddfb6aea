#include "window/view_menu.h"

#include "analysis/metric_table.h"
#include "render/translate.h"
#include "window/document_choices.h"

#include <QMenu>

#include <algorithm>

namespace hs {
namespace {

/// An entry that sets one field of the document to one value.
template <class Field, class Value>
void addValue(QMenu& menu, DocumentChoices& choices, const QString& text, Field field, Value value,
              const QKeySequence& shortcut = {})
{
    choices.add(
        &menu, text, [field, value](const Document& document) { return field(document) == value; },
        [field, value](Document& document) { field(document) = value; }, shortcut);
}

/// An entry that switches one field of the document on and off.
template <class Field>
void addSwitch(QMenu& menu, DocumentChoices& choices, const QString& text, Field field,
               const QKeySequence& shortcut = {})
{
    choices.add(
        &menu, text, [field](const Document& document) { return bool(field(document)); },
        [field](Document& document) { field(document) = !field(document); }, shortcut);
}

/// An entry that gives both grids the same heads in the same places.
void addLayout(QMenu& menu, DocumentChoices& choices, const QString& text, const GridChoice& layout,
               const QKeySequence& shortcut = {})
{
    const auto placed = [layout](const GridChoice& grid) {
        GridChoice with = layout;
        with.hidden = grid.hidden;
        return with;
    };
    choices.add(
        &menu, text,
        [placed](const Document& document) {
            return std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
                return document.side(side).grid == placed(document.side(side).grid);
            });
        },
        [placed](Document& document) {
            for (const Side side : kSides)
                document.side(side).grid = placed(document.side(side).grid);
        },
        shortcut);
}

/// An entry that writes an analysis' ranks on the tiles.
void addRanks(QMenu& menu, DocumentChoices& choices, const QString& text, AnalysisKind analysis)
{
    choices.add(
        &menu, text,
        [analysis](const Document& document) {
            return document.badges.kind == TileBadges::Kind::Rank && document.badges.analysis == analysis;
        },
        [analysis](Document& document) {
            document.badges.kind = TileBadges::Kind::Rank;
            document.badges.analysis = analysis;
        });
}

GridChoice sampled(int layerStep, int lastHead)
{
    GridChoice grid;
    grid.layerStep = layerStep;
    grid.lastHead = lastHead;
    return grid;
}

GridChoice ranked(const QString& metric)
{
    GridChoice grid;
    grid.form = GridChoice::Form::List;
    grid.order = metric;
    return grid;
}

}  // namespace

void fillArrangementMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto&
    {
        return document.arrangement;
    };
    addValue(menu, choices, tr("Side &by side"), field, Arrangement::SideBySide);
    addValue(menu, choices, tr("S&tacked"), field, Arrangement::Stacked);
    addValue(menu, choices, tr("&Left alone"), field, Arrangement::LeftOnly);
    addValue(menu, choices, tr("&Right alone"), field, Arrangement::RightOnly);
}

void fillLayoutMenu(QMenu& menu, DocumentChoices& choices)
{
    addLayout(menu, choices, tr("&Layers × heads"), GridChoice{}, QKeySequence(tr("Ctrl+M")));
    addLayout(menu, choices, tr("Every &2nd layer, heads 0–15"), sampled(2, 15));
    addLayout(menu, choices, tr("Every &4th layer, heads 0–15"), sampled(4, 15));
    addLayout(menu, choices, tr("All heads in one l&ist"), ranked({}));
    choices.add(
        &menu, tr("Show &hidden heads"),
        [](const Document& document) {
            return std::all_of(kSides.begin(), kSides.end(),
                               [&](Side side) { return document.side(side).grid.hidden.empty(); });
        },
        [](Document& document) {
            for (const Side side : kSides)
                document.side(side).grid.hidden.clear();
        },
        QKeySequence(tr("Ctrl+Shift+H")));
}

void fillOrderMenu(QMenu& menu, DocumentChoices& choices)
{
    addLayout(menu, choices, tr("Layer and head"), GridChoice{});
    menu.addSeparator();
    for (const Metric& metric : allMetrics()) {
        const QString name = QString::fromUtf8(metric.name.data(), static_cast<int>(metric.name.size()));
        addLayout(menu, choices, QString(name).replace(QLatin1Char('_'), QLatin1Char(' ')), ranked(name));
    }
}

void fillColourMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto&
    {
        return document.look.colourMap;
    };
    for (const QString& name : ColourMap::names())
        addValue(menu, choices, name, field, name);
}

void fillScaleMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto&
    {
        return document.look.scale;
    };
    addValue(menu, choices, tr("&Linear"), field, Scale::Linear, QKeySequence(tr("Ctrl+1")));
    addValue(menu, choices, tr("S&quare root"), field, Scale::SquareRoot, QKeySequence(tr("Ctrl+2")));
    addValue(menu, choices, tr("L&ogarithmic"), field, Scale::Logarithmic, QKeySequence(tr("Ctrl+3")));
    menu.addSeparator();
    addSwitch(
        menu, choices, tr("Each &head by itself"),
        [](auto& document) -> auto& { return document.look.isPerHead; }, QKeySequence(tr("Ctrl+4")));
    addSwitch(
        menu, choices, tr("Hide the &first token"),
        [](auto& document) -> auto& { return document.look.hidesFirstToken; }, QKeySequence(tr("Ctrl+5")));
}

void fillLabelMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto&
    {
        return document.look.labelCorner;
    };
    addValue(menu, choices, tr("Top &right"), field, LabelCorner::TopRight);
    addValue(menu, choices, tr("Top &left"), field, LabelCorner::TopLeft);
    addValue(menu, choices, tr("&Bottom right"), field, LabelCorner::BottomRight);
    addValue(menu, choices, tr("B&ottom left"), field, LabelCorner::BottomLeft);
}

void fillDifferenceMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto&
    {
        return document.difference;
    };
    addValue(menu, choices, tr("&Weights"), field, Difference::None);
    addValue(menu, choices, tr("&Right − left"), field, Difference::BetweenSides, QKeySequence(tr("Ctrl+D")));
    addValue(menu, choices, tr("&After − before ablation"), field, Difference::AfterAblation,
             QKeySequence(tr("Ctrl+Shift+D")));
}

void fillBadgeMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto kind = [](auto& document) -> auto&
    {
        return document.badges.kind;
    };
    addValue(menu, choices, tr("&No badges"), kind, TileBadges::Kind::None);
    menu.addSeparator();
    addRanks(menu, choices, tr("Ranks of the &sweep"), AnalysisKind::Sweep);
    addRanks(menu, choices, tr("Ranks of the &circuit"), AnalysisKind::Circuit);
    addRanks(menu, choices, tr("Ranks of the &attribution"), AnalysisKind::Attribution);
    addRanks(menu, choices, tr("Ranks of the c&omparison"), AnalysisKind::Compare);
    addValue(menu, choices, tr("&Known circuits"), kind, TileBadges::Kind::KnownCircuit);
    menu.addSeparator();
    const auto count = [](auto& document) -> auto&
    {
        return document.badges.count;
    };
    for (const int first : {10, 20, 50})
        addValue(menu, choices, tr("The first %1 ranks").arg(first), count, first);
}

void fillAblationMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto kind = [](auto& document) -> auto&
    {
        return document.tool.kind;
    };
    addValue(menu, choices, tr("Ablate to &zero"), kind, HeadAblation::Kind::Zero);
    addValue(menu, choices, tr("Ablate to the &mean"), kind, HeadAblation::Kind::Mean);
    addValue(menu, choices, tr("&Patch from the corrupted prompt"), kind, HeadAblation::Kind::Replace);
    menu.addSeparator();
    addSwitch(
        menu, choices, tr("Whole key/value &groups"),
        [](auto& document) -> auto& { return document.tool.isWholeGroup; });
}

}  // namespace hs
