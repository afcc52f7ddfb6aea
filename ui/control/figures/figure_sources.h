#pragma once

#include "control/figures/figure_maker.h"
#include "stats/metric_table.h"

#include <vector>

namespace hs::control {

/// What a figure's content is assembled from: the runs of the sides it shows, and whatever else the
/// backend knows about them. On the thread that owns the backend; throws Failure.
class FigureSources {
public:
    FigureSources(service::Backend& backend, const FigureRequest& request, const Hooks& hooks);

    const FigureSpec& spec() const { return m_request.spec; }
    const FigureRequest& request() const { return m_request; }
    const Hooks& hooks() const { return m_hooks; }
    service::Backend& backend() const { return m_backend; }

    /// Sides that are shown and have a model; at least one.
    const std::vector<Side>& sides() const { return m_sides; }
    const FigureSide& sideSpec(Side side) const { return m_request.spec.sides[indexOf(side)]; }
    const service::SideRequest& sideRequest(Side side) const { return *m_request.sides[indexOf(side)]; }
    const std::shared_ptr<const SideRun>& run(Side side) const { return m_runs[indexOf(side)]; }
    const std::array<std::shared_ptr<const SideRun>, 2>& runs() const { return m_runs; }

    /// The one that the spec names.
    const stats::Metric& metric() const;
    /// What the side's units write for the token that the spec names, or the predicted one.
    engine::Attribution attribution(Side side) const;
    /// The text of that token.
    QString targetLabel(Side side) const;
    /// “Mary”, or “Mary” minus that of “John”.
    QString targetWords(Side side) const;
    /// The side's title: its own, or the model's.
    QString title(Side side) const;
    /// The heads that the side's spec chooses, in order.
    std::vector<HeadId> heads(Side side) const;
    /// Full maps of one layer. [head, query, key]
    engine::LayerMap maps(Side side, int layer) const;
    /// Weight of one cell in every head. [layer * head]
    std::vector<float> cellWeights(Side side, CellId cell) const;
    /// Throws if the sides split the prompt into different numbers of tokens: for figures that mark the
    /// same positions in both.
    void requireSamePositions() const;
    /// The tokens of an axis as labels, from the first side shown.
    std::vector<QString> tokenLabels(Axis axis = Axis::Query) const;
    /// Of the first side shown.
    stats::PatternShape pattern() const { return run(m_sides.front())->after.pattern(); }
    /// "“When Mary …”, 16 tokens", or "7 queries × 19 keys"
    QString promptWords() const;
    /// What was done to the models: " Demo, sparse: score gate, bias 0; L1H4 at its mean."
    QString runWords() const;

    /// The side as tiles, with the given heads.
    figures::TilePanel panel(Side side, std::vector<HeadId> heads, const render::TileFlow& flow) const;

private:
    figures::PanelText panelText(Side side) const;

    service::Backend& m_backend;
    const FigureRequest& m_request;
    const Hooks& m_hooks;
    std::vector<Side> m_sides;
    std::array<std::shared_ptr<const SideRun>, 2> m_runs;  // [Side]
};

// One for each kind of content.
figures::GridFigure makeGridFigure(const FigureSources& sources);
figures::KeyQueryFigure makeKeyQueryFigure(const FigureSources& sources);
figures::SummaryFigure makeSummaryFigure(const FigureSources& sources);
figures::ScatterFigure makeScatterFigure(const FigureSources& sources);
figures::FlowFigure makeFlowFigure(const FigureSources& sources);
figures::GraphFigure makeGraphFigure(const FigureSources& sources);
figures::HeadFigure makeHeadFigure(const FigureSources& sources);
figures::AttributionFigure makeAttributionFigure(const FigureSources& sources);
figures::HistoryFigure makeHistoryFigure(const FigureSources& sources);
figures::ExplainedEffectFigure makeExplainedEffectFigure(const FigureSources& sources);

}  // namespace hs::control
