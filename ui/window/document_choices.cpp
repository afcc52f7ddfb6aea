#include "window/document_choices.h"

#include <QAction>
#include <QMenu>

namespace hs::window {

DocumentChoices::DocumentChoices(control::Explorer& explorer, QObject* parent)
    : QObject(parent), m_explorer(explorer)
{
    connect(&explorer, &control::Explorer::documentChanged, this, &DocumentChoices::refresh);
    connect(&explorer, &control::Explorer::stateChanged, this, &DocumentChoices::refresh);
}

QAction* DocumentChoices::add(QMenu* menu, const QString& text, Holds holds, Choose choose,
                              const QKeySequence& shortcut, Problem problem)
{
    QAction* const action = menu->addAction(text);
    action->setCheckable(true);
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, [this, action, choose = std::move(choose)] {
        m_explorer.edit(action->text().remove(QLatin1Char('&')), choose);
        refresh();  // a click may untick an entry that still holds
    });
    m_choices.push_back({action, std::move(holds), std::move(problem)});
    show(m_choices.back());
    return action;
}

QAction* DocumentChoices::addAct(QMenu* menu, const QString& text, Act act, const QKeySequence& shortcut,
                                 Problem problem)
{
    QAction* const action = menu->addAction(text, this, [this, act = std::move(act)] { act(m_explorer); });
    action->setShortcut(shortcut);
    m_choices.push_back({action, {}, std::move(problem)});
    show(m_choices.back());
    return action;
}

void DocumentChoices::refresh()
{
    for (const Choice& choice : m_choices)
        show(choice);
}

void DocumentChoices::show(const Choice& choice)
{
    if (choice.holds)
        choice.action->setChecked(choice.holds(m_explorer.document()));
    if (!choice.problem)
        return;
    const QString problem = choice.problem(m_explorer);
    choice.action->setEnabled(problem.isEmpty());
    choice.action->setToolTip(problem);
    choice.action->setStatusTip(problem);
}

}  // namespace hs::window
