#include "panels/inspector/row_profile.h"

#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::panels {
namespace {

constexpr int kLeftMargin = 46;
constexpr int kRightMargin = 12;
constexpr std::size_t kMostNamed = 100;
constexpr double kBarShare = 0.8;  // of a key's width, both sides together

double strength(double value)
{
    return std::isnan(value) ? 0 : std::abs(value);
}

/// The strongest value of the keys first..last.
double strongest(const std::vector<double>& values, std::size_t first, std::size_t last)
{
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(last, values.size()));
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(std::min(first, values.size()));
    const auto found = std::max_element(
        begin, end, [](double one, double other) { return strength(one) < strength(other); });
    return found == end || std::isnan(*found) ? 0 : *found;
}

}  // namespace

RowProfile::RowProfile(QWidget* parent)
    : QWidget(parent), m_title(newQuietLabel(this, QStringLiteral("rowTitle"))), m_plot(newPlot(this))
{
    setAccessibleName(tr("Row profile"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_plot, 1);
    m_title->setWordWrap(false);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setMouseTracking(true);
    for (const Side side : kSides) {
        auto* const bars = new QCPBars(m_plot->xAxis, m_plot->yAxis);
        bars->setPen(Qt::NoPen);
        bars->setAntialiased(false);
        m_bars[indexOf(side)] = bars;
    }
    m_mark = new QCPItemStraightLine(m_plot);
    m_mark->setVisible(false);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->xAxis->setTickLength(0, 2);
    m_plot->yAxis->setTickLength(0, 2);
    m_plot->xAxis->setSubTicks(false);
    m_plot->yAxis->setSubTicks(false);
    m_plot->yAxis->ticker()->setTickCount(2);
    m_plot->yAxis->setNumberPrecision(3);
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    applyStyle();
}

void RowProfile::setRow(const QString& title, const QStringList& labels,
                        const std::array<std::vector<double>, 2>& values, std::optional<int> markedKey)
{
    m_title->setText(title);
    m_labels = labels;
    m_values = values;
    m_marked = markedKey && *markedKey >= 0 && *markedKey < keys() ? markedKey : std::nullopt;
    m_mark->setVisible(m_marked.has_value());
    if (m_marked) {
        m_mark->point1->setCoords(*m_marked, 0);
        m_mark->point2->setCoords(*m_marked, 1);
    }
    refill();
}

void RowProfile::setNeutral(bool isNeutral)
{
    if (isNeutral == m_isNeutral)
        return;
    m_isNeutral = isNeutral;
    applyStyle();
}

int RowProfile::keys() const
{
    return static_cast<int>(std::max(m_values[0].size(), m_values[1].size()));
}

void RowProfile::applyStyle()
{
    const QColor line = palette().color(QPalette::Mid);
    QFont small = font();
    small.setPointSizeF(std::max(1.0, small.pointSizeF() * 0.85));
    const int labelRoom = QFontMetrics(small).height() + 6;
    m_plot->axisRect()->setMargins(QMargins(kLeftMargin, 4, kRightMargin, labelRoom));
    m_plot->setBackground(QBrush(palette().color(backgroundRole())));
    for (QCPAxis* const axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(line);
        axis->setTickPen(line);
        axis->setTickLabelColor(quietInk(palette()));
        axis->setTickLabelFont(small);
        axis->grid()->setPen(mixed(palette().color(backgroundRole()), line, 0.6));
        axis->grid()->setZeroLinePen(line);
    }
    for (const Side side : kSides)
        m_bars[indexOf(side)]->setBrush(m_isNeutral ? quietInk(palette()) : sideColour(side, palette()));
    m_mark->setPen(QPen(markColour(palette()), 1, Qt::DashLine));
}

void RowProfile::refill()
{
    const int count = keys();
    const bool hasBoth = !m_values[0].empty() && !m_values[1].empty();
    const int room = std::max(1, (width() - kLeftMargin - kRightMargin) / (hasBoth ? 2 : 1));
    const int places = std::min(count, room);
    double low = 0;
    double high = 0;
    for (const Side side : kSides) {
        const std::vector<double>& values = m_values[indexOf(side)];
        const double step = places > 0 ? static_cast<double>(count) / places : 1;
        const double width = step * kBarShare / (hasBoth ? 2 : 1);
        const double shift = !hasBoth ? 0 : side == Side::Left ? -width / 2 : width / 2;
        QVector<double> at, heights;
        for (int place = 0; place < places && !values.empty(); ++place) {
            const auto first = static_cast<std::size_t>(place * step);
            const auto last = std::max(first + 1, static_cast<std::size_t>((place + 1) * step));
            at << (place + 0.5) * step - 0.5 + shift;
            heights << strongest(values, first, last);
            low = std::min(low, heights.last());
            high = std::max(high, heights.last());
        }
        m_bars[indexOf(side)]->setWidth(width);
        m_bars[indexOf(side)]->setData(at, heights, true);
    }
    const double room10 = (high - low) * 0.06;
    m_plot->xAxis->setRange(-0.5, std::max(1, count) - 0.5);
    m_plot->yAxis->setRange(low < 0 ? low - room10 : 0, high > 0 ? high + room10 : low < 0 ? 0 : 1);
    label();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

std::vector<int> RowProfile::namedKeys() const
{
    const auto count = static_cast<std::size_t>(keys());
    std::vector<double> rank(count, 0);
    for (const std::vector<double>& values : m_values)
        for (std::size_t key = 0; key < values.size(); ++key)
            rank[key] = std::max(rank[key], strength(values[key]));
    if (m_marked)
        rank[static_cast<std::size_t>(*m_marked)] = std::numeric_limits<double>::infinity();
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    const auto rankOf = [&rank](int key) { return rank[static_cast<std::size_t>(key)]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](int one, int other) { return rankOf(one) > rankOf(other); });
    if (order.size() > kMostNamed)
        order.resize(kMostNamed);
    return order;
}

void RowProfile::label()
{
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const QFontMetricsF metrics(m_plot->xAxis->tickLabelFont());
    const double keyWidth = std::max(1.0, double(width() - kLeftMargin - kRightMargin)) / std::max(1, keys());
    struct Span {
        double left, right;
    };
    std::vector<Span> taken;
    for (const int key : namedKeys()) {
        const QString text = metrics.elidedText(m_labels.value(key), Qt::ElideRight, 80);
        const double middle = (key + 0.5) * keyWidth;
        const double half = metrics.horizontalAdvance(text) / 2 + 3;
        const Span span{middle - half, middle + half};
        const bool isFree = std::none_of(taken.begin(), taken.end(), [&span](const Span& other) {
            return span.left < other.right && other.left < span.right;
        });
        const bool isInside = span.left >= -kLeftMargin && span.right <= width() - kLeftMargin;
        if (!isFree || !isInside)
            continue;
        taken.push_back(span);
        ticker->addTick(key, text);
    }
    m_plot->xAxis->setTicker(ticker);
}

std::optional<int> RowProfile::keyAt(QPointF position) const
{
    const QPointF inPlot = m_plot->mapFrom(this, position);
    const int key = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(inPlot.x())));
    return keys() > 0 && key >= 0 && key < keys() ? std::optional(key) : std::nullopt;
}

bool RowProfile::event(QEvent* event)
{
    if (event->type() == QEvent::MouseMove) {
        if (const auto key = keyAt(static_cast<QMouseEvent*>(event)->position()))
            Q_EMIT keyHovered(*key);
        return true;
    }
    if (event->type() == QEvent::Leave)
        Q_EMIT hoverLeft();
    return QWidget::event(event);
}

void RowProfile::resizeEvent(QResizeEvent*)
{
    refill();
}

void RowProfile::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyStyle();
        refill();
    }
    QWidget::changeEvent(event);
}

}  // namespace hs::panels
