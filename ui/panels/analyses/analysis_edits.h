#pragma once

#include "control/document/analysis.h"
#include "control/document/document.h"

#include <array>
#include <string>
#include <vector>

namespace hs::panels {

/// Heads of each side, in order; an empty list leaves its side alone. [Side]
using SideHeads = std::array<std::vector<HeadId>, 2>;
/// Heads there are; total() is 0 where there is no model. [Side]
using SideShapes = std::array<HeadShape, 2>;

/// What results do to a document: each is one step for both sides.

/// Grids become lists in this order; heads that were not ranked follow.
void orderGrids(control::Document& document, const SideHeads& ranked, const SideShapes& shapes);
/// Grids become lists of these alone.
void showOnly(control::Document& document, const SideHeads& heads);
void backToMatrix(control::Document& document);
/// Nothing but these runs as it is.
void ablateAllBut(control::Document& document, const SideHeads& kept, const SideShapes& shapes,
                  engine::HeadAblation::Kind kind);
void ablate(control::Document& document, const SideHeads& heads, engine::HeadAblation::Kind kind);

/// The kind that the ablation tool has, as long as it is not patching.
engine::HeadAblation::Kind plainKind(const control::AblationTool& tool);

/// The figure that shows what an analysis found out about these heads.
control::FigurePreset presetOf(control::AnalysisKind kind);
/// `results` are drawn instead of being computed anew; empty ones are computed. [Side]
void takeFigure(control::Document& document, control::AnalysisKind kind, const SideHeads& heads,
                const std::array<std::string, 2>& results);

}  // namespace hs::panels
