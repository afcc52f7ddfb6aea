#pragma once

#include "control/explorer/explorer.h"

#include <QKeySequence>
#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace hs::window {

/// Menu entries that show and set a part of the document: each is ticked while its choice holds, and choosing
/// it is one undoable step.
class DocumentChoices : public QObject {
    Q_OBJECT

public:
    using Holds = std::function<bool(const control::Document&)>;
    using Choose = std::function<void(control::Document&)>;

    DocumentChoices(control::Explorer& explorer, QObject* parent);

    QAction* add(QMenu* menu, const QString& text, Holds holds, Choose choose,
                 const QKeySequence& shortcut = {});

private:
    struct Choice {
        QAction* action;
        Holds holds;
    };

    void refresh();

    control::Explorer& m_explorer;
    std::vector<Choice> m_choices;
};

}  // namespace hs::window
