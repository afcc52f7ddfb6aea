#include "window/document_choices.h"

#include <QAction>
#include <QMenu>

namespace hs::window {

DocumentChoices::DocumentChoices(control::Explorer& explorer, QObject* parent)
    : QObject(parent), m_explorer(explorer)
{
    connect(&explorer, &control::Explorer::documentChanged, this, &DocumentChoices::refresh);
}

QAction* DocumentChoices::add(QMenu* menu, const QString& text, Holds holds, Choose choose,
                              const QKeySequence& shortcut)
{
    QAction* const action = menu->addAction(text);
    action->setCheckable(true);
    action->setShortcut(shortcut);
    action->setChecked(holds(m_explorer.document()));
    connect(action, &QAction::triggered, this, [this, action, choose = std::move(choose)] {
        m_explorer.edit(action->text().remove(QLatin1Char('&')), choose);
        refresh();  // a click may untick an entry that still holds
    });
    m_choices.push_back({action, std::move(holds)});
    return action;
}

void DocumentChoices::refresh()
{
    for (const Choice& choice : m_choices)
        choice.action->setChecked(choice.holds(m_explorer.document()));
}

}  // namespace hs::window
