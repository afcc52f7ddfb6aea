#pragma once

#include "composer/spec_form.h"

class QAction;
class QLabel;
class QToolButton;

namespace hs::composer {

/// Chooses the figure's preset, and takes over what the grids show.
class PresetForm : public SpecForm {
    Q_OBJECT

public:
    explicit PresetForm(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Takes over heads, order, pinned cell and look of the grids, as one undoable step.
    void takeShown();
    /// The same with only the selected heads.
    void takeSelected();

private:
    QWidget* newButtons();
    void refreshActions();

    QLabel* m_shows = nullptr;
    QToolButton* m_asShown = nullptr;
    QAction* m_takeSelected = nullptr;
};

}  // namespace hs::composer
