#pragma once

#include "control/explorer/explorer.h"
#include "panels/prompt/token_chip_layout.h"
#include "panels/prompt/token_chip_painter.h"
#include "panels/prompt/token_pins.h"

#include <QAbstractScrollArea>

class QMenu;

namespace hs::panels {

/// The prompt's tokens as chips in one scrolling row, or blocks of them by their names, where maps have those: pointing lights a column or a row in every tile, a
/// click pins, dragging pins several or marks them as one block, Ctrl-click and double click read the predictions there. Where keys are other tokens than queries, a
/// strip has the tokens of one axis; where the sides read different texts, those of one side. One painted widget, since prompts may have thousands of tokens.
class TokenStrip : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TokenStrip(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Whose tokens it has: those of a side, or of the one that stands for the prompt; and along which axis, which is then
    /// the one that a click pins: if none, both have the same.
    void show(std::optional<Side> side, std::optional<control::Axis> axis);

    int count() const { return m_layout.count(); }
    int currentToken() const { return m_current; }  // has the keyboard focus; -1: none
    void setCurrentToken(int token);
    QRect chipRect(int token) const;          // in the viewport
    int tokenAt(QPoint viewportPoint) const;  // -1: none
    /// Position, token, id and pins, in words.
    QString describe(int token) const;
    ChipState stateOf(int token) const;
    bool showsIds() const { return m_showsIds; }
    void setShowsIds(bool shows);
    /// What can be done with a token. The caller owns it.
    QMenu* newMenu(int token);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void takeTokens();
    void layOut();
    void updateScrollBar();
    void reveal(int token);
    void showHover();
    QString emptyText() const;
    bool isStale() const;
    bool isGenerated(int token) const;
    /// The tokens of the text that a chip stands for.
    text::TokenSpan tokensAt(int token) const;
    bool hasBlocks() const;

    Side side() const { return m_side.value_or(m_explorer.tokenSide()); }
    std::shared_ptr<const control::SideRun> run() const { return m_explorer.state(side()).run; }
    /// In the tokens shown.
    TokenPins pins() const;
    /// What a click makes of them.
    TokenPins pinsAfterClick(int token) const;
    bool isCausal() const;
    /// Why predictions cannot be read here; empty if they can.
    QString whyNotRead() const;
    void pin(const TokenPins& pins);
    void readAt(int token);
    void dragTo(int token);
    std::optional<int> readPositionAt(int token) const;
    /// Whether own blocks can be marked here.
    bool canMark() const;
    void mark(text::TokenSpan chips);
    void changeOwnBlocks(const QString& what, const std::function<void(text::BlockChoice&)>& change);
    void addBlockActions(QMenu& menu, int token);
    void pointAt(int token, Qt::KeyboardModifiers modifiers);
    void stopPointing();
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);

    control::Explorer& m_explorer;
    std::optional<Side> m_side;
    std::optional<control::Axis> m_axis;
    std::vector<text::Token> m_tokens;
    TokenChipLayout m_layout;
    int m_current = -1;
    int m_pointed = -1;  // under the pointer, or reached by keyboard
    bool m_showsIds = false;
    int m_clicked = -1;                      // token of the last click
    std::optional<control::Axis> m_dragged;  // what the click pinned, while the button is held
    TokenPins m_pinsBeforeClick;             // what a double click puts back
    int m_draggedTo = -1;                    // how far
    int m_clicks = 0;                        // separates the undo steps of clicks
};

}  // namespace hs::panels
