#pragma once

#include "control/explorer.h"
#include "panels/examples.h"

#include <QMenu>

namespace hs {

/// The shipped examples that suit the models that are open; one that is chosen is put into the document
/// with its tokens and its corrupted prompt, in one step. Fills itself when it opens.
class ExampleMenu : public QMenu {
    Q_OBJECT

public:
    explicit ExampleMenu(Explorer& explorer, QWidget* parent = nullptr);

    /// Leaves out those without a corrupted prompt.
    void setForPairs(bool isForPairs) { m_isForPairs = isForPairs; }
    void fill();

Q_SIGNALS:
    void chosen(const hs::Example& example);

private:
    void choose(const Example& example);

    Explorer& m_explorer;
    bool m_isForPairs = false;
};

}  // namespace hs
