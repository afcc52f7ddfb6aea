#pragma once

#include <QAccessibleInterface>

namespace hs::grid {

class AccessibleCanvas;

/// The slim tile of an MLP as screen readers see it: a check box that is checked while the MLP is ablated. Asks its
/// grid for everything, as tiles do, so it never shows outdated state.
class MlpAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    /// `index` counts the grid's slim tiles.
    MlpAccessible(AccessibleCanvas* grid, int index) : m_grid(grid), m_index(index) {}

    int index() const { return m_index; }

    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::CheckBox; }
    QRect rect() const override;
    void setText(QAccessible::Text, const QString&) override {}
    QString text(QAccessible::Text kind) const override;
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override;

    QStringList actionNames() const override { return {toggleAction()}; }
    void doAction(const QString& action) override;
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    AccessibleCanvas* m_grid;  // owns this
    int m_index;
};

}  // namespace hs::grid
