#pragma once

#include "control/explorer/explorer.h"

#include <QToolButton>

namespace hs::panels {

/// What each side predicts next, in one line; a click asks for all predictions.
class NextTokens : public QToolButton {
    Q_OBJECT

public:
    explicit NextTokens(control::Explorer& explorer, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    control::Explorer& m_explorer;
};

}  // namespace hs::panels
