#pragma once

#include "control/explorer/explorer.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hs::panels {

class HeadToggleMatrix;

/// Which heads of the active side run, how the others are ablated, and the filter that dims heads.
class HeadTogglesPanel : public QWidget {
    Q_OBJECT

public:
    explicit HeadTogglesPanel(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Focuses the filter line and selects all of it.
    void focusFilter();

private:
    QWidget* newSideSwitch();
    QWidget* newTools();
    void compose();
    void connectParts();
    void showDocument();
    void showState();
    void commitFilter();
    void finishFilter();

    control::Explorer& m_explorer;
    std::array<QPushButton*, 2> m_sides = {};  // [Side]
    QPushButton* m_presets = nullptr;
    QComboBox* m_kind = nullptr;
    QCheckBox* m_group = nullptr;
    HeadToggleMatrix* m_matrix = nullptr;
    QLabel* m_empty = nullptr;
    QLabel* m_count = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_filterNote = nullptr;
    QTimer m_pause;
    int m_typing = 0;  // separates the undo steps of typing
    QString m_shownFilter;
};

}  // namespace hs::panels
