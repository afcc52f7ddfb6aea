#include "panels/prompt/token_chip_layout.h"

#include "control/document/token_label.h"
#include "render/translate.h"

#include <QFontMetrics>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kTextPadding = 8;  // left and right of the label
constexpr int kChipPadding = 4;
constexpr int kLineGap = 2;

int chipHeight(const QFont& font)
{
    return QFontMetrics(font).height() + 2 * kChipPadding;
}

}  // namespace

TokenChipLayout::TokenChipLayout(const std::vector<text::Token>& tokens, const QFont& font, bool hasIds)
    : m_font(font)
{
    QFont bold = font;  // pinned labels are bold and must fit
    bold.setBold(true);
    const QFontMetrics labelMetrics(bold);
    const QFontMetrics captionMetrics(captionFont(font));
    const int narrowest = captionMetrics.horizontalAdvance(tr("query"));
    int x = kMargin;
    for (const text::Token& token : tokens) {
        const QString label =
            labelMetrics.elidedText(control::tokenLabel(token.text), Qt::ElideRight, kWidestText);
        const QString index = QString::number(m_labels.size());
        const QString caption = hasIds ? QStringLiteral("%1 · #%2").arg(index).arg(token.id) : index;
        const int width = std::max({labelMetrics.horizontalAdvance(label) + 2 * kTextPadding,
                                    captionMetrics.horizontalAdvance(caption), narrowest});
        m_labels.push_back(label);
        m_captions.push_back(caption);
        m_lefts.push_back(x);
        m_widths.push_back(width);
        x += width + kGap;
    }
}

int TokenChipLayout::width() const
{
    return m_lefts.empty() ? 0 : m_lefts.back() + m_widths.back() + kMargin;
}

QFont TokenChipLayout::captionFont(QFont font)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(0.85 * font.pointSizeF());
    else
        font.setPixelSize(std::max(1, 85 * font.pixelSize() / 100));
    return font;
}

int TokenChipLayout::heightFor(const QFont& font)
{
    const int line = QFontMetrics(captionFont(font)).height();
    return kMargin + chipHeight(font) + kLineGap + 2 * line + kLineGap;
}

QRect TokenChipLayout::chip(int token) const
{
    const auto at = static_cast<std::size_t>(token);
    return {m_lefts[at], kMargin, m_widths[at], chipHeight(m_font)};
}

QRect TokenChipLayout::captionLine(int token) const
{
    const QRect above = chip(token);
    return {above.left(), above.bottom() + 1 + kLineGap, above.width(),
            QFontMetrics(captionFont(m_font)).height()};
}

QRect TokenChipLayout::roleLine(int token) const
{
    const QRect above = captionLine(token);
    return above.translated(0, above.height());
}

int TokenChipLayout::tokenAt(int x) const
{
    if (m_lefts.empty() || x < m_lefts.front() || x >= m_lefts.back() + m_widths.back())
        return -1;
    return static_cast<int>(std::upper_bound(m_lefts.begin(), m_lefts.end(), x) - m_lefts.begin()) - 1;
}

}  // namespace hs::panels
