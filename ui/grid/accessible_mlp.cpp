#include "grid/accessible_mlp.h"

#include "grid/accessible.h"
#include "grid/canvas.h"

namespace hs::grid {

bool MlpAccessible::isValid() const
{
    return m_grid->isValid() && m_grid->mlpAt(m_index).has_value();
}

QAccessibleInterface* MlpAccessible::parent() const
{
    return m_grid;
}

QRect MlpAccessible::rect() const
{
    const auto mlp = m_grid->mlpAt(m_index);
    return mlp ? m_grid->unitRect(*mlp) : QRect();
}

QString MlpAccessible::text(QAccessible::Text kind) const
{
    const auto mlp = m_grid->mlpAt(m_index);
    return mlp && kind == QAccessible::Name ? m_grid->canvas()->describe(*mlp) : QString();
}

QAccessible::State MlpAccessible::state() const
{
    QAccessible::State state;
    state.checkable = true;
    const auto mlp = m_grid->mlpAt(m_index);
    state.checked = mlp && m_grid->canvas()->content().ablated.contains(*mlp);
    return state;
}

void* MlpAccessible::interface_cast(QAccessible::InterfaceType type)
{
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
}

void MlpAccessible::doAction(const QString& action)
{
    if (const auto mlp = m_grid->mlpAt(m_index); mlp && action == toggleAction())
        Q_EMIT m_grid->canvas()->ablationRequested(*mlp);
}

}  // namespace hs::grid
