#pragma once

#include "control/explorer/explorer.h"

#include <QMenu>

#include <vector>

namespace hs::panels {

/// What a text can be cut into, in words.
struct BlockUnitWords {
    text::BlockUnit unit;
    QString name;  // with its mnemonic
    QString tip;
};
std::vector<BlockUnitWords> blockUnits();

/// Why the text of neither side can be cut into them; empty if one can.
QString whyNotCut(const control::Explorer& explorer, text::BlockUnit unit);

/// Cuts the document's texts into them.
void cutInto(control::Document& document, text::BlockUnit unit);

/// What maps have a cell for each pair of: tokens, or words, sentences, lines, messages or own blocks of them.
class BlockMenu : public QMenu {
    Q_OBJECT

public:
    explicit BlockMenu(control::Explorer& explorer, QWidget* parent = nullptr);

    /// "Blocks", or which there are.
    QString words() const;

private:
    void fill();

    control::Explorer& m_explorer;
};

}  // namespace hs::panels
