#include "panels/widgets/plot_frame.h"

#include "base/failure.h"
#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr double kSmall = 0.85;  // of the panel's own font size
constexpr double kPngScale = 3;

}  // namespace

PlotFrame::PlotFrame(QWidget* parent) : QWidget(parent), m_plot(newPlot(this)), m_inks(palette())
{
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_plot, 1);
    m_plot->setMinimumSize(1, 1);
    setMouseTracking(true);
}

QFont PlotFrame::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(std::max(1.0, small.pointSizeF() * kSmall));
    return small;
}

void PlotFrame::styleAxis(QCPAxis& axis) const
{
    const QColor line = m_inks.color(QPalette::Mid);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setTickLength(0, 3);
    axis.setSubTicks(false);
    axis.setTickLabelColor(quietInk(m_inks));
    axis.setTickLabelFont(smallFont());
    axis.setLabelColor(quietInk(m_inks));
    axis.setLabelFont(smallFont());
    axis.grid()->setPen(mixed(m_inks.color(QPalette::Window), line, 0.6));
    axis.grid()->setZeroLinePen(line);
    axis.grid()->setSubGridVisible(false);
}

void PlotFrame::applyStyle()
{
    m_plot->setBackground(QBrush(m_inks.color(QPalette::Window)));
    for (QCPAxisRect* const rect : m_plot->axisRects())
        for (QCPAxis* const axis : rect->axes())
            styleAxis(*axis);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

Result<std::filesystem::path> PlotFrame::save(const std::filesystem::path& file)
{
    const QString name = QString::fromStdString(file.string());
    const bool isPdf = name.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
    if (!isPdf && !name.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        return Error{ErrorCode::BadRequest,
                     "\"" + file.filename().string() + "\" names no picture format; end it in .pdf or .png.",
                     {}};
    m_inks = paperPalette();
    applyStyle();
    const bool isWritten = isPdf ? m_plot->savePdf(name, m_plot->width(), m_plot->height(), QCP::epNoCosmetic)
                                 : m_plot->savePng(name, m_plot->width(), m_plot->height(), kPngScale);
    m_inks = palette();
    applyStyle();
    if (!isWritten)
        return Error{ErrorCode::NotFound,
                     "The plot could not be written to " + file.string() + "; choose another folder.",
                     {}};
    return file;
}

void PlotFrame::showTip(QPoint position, const QString& text)
{
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(mapToGlobal(position), text, this);
}

void PlotFrame::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_inks = palette();
        applyStyle();
    }
    QWidget::changeEvent(event);
}

}  // namespace hs::panels
