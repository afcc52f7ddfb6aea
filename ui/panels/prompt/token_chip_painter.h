#pragma once

#include "panels/prompt/token_chip_layout.h"

class QPainter;
class QPalette;

namespace hs::panels {

/// What a chip shows in addition to its token.
struct ChipState {
    bool isKey = false;  // pinned
    bool isQuery = false;
    bool isLitAsKey = false;  // under the pointer, here or in a grid
    bool isLitAsQuery = false;
    bool isRead = false;  // predictions are read after this token
    bool hasFocus = false;
    bool isGenerated = false;  // a model wrote it
    bool isBlock = false;      // stands for several tokens
    bool isChanged = false;    // the other side's text has another token there, or none
    double shade = 0;          // 0 to 1: how strongly what is looked at is there
};

/// Draws the chips of one strip. Pinned ones have a thick red frame, bold text and a K or Q in place of their
/// index, so that they can be recognised without colour; those that a model wrote have a dashed frame, those that the
/// other side's text lacks a bar below the word, and blocks of several tokens a bracket.
class TokenChipPainter {
public:
    TokenChipPainter(QPainter& painter, const TokenChipLayout& layout, const QPalette& palette);

    void paint(int token, const ChipState& state);

private:
    void paintFrame(const QRectF& chip, const ChipState& state);
    void paintReadMark(const QRectF& chip);
    void paintChange(const QRectF& chip);
    void paintBracket(const QRectF& chip);
    void paintShade(const QRectF& chip, double shade);
    void paintWords(int token, const ChipState& state);

    QPainter& m_painter;
    const TokenChipLayout& m_layout;
    const QPalette& m_palette;
    QFont m_font;
    QFont m_bold;
    QFont m_captionFont;
};

}  // namespace hs::panels
