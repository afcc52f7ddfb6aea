#include "grid/side_content.h"

#include "control/document/changed_cells.h"
#include "control/document/shown_heads.h"
#include "control/work/set_words.h"
#include "grid/mlp_tiles.h"
#include "grid/side_badges.h"
#include "render/pattern_words.h"
#include "render/translate.h"
#include "service/engine_need.h"
#include "service/far_source.h"

#include <QFileInfo>
#include <QLocale>

namespace hs::grid {
namespace {

QString titleOf(const control::Explorer& explorer, Side side)
{
    const control::SideState& state = explorer.state(side);
    const control::SideSetup& setup = explorer.document().side(side);
    if (!state.model)
        return setup.model;
    QString title = QString::fromStdString(state.model->title);
    if (const auto far = service::farSource(state.model->request.source))
        title = tr("%1 on %2").arg(title, QString::fromStdString(far->host));
    if (const auto& shown = state.part ? state.part : state.run; shown && shown->set)
        title = tr("%1: %2").arg(title, control::setWords(*shown));
    for (const engine::AdapterChoice& adapter : setup.adapters) {
        const QString strength = QLocale().toString(adapter.strength, 'g', 3);
        const QString name = QFileInfo(QString::fromStdString(adapter.folder)).fileName();
        title = adapter.folder == state.model->ownAdapter ? tr("%1 at strength %2").arg(title, strength)
                                                          : tr("%1 + %2 · %3").arg(title, strength, name);
    }
    if (setup.gate.kind == engine::GateChoice::Kind::Score)
        return tr("%1, gate on").arg(title);
    if (setup.gate.kind == engine::GateChoice::Kind::Off && state.model->ownGateBias)
        return tr("%1, gate off").arg(title);
    return title;
}

QString panelTitle(const control::Explorer& explorer, Side side, Side shown)
{
    if (side != shown)
        return (explorer.hasSameHeads() ? tr("%1 (flipped)") : tr("%1 (flipped, by relative depth)"))
            .arg(titleOf(explorer, shown));
    switch (explorer.document().tiles) {
    case control::TileValue::Weights: break;
    case control::TileValue::ValueWeighted: return tr("%1, weights × values").arg(titleOf(explorer, shown));
    case control::TileValue::Scores: return tr("%1, scores").arg(titleOf(explorer, shown));
    case control::TileValue::BetweenSides:
        if (titleOf(explorer, Side::Right) == titleOf(explorer, Side::Left))
            return tr("%1, right − left").arg(titleOf(explorer, shown));
        return tr("%1 − %2").arg(titleOf(explorer, Side::Right), titleOf(explorer, Side::Left));
    case control::TileValue::AfterAblation:
        return tr("%1, after − before ablation").arg(titleOf(explorer, shown));
    case control::TileValue::SinceKept: return tr("%1, since the kept run").arg(titleOf(explorer, shown));
    }
    return titleOf(explorer, shown);
}

QString figuresOf(const control::SideRun& run, const Content& content)
{
    const std::size_t ablated = content.ablated.size(), patched = content.patched.size();
    const QLocale locale;
    QStringList parts = {tr("%1 of %2 heads").arg(content.heads.size()).arg(run.after.heads.all().size())};
    if (run.hasBlocks())
        parts << tr("%1 blocks of %2 tokens").arg(run.tokens.size()).arg(run.textTokens().size());
    if (run.request.model->maps)
        parts << render::patternWords(run.after.pattern());
    else
        parts << tr("active edges %1 %").arg(locale.toString(100 * run.after.density, 'g', 3));
    if (const auto& check = run.request.model->check;
        check && !run.request.isChanged() && run.request.adapters.empty())
        parts << tr("equal to %1 within %2")
                     .arg(QString::fromStdString(check->reference),
                          locale.toString(check->difference, 'g', 2));
    if (run.after.loss)
        parts << (run.set ? tr("mean loss %1") : tr("loss %1")).arg(locale.toString(*run.after.loss, 'f', 2));
    if (ablated > patched)
        parts << tr("%1 ablated").arg(ablated - patched);
    if (patched > 0)
        parts << tr("%1 patched").arg(patched);
    if (!content.edited.empty())
        parts << tr("%1 with cells changed").arg(content.edited.size());
    return parts.join(QStringLiteral(" · "));
}

/// Rows and columns of tokens that are not in the other text, in parts of a tile.
QList<QRectF> bandsWithout(const render::TokenPlaces& places)
{
    QList<QRectF> bands;
    const auto add = [&](const std::vector<std::optional<text::TokenSpan>>& of, bool areRows) {
        const auto count = static_cast<double>(of.size());
        for (std::size_t position = 0; position < of.size(); ++position)
            if (!of[position]) {
                const double begin = static_cast<double>(position) / count;
                bands << (areRows ? QRectF(0, begin, 1, 1 / count) : QRectF(begin, 0, 1 / count, 1));
            }
    };
    add(places.queries, true);
    add(places.keys, false);
    return bands;
}

/// What to do next if there is nothing to draw.
QString emptyText(const control::Explorer& explorer, Side side)
{
    const control::SideState& state = explorer.state(side);
    const control::Document& document = explorer.document();
    if (state.isLoading)
        return tr("Loading %1 …").arg(document.side(side).model);
    if (!state.problem.isEmpty())
        return state.problem;
    if (!state.model)
        return tr(
            "Open a model: choose one in the Model menu, or drop its folder or a file of attention maps "
            "here.");
    if (document.prompt(side).text.trimmed().isEmpty() && explorer.whyNoRun(side).isEmpty())
        return tr("Type a prompt above.");
    return state.run ? tr("No head matches this layout. Choose another one, or show the hidden heads again.")
                     : tr("Running …");
}

LateTiles::Found tilesOf(const control::Explorer& explorer, Side shown, LateTiles& lateTiles)
{
    if (!explorer.state(shown).run)
        return {};
    const control::TileValue value = explorer.document().tiles;
    if (const auto kind = control::mapKindOf(value)) {
        const std::string problem = service::whyNotPossible(*explorer.state(shown).model, *kind);
        if (!problem.empty())
            return {nullptr, false, QString::fromStdString(problem)};
        const auto tiles = explorer.tiles(shown, *kind);
        return {tiles, /*isComing=*/!tiles, {}};
    }
    const control::RunPair pair = explorer.compared(shown, value);
    if (!pair.problem.isEmpty())
        return {nullptr, false, pair.problem};
    const int key = value == control::TileValue::BetweenSides && !pair.after.places
                        ? LateTiles::kSidesKey
                        : LateTiles::kSideKeys + static_cast<int>(indexOf(shown));
    const int part =
        2 * static_cast<int>(value) + static_cast<int>(pair.after.places && shown == Side::Right);
    return lateTiles.get(key, {pair.after.run, pair.before.run, part}, [pair] { return differenceOf(pair); });
}

}  // namespace

Content contentOf(const control::Explorer& explorer, Side side, Side shown, LateTiles& lateTiles,
                  const Content& previous)
{
    const control::Document& document = explorer.document();
    const control::SideState& state = explorer.state(shown);
    Content content;
    content.title = panelTitle(explorer, side, shown);
    content.look = document.look;
    content.isStale = state.isStale;
    content.heads = explorer.shownHeads(side);
    if (side != shown && !explorer.hasSameHeads()) {
        content.places = content.heads;
        for (HeadId& head : content.heads)
            head = explorer.counterpart(side, head, shown).value_or(head);
    }

    const LateTiles::Found found = tilesOf(explorer, shown, lateTiles);
    content.tiles = found.tiles;
    if (state.part && document.tiles == control::TileValue::Weights) {
        content.fresh = state.part->tiles;
        if (!state.run)
            content.tiles = content.fresh;
    }
    if (found.isComing && !previous.isEmpty()) {
        content.tiles = previous.tiles;
        content.isStale = true;
    }
    content.emptyText = !found.problem.isEmpty() ? found.problem : emptyText(explorer, shown);
    if (!state.run && !content.fresh)
        return content;

    if (document.tiles == control::TileValue::BetweenSides)
        if (const auto& places = explorer.placesOfOther(shown))
            content.unmatched = bandsWithout(*places);
    for (const auto& [head, change] : document.side(shown).ablations) {
        if (!change.isWhole()) {
            if (state.run)
                content.edited.emplace(head, control::placesOf(change, *state.run));
            continue;
        }
        content.ablated.insert(head);
        if (change.isPatched())
            content.patched.insert(head);
    }
    if (showsMlps(explorer, shown))
        content.mlps = mlpTiles(explorer, shown);
    content.badges = badgesOf(explorer, shown);
    if (state.run)
        content.caption = figuresOf(*state.run, content);
    if (const auto kept = explorer.keptRun(shown); kept && document.tiles == control::TileValue::SinceKept)
        content.caption = tr("kept: %1 · now: %2").arg(kept->words, content.caption);
    const std::set<HeadId> matching = explorer.matchingHeads(shown);
    for (const HeadId head : content.heads) {
        const auto& run = content.isFresh(head) ? state.part : state.run;
        if (!run || !run->after.heads.contains(head))
            continue;
        if (!matching.contains(head))
            content.filtered.insert(head);
        const stats::HeadStats& stats = run->after.statsOf(head);
        content.density.emplace(head, stats.density);
        if (stats::isSink(stats))
            content.sinks.insert(head);
        const auto index = static_cast<std::size_t>(run->after.heads.indexOf(head));
        if (document.badges.hasKinds && run->kinds[index])
            content.kinds.emplace(head, *run->kinds[index]);
    }
    return content;
}

Marks marksOf(const control::Explorer& explorer, Side side)
{
    const control::Hover& hover = explorer.hover();
    const control::CellSpan pinned = explorer.pinned(side);
    const control::CellSpan hovered = explorer.hovered(side);
    Marks marks;
    marks.selected = explorer.selection(side);
    marks.current = explorer.currentHead();
    marks.pinnedQuery = pinned.query;
    marks.pinnedKey = pinned.key;
    marks.hoveredQuery = hovered.query;
    marks.hoveredKey = hovered.key;
    if (hover.head)
        marks.hoveredHead = explorer.counterpart(hover.side, *hover.head, side);
    return marks;
}

std::set<HeadId> pinnedHeads(control::Explorer& explorer, Side side)
{
    std::set<HeadId> heads;
    const auto& run = explorer.state(side).run;
    const auto weights = explorer.cellWeights(side);
    if (!run || !weights || weights->size() != static_cast<std::size_t>(run->after.heads.total()))
        return heads;
    for (const HeadId head : run->after.heads.all())
        if ((*weights)[static_cast<std::size_t>(run->after.heads.indexOf(head))] >=
            explorer.document().edgeThreshold)
            heads.insert(head);
    return heads;
}

}  // namespace hs::grid
