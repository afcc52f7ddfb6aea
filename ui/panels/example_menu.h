#pragma once

#include "control/explorer.h"
#include "panels/examples.h"

#include <QMenu>

namespace hs {

/// Prompts that an analysis can start from; one that is chosen is put into the document with its
/// tokens, in one step. Fills itself when it opens.
class ExampleMenu : public QMenu {
    Q_OBJECT

public:
    explicit ExampleMenu(Explorer& explorer, QWidget* parent = nullptr);

    /// Leaves out those without a corrupted prompt.
    void setForPairs(bool isForPairs) { m_isForPairs = isForPairs; }
    void fill();

private:
    void choose(const Example& example);

    Explorer& m_explorer;
    bool m_isForPairs = false;
};

}  // namespace hs
