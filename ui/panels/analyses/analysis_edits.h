#pragma once

#include "control/document/document.h"
#include "control/document/findings.h"

#include <array>
#include <string>
#include <vector>

namespace hs::panels {

/// Heads of each side, in order; an empty list leaves its side unchanged. [Side]
using SideHeads = std::array<std::vector<HeadId>, 2>;
/// total() is 0 where there is no model. [Side]
using SideShapes = std::array<HeadShape, 2>;

/// Edits that apply results to a document: each is one step for both sides.

/// Grids become lists in this order; heads that were not ranked follow.
void orderGrids(control::Document& document, const SideHeads& ranked, const SideShapes& shapes);
/// Grids become lists of these heads only.
void showOnly(control::Document& document, const SideHeads& heads);
void backToMatrix(control::Document& document);
/// Ablates all other heads; these run.
void ablateAllBut(control::Document& document, const SideHeads& kept, const SideShapes& shapes,
                  engine::HeadAblation::Kind kind);
void ablate(control::Document& document, const SideHeads& heads, engine::HeadAblation::Kind kind);

/// The ablation tool's kind, but zero in place of patching.
engine::HeadAblation::Kind plainKind(const control::AblationTool& tool);

/// The figure that shows the results of an analysis.
std::optional<control::FigurePreset> presetOf(service::AnalysisKind kind);
/// `results` are drawn as they are; empty ones are computed. [Side]
void takeFigure(control::Document& document, service::AnalysisKind kind, const SideHeads& heads,
                const std::array<std::string, 2>& results);

}  // namespace hs::panels
