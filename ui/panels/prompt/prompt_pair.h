#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QLabel;

namespace hs::panels {

/// The document's prompt, read-only, and beside it the corrupted one, to be typed.
class PromptPair : public QWidget {
    Q_OBJECT

public:
    explicit PromptPair(control::Explorer& explorer, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showClean();

    control::Explorer& m_explorer;
    QLabel* m_name;
    QLabel* m_clean;
};

}  // namespace hs::panels
