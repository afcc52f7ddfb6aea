#include "figures/files/page_data.h"

#include "base/json.h"
#include "figures/parts/cell_image.h"
#include "figures/parts/sheet.h"
#include "render/colour_bar.h"
#include "render/grid_layout.h"

#include <cmath>

namespace hs::figures {
namespace {

using PageTree = nlohmann::ordered_json;

constexpr int kTilePackingEffort = 9;

/// A head's state, as page.js knows it.
enum HeadState { kUsual = 0, kAblated = 1, kPatched = 2 };

PageTree textOf(const QString& text)
{
    return text.toStdString();
}

PageTree textsOf(const std::vector<QString>& texts)
{
    PageTree tree = PageTree::array();
    for (const QString& text : texts)
        tree.push_back(textOf(text));
    return tree;
}

/// Red, green and blue of each colour, two hexadecimal digits each.
std::string hexOf(const render::ColourMap& map)
{
    QByteArray bytes;
    for (int level = 0; level < 256; ++level)
        for (const int channel : {qRed(map.at(level)), qGreen(map.at(level)), qBlue(map.at(level))})
            bytes += static_cast<char>(channel);
    return bytes.toHex().toStdString();
}

/// The place on the colour map of each of a cell's 256 values.
PageTree levelsOf(const Form& form)
{
    PageTree levels = PageTree::array();
    for (int value = 0; value < 256; ++value)
        levels.push_back(colourLevel(value, form));
    return levels;
}

PageTree ticksOf(const Form& form)
{
    PageTree ticks = PageTree::array();
    for (const render::ColourTick tick : render::colourTicks(form.scale, false))
        ticks.push_back({tick.place, textOf(QString::number(
                                         form.lowest + tick.value * (form.highest - form.lowest), 'g', 2))});
    return ticks;
}

HeadState stateOf(const TilePanel& panel, HeadId unit)
{
    return panel.patched.contains(unit) ? kPatched : panel.ablated.contains(unit) ? kAblated : kUsual;
}

/// [layer, head, column, row, state] of each tile.
PageTree headsOf(const TilePanel& panel, const render::GridLayout& grid)
{
    PageTree heads = PageTree::array();
    for (int index = 0; index < grid.count(); ++index) {
        const HeadId head = panel.heads[static_cast<std::size_t>(index)];
        heads.push_back({head.layer, head.head, grid.place(index).x(), grid.place(index).y(),
                         static_cast<int>(stateOf(panel, head))});
    }
    return heads;
}

/// [layer, share, column, row, state, logit] of each slim tile, which is behind that place.
PageTree mlpsOf(const TilePanel& panel, const render::GridLayout& grid)
{
    PageTree mlps = PageTree::array();
    for (const render::GridLayout::Mlp& mlp : grid.mlps()) {
        const int layer = panel.heads[static_cast<std::size_t>(mlp.head)].layer;
        const auto logit = panel.mlps.find(layer);
        mlps.push_back({layer, std::round(1e4 * shareOfMlp(panel, layer)) / 1e4, mlp.place.x(), mlp.place.y(),
                        static_cast<int>(stateOf(panel, HeadId::mlpOf(layer))),
                        logit == panel.mlps.end() ? 0 : std::round(1e4 * logit->second) / 1e4});
    }
    return mlps;
}

/// Upper bounds are negative.
double shareOf(const Probability& probability)
{
    const double share = std::round(1e5 * probability.value) / 1e5;
    return probability.isBound ? -std::max(share, 1e-5) : share;
}

PageTree gridOf(const TilePanel& panel)
{
    const render::GridLayout grid(panel.heads, panel.flow);
    PageTree tree;
    tree["title"] = textOf(panel.title);
    tree["caption"] = textOf(panel.caption);
    // Of the two axes: columns and keys, rows and queries.
    tree["sides"] = {panel.result.tileColumns, panel.result.tileRows};
    tree["lengths"] = {panel.result.keys(), panel.result.queries()};
    tree["isMatrix"] = panel.flow.kind != render::TileFlow::Kind::Wrapped;
    tree["layersAcross"] = panel.flow.kind == render::TileFlow::Kind::LayersAcross;
    tree["columns"] = grid.columns();
    tree["rows"] = grid.rows();
    tree["block"] = {grid.shape().block.width(), grid.shape().block.height()};
    tree["heads"] = headsOf(panel, grid);
    tree["toMlp"] = {grid.shape().toMlp.width(), grid.shape().toMlp.height()};
    tree["mlps"] = mlpsOf(panel, grid);
    tree["mark"] = panel.mark ? PageTree({panel.mark->query, panel.mark->key}) : PageTree();
    tree["tokens"] = textsOf(panel.text.tokens);
    tree["keyTokens"] = textsOf(panel.text.keyTokens);
    PageTree& matches = tree["matches"] = PageTree::array();
    for (const std::optional<text::TokenSpan>& span : panel.text.matches)
        matches.push_back(span ? PageTree({span->first, span->last}) : PageTree());
    tree["position"] = panel.text.position;
    PageTree& next = tree["next"] = PageTree::array();
    for (const NextToken& token : panel.text.next)
        next.push_back({textOf(token.label), shareOf(token.change.before), shareOf(token.change.after)});
    return tree;
}

}  // namespace

QByteArray pageJson(const Page& page)
{
    // Each head's levels start at its own largest weight, which page.js finds.
    Form form = page.form;
    if (form.isPerHead) {
        form.lowest = 0;
        form.highest = 1;
    }
    const render::ColourMap map = render::ColourMap::named(form.colourMap);
    PageTree tree;
    tree["colours"] = {hexOf(map), hexOf(map.onDark())};
    tree["levels"] = levelsOf(form);
    tree["isPerHead"] = form.isPerHead;
    tree["ticks"] = ticksOf(form);
    tree["scale"] = textOf(colourBarName(form));
    PageTree& grids = tree["grids"] = PageTree::array();
    for (const TilePanel& panel : page.panels)
        grids.push_back(gridOf(panel));
    const std::string json = tree.dump(-1, ' ', false, PageTree::error_handler_t::replace);
    return QByteArray::fromStdString(json)
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
}

QByteArray packedTiles(const TilePanel& panel)
{
    const auto cells = static_cast<qsizetype>(panel.result.tileRows) * panel.result.tileColumns;
    QByteArray tiles;
    tiles.reserve(cells * static_cast<qsizetype>(panel.heads.size()));
    for (const HeadId head : panel.heads)
        tiles.append(reinterpret_cast<const char*>(panel.result.tileOf(head)), cells);
    return qCompress(tiles, kTilePackingEffort).sliced(4);  // without Qt's own header
}

}  // namespace hs::figures
