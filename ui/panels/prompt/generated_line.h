#pragma once

#include "panels/prompt/token_chip_layout.h"

#include <QAbstractScrollArea>

namespace hs::panels {

/// What a model wrote, as chips in one row, with the step that is looked at: what is in the text shown, the token chosen
/// there, and, faint, what came later. A click looks at the step that chose a token.
class GeneratedLine : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit GeneratedLine(QWidget* parent = nullptr);

    /// `parting` is the token from which on another model wrote something else; -1: nowhere.
    void showTokens(std::vector<text::Token> tokens, int step, int parting);

    int count() const { return m_layout.count(); }
    int parting() const { return m_parting; }
    QRect chipRect(int token) const;  // in the viewport

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepChosen(int step);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void layOut();
    void reveal();

    std::vector<text::Token> m_tokens;
    TokenChipLayout m_layout;
    int m_step = 0;
    int m_parting = -1;
};

}  // namespace hs::panels
