#include "panels/custom_plot.h"

namespace hs {

QCustomPlot* newPlot(QWidget* parent)
{
    auto* const plot = new QCustomPlot(parent);
    plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setPlottingHint(QCP::phImmediateRefresh, false);  // which paints the window once for each plot
    plot->setPlottingHint(QCP::phFastPolylines);  // else a jagged curve of 2,000 points takes a second
    return plot;
}

}  // namespace hs
