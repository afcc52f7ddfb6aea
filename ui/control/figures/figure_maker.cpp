#include "control/figures/figure_maker.h"

#include "control/document/demo_prompt.h"
#include "control/document/document_requests.h"
#include "control/document/shown_heads.h"
#include "control/figures/figure_sources.h"
#include "render/translate.h"

namespace hs::control {
namespace {

figures::FigureContent contentOf(const FigureSources& sources)
{
    switch (sources.spec().preset) {
    case FigurePreset::HeadGrid:
    case FigurePreset::RankedHeads: return makeGridFigure(sources);
    case FigurePreset::Summary: return makeSummaryFigure(sources);
    case FigurePreset::ScatterMatrix: return makeScatterFigure(sources);
    case FigurePreset::KeyQuery: return makeKeyQueryFigure(sources);
    case FigurePreset::Attribution: return makeAttributionFigure(sources);
    case FigurePreset::Flow: return makeFlowFigure(sources);
    case FigurePreset::Graph: return makeGraphFigure(sources);
    case FigurePreset::ExplainedEffect: return makeExplainedEffectFigure(sources);
    case FigurePreset::History: return makeHistoryFigure(sources);
    case FigurePreset::Head: return makeHeadFigure(sources);
    }
    return makeGridFigure(sources);
}

/// Adds the demo's own question if the figure needs one and the prompt is the demo's.
void askDemoQuestion(const QString& prompt, FigureSpec& spec)
{
    if (spec.preset != FigurePreset::ExplainedEffect || prompt != QLatin1String(kDemoPrompt) ||
        !spec.corrupted.isEmpty())
        return;
    spec.corrupted = QString::fromLatin1(kDemoCorrupted);
    if (spec.target.isEmpty() && spec.versus.isEmpty()) {
        spec.target = QString::fromLatin1(kDemoTarget);
        spec.versus = QString::fromLatin1(kDemoVersus);
    }
}

/// Whether a figure is of what is read off logits, and so of tokens where maps are of blocks.
bool isOfTokens(FigurePreset preset)
{
    return preset == FigurePreset::Attribution || preset == FigurePreset::Graph ||
           preset == FigurePreset::ExplainedEffect;
}

}  // namespace

Result<std::shared_ptr<const MadeFigure>> makeFigure(service::Backend& backend, const FigureRequest& request,
                                                     const Hooks& hooks)
{
    return guarded([&]() -> std::shared_ptr<const MadeFigure> {
        const FigureSources sources(backend, request, hooks);
        figures::FigureContent content = contentOf(sources);
        std::visit([&](auto& figure) { figure.caption += sources.runWords(); }, content);
        return std::make_shared<const MadeFigure>(MadeFigure{request, std::move(content), sources.runs()});
    });
}

FigureRequest figureRequest(const Document& document,
                            const std::array<std::shared_ptr<const service::OpenModel>, 2>& models)
{
    FigureRequest request;
    request.spec = document.figure;
    askDemoQuestion(document.prompt().text, request.spec);
    for (const Side side : kSides)
        if (const auto& model = models[indexOf(side)]) {
            service::SideRequest& asked =
                request.sides[indexOf(side)].emplace(sideRequest(document, side, model));
            if (isOfTokens(request.spec.preset))
                asked.blocks = {};
            GraphChoice& graph = request.graphs[indexOf(side)] = document.side(side).graph;
            graph.picked.clear();
            graph.sources.clear();
            graph.targets.clear();
        }
    return request;
}

FigureSpec figureAsShown(const Document& document, FigurePreset preset, const ShownGrids& grids)
{
    FigureSpec spec = FigureSpec::of(preset);
    spec.form.width = document.figure.form.width;
    spec.form.fontFamily = document.figure.form.fontFamily;
    spec.form.fontSize = document.figure.form.fontSize;
    spec.form.lineWidth = document.figure.form.lineWidth;
    spec.form.dotsPerInch = document.figure.form.dotsPerInch;
    spec.form.isTransparent = document.figure.form.isTransparent;
    spec.form.colourMap = document.look.colourMap;
    spec.form.scale = document.look.scale;
    spec.form.isPerHead = document.look.isPerHead;
    spec.form.labelCorner = document.look.labelCorner;
    spec.isStacked = grids.isStacked;
    if (document.blocks.isNone() || !isOfTokens(preset)) {
        spec.key = document.key;
        spec.query = document.query;
    }
    spec.threshold = document.edgeThreshold;
    spec.target = document.target;
    spec.versus = document.distractor;
    for (const Side side : kSides) {
        FigureSide& shown = spec.sides[indexOf(side)];
        shown.isShown = isShown(document.arrangement, side);
        shown.grid = document.side(side).grid;
        shown.hasOnlyActive = false;
        const render::TileFlow& flow = grids.flows[indexOf(side)];
        if (flow.hasMlps && preset == FigurePreset::HeadGrid)
            spec.units = Units::HeadsAndMlps;
        // A list keeps its ranked order; a matrix keeps its places.
        if (flow.kind == render::TileFlow::Kind::Wrapped) {
            shown.grid.form = GridChoice::Form::List;
            shown.grid.list = grids.heads[indexOf(side)];
            shown.grid.order.clear();
            shown.grid.columns = flow.count;
        } else {
            shown.grid.flow = flow.kind == render::TileFlow::Kind::LayersAcross
                                  ? GridChoice::Flow::LayersAcross
                                  : GridChoice::Flow::LayersDown;
            shown.grid.blocks = flow.count;
        }
    }
    return spec;
}

QString asShownProblem(const Document& document)
{
    return document.tiles == TileValue::Weights
               ? QString()
               : tr("Figures show weights, and the tiles show something else: choose View ▸ Tiles show ▸ "
                    "Weights first.");
}

}  // namespace hs::control
