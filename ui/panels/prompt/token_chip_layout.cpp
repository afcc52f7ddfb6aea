#include "panels/prompt/token_chip_layout.h"

#include "control/document/token_label.h"
#include "render/translate.h"

#include <QFontMetrics>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr int kTextPadding = 5;  // left and right of the texts
constexpr int kChipPadding = 3;
constexpr int kCaptionGap = 3;  // between label and caption

int chipHeight(const QFont& font)
{
    return QFontMetrics(font).height() + 2 * kChipPadding;
}

/// Whose message a token is in; empty outside messages.
QString messageRole(text::TokenRole role)
{
    return role == text::TokenRole::System      ? tr("system")
           : role == text::TokenRole::User      ? tr("user")
           : role == text::TokenRole::Assistant ? tr("assistant")
                                                : QString();
}

}  // namespace

TokenChipLayout::TokenChipLayout(const std::vector<text::Token>& tokens, const QFont& font, bool hasIds)
    : m_font(font)
{
    QFont bold = font;  // pinned labels are bold and must fit
    bold.setBold(true);
    const QFontMetrics labelMetrics(bold);
    const QFontMetrics captionMetrics(captionFont(font));
    const int narrowest = captionMetrics.horizontalAdvance(tr("KQ"));  // key and query
    int x = kMargin;
    text::TokenRole last = text::TokenRole::Text;
    for (const text::Token& token : tokens) {
        const QString label =
            labelMetrics.elidedText(control::tokenLabel(token.text), Qt::ElideRight, kWidestText);
        const QString index = QString::number(m_labels.size());
        QString caption = hasIds ? QStringLiteral("%1 · #%2").arg(index).arg(token.id) : index;
        if (const QString role = messageRole(token.role); !role.isEmpty() && token.role != last)
            caption = role + QLatin1Char(' ') + caption;
        last = token.role;
        const int captionWidth = std::max(captionMetrics.horizontalAdvance(caption), narrowest);
        const int width =
            labelMetrics.horizontalAdvance(label) + kCaptionGap + captionWidth + 2 * kTextPadding;
        m_labels.push_back(label);
        m_captions.push_back(caption);
        m_areFrames.push_back(token.role == text::TokenRole::Frame || token.role == text::TokenRole::Begin);
        m_lefts.push_back(x);
        m_widths.push_back(width);
        m_captionWidths.push_back(captionWidth);
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
        font.setPointSizeF(0.75 * font.pointSizeF());
    else
        font.setPixelSize(std::max(1, 75 * font.pixelSize() / 100));
    return font;
}

int TokenChipLayout::heightFor(const QFont& font)
{
    return kAbove + chipHeight(font) + kBelow;
}

QRect TokenChipLayout::chip(int token) const
{
    const auto at = static_cast<std::size_t>(token);
    return {m_lefts[at], kAbove, m_widths[at], chipHeight(m_font)};
}

QRect TokenChipLayout::labelBox(int token) const
{
    return chip(token).adjusted(kTextPadding, 0, captionBox(token).left() - kCaptionGap - chip(token).right(),
                                0);
}

QRect TokenChipLayout::captionBox(int token) const
{
    const QRect whole = chip(token);
    const int width = m_captionWidths[static_cast<std::size_t>(token)];
    return {whole.right() + 1 - kTextPadding - width, whole.top(), width, whole.height()};
}

int TokenChipLayout::tokenAt(int x) const
{
    if (m_lefts.empty() || x < m_lefts.front() || x >= m_lefts.back() + m_widths.back())
        return -1;
    return static_cast<int>(std::upper_bound(m_lefts.begin(), m_lefts.end(), x) - m_lefts.begin()) - 1;
}

}  // namespace hs::panels
