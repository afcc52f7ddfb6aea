#pragma once

#include "control/explorer.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QPlainTextEdit;
class QSpinBox;

namespace hs {

/// Which heads a grid shows, and where: matrix or list, every n-th layer, a range of heads, an order
/// and a number of columns. Accepting it is one undoable step.
class LayoutDialog : public QDialog {
    Q_OBJECT

public:
    explicit LayoutDialog(Explorer& explorer, QWidget* parent = nullptr);

    void accept() override;

private:
    void load(Side side);
    void refresh();
    std::vector<Side> sides() const;
    Result<GridChoice> choice() const;

    Explorer& m_explorer;
    QComboBox* m_side;
    QComboBox* m_form;
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

}  // namespace hs
