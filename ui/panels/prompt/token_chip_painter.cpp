#include "panels/prompt/token_chip_painter.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "render/figure_style.h"
#include "render/translate.h"

#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace hs::panels {
namespace {

constexpr double kRadius = 4;
constexpr double kBarInset = 2;  // from the chip's edge
constexpr double kBarThickness = 2;
constexpr double kBracketHeight = 6;

QString roleOf(bool isKey, bool isQuery)
{
    if (isKey && isQuery)
        return tr("KQ");
    if (isKey)
        return tr("K");
    return isQuery ? tr("Q") : QString();
}

}  // namespace

TokenChipPainter::TokenChipPainter(QPainter& painter, const TokenChipLayout& layout, const QPalette& palette)
    : m_painter(painter), m_layout(layout), m_palette(palette), m_font(painter.font()), m_bold(m_font),
      m_captionFont(TokenChipLayout::captionFont(m_font))
{
    m_bold.setBold(true);
    m_painter.setRenderHint(QPainter::Antialiasing);
}

void TokenChipPainter::paint(int token, const ChipState& state)
{
    const QRectF chip = m_layout.chip(token);
    paintFrame(chip, state);
    if (state.isRead)
        paintReadMark(chip);
    if (state.shade > 0)
        paintShade(chip, state.shade);
    if (state.isBlock)
        paintBracket(chip);
    if (state.isChanged)
        paintChange(chip);
    paintWords(token, state);
}

void TokenChipPainter::paintChange(const QRectF& chip)
{
    const QRectF bar(chip.left() + kRadius, chip.bottom() - kBarInset - kBarThickness,
                     chip.width() - 2 * kRadius, kBarThickness);
    m_painter.fillRect(bar, m_palette.color(QPalette::Highlight));
}

/// Below the chip, open at the top.
void TokenChipPainter::paintBracket(const QRectF& chip)
{
    const QRectF below(chip.left() + 1, chip.bottom() - kBracketHeight, chip.width() - 2,
                       kBracketHeight + 1.5);
    QPainterPath bracket(below.topLeft());
    bracket.lineTo(below.bottomLeft());
    bracket.lineTo(below.bottomRight());
    bracket.lineTo(below.topRight());
    m_painter.strokePath(bracket, QPen(m_palette.color(QPalette::Highlight), kBarThickness));
}

void TokenChipPainter::paintFrame(const QRectF& chip, const ChipState& state)
{
    const QColor base = m_palette.color(QPalette::Base);
    const QColor accent = m_palette.color(QPalette::Highlight);
    const bool isPinned = state.isKey || state.isQuery;
    const bool isLit = state.isLitAsKey || state.isLitAsQuery;
    const QColor ink = isPinned ? markColour(m_palette) : accent;
    const double thickness = isPinned ? 2 : isLit ? 1.5 : 1;
    m_painter.setPen(QPen(isPinned || isLit ? ink : mixed(base, ink, state.isGenerated ? 0.8 : 0.25),
                          thickness, state.isGenerated ? Qt::DashLine : Qt::SolidLine));
    m_painter.setBrush(mixed(base, ink, isLit ? 0.28 : isPinned ? 0.1 : state.isGenerated ? 0 : 0.06));
    const double inset = thickness / 2;
    m_painter.drawRoundedRect(chip.adjusted(inset, inset, -inset, -inset), kRadius, kRadius);
    if (state.hasFocus) {
        m_painter.setPen(QPen(m_palette.color(QPalette::Text), 1, Qt::DotLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(chip.adjusted(-1.5, -1.5, 1.5, 1.5), kRadius + 1, kRadius + 1);
    }
}

/// A small arrow above the chip: the prediction follows this token.
void TokenChipPainter::paintReadMark(const QRectF& chip)
{
    const QPointF tip(chip.center().x(), chip.top() - 1.5);
    QPainterPath arrow(tip);
    arrow.lineTo(tip + QPointF(-4.5, -5.5));
    arrow.lineTo(tip + QPointF(4.5, -5.5));
    arrow.closeSubpath();
    m_painter.fillPath(arrow, m_palette.color(QPalette::Highlight));
}

/// A bar along the chip's lower edge.
void TokenChipPainter::paintShade(const QRectF& chip, double shade)
{
    const QRectF bar(chip.left() + 3, chip.bottom() - 4, (chip.width() - 6) * shade, 3);
    m_painter.fillRect(bar, sideColour(Side::Right, m_palette));
}

void TokenChipPainter::paintWords(int token, const ChipState& state)
{
    const bool isPinned = state.isKey || state.isQuery;
    m_painter.setFont(isPinned ? m_bold : m_font);
    m_painter.setPen(m_palette.color(m_layout.isFrame(token) ? QPalette::PlaceholderText : QPalette::Text));
    m_painter.drawText(m_layout.labelBox(token), Qt::AlignCenter | Qt::TextSingleLine, m_layout.label(token));

    const QString role =
        isPinned ? roleOf(state.isKey, state.isQuery) : roleOf(state.isLitAsKey, state.isLitAsQuery);
    m_painter.setFont(m_captionFont);
    m_painter.setPen(isPinned         ? markColour(m_palette)
                     : role.isEmpty() ? m_palette.color(QPalette::PlaceholderText)
                                      : m_palette.color(QPalette::Highlight));
    m_painter.drawText(m_layout.captionBox(token), Qt::AlignRight | Qt::AlignVCenter,
                       role.isEmpty() ? m_layout.caption(token) : role);
}

}  // namespace hs::panels
