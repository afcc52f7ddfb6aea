#pragma once

#include "text/tokenizer.h"

#include <QFont>
#include <QRect>
#include <QString>

#include <vector>

namespace hs::panels {

/// Where each token's chip is, in pixels of the whole strip, and its texts; used by painting and hit testing.
/// Created anew when tokens or font change.
class TokenChipLayout {
public:
    static constexpr int kMargin = 4;  // left and right of all chips
    static constexpr int kAbove = 6;   // for the reading mark
    static constexpr int kBelow = 3;
    static constexpr int kGap = 5;
    static constexpr int kWidestText = 160;  // longer labels are cut; the tooltip shows them in full

    TokenChipLayout() = default;
    TokenChipLayout(const std::vector<text::Token>& tokens, const QFont& font, bool hasIds);

    int count() const { return static_cast<int>(m_labels.size()); }
    int width() const;
    int height() const { return heightFor(m_font); }
    static int heightFor(const QFont& font);
    static QFont captionFont(QFont font);

    const QString& label(int token) const { return m_labels[static_cast<std::size_t>(token)]; }
    const QString& caption(int token) const { return m_captions[static_cast<std::size_t>(token)]; }
    /// Whether a chat's template put the token there.
    bool isFrame(int token) const { return m_areFrames[static_cast<std::size_t>(token)]; }
    QRect chip(int token) const;
    QRect labelBox(int token) const;
    /// At the chip's right end: the index, and the id if asked for; or what the token is pinned as. In a chat the first
    /// token of a message also says whose it is.
    QRect captionBox(int token) const;

    /// The token at x, or the nearest gap's left neighbour; -1 outside.
    int tokenAt(int x) const;

private:
    QFont m_font;
    std::vector<QString> m_labels;
    std::vector<QString> m_captions;
    std::vector<bool> m_areFrames;     // [token]
    std::vector<int> m_lefts;          // [token]
    std::vector<int> m_widths;         // [token]
    std::vector<int> m_captionWidths;  // [token]
};

}  // namespace hs::panels
