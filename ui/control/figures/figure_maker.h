#pragma once

#include "control/document/figure_spec.h"
#include "control/document/graph_choice.h"
#include "control/document/shown_heads.h"
#include "control/work/side_run.h"
#include "figures/presets/figure.h"

namespace hs::control {

/// Everything a figure is made from: the spec, the run request of each side, and what is known of its features.
struct FigureRequest {
    FigureSpec spec;
    std::array<std::optional<service::SideRequest>, 2> sides;  // [Side]; none: there is no model
    std::array<GraphChoice, 2> graphs;                         // [Side]; nothing is picked

    friend bool operator==(const FigureRequest&, const FigureRequest&) = default;
};

/// A figure with its numbers, ready to be drawn in any form. Immutable, any thread.
struct MadeFigure {
    FigureRequest request;
    figures::FigureContent content;
    std::array<std::shared_ptr<const SideRun>, 2> runs;  // [Side]

    /// The form may change without making the figure again.
    figures::Drawing draw(const figures::Form& form) const { return figures::drawFigure(content, form); }
};

/// Runs the models and assembles the figure. For the thread that owns the backend.
Result<std::shared_ptr<const MadeFigure>> makeFigure(service::Backend& backend, const FigureRequest& request,
                                                     const Hooks& hooks);

/// What a document's figure asks for, given the open models.
FigureRequest figureRequest(const Document& document,
                            const std::array<std::shared_ptr<const service::OpenModel>, 2>& models);

/// The spec for a preset that shows what the grids show: their heads, order, pinned cell and look.
FigureSpec figureAsShown(const Document& document, FigurePreset preset, const ShownGrids& grids);
/// Why there is none: figures show weights, and tiles may show something else. Empty if there is one.
QString asShownProblem(const Document& document);

}  // namespace hs::control
