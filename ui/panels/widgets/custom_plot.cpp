#include "panels/widgets/custom_plot.h"

namespace hs::panels {
namespace {

/// Laid out when painted: a window that arranges its panels resizes each of them many times.
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
    plot->setPlottingHint(QCP::phImmediateRefresh, false);  // it paints the window once per plot
    plot->setPlottingHint(QCP::phFastPolylines);  // or else a jagged curve of 2,000 points takes a second
    return plot;
}

}  // namespace hs::panels
