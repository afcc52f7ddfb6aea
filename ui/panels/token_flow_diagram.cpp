#include "panels/token_flow_diagram.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

namespace hs {
namespace {

constexpr double kDimming = 0.45;
constexpr double kBehind = 0.18;  // of lines behind those that stand out

}  // namespace

FlowDiagram::FlowDiagram(Side side, QWidget* parent) : QWidget(parent), m_side(side)
{
    setAccessibleName(side == Side::Left ? tr("Flow of the left model") : tr("Flow of the right model"));
    setMouseTracking(true);
}

void FlowDiagram::setFlow(std::shared_ptr<const TokenFlow> flow, const QStringList& tokens)
{
    if (flow == m_flow && tokens == m_tokens)
        return;
    m_flow = std::move(flow);
    m_tokens = tokens;
    m_lines = m_flow ? strongestLines(*m_flow, kMostLines) : std::vector<FlowLine>();
    m_lineCount = m_flow ? countLines(*m_flow) : 0;
    m_tokens.resize(m_flow ? m_flow->tokens : 0);
    setMarks(m_key, m_query);
    place();
    pointAt(std::nullopt);
}

void FlowDiagram::setDimmed(bool isDimmed)
{
    m_isDimmed = isDimmed;
    update();
}

void FlowDiagram::setMarks(std::optional<int> key, std::optional<int> query)
{
    m_key = key;
    m_query = query;
    m_fromKey = m_flow && key ? FlowReach(*m_flow, {*key, false}) : FlowReach();
    m_toQuery = m_flow && query ? FlowReach(*m_flow, {*query, true}) : FlowReach();
    update();
}

void FlowDiagram::place()
{
    m_geometry = look().fit(QSizeF(size()), m_tokens, m_flow ? m_flow->layers : 0);
    m_ground = QPixmap();
    update();
}

bool FlowDiagram::isMarked(FlowEnd end) const
{
    return (end.isTop ? m_query : m_key) == end.token || m_end == end;
}

bool FlowDiagram::isBetweenMarks(const FlowLine& line) const
{
    return m_fromKey.holds(line) && m_toQuery.holds(line);
}

void FlowDiagram::drawGround(QPainter& painter, const FlowPainter& look) const
{
    look.drawStreams(painter, m_geometry, m_flow->layers, m_flow->tokens);
    look.drawLines(painter, m_geometry, m_lines, [](const FlowLine&) { return true; });
}

void FlowDiagram::drawHighlight(QPainter& painter, const FlowPainter& look) const
{
    look.drawLines(painter, m_geometry, m_lines, [this](const FlowLine& line) {
        return m_end ? m_reach.holds(line) : isBetweenMarks(line);
    });
}

void FlowDiagram::drawNames(QPainter& painter, const FlowPainter& look) const
{
    look.drawLayers(painter, m_geometry, m_flow->layers);
    look.drawEnds(painter, m_geometry, m_tokens, [this](FlowEnd end) { return isMarked(end); });
}

void FlowDiagram::draw(QPainter& painter, const QPalette& inks) const
{
    if (isEmpty())
        return;
    const FlowPainter look(m_side, inks, font());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(isHighlighting() ? kBehind : 1);
    drawGround(painter, look);
    painter.setOpacity(1);
    if (isHighlighting())
        drawHighlight(painter, look);
    drawNames(painter, look);
}

/// The lines are drawn once and kept: the pointer moves over them all the time.
void FlowDiagram::paintEvent(QPaintEvent*)
{
    if (isEmpty())
        return;
    const FlowPainter look = this->look();
    if (m_ground.isNull()) {
        m_ground = QPixmap(size() * devicePixelRatioF());
        m_ground.setDevicePixelRatio(devicePixelRatioF());
        m_ground.fill(Qt::transparent);
        QPainter ground(&m_ground);
        ground.setRenderHint(QPainter::Antialiasing);
        drawGround(ground, look);
    }
    const double strength = m_isDimmed ? kDimming : 1;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(strength * (isHighlighting() ? kBehind : 1));
    painter.drawPixmap(0, 0, m_ground);
    painter.setOpacity(strength);
    if (isHighlighting())
        drawHighlight(painter, look);
    if (m_line)
        look.drawLine(painter, m_geometry, m_lines[*m_line], look.markInk());
    drawNames(painter, look);
}

void FlowDiagram::pointAt(std::optional<QPointF> position)
{
    const auto end = position ? m_geometry.endAt(*position) : std::nullopt;
    const auto line = position && !end ? m_geometry.lineAt(m_lines, *position) : std::nullopt;
    if (end == m_end && line == m_line)
        return;
    if (end && end != m_end)
        m_reach = FlowReach(*m_flow, *end);
    m_end = end;
    m_line = line;
    setCursor(end || line ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    Q_EMIT pointed();
}

void FlowDiagram::mouseMoveEvent(QMouseEvent* event)
{
    pointAt(event->position());
}

void FlowDiagram::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    pointAt(event->position());
    if (m_end) {
        Q_EMIT endPicked(*m_end);
    } else if (m_line) {
        const FlowLine picked = m_lines[*m_line];  // a listener may show another flow
        Q_EMIT linePicked(picked);
    }
}

void FlowDiagram::leaveEvent(QEvent*)
{
    pointAt(std::nullopt);
}

void FlowDiagram::resizeEvent(QResizeEvent*)
{
    place();
}

void FlowDiagram::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        place();
    QWidget::changeEvent(event);
}

}  // namespace hs
