#pragma once

#include "base/head_id.h"
#include "engine/request/run_result.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

#include <QList>
#include <QRectF>

#include <vector>

namespace hs::figures {

struct HeadFigurePanel {
    QString title;
    HeadId head;
    engine::LayerMap maps;  // for its layer, [head, query, key]; null: there is no such head
    bool isAblated = false;
    bool isPatched = false;     // ablated by giving it another prompt's output
    QList<QRectF> edited = {};  // cells that are changed, in parts of the map
};

/// One large head per model, with token labels on both axes.
struct HeadFigure {
    std::vector<HeadFigurePanel> panels;
    std::vector<QString> tokens;  // of the queries
    QString caption;
    std::vector<QString> keys = {};  // empty: the queries'
    bool isCausal = true;

    const std::vector<QString>& tokensOfKeys() const { return keys.empty() ? tokens : keys; }
    stats::PatternShape pattern() const
    {
        return {static_cast<int>(tokens.size()), static_cast<int>(tokensOfKeys().size()), isCausal};
    }
};

Drawing draw(const HeadFigure& figure, const Form& form);
DataTable table(const HeadFigure& figure);

}  // namespace hs::figures
