#pragma once

#include "figures/presets/summary_figure.h"

#include <QPointF>
#include <QStringList>

#include <vector>

namespace hs::figures {

/// Active edges of one model by the length of passages that begin in one way.
struct ReportCurve {
    QString name;  // of the beginning: "after <bos>"
    std::size_t panel = 0;
    bool isDashed = false;
    std::vector<QPointF> points;  // tokens, share
};

/// A dense and a sparse model judged on one page: density of every head and by length, figures on a text,
/// tasks and circuits. Parts without curves or rows are left out.
struct ReportFigure {
    std::vector<SummaryPanel> panels;  // density of each head
    std::vector<ReportCurve> curves;
    QString text;  // "wiki.txt, 8 passages of 256 tokens"
    std::vector<SummaryRow> textRows;
    QString tasks;  // "20 prompts each"
    std::vector<SummaryRow> taskRows;
    QString circuits;
    std::vector<SummaryRow> circuitRows;
    QStringList leftOut;  // tasks, with the reason
    QString caption;
};

Drawing draw(const ReportFigure& figure, const Form& form);

}  // namespace hs::figures
