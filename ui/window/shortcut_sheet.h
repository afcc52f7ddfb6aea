#pragma once

#include <QDialog>

class QMainWindow;

namespace hs::window {

/// Every key and gesture of the window on one sheet: the current shortcuts of the menus, and what keys and
/// mouse do in the grids and in the token strip.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutSheet(const QMainWindow& window, QWidget* parent = nullptr);
};

}  // namespace hs::window
