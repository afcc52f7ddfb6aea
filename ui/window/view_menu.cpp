#include "window/view_menu.h"

#include "panels/prompt/block_menu.h"
#include "render/translate.h"
#include "stats/metric_table.h"
#include "window/document_choices.h"

#include <QMenu>

#include <algorithm>
#include <memory>

namespace hs::window {
namespace {

/// An entry that sets one field of the document to one value.
template <class Field, class Value>
void addValue(QMenu& menu, DocumentChoices& choices, const QString& text, Field field, const Value& value,
              const QKeySequence& shortcut = {}, DocumentChoices::Problem problem = {})
{
    choices.add(
        &menu, text, [field, value](const control::Document& document) { return field(document) == value; },
        [field, value](control::Document& document) { field(document) = value; }, shortcut,
        std::move(problem));
}

/// An entry that switches one field of the document on and off.
template <class Field>
void addSwitch(QMenu& menu, DocumentChoices& choices, const QString& text, Field field,
               const QKeySequence& shortcut = {}, DocumentChoices::Problem problem = {})
{
    choices.add(
        &menu, text, [field](const control::Document& document) { return bool(field(document)); },
        [field](control::Document& document) { field(document) = !field(document); }, shortcut,
        std::move(problem));
}

QString whyNoRun(const control::Explorer& explorer)
{
    return explorer.whyNoRun();
}

/// An entry that applies one layout to both grids.
void addLayout(QMenu& menu, DocumentChoices& choices, const QString& text, const control::GridChoice& layout,
               const QKeySequence& shortcut = {})
{
    const auto placed = [layout](const control::GridChoice& grid) {
        control::GridChoice with = layout;
        with.hidden = grid.hidden;
        return with;
    };
    choices.add(
        &menu, text,
        [placed](const control::Document& document) {
            return std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
                return document.side(side).grid == placed(document.side(side).grid);
            });
        },
        [placed](control::Document& document) {
            for (const Side side : kSides)
                document.side(side).grid = placed(document.side(side).grid);
        },
        shortcut);
}

/// An entry that writes an analysis' ranks on the tiles.
void addRanks(QMenu& menu, DocumentChoices& choices, const QString& text, service::AnalysisKind analysis)
{
    choices.add(
        &menu, text,
        [analysis](const control::Document& document) {
            return document.badges.kind == control::TileBadges::Kind::Rank &&
                   document.badges.analysis == analysis;
        },
        [analysis](control::Document& document) {
            document.badges.kind = control::TileBadges::Kind::Rank;
            document.badges.analysis = analysis;
        },
        {}, [analysis](const control::Explorer& explorer) { return explorer.whyNotPossible(analysis); });
}

/// An entry that takes the first token out of all tiles and scales what is left, and brings back what was.
void addFirstTokenOut(QMenu& menu, DocumentChoices& choices, const QKeySequence& shortcut)
{
    struct Before {
        bool isPerHead = false;
        bool hidesFirstToken = false;
    };
    const auto isOut = [](const control::Document& document) {
        return document.look.isPerHead && document.look.hidesFirstToken;
    };
    choices.add(
        &menu, tr("First token &out, rescaled"), isOut,
        [isOut, before = std::make_shared<Before>()](control::Document& document) {
            control::Look& look = document.look;
            const Before now{look.isPerHead, look.hidesFirstToken};
            const Before next = isOut(document) ? *before : Before{true, true};
            *before = isOut(document) ? Before{} : now;
            look.isPerHead = next.isPerHead;
            look.hidesFirstToken = next.hidesFirstToken;
        },
        shortcut);
}

control::GridChoice sampled(int layerStep, int lastHead)
{
    control::GridChoice grid;
    grid.layerStep = layerStep;
    grid.lastHead = lastHead;
    return grid;
}

control::GridChoice flowing(control::GridChoice::Flow flow, int blocks)
{
    control::GridChoice grid;
    grid.flow = flow;
    grid.blocks = blocks;
    return grid;
}

control::GridChoice ranked(const QString& metric)
{
    control::GridChoice grid;
    grid.form = control::GridChoice::Form::List;
    grid.order = metric;
    return grid;
}

}  // namespace

void fillArrangementMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto& { return document.arrangement; };
    addValue(menu, choices, tr("&Automatic"), field, control::Arrangement::Automatic);
    addValue(menu, choices, tr("Side &by side"), field, control::Arrangement::SideBySide);
    addValue(menu, choices, tr("S&tacked"), field, control::Arrangement::Stacked);
    addValue(menu, choices, tr("&Left alone"), field, control::Arrangement::LeftOnly);
    addValue(menu, choices, tr("&Right alone"), field, control::Arrangement::RightOnly);
}

void fillLayoutMenu(QMenu& menu, DocumentChoices& choices)
{
    addLayout(menu, choices, tr("&Largest tiles"), control::GridChoice{}, QKeySequence(tr("Ctrl+M")));
    addLayout(menu, choices, tr("Layers &down, in blocks"),
              flowing(control::GridChoice::Flow::LayersDown, 0));
    addLayout(menu, choices, tr("Layers down, &one block"),
              flowing(control::GridChoice::Flow::LayersDown, 1));
    addLayout(menu, choices, tr("Layers a&cross, in blocks"),
              flowing(control::GridChoice::Flow::LayersAcross, 0));
    addLayout(menu, choices, tr("All heads in one l&ist"), ranked({}));
    menu.addSeparator();
    addLayout(menu, choices, tr("Every &2nd layer, heads 0–15"), sampled(2, 15));
    addLayout(menu, choices, tr("Every &4th layer, heads 0–15"), sampled(4, 15));
    menu.addSeparator();
    addSwitch(menu, choices, tr("&MLPs behind their layers' heads"),
              [](auto& document) -> auto& { return document.look.hasMlps; });
    choices.add(
        &menu, tr("Show &hidden heads"),
        [](const control::Document& document) {
            return std::all_of(kSides.begin(), kSides.end(),
                               [&](Side side) { return document.side(side).grid.hidden.empty(); });
        },
        [](control::Document& document) {
            for (const Side side : kSides)
                document.side(side).grid.hidden.clear();
        },
        QKeySequence(tr("Ctrl+Shift+H")));
}

void fillOrderMenu(QMenu& menu, DocumentChoices& choices)
{
    addLayout(menu, choices, tr("Layer and head"), control::GridChoice{});
    menu.addSeparator();
    addLayout(menu, choices, tr("By &kind"), ranked(control::kByKind));
    addLayout(menu, choices, tr("By &likeness"), ranked(control::kByLikeness));
    menu.addSeparator();
    for (const stats::Metric& metric : stats::allMetrics()) {
        const QString name = QString::fromUtf8(metric.name.data(), static_cast<int>(metric.name.size()));
        addLayout(menu, choices, QString(name).replace(QLatin1Char('_'), QLatin1Char(' ')), ranked(name));
    }
}

void fillColourMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto& { return document.look.colourMap; };
    for (const QString& name : render::ColourMap::names())
        addValue(menu, choices, name, field, name);
}

void fillScaleMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto& { return document.look.scale; };
    addValue(menu, choices, tr("&Linear"), field, render::Scale::Linear, QKeySequence(tr("Ctrl+1")));
    addValue(menu, choices, tr("S&quare root"), field, render::Scale::SquareRoot, QKeySequence(tr("Ctrl+2")));
    addValue(menu, choices, tr("L&ogarithmic"), field, render::Scale::Logarithmic,
             QKeySequence(tr("Ctrl+3")));
    menu.addSeparator();
    addSwitch(
        menu, choices, tr("Each &head by itself"),
        [](auto& document) -> auto& { return document.look.isPerHead; }, QKeySequence(tr("Ctrl+4")));
    addSwitch(
        menu, choices, tr("Hide the &first token"),
        [](auto& document) -> auto& { return document.look.hidesFirstToken; }, QKeySequence(tr("Ctrl+5")));
    addFirstTokenOut(menu, choices, QKeySequence(tr("T")));
}

void fillLabelMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto field = [](auto& document) -> auto& { return document.look.labelCorner; };
    addValue(menu, choices, tr("Top &right"), field, render::LabelCorner::TopRight);
    addValue(menu, choices, tr("Top &left"), field, render::LabelCorner::TopLeft);
    addValue(menu, choices, tr("&Bottom right"), field, render::LabelCorner::BottomRight);
    addValue(menu, choices, tr("B&ottom left"), field, render::LabelCorner::BottomLeft);
}

void fillValueMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto problemOf = [](control::TileValue value) {
        return [value](const control::Explorer& explorer) { return explorer.differenceProblem(value); };
    };
    const auto field = [](auto& document) -> auto& { return document.tiles; };
    menu.setToolTipsVisible(true);
    addValue(menu, choices, tr("&Weights"), field, control::TileValue::Weights, QKeySequence(tr("Ctrl+6")));
    const auto whyNot = [](engine::MapKind kind) {
        return [kind](const control::Explorer& explorer) { return explorer.whyNotPossible(kind); };
    };
    addValue(menu, choices, tr("Weights × &values"), field, control::TileValue::ValueWeighted,
             QKeySequence(tr("Ctrl+7")), whyNot(engine::MapKind::ValueWeighted));
    addValue(menu, choices, tr("&Scores"), field, control::TileValue::Scores, QKeySequence(tr("Ctrl+8")),
             whyNot(engine::MapKind::Scores));
    menu.addSeparator();
    addValue(menu, choices, tr("&Right − left"), field, control::TileValue::BetweenSides,
             QKeySequence(tr("Ctrl+D")), problemOf(control::TileValue::BetweenSides));
    addValue(menu, choices, tr("&After − before ablation"), field, control::TileValue::AfterAblation,
             QKeySequence(tr("Ctrl+Shift+D")), whyNoRun);
    addValue(menu, choices, tr("Since the &kept run"), field, control::TileValue::SinceKept,
             QKeySequence(tr("Ctrl+Shift+J")), problemOf(control::TileValue::SinceKept));
    menu.addSeparator();
    choices.addAct(
        &menu, tr("Kee&p this run for comparison"), [](control::Explorer& explorer) { explorer.keepRuns(); },
        QKeySequence(tr("Ctrl+J")), problemOf(control::TileValue::AfterAblation));
    choices.addAct(
        &menu, tr("&Forget the kept run"), [](control::Explorer& explorer) { explorer.forgetKeptRuns(); }, {},
        [](const control::Explorer& explorer) {
            const bool isKept = explorer.keptRun(Side::Left) || explorer.keptRun(Side::Right);
            return isKept ? QString() : tr("No run is kept.");
        });
}

void fillBlockMenu(QMenu& menu, DocumentChoices& choices)
{
    menu.setToolTipsVisible(true);
    for (const auto& [unit, name, tip] : panels::blockUnits())
        choices.add(
            &menu, name,
            [unit = unit](const control::Document& document) { return document.blocks.unit == unit; },
            [unit = unit](control::Document& document) { panels::cutInto(document, unit); }, {},
            [unit = unit](const control::Explorer& explorer) { return panels::whyNotCut(explorer, unit); });
}

void fillBadgeMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto kind = [](auto& document) -> auto& { return document.badges.kind; };
    menu.setToolTipsVisible(true);
    addValue(menu, choices, tr("&No badges"), kind, control::TileBadges::Kind::None);
    menu.addSeparator();
    addRanks(menu, choices, tr("Ranks of the &sweep"), service::AnalysisKind::Sweep);
    addRanks(menu, choices, tr("Ranks of the &circuit"), service::AnalysisKind::Circuit);
    addRanks(menu, choices, tr("Ranks of the &attribution"), service::AnalysisKind::Attribution);
    addRanks(menu, choices, tr("Ranks of the c&omparison"), service::AnalysisKind::Compare);
    addRanks(menu, choices, tr("Heads of a &feature's edge"), service::AnalysisKind::EdgeHeads);
    addValue(menu, choices, tr("&Known circuits"), kind, control::TileBadges::Kind::KnownCircuit);
    menu.addSeparator();
    addSwitch(
        menu, choices, tr("Colours of head kin&ds"),
        [](auto& document) -> auto& { return document.badges.hasKinds; }, QKeySequence(tr("Ctrl+Shift+K")));
    menu.addSeparator();
    const auto count = [](auto& document) -> auto& { return document.badges.count; };
    for (const int first : {10, 20, 50})
        addValue(menu, choices, tr("The first %1 ranks").arg(first), count, first);
}

void fillAblationMenu(QMenu& menu, DocumentChoices& choices)
{
    const auto kind = [](auto& document) -> auto& { return document.tool.kind; };
    menu.setToolTipsVisible(true);
    addValue(menu, choices, tr("Ablate to &zero"), kind, engine::HeadAblation::Kind::Zero, {}, whyNoRun);
    addValue(menu, choices, tr("Ablate to the &mean"), kind, engine::HeadAblation::Kind::Mean, {}, whyNoRun);
    addValue(menu, choices, tr("&Patch from the corrupted prompt"), kind, engine::HeadAblation::Kind::Replace,
             {}, whyNoRun);
    menu.addSection(tr("Cells that are cut"));
    const auto cells = [](auto& document) -> auto& { return document.tool.cells; };
    using Method = CellMethod;
    addValue(menu, choices, tr("Carry &nothing"), cells, Method{}, {}, whyNoRun);
    addValue(menu, choices, tr("Give their share to the &rest of the row"), cells,
             Method{Method::Kind::Renormalise, 0}, {}, whyNoRun);
    addValue(menu, choices, tr("Carry &half"), cells, Method{Method::Kind::Scale, 0.5}, {}, whyNoRun);
    addValue(menu, choices, tr("Carry &twice as much"), cells, Method{Method::Kind::Scale, 2}, {}, whyNoRun);
    addValue(menu, choices, tr("Carry what they do on the &corrupted prompt"), cells,
             Method{Method::Kind::Replace, 0}, {}, whyNoRun);
    menu.addSeparator();
    addSwitch(
        menu, choices, tr("Whole key/value &groups"),
        [](auto& document) -> auto& { return document.tool.isWholeGroup; }, {}, whyNoRun);
}

}  // namespace hs::window
