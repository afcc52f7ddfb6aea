#pragma once

#include "base/head_id.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hs::figures {

/// A head's metric at each step of the training.
struct HistoryLine {
    int panel = 0;  // index of the model
    HeadId head;
    std::vector<double> values;       // [step]
    std::optional<std::size_t> jump;  // the step by which it has changed most
};

struct HistoryModel {
    QString title;
    std::vector<std::int64_t> steps;
};

/// A metric of some heads over the steps of a training, a line a head, a model in its colour.
struct HistoryFigure {
    QString metric;
    std::vector<HistoryModel> models;
    std::vector<HistoryLine> lines;
    QString caption;
};

Drawing draw(const HistoryFigure& figure, const Form& form);
DataTable table(const HistoryFigure& figure);

}  // namespace hs::figures
