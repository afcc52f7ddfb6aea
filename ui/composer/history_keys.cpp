#include "composer/history_keys.h"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace hs::composer {

HistoryKeys::HistoryKeys(QWidget& window) : QObject(&window)
{
    for (QWidget* const child : window.findChildren<QWidget*>())
        if (qobject_cast<QLineEdit*>(child) || qobject_cast<QAbstractSpinBox*>(child))
            child->installEventFilter(this);
}

bool HistoryKeys::eventFilter(QObject* field, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
            event->ignore();  // leaves it to the window
            return true;
        }
    }
    return QObject::eventFilter(field, event);
}

}  // namespace hs::composer
