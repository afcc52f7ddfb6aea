#pragma once

#include "control/explorer/explorer.h"
#include "panels/prompt/examples.h"

#include <QMenu>

namespace hs::panels {

/// The shipped examples that suit the open models; choosing one puts it into the document with its tokens and
/// its corrupted prompt, in one step. Fills itself when it opens.
class ExampleMenu : public QMenu {
    Q_OBJECT

public:
    explicit ExampleMenu(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Leaves out those without a corrupted prompt.
    void setForPairs(bool isForPairs) { m_isForPairs = isForPairs; }
    void fill();

Q_SIGNALS:
    void chosen(const hs::panels::Example& example);

private:
    void choose(const Example& example);

    control::Explorer& m_explorer;
    bool m_isForPairs = false;
};

}  // namespace hs::panels
