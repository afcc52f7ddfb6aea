#include "panels/analyses/flow/token_flow_painter.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kLongestName = 56;    // pixels
constexpr double kFootShare = 0.28;    // of the height: the most that upright names take
constexpr double kDot = 2;             // radius of an end
constexpr double kDotRoom = 10;        // height of ends without names
constexpr double kNameGap = 4;         // between adjacent names
constexpr double kLeastStreams = 4;    // pixels between streams
constexpr int kLevels = 16;            // of strength
constexpr double kFaintest = 0.2;      // opacity of the weakest line
constexpr double kLevelShare = 0.8;    // of the widest name: must fit for names to be horizontal
constexpr double kThinnest = 0.7;      // pixels
constexpr double kWidest = 2.2;        // pixels
constexpr double kSelfFactor = 1.8;    // a token's line to itself is this much wider, since it is short
constexpr double kDeepestShare = 0.5;  // opacity of the largest share
constexpr double kUsualLines = 300;    // more are drawn thinner and fainter

int levelOf(float weight)
{
    return std::clamp(static_cast<int>(static_cast<double>(weight) * kLevels), 0, kLevels - 1);
}

/// The stride at which names of that length fit into places `step` wide.
int tokenStride(double length, double step)
{
    return std::max(1, static_cast<int>(std::ceil(length / std::max(step, 1e-6))));
}

}  // namespace

FlowPainter::FlowPainter(Side side, const QPalette& palette, const QFont& font)
    : m_font(font), m_line(sideColour(side, palette)),
      m_stream(mixed(palette.color(QPalette::Base), quietInk(palette), 0.3)), m_quiet(quietInk(palette)),
      m_mark(markColour(palette))
{
    if (m_font.pointSizeF() > 0)
        m_font.setPointSizeF(0.88 * m_font.pointSizeF());
}

double FlowPainter::widest(const QStringList& tokens) const
{
    const QFontMetricsF metrics(m_font);
    double width = 0;
    for (const QString& token : tokens)
        width = std::max(width, std::min(kLongestName, metrics.horizontalAdvance(token)));
    return width;
}

FlowGeometry FlowPainter::fit(QSizeF size, const QStringList& tokens, int layers) const
{
    const QFontMetricsF metrics(m_font);
    const double left = metrics.horizontalAdvance(QStringLiteral("L%1").arg(std::max(0, layers - 1))) + 8;
    const double width = std::max(1.0, size.width() - left - 4);
    const double step = width / std::max<qsizetype>(1, tokens.size());
    const double line = metrics.height() + 4;
    const bool isLevel = kLevelShare * widest(tokens) + kNameGap <= step;
    const double foot =
        isLevel ? line : std::max(line, std::min(widest(tokens) + 8, kFootShare * size.height()));
    const double head = isLevel ? line : kDotRoom;
    const QRectF plot(left, head, width, std::max(1.0, size.height() - head - foot));
    return {plot, foot, head, layers, static_cast<int>(tokens.size())};
}

bool FlowPainter::isUpright(const FlowGeometry& geometry, const QStringList& tokens) const
{
    return kLevelShare * widest(tokens) + kNameGap > geometry.step();
}

void FlowPainter::drawStreams(QPainter& painter, const FlowGeometry& geometry, int layers, int tokens) const
{
    painter.setPen(QPen(m_stream, 1));
    for (int token = 0; token < tokens; token += tokenStride(kLeastStreams, geometry.step()))
        painter.drawLine(geometry.pass(token, 0), geometry.pass(token, layers));
}

void FlowPainter::drawLines(QPainter& painter, const FlowGeometry& geometry, std::span<const FlowLine> lines,
                            const std::function<bool(const FlowLine&)>& holds) const
{
    // One path per strength: lines of the same strength do not add up where they cross.
    std::array<QPainterPath, kLevels> crossing, staying;
    std::size_t count = 0;
    for (const FlowLine& line : lines) {
        if (!holds(line))
            continue;
        ++count;
        auto& paths = line.cell.key == line.cell.query ? staying : crossing;
        paths[static_cast<std::size_t>(levelOf(line.weight()))].addPath(geometry.path(line));
    }
    const double thin = std::clamp(std::sqrt(kUsualLines / static_cast<double>(count + 1)), 0.45, 1.0);
    painter.setBrush(Qt::NoBrush);
    for (int level = 0; level < kLevels; ++level) {
        const double strength = (level + 0.5) / kLevels;
        QColor colour = m_line;
        colour.setAlphaF(static_cast<float>(thin * (kFaintest + (1 - kFaintest) * strength * strength)));
        const double width = thin * (kThinnest + (kWidest - kThinnest) * strength * strength);
        const auto draw = [&](const QPainterPath& path, double lineWidth) {
            painter.setPen(QPen(colour, lineWidth, Qt::SolidLine, Qt::FlatCap));
            painter.drawPath(path);
        };
        draw(crossing[static_cast<std::size_t>(level)], width);
        draw(staying[static_cast<std::size_t>(level)], kSelfFactor * width);
    }
}

void FlowPainter::drawLine(QPainter& painter, const FlowGeometry& geometry, const FlowLine& line,
                           const QColor& colour) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, kWidest + 0.6, Qt::SolidLine, Qt::FlatCap));
    painter.drawPath(geometry.path(line));
}

void FlowPainter::drawLayers(QPainter& painter, const FlowGeometry& geometry, int layers) const
{
    const QFontMetricsF metrics(m_font);
    painter.setFont(m_font);
    painter.setPen(m_quiet);
    for (int layer = 0; layer < layers; layer += tokenStride(metrics.height(), geometry.band())) {
        const double middle = geometry.pass(0, layer + 0.5).y();
        painter.drawText(
            QRectF(0, middle - metrics.height() / 2, geometry.plot().left() - 6, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("L%1").arg(layer));
    }
}

void FlowPainter::drawName(QPainter& painter, const FlowGeometry& geometry, FlowEnd end, const QString& text,
                           bool isUpright) const
{
    const QFontMetricsF metrics(m_font);
    const QRectF place = geometry.endRect(end);
    painter.save();
    if (isUpright) {
        painter.translate(place.center().x(), place.top() + 5);
        painter.rotate(-90);
        const QRectF along(-place.height() + 5, -metrics.height() / 2, place.height() - 5, metrics.height());
        painter.drawText(along, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideRight, along.width()));
    } else {
        painter.drawText(place.adjusted(-kNameGap, end.isTop ? 0 : 4, kNameGap, end.isTop ? -4 : 0),
                         Qt::AlignHCenter | (end.isTop ? Qt::AlignBottom : Qt::AlignTop),
                         metrics.elidedText(text, Qt::ElideRight, place.width() + kNameGap));
    }
    painter.restore();
}

void FlowPainter::drawShares(QPainter& painter, const FlowGeometry& geometry,
                             std::span<const double> shares) const
{
    const double largest = *std::ranges::max_element(shares);
    for (int token = 0; token < static_cast<int>(shares.size()); ++token) {
        QColor colour = m_line;
        colour.setAlphaF(static_cast<float>(
            largest > 0 ? kDeepestShare * shares[static_cast<std::size_t>(token)] / largest : 0));
        painter.fillRect(geometry.endRect({token, false}).adjusted(0, 3, 0, 0), colour);
    }
}

void FlowPainter::drawEnds(QPainter& painter, const FlowGeometry& geometry, const QStringList& tokens,
                           const std::function<bool(FlowEnd)>& isMarked) const
{
    const QFontMetricsF metrics(m_font);
    painter.setFont(m_font);
    const bool isUprightBelow = isUpright(geometry, tokens);
    const int stride = isUprightBelow ? tokenStride(metrics.height(), geometry.step()) : 1;
    for (int token = 0; token < tokens.size(); ++token)
        for (const bool isTop : {false, true}) {
            const FlowEnd end{token, isTop};
            const QColor ink = isMarked(end) ? m_mark : m_quiet;
            const QPointF foot = isTop
                                     ? QPointF(geometry.endRect(end).center().x(), geometry.plot().top())
                                     : QPointF(geometry.endRect(end).center().x(), geometry.plot().bottom());
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
            if (geometry.step() >= kLeastStreams || isMarked(end))
                painter.drawEllipse(foot, kDot, kDot);
            painter.setPen(ink);
            const bool isNamed = isTop ? !isUprightBelow : token % stride == 0 || isMarked(end);
            if (isNamed)
                drawName(painter, geometry, end, tokens[token], isUprightBelow);
        }
}

}  // namespace hs::panels
