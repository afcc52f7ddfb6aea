#pragma once

#include "composer/spec_form.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace hs::composer {

class HeadOrderList;

/// What the figure shows from one side: whether it is shown, its title, its heads and their order.
class SideForm : public SpecForm {
    Q_OBJECT

public:
    SideForm(control::Explorer& explorer, Side side, QWidget* parent = nullptr);

    /// Reads an analysis from its JSON file instead of computing it.
    void loadResult(const QString& file);

private:
    void addMatrix();
    void addList();
    void addOneHead();
    void addResult();
    QWidget* newListButtons();
    /// Shows heads and title as in the current model.
    void showModel();
    void listHeads();
    void listChoices();
    void takeOrder();
    bool isRankedByResult() const;
    void addNamedHeads();
    void askForResult();
    control::GridChoice& grid(control::FigureSpec& spec) const { return spec.sides[indexOf(m_side)].grid; }
    const control::GridChoice& grid(const control::FigureSpec& spec) const
    {
        return spec.sides[indexOf(m_side)].grid;
    }
    HeadShape shape();

    Side m_side;
    QLineEdit* m_title = nullptr;
    HeadOrderList* m_list = nullptr;
    QLineEdit* m_more = nullptr;
    QLabel* m_problem = nullptr;
    QComboBox* m_oneHead = nullptr;
    QLabel* m_result = nullptr;
    QPushButton* m_forget = nullptr;
};

}  // namespace hs::composer
