#pragma once

#include "control/explorer/explorer.h"

#include <QToolButton>

namespace hs::panels {

/// What each side predicts next, in one line; a click asks for all predictions. Its width is that of the font
/// alone, so that no run moves the tokens beside it.
class NextTokens : public QToolButton {
    Q_OBJECT

public:
    explicit NextTokens(control::Explorer& explorer, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    control::Explorer& m_explorer;
};

}  // namespace hs::panels
