#pragma once

#include "control/document/preferences.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace hs::window {

/// Shows preferences and returns them as the user changed them; applies nothing itself.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    explicit PreferencesDialog(const control::Preferences& preferences, QWidget* parent = nullptr);

    control::Preferences preferences() const;

private:
    control::Preferences m_before;
    QComboBox* m_theme;
    QComboBox* m_device;
    QComboBox* m_type;
    QCheckBox* m_tf32;
    QSpinBox* m_budget;  // MB
    QComboBox* m_colourMap;
    QComboBox* m_scale;
    QCheckBox* m_isPerHead;
    QCheckBox* m_hidesFirst;
    QCheckBox* m_runsAsYouType;
    QSpinBox* m_autosave;  // seconds
};

}  // namespace hs::window
