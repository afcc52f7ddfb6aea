#include "panels/widgets/custom_plot.h"

namespace hs::panels {
namespace {

/// Laid out when it is painted: a window that puts its panels in place resizes each of them many times.
class LaidOutWhenPainted : public QCustomPlot {
public:
    using QCustomPlot::QCustomPlot;

protected:
    void resizeEvent(QResizeEvent*) override
    {
        setViewport(rect());
        m_isResized = true;
    }
    void paintEvent(QPaintEvent* event) override
    {
        if (std::exchange(m_isResized, false))
            replot(rpQueuedRefresh);
        QCustomPlot::paintEvent(event);
    }

private:
    bool m_isResized = false;
};

}  // namespace

QCustomPlot* newPlot(QWidget* parent)
{
    auto* const plot = new LaidOutWhenPainted(parent);
    plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setPlottingHint(QCP::phImmediateRefresh, false);  // which paints the window once for each plot
    plot->setPlottingHint(QCP::phFastPolylines);  // else a jagged curve of 2,000 points takes a second
    return plot;
}

}  // namespace hs::panels
