#pragma once

#include "panels/heads/head_toggle_model.h"

#include <QTableView>

namespace hs::panels {

/// The table of check boxes: a click or Space toggles, Ctrl-click selects, headers and Shift-Space or
/// Ctrl-Space toggle a whole layer or column.
class HeadToggleMatrix : public QTableView {
    Q_OBJECT

public:
    explicit HeadToggleMatrix(control::Explorer& explorer, QWidget* parent = nullptr);

    HeadToggleModel& toggles() const { return *m_model; }

    QSize sizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override { mousePressEvent(event); }
    void mouseMoveEvent(QMouseEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void changeEvent(QEvent* event) override;

private:
    void fitSections();
    void showCurrent();

    control::Explorer& m_explorer;
    HeadToggleModel* m_model;
    QPersistentModelIndex m_pressed;
    bool m_isShowing = false;
};

}  // namespace hs::panels
