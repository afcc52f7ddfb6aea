#pragma once

#include "analyses/circuit.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

#include <optional>
#include <vector>

namespace hs::figures {

struct EffectCurve {
    QString title;
    std::vector<analyses::CircuitPoint> points;  // by increasing number kept
    std::optional<int> smallest;                 // fewest kept units that reach the level
};

/// Explained effect against units kept, one curve per model, the level and the factor between them.
struct ExplainedEffectFigure {
    std::vector<EffectCurve> curves;
    QString unit = QStringLiteral("heads");
    double level = 0.9;
    QString caption;
};

Drawing draw(const ExplainedEffectFigure& figure, const Form& form);
DataTable table(const ExplainedEffectFigure& figure);

}  // namespace hs::figures
