#pragma once

#include "composer/spec_form.h"

class QAction;
class QLabel;

namespace hs::composer {

/// Which figure it is, and taking over what the grids show.
class PresetForm : public SpecForm {
    Q_OBJECT

public:
    explicit PresetForm(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Takes over heads, order, pinned cell and look of the grids: one step that can be undone.
    void takeShown();
    /// The same with the selected heads alone.
    void takeSelected();

private:
    QWidget* newButtons();
    std::array<std::vector<HeadId>, 2> shownHeads();
    void refreshActions();

    QLabel* m_shows = nullptr;
    QAction* m_takeSelected = nullptr;
};

}  // namespace hs::composer
