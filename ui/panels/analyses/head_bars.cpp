#include "panels/analyses/head_bars.h"

#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QBoxLayout>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kBarsLeftMargin = 46;
constexpr int kBarsRightMargin = 8;
constexpr int kTitleGap = 3;      // between a side's title and its plot
constexpr int kWidestPitch = 56;  // pixels per bar
constexpr double kBarWidthShare = 0.72;
constexpr double kHeadroom = 0.08;  // of the values' range, above and below
constexpr double kPale = 0.32;
constexpr double kDimmedBar = 0.5;

QString headingOf(const QString& title, const QString& what)
{
    return title.isEmpty() ? what : HeadBars::tr("%1: %2").arg(title, what);
}

}  // namespace

HeadBars::HeadBars(QWidget* parent) : PlotFrame(parent), m_scroll(new QScrollBar(Qt::Horizontal, this))
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Bars of heads"));
    setAccessibleDescription(tr("Arrow keys move from bar to bar, Enter picks one."));
    plot().plotLayout()->setRowSpacing(0);
    plot().plotLayout()->setColumnSpacing(0);
    for (Part& part : m_parts)
        part = newPart();
    plot().plotLayout()->clear();
    layout()->addWidget(m_scroll);
    m_scroll->setVisible(false);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(m_scroll, &QScrollBar::valueChanged, this, &HeadBars::showFrom);
    applyStyle();
}

HeadBars::Part HeadBars::newPart()
{
    Part part;
    part.rect = new QCPAxisRect(&plot());
    part.rect->setAutoMargins(QCP::msNone);
    part.rect->setVisible(false);
    QCPAxis* const across = part.rect->axis(QCPAxis::atBottom);
    QCPAxis* const up = part.rect->axis(QCPAxis::atLeft);
    across->grid()->setVisible(false);
    up->ticker()->setTickCount(3);
    up->setNumberPrecision(3);
    up->setNumberFormat(QStringLiteral("gb"));
    for (QCPBars** const bars : {&part.band, &part.pale, &part.full}) {
        *bars = new QCPBars(across, up);
        (*bars)->setPen(Qt::NoPen);
        (*bars)->setAntialiased(false);
        (*bars)->setWidth(bars == &part.band ? 1 : kBarWidthShare);
    }
    part.title = new QCPItemText(&plot());
    part.title->setClipToAxisRect(false);
    part.title->position->setType(QCPItemPosition::ptAxisRectRatio);
    part.title->position->setAxisRect(part.rect);
    part.title->position->setCoords(0, 0);
    part.title->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    part.title->setPadding(QMargins(0, 0, 0, kTitleGap));
    return part;
}

void HeadBars::setBars(std::array<RankedBars, 2> sides, const QString& what)
{
    if (sides == m_sides && what == m_what)
        return;
    m_sides = std::move(sides);
    m_what = what;
    if (m_current && m_current->rank >= static_cast<int>(bars(m_current->side).size()))
        m_current.reset();
    arrange();
}

void HeadBars::setMarked(const std::set<HeadId>& heads)
{
    if (heads == m_marked)
        return;
    m_marked = heads;
    refill();
}

void HeadBars::setDimmed(bool isDimmed)
{
    if (isDimmed == m_isDimmed)
        return;
    m_isDimmed = isDimmed;
    applyStyle();
}

void HeadBars::setNeutral(bool isNeutral)
{
    m_isNeutral = isNeutral;
    applyStyle();
}

bool HeadBars::isStacked() const
{
    return isShown(Side::Left) && isShown(Side::Right) && width() < 2 * height();
}

int HeadBars::longest() const
{
    return static_cast<int>(std::max(m_sides[0].bars.size(), m_sides[1].bars.size()));
}

int HeadBars::room() const
{
    const bool isShared = isShown(Side::Left) && isShown(Side::Right) && !isStacked();
    const int across = width() / (isShared ? 2 : 1) - kBarsLeftMargin - kBarsRightMargin;
    return std::max(1, across / (QFontMetrics(smallFont()).height() + 1));
}

void HeadBars::showFrom(int rank)
{
    const int first = std::clamp(rank, 0, std::max(0, longest() - room()));
    m_scroll->setValue(first);
    if (first == m_first)
        return;
    m_first = first;
    refill();
}

/// Puts the sides that have bars into the plot.
void HeadBars::arrange()
{
    QCPLayoutGrid& grid = *plot().plotLayout();
    for (const Part& part : m_parts)
        if (part.rect->layout())
            grid.take(part.rect);
    grid.simplify();
    for (const Side side : kSides) {
        part(side).rect->setVisible(isShown(side));
        part(side).title->setVisible(isShown(side));
        if (isShown(side))
            grid.addElement(isStacked() ? grid.rowCount() : 0, isStacked() ? 0 : grid.columnCount(),
                            part(side).rect);
    }
    const int hidden = std::max(0, longest() - room());
    m_scroll->setVisible(hidden > 0);
    m_scroll->setRange(0, hidden);
    m_scroll->setPageStep(room());
    m_first = std::clamp(m_first, 0, hidden);
    refill();
}

void HeadBars::refill()
{
    double low = 0, high = 0;
    for (const RankedBars& side : m_sides)
        for (const HeadBar& bar : side.bars)
            if (std::isfinite(bar.value)) {
                low = std::min(low, bar.value);
                high = std::max(high, bar.value);
            }
    const double headroom = high > low ? (high - low) * kHeadroom : 1;
    for (const Side side : kSides) {
        part(side)
            .rect->axis(QCPAxis::atLeft)
            ->setRange(low < 0 ? low - headroom : 0, high > 0 || low == high ? high + headroom : 0);
        if (isShown(side))
            fill(side);
    }
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void HeadBars::fill(Side side)
{
    const Part& part = this->part(side);
    const std::vector<HeadBar>& all = bars(side);
    const QCPRange range = part.rect->axis(QCPAxis::atLeft)->range();
    const int last = std::min(m_first + room(), static_cast<int>(all.size()));
    QVector<double> bandAt, bandHeight, paleAt, paleHeight, fullAt, fullHeight;
    for (int rank = m_first; rank < last; ++rank) {
        const HeadBar& bar = all[static_cast<std::size_t>(rank)];
        const bool isMarked = std::any_of(bar.heads.begin(), bar.heads.end(),
                                          [this](HeadId head) { return m_marked.contains(head); });
        if (isMarked || m_current == Place{side, rank}) {
            bandAt << rank;
            bandHeight << range.size();
        }
        if (!std::isfinite(bar.value))
            continue;
        (bar.isChosen ? fullAt : paleAt) << rank;
        (bar.isChosen ? fullHeight : paleHeight) << bar.value;
    }
    part.band->setBaseValue(range.lower);
    part.band->setData(bandAt, bandHeight, true);
    part.pale->setData(paleAt, paleHeight, true);
    part.full->setData(fullAt, fullHeight, true);
    const int across =
        width() / (isStacked() || !isShown(otherSide(side)) ? 1 : 2) - kBarsLeftMargin - kBarsRightMargin;
    const int places = std::max(std::min(longest(), room()), across / kWidestPitch);
    part.rect->axis(QCPAxis::atBottom)->setRange(m_first - 0.5, m_first + places - 0.5);
    label(side);
}

void HeadBars::label(Side side)
{
    const Part& part = this->part(side);
    QCPAxis& axis = *part.rect->axis(QCPAxis::atBottom);
    const std::vector<HeadBar>& all = bars(side);
    const QFontMetrics metrics(smallFont());
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    int widest = 0;
    const int last = std::min(static_cast<int>(axis.range().upper + 1), static_cast<int>(all.size()));
    for (int rank = m_first; rank < last; ++rank) {
        const QString& name = all[static_cast<std::size_t>(rank)].name;
        ticker->addTick(rank, name);
        widest = std::max(widest, metrics.horizontalAdvance(name));
    }
    const double across =
        width() / (isStacked() || !isShown(otherSide(side)) ? 1.0 : 2.0) - kBarsLeftMargin - kBarsRightMargin;
    const bool isUpright = widest + 6 <= across / axis.range().size();
    axis.setTicker(ticker);
    axis.setTickLabelRotation(isUpright ? 0 : -90);
    part.rect->setMargins(QMargins(kBarsLeftMargin, metrics.height() + 2 * kTitleGap, kBarsRightMargin,
                                   (isUpright ? metrics.height() : widest) + 8));
    part.title->setText(QFontMetrics(part.title->font())
                            .elidedText(headingOf(m_sides[indexOf(side)].title, m_what), Qt::ElideRight,
                                        static_cast<int>(across)));
}

void HeadBars::applyStyle()
{
    const QColor ground = inks().color(QPalette::Window);
    for (const Side side : kSides) {
        const Part& part = this->part(side);
        for (QCPAxis* const axis : part.rect->axes())
            styleAxis(*axis);
        const QColor colour = m_isNeutral ? quietInk(inks()) : sideColour(side, inks());
        const double strength = m_isDimmed ? kDimmedBar : 1;
        part.full->setBrush(mixed(ground, colour, strength));
        part.pale->setBrush(mixed(ground, colour, kPale * strength));
        part.band->setBrush(mixed(ground, inks().color(QPalette::Highlight), 0.18));
        part.title->setColor(colour);
        QFont bold = smallFont();
        bold.setBold(true);
        part.title->setFont(bold);
    }
    PlotFrame::applyStyle();
    arrange();
}

void HeadBars::resizeEvent(QResizeEvent* event)
{
    PlotFrame::resizeEvent(event);
    arrange();
}

}  // namespace hs::panels
