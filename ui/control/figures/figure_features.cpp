#include "control/figures/figure_features.h"

#include "control/document/feature_words.h"
#include "control/document/token_label.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::control {
namespace {

using Kind = features::GraphNode::Kind;

}  // namespace

bool haveFeatures(const FigureSources& sources)
{
    return std::ranges::all_of(sources.sides(), [&](Side side) {
        return !sources.request().graphs[indexOf(side)].coders.isEmpty() ||
               !sources.sideRequest(side).model->coders.empty();
    });
}

SideFeatures featuresOf(const FigureSources& sources, Side side)
{
    const GraphChoice& choice = sources.request().graphs[indexOf(side)];
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Graph;
    request.side = sources.sideRequest(side);
    request.side.view.reset();
    request.side.target = sources.spec().target.toStdString();
    request.side.distractor = sources.spec().versus.toStdString();
    request.graph.coders = choice.coders.toStdString();
    SideFeatures result;
    result.side = side;
    result.found =
        std::get<service::FeatureGraph>(orThrow(sources.backend().analyse(request, sources.hooks(), {})));
    result.groups = choice.groups;
    if (result.groups.empty())
        result.groups = features::groupFeatures(result.found.graph);
    return result;
}

QString trustWords(const features::Graph& graph)
{
    const double fvu = graph.fvu.empty() ? 0
                                         : std::accumulate(graph.fvu.begin(), graph.fvu.end(), 0.0) /
                                               static_cast<double>(graph.fvu.size());
    return tr("%1 of the MLPs’ outputs unexplained (FVU), errors carry %2 %")
        .arg(fvu, 0, 'f', 2)
        .arg(std::lround(100 * (1 - graph.replacement)));
}

figures::GraphFigure makeGraphFigure(const FigureSources& sources)
{
    sources.requireSamePositions();
    figures::GraphFigure figure;
    figure.tokens = sources.tokenLabels();
    QStringList trust;
    for (const Side side : sources.sides()) {
        const SideFeatures features = featuresOf(sources, side);
        const GraphChoice& choice = sources.request().graphs[indexOf(side)];
        const text::Tokenizer* const tokenizer = sources.sideRequest(side).model->tokenizer.get();
        const features::Graph& graph = features.found.graph;
        figures::GraphPanel panel;
        panel.title = sources.title(side);
        panel.view = figures::viewOf(graph, sources.spec().share, features.groups);
        nameFeatures(panel.view, features.found, choice, {figure.tokens.begin(), figure.tokens.end()});
        for (const figures::ViewNode& node : panel.view.nodes) {
            const features::GraphNode& first = graph.nodes[static_cast<std::size_t>(node.members.front())];
            QString name = node.name;
            if (node.kind == Kind::Logit)
                name =
                    tr("%1 %2 %")
                        .arg(tokenizer ? tokenLabel(tokenizer->tokenText(first.index)).remove(QChar(0x00b7))
                                       : QStringLiteral("#%1").arg(first.index))
                        .arg(std::lround(100 * first.probability));
            panel.names.push_back(name);
        }
        const auto count = std::ranges::count_if(
            panel.view.nodes, [](const figures::ViewNode& node) { return node.kind == Kind::Feature; });
        panel.counts = tr("%1 features and groups, %2 edges").arg(count).arg(panel.view.edges.size());
        trust << tr("%1: %2").arg(panel.title, trustWords(graph));
        figure.panels.push_back(std::move(panel));
    }
    figure.caption =
        tr("Features and groups of like ones (ringed discs), the strongest in boxes with what they fire on "
           "or, "
           "after an arrow, promote; diamonds: errors. Drawn are nodes with %1 % of the influence on the "
           "prediction; lines as wide as what they add (blue) or take away (red), patterns and norms held. "
           "%2. "
           "On %3.")
            .arg(std::lround(100 * sources.spec().share))
            .arg(trust.join(QStringLiteral("; ")), sources.promptWords());
    return figure;
}

}  // namespace hs::control
