#pragma once

#include "control/explorer/explorer.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QPlainTextEdit;
class QSpinBox;

namespace hs::window {

/// Which heads a grid shows, and where: matrix or list, how layers run, every n-th layer, a range of heads, an order
/// and a number of columns. Accepting it is one undoable step.
class LayoutDialog : public QDialog {
    Q_OBJECT

public:
    explicit LayoutDialog(control::Explorer& explorer, QWidget* parent = nullptr);

    void accept() override;

private:
    void load(Side side);
    void refresh();
    std::vector<Side> sides() const;
    Result<control::GridChoice> choice() const;

    control::Explorer& m_explorer;
    QComboBox* m_side;
    QComboBox* m_form;
    QComboBox* m_flow;
    QSpinBox* m_blocks;
    QSpinBox* m_layerStep;
    QSpinBox* m_firstHead;
    QSpinBox* m_lastHead;
    QPlainTextEdit* m_list;
    QComboBox* m_order;
    QCheckBox* m_isAscending;
    QSpinBox* m_columns;
    QCheckBox* m_showsHidden;
    QLabel* m_problem;
};

}  // namespace hs::window
