#include "panels/analyses/flow/token_flow_diagram.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

namespace hs::panels {
namespace {

constexpr double kDiagramDimming = 0.45;
constexpr double kBehind = 0.18;  // opacity of lines behind those that stand out

/// The streams and all lines.
void drawGround(QPainter& painter, const FlowPainter& look, const FlowGeometry& geometry,
                const stats::TokenFlow& flow, std::span<const FlowLine> lines)
{
    look.drawStreams(painter, geometry, flow.layers, flow.tokens);
    look.drawLines(painter, geometry, lines, [](const FlowLine&) { return true; });
}

}  // namespace

FlowDiagram::FlowDiagram(Side side, QWidget* parent)
    : QWidget(parent), m_side(side), m_lines(std::make_shared<std::vector<FlowLine>>()),
      m_ground{new control::LateWork(this), {}}, m_highlight{new control::LateWork(this), {}}
{
    setAccessibleName(side == Side::Left ? tr("Flow of the left model") : tr("Flow of the right model"));
    setMouseTracking(true);
}

void FlowDiagram::setFlow(std::shared_ptr<const stats::TokenFlow> flow, const QStringList& tokens)
{
    if (flow == m_flow && tokens == m_tokens)
        return;
    m_flow = std::move(flow);
    m_tokens = tokens;
    m_lines = std::make_shared<const std::vector<FlowLine>>(m_flow ? strongestLines(*m_flow, kMostLines)
                                                                   : std::vector<FlowLine>());
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
    dropHighlight();
}

void FlowDiagram::place()
{
    m_geometry = look().fit(QSizeF(size()), m_tokens, m_flow ? m_flow->layers : 0);
    m_ground.isOld = true;
    dropHighlight();
}

bool FlowDiagram::isMarked(FlowEnd end) const
{
    return (end.isTop ? m_query : m_key) == end.token || m_end == end;
}

FlowDiagram::Holds FlowDiagram::standsOut() const
{
    if (m_end)
        return [reach = m_reach](const FlowLine& line) { return reach.holds(line); };
    return [from = m_fromKey, to = m_toQuery](const FlowLine& line) {
        return from.holds(line) && to.holds(line);
    };
}

/// The highlighted lines have changed; until they are painted, the old ones would mislead.
void FlowDiagram::dropHighlight()
{
    m_highlight.work->cancel();
    m_highlight.picture = QImage();
    m_highlight.isOld = true;
    update();
}

int FlowDiagram::rolloutQuery() const
{
    return m_end && m_end->isTop ? m_end->token : m_query.value_or(m_flow->tokens - 1);
}

std::span<const double> FlowDiagram::rolloutShares() const
{
    if (isEmpty() || m_flow->rollout.empty() || rolloutQuery() >= m_flow->tokens)
        return {};
    const auto tokens = static_cast<std::size_t>(m_flow->tokens);
    return std::span(m_flow->rollout).subspan(static_cast<std::size_t>(rolloutQuery()) * tokens, tokens);
}

void FlowDiagram::drawNames(QPainter& painter, const FlowPainter& look) const
{
    if (const std::span<const double> shares = rolloutShares(); !shares.empty())
        look.drawShares(painter, m_geometry, shares);
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
    drawGround(painter, look, m_geometry, *m_flow, *m_lines);
    painter.setOpacity(1);
    if (isHighlighting())
        look.drawLines(painter, m_geometry, *m_lines, standsOut());
    drawNames(painter, look);
}

void FlowDiagram::paintLayer(Layer& layer, std::function<void(QPainter&)> paint)
{
    layer.isOld = false;
    layer.work->ask([this, &layer, size = size(), ratio = devicePixelRatioF(),
                     paint = std::move(paint)]() -> control::LateWork::Take {
        QImage picture(size * ratio, QImage::Format_ARGB32_Premultiplied);
        picture.setDevicePixelRatio(ratio);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        paint(painter);
        painter.end();
        return [this, &layer, picture] {
            layer.picture = picture;
            update();
        };
    });
}

/// A picture of another size is stretched until its replacement is ready.
void FlowDiagram::drawLayer(QPainter& painter, const Layer& layer) const
{
    if (!layer.picture.isNull())
        painter.drawImage(rect(), layer.picture);
}

void FlowDiagram::paintEvent(QPaintEvent*)
{
    if (isEmpty())
        return;
    const FlowPainter look = this->look();
    if (m_ground.isOld)
        paintLayer(m_ground, [look, geometry = m_geometry, lines = m_lines, flow = m_flow](
                                 QPainter& painter) { drawGround(painter, look, geometry, *flow, *lines); });
    if (m_highlight.isOld && isHighlighting())
        paintLayer(m_highlight, [look, geometry = m_geometry, lines = m_lines, holds = standsOut()](
                                    QPainter& painter) { look.drawLines(painter, geometry, *lines, holds); });
    const double strength = m_isDimmed ? kDiagramDimming : 1;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(strength * (isHighlighting() ? kBehind : 1));
    drawLayer(painter, m_ground);
    painter.setOpacity(strength);
    if (isHighlighting())
        drawLayer(painter, m_highlight);
    if (m_line)
        look.drawLine(painter, m_geometry, lines()[*m_line], look.markInk());
    drawNames(painter, look);
}

void FlowDiagram::pointAt(std::optional<QPointF> position)
{
    const auto end = position ? m_geometry.endAt(*position) : std::nullopt;
    const auto line = position && !end ? m_geometry.lineAt(lines(), *position) : std::nullopt;
    if (end == m_end && line == m_line)
        return;
    if (end != std::exchange(m_end, end)) {
        m_reach = end ? FlowReach(*m_flow, *end) : FlowReach();
        dropHighlight();
    }
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
        const FlowLine picked = lines()[*m_line];  // a listener may show another flow
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

}  // namespace hs::panels
